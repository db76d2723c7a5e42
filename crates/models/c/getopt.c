/* Options of the command line: getopt, getopt_long, getopt_long_only.
 *
 * As in glibc: arguments that are no options are moved behind the options, unless the list of options
 * begins with `+`. Messages are not printed.
 * left out: POSIXLY_CORRECT; a list that begins with `-` (UNKNOWN).
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
static char *the_state_of_getopt;

static const char *find(const char *options, char letter) {
    for (; *options; options++)
        if (*options == letter && letter != ':')
            return options;
    return NULL;
}

static int short_option(int count, char *const *arguments, const char *options) {
    char letter = *the_state_of_getopt++;
    const char *found = find(options, letter);
    optopt = letter;
    if (!found || found[1] != ':') {
        if (!*the_state_of_getopt) {
            the_state_of_getopt = NULL;
            optind++;
        }
        return found ? letter : '?';
    }
    optind++;
    optarg = NULL;
    if (*the_state_of_getopt)
        optarg = the_state_of_getopt;
    else if (found[2] != ':' && optind < count)
        optarg = arguments[optind++];
    else if (found[2] != ':')
        letter = *options == ':' ? ':' : '?';
    the_state_of_getopt = NULL;
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
                       int *index, char *text, _Bool only) {
    size_t size = 0;
    while (text[size] && text[size] != '=')
        size++;
    int found = -1, ambiguous = 0, whole = 0;
    for (int i = 0; list[i].name && !whole; i++) {
        int fit = fits(text, size, list[i].name);
        if (fit == 0)
            continue;
        whole = fit == 2;
        /* Abbreviations of options that mean the same are not ambiguous, but for getopt_long_only. */
        ambiguous |= found >= 0 && (only || list[i].has_argument != list[found].has_argument ||
                                    list[i].flag != list[found].flag ||
                                    list[i].value != list[found].value);
        if (found < 0 || whole)
            found = i;
    }
    optind++;
    optarg = NULL;
    optopt = 0;
    if (found < 0 || (ambiguous && !whole))
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

/* Arguments that were passed over and are no options; those between the end and optind are. */
static int first_of_getopt = 1, end_of_getopt = 1;

static int is_option(const char *text) { return text[0] == '-' && text[1]; }

/* Moves the options behind the others in front of them. */
static void exchange(char **arguments) {
    int count = optind - end_of_getopt;
    for (int i = 0; i < count; i++) {
        char *option = arguments[end_of_getopt + i];
        for (int at = end_of_getopt + i; at > first_of_getopt + i; at--)
            arguments[at] = arguments[at - 1];
        arguments[first_of_getopt + i] = option;
    }
    first_of_getopt += count;
    end_of_getopt = optind;
}

/* Goes to the next argument that is an option; 0 if there is none. */
static int find_next(int count, char **arguments, int moves) {
    if (end_of_getopt > optind)
        end_of_getopt = optind;
    if (first_of_getopt > optind)
        first_of_getopt = optind;
    if (moves) {
        if (first_of_getopt != end_of_getopt && end_of_getopt != optind)
            exchange(arguments);
        else if (end_of_getopt != optind)
            first_of_getopt = optind;
        while (optind < count && !is_option(arguments[optind]))
            optind++;
        end_of_getopt = optind;
    }
    if (optind < count && arguments[optind][0] == '-' && arguments[optind][1] == '-' &&
        !arguments[optind][2]) {
        optind++;
        if (first_of_getopt != end_of_getopt && end_of_getopt != optind)
            exchange(arguments);
        else if (first_of_getopt == end_of_getopt)
            first_of_getopt = optind;
        end_of_getopt = optind = count;
    }
    if (optind < count)
        return is_option(arguments[optind]);
    if (first_of_getopt != end_of_getopt)
        optind = first_of_getopt;
    return 0;
}

/* Whether a long name may begin with one `-`: unless it is a short option and no long one begins so. */
static int is_long(const char *text, const char *letters, const option *list) {
    if (!find(letters, text[1]))
        return 1;
    size_t size = 0;
    while (text[1 + size] && text[1 + size] != '=')
        size++;
    for (; text[2] && list->name; list++)
        if (fits(text + 1, size, list->name))
            return 1;
    return 0;
}

static int next_option(int count, char *const *arguments, const char *options, const option *list,
                       int *index, _Bool only) {
    const char *letters = options;
    if (*options == '-')
        __raddle_unsupported("getopt with `-` in front");
    if (*options == '+')
        letters++;
    if (optind == 0) {
        first_of_getopt = end_of_getopt = optind = 1;
        the_state_of_getopt = NULL;
    }
    if (!the_state_of_getopt || !*the_state_of_getopt) {
        the_state_of_getopt = NULL;
        if (!find_next(count, (char **)arguments, *options != '+'))
            return -1;
        char *text = arguments[optind];
        if (text[1] == '-' && list)
            return long_option(count, arguments, letters, list, index, text + 2, only);
        if (only && is_long(text, letters, list))
            return long_option(count, arguments, letters, list, index, text + 1, only);
        the_state_of_getopt = text + 1;
    }
    return short_option(count, arguments, letters);
}

int getopt(int count, char *const *arguments, const char *options) {
    return next_option(count, arguments, options, NULL, NULL, 0);
}

int getopt_long(int count, char *const *arguments, const char *options, const option *list,
                int *index) {
    return next_option(count, arguments, options, list, index, 0);
}

int getopt_long_only(int count, char *const *arguments, const char *options, const option *list,
                     int *index) {
    return next_option(count, arguments, options, list, index, 1);
}
