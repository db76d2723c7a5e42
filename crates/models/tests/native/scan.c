/* stdio_scan.c, stdlib_float.c, getopt.c, and the sets of signals.c with signal_handlers.c
 * against the native library. */
#include "driver.h"
#include <getopt.h>
#include <signal.h>
#include <string.h>

int model_sscanf(const char *, const char *, ...);
double model_strtod(const char *, char **);
float model_strtof(const char *, char **);
int model_getopt_long(int, char *const *, const char *, const struct option *, int *);
int model_getopt_long_only(int, char *const *, const char *, const struct option *, int *);
int model_getopt(int, char *const *, const char *);
extern char *model_optarg;
extern int model_optind;
int model_sigemptyset(sigset_t *), model_sigfillset(sigset_t *);
int model_sigaddset(sigset_t *, int), model_sigdelset(sigset_t *, int);
int model_sigismember(const sigset_t *, int);
typedef void handler(int);
handler *model_signal(int, handler *);
int model_sigaction(int, const struct sigaction *, struct sigaction *);
int __raddle_signal_sent(int);

/* Text of numbers, blanks and letters. */
static void random_input(char *s, unsigned room) {
    static const char letters[] = "0123456789  -+xafz:";
    unsigned length = below(room);
    for (unsigned i = 0; i < length; i++)
        s[i] = letters[below(sizeof letters - 1)];
    s[length] = 0;
}

#define SAME(format, type)                                                                         \
    do {                                                                                           \
        type a = 0, b = 0, c = 0, d = 0;                                                           \
        int i = model_sscanf(text, format, &a, &b), j = sscanf(text, format, &c, &d);              \
        EXPECT(i == j && a == c && b == d, "'%s' of '%s': %d %d", format, text, i, j);             \
    } while (0)

static void check_scan(void) {
#pragma clang diagnostic ignored "-Wformat"
    char text[12], x[16], y[16];
    random_input(text, sizeof text);
    SAME("%d%d", int);
    SAME("%3d%d", int);
    SAME("%u %x", unsigned);
    SAME("%o:%x", unsigned);
    SAME("%i%n", int);
    SAME("%*d %d", int);
    SAME("%ld,%ld", long);
    SAME("%lld %llu", long long);
    SAME("%hd%hd", short);
    SAME("%hhd%hhd", signed char);
    SAME("%c%c", char);
    SAME("%%%d", int);
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    int a = 0, b = 0;
    int i = model_sscanf(text, "%4s %d", x, &a), j = sscanf(text, "%4s %d", y, &b);
    EXPECT(i == j && a == b && memcmp(x, y, sizeof x) == 0, "'%s': %d %d", text, i, j);
    static const char *const sets[] = {"%4[0-9]%d", "%[^ x]%d", "%3[]a-f]%d", "%[^]0]%d", "%[a-]%d",
                                       "%[ ]%d", " %5[0-9a-f+-]%d", "%*[0-9]%d"};
    const char *set = sets[below(8)];
    memset(x, '#', sizeof x);
    memset(y, '#', sizeof y);
    a = b = 0;
    if (set[1] == '*')
        i = model_sscanf(text, set, &a), j = sscanf(text, set, &b);
    else
        i = model_sscanf(text, set, x, &a), j = sscanf(text, set, y, &b);
    EXPECT(i == j && a == b && memcmp(x, y, sizeof x) == 0, "'%s' of '%s': %d %d", set, text, i, j);
    i = model_sscanf(text, "%2c%s", x, x + 3), j = sscanf(text, "%2c%s", y, y + 3);
    EXPECT(i == j && (i < 2 || memcmp(x, y, sizeof x) == 0), "'%s': %d %d", text, i, j);
}

static void check_float(void) {
    char text[40], *a, *b;
    int digits = (int)below(9);
    sprintf(text, "%s%u.%0*ue%d%s", below(2) ? " -" : "+", below(9999), digits + 1, below(99999),
            (int)below(20) - 10, below(2) ? "x" : "");
    EXPECT(model_strtod(text, &a) == strtod(text, &b) && a == b, "'%s'", text);
    sprintf(text, "%u.%ue%d", below(99), below(99), (int)below(12) - 6);
    EXPECT(model_strtof(text, &a) == strtof(text, &b) && a == b, "'%s'", text);
    static const char *const odd[] = {"", ".", "-", "e5", "1e", "1e+", ".5", "5.", "0e999", "-0"};
    const char *one = odd[below(sizeof odd / sizeof odd[0])];
    double x = model_strtod(one, &a), y = strtod(one, &b);
    EXPECT(memcmp(&x, &y, sizeof x) == 0 && a == b, "'%s'", one);
    float small = 0, same = 0;
    sprintf(text, "%s%u.%u %u.5e%d,", below(2) ? "-" : "", below(99), below(99), below(99), (int)below(9) - 4);
    int i = model_sscanf(text, "%f %9lf,", &small, &x), j = sscanf(text, "%f %9lf,", &same, &y);
    EXPECT(i == j && small == same && x == y, "'%s': %d %d", text, i, j);
    x = y = 7;
    i = model_sscanf("x", "%lf", &x), j = sscanf("x", "%lf", &y);
    EXPECT(i == j && x == y, "no number");
}

static void check_options(void) {
    static char *const words[] = {"-a", "-b", "-bx", "-ab", "-c", "-cx", "--", "--level",
                                  "--level=3", "--quiet", "--none", "--quiet=1", "-abval", "--lev", "--l=4", "--q", "--quie", "--le", "--m=2",
                                  "--may", "--",   "-level",   "-level=3", "-quie", "-l", "-m", "-axy", "-none",
                                  "x",  "y",  "-"};
    static int flag;
    struct option list[] = {{"level", required_argument, 0, 'l'},
                            {"quiet", no_argument, &flag, 7},
                            {"maybe", optional_argument, 0, 'm'},
                            {"legacy", no_argument, 0, 'y'},
                            {"quietly", no_argument, &flag, 7},
                            {0}};
    char *arguments[7] = {"program"}, *others[7];
    int count = 1 + (int)below(6);
    for (int i = 1; i < count; i++)
        arguments[i] = words[below(sizeof words / sizeof words[0])];
    arguments[count] = 0;
    memcpy(others, arguments, sizeof others);
    int with_list = (int)below(3);
    const char *letters = (below(2) ? "+ab:c::" : "+:ab:c::") + below(2);
    optind = model_optind = 0;
    opterr = 0;
    for (int i = 0; i < 12; i++) {
        int x = -2, y = -2;
        optarg = model_optarg = 0;
        int a = with_list == 2   ? model_getopt_long_only(count, arguments, letters, list, &x)
                : with_list == 1 ? model_getopt_long(count, arguments, letters, list, &x)
                                 : model_getopt(count, arguments, letters);
        int b = with_list == 2   ? getopt_long_only(count, others, letters, list, &y)
                : with_list == 1 ? getopt_long(count, others, letters, list, &y)
                                 : getopt(count, others, letters);
        EXPECT(a == b && optind == model_optind && optarg == model_optarg && x == y,
               "%d %d at %d %d of %d (%s %s %s)", a, b, model_optind, optind, count, arguments[1],
               arguments[1] ? arguments[2] : "", letters);
        EXPECT(memcmp(arguments, others, sizeof others) == 0, "moved");
        if (b == -1)
            break;
    }
}

static void check_sets(void) {
    sigset_t x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    if (below(2))
        model_sigemptyset(&x), sigemptyset(&y);
    else
        model_sigfillset(&x), sigfillset(&y);
    for (int i = 0; i < 8; i++) {
        int number = 1 + (int)below(31);
        if (below(2))
            EXPECT(model_sigaddset(&x, number) == sigaddset(&y, number), "%d", number);
        else
            EXPECT(model_sigdelset(&x, number) == sigdelset(&y, number), "%d", number);
    }
    for (int number = 1; number < 32; number++)
        EXPECT(model_sigismember(&x, number) == sigismember(&y, number), "%d", number);
    EXPECT(model_sigaddset(&x, 99) == -1 && sigaddset(&y, 99) == -1, "no signal");
}

static int heard[2];
static void hears(int number) { heard[0] = number; }
static void hears_more(int number, siginfo_t *info, void *context) {
    heard[1] = info->si_signo == number && context ? number : 0;
}

/* Which handler was there before, and which one runs. */
static void check_handlers(void) {
    const int numbers[] = {SIGUSR1, SIGUSR2, SIGTERM, SIGKILL, SIGSTOP, 0, 99};
    handler *const handlers[] = {SIG_DFL, SIG_IGN, hears};
    int number = numbers[below(7)];
    if (below(2)) {
        handler *next = handlers[below(3)];
        handler *before = model_signal(number, next);
        EXPECT(before == signal(number, next), "handler of %d", number);
    } else {
        struct sigaction next = {.sa_flags = SA_SIGINFO}, x, y;
        next.sa_sigaction = hears_more;
        int model = model_sigaction(number, &next, &x);
        EXPECT(model == sigaction(number, &next, &y), "action of %d", number);
        EXPECT(model == -1 || x.sa_handler == y.sa_handler, "before, of %d", number);
    }
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_DFL) {
        heard[0] = heard[1] = 0;
        raise(number);
        int native[2] = {heard[0], heard[1]};
        heard[0] = heard[1] = 0;
        EXPECT(__raddle_signal_sent(number) == 1, "all is done");
        EXPECT(heard[0] == native[0] && heard[1] == native[1], "raised %d", number);
    }
}

int main(void) {
    for (int i = 0; i < 20000; i++) {
        check_scan();
        check_float();
        check_options();
        check_sets();
        check_handlers();
    }
    return finish();
}
