/* Options of the command line: getopt, getopt_long, getopt_long_only.
 *
 * As POSIX says, and as glibc does with POSIXLY_CORRECT: the first argument that is no option ends
 * them. Messages are not printed.
 * left out: glibc moves arguments that are no options to the end (UNKNOWN where one comes before an
 * option); abbreviated long names, getopt_long_only and optional arguments of long options without
 * `=` are as in glibc or not modelled.
 *
 * accesses: visible
 */
#include "raddle.h"

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

typedef struct {
    const char *name;
    int has_argument; /* 0 no, 1 yes, 2 may have */
    int *flag;
    int value;
} option;

/* The rest of an argument with several options; null before the first. */
static char *rest;

static const char *find(const char *options, char letter) {
    for (; *options; options++)
        if (*options == letter && letter != ':')
            return options;
    return NULL;
}

static int short_option(int count, char *const *arguments, const char *options) {
    char letter = *rest++;
    const char *found = find(options, letter);
    optopt = letter;
    if (!found || found[1] != ':') {
        if (!*rest) {
            rest = NULL;
            optind++;
        }
        return found ? letter : '?';
    }
    optind++;
    optarg = NULL;
    if (*rest)
        optarg = rest;
    else if (found[2] != ':' && optind < count)
        optarg = arguments[optind++];
    else if (found[2] != ':')
        letter = *options == ':' ? ':' : '?';
    rest = NULL;
    return letter;
}

static int same(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i] || !a[i])
            return 0;
    return 1;
}

/* How a long name fits: 0 not at all, 1 it is the beginning, 2 it is the whole. */
static int fits(const char *text, size_t size, const char *name) {
    if (!same(text, name, size))
        return 0;
    return name[size] ? 1 : 2;
}

static int long_option(int count, char *const *arguments, const char *options, const option *list,
                       int *index, char *text) {
    size_t size = 0;
    while (text[size] && text[size] != '=')
        size++;
    int found = -1;
    for (int i = 0; list[i].name; i++) {
        int fit = fits(text, size, list[i].name);
        if (fit == 1)
            __raddle_unsupported("abbreviated options of getopt_long");
        if (fit == 2 && found < 0)
            found = i;
    }
    optind++;
    optarg = NULL;
    optopt = 0;
    if (found < 0)
        return '?';
    const option *chosen = &list[found];
    if (text[size]) {
        if (chosen->has_argument == 0) {
            optopt = chosen->value;
            return '?';
        }
        optarg = text + size + 1;
    } else if (chosen->has_argument == 1) {
        if (optind >= count) {
            optopt = chosen->value;
            return *options == ':' ? ':' : '?';
        }
        optarg = arguments[optind++];
    }
    if (index)
        *index = found;
    if (!chosen->flag)
        return chosen->value;
    *chosen->flag = chosen->value;
    return 0;
}

/* glibc would look for options behind an argument that is none. */
static void check_order(int count, char *const *arguments, const char *options) {
    if (*options == '+')
        return;
    for (int i = optind + 1; i < count; i++)
        if (arguments[i][0] == '-' && arguments[i][1])
            __raddle_unsupported("options behind other arguments (getopt would move them)");
}

static int next_option(int count, char *const *arguments, const char *options, const option *list,
                       int *index) {
    const char *letters = options;
    if (*options == '-')
        __raddle_unsupported("getopt with `-` in front");
    if (*options == '+')
        letters++;
    if (optind == 0) {
        optind = 1;
        rest = NULL;
    }
    if (!rest || !*rest) {
        rest = NULL;
        if (optind >= count || !arguments[optind])
            return -1;
        char *text = arguments[optind];
        if (text[0] != '-' || !text[1]) {
            check_order(count, arguments, options);
            return -1;
        }
        if (text[1] == '-' && !text[2]) {
            optind++;
            return -1;
        }
        if (text[1] == '-' && list)
            return long_option(count, arguments, letters, list, index, text + 2);
        rest = text + 1;
    }
    return short_option(count, arguments, letters);
}

int getopt(int count, char *const *arguments, const char *options) {
    return next_option(count, arguments, options, NULL, NULL);
}

int getopt_long(int count, char *const *arguments, const char *options, const option *list,
                int *index) {
    return next_option(count, arguments, options, list, index);
}
