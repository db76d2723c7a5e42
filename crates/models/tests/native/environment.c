/* Environment variables against the native ones: random sequences of calls after all variables
 * were removed. A call that the model lets fail for lack of memory is not made natively. */
#include "driver.h"
#include <errno.h>
#include <string.h>

char *model_getenv(const char *);
int model_setenv(const char *, const char *, int), model_unsetenv(const char *);
int model_putenv(char *), model_clearenv(void);
int *model___errno_location(void);

static const char *const names[] = {"A", "AB", "B", "HOME", "a_name_of_more_than_eight_letters", "", "A=B"};
enum { NAMES = sizeof names / sizeof *names };

static void compare_all(const char *after) {
    for (unsigned i = 0; i < NAMES; i++) {
        const char *a = getenv(names[i]), *b = model_getenv(names[i]);
        EXPECT(!a == !b && (!a || strcmp(a, b) == 0), "%s after %s: %s %s", names[i], after, a ? a : "none", b ? b : "none");
    }
}

/* Whether the native function shall be called, too. */
static int had_memory(int result) { return result == 0 || *model___errno_location() != ENOMEM; }

static void check_sequence(void) {
    /* Texts that stay in the environment. */
    static char texts[8][64];
    clearenv(), model_clearenv();
    for (unsigned i = 0; i < 8; i++) {
        const char *name = names[below(NAMES)];
        char value[6];
        random_string(value, sizeof value);
        int overwrite = (int)below(2), a, b;
        switch (below(3)) {
        case 0:
            b = model_setenv(name, value, overwrite);
            if (!had_memory(b))
                break;
            a = setenv(name, value, overwrite);
            EXPECT(a == b && (a == 0 || errno == *model___errno_location()), "setenv %s: %d %d", name, a, b);
            compare_all("setenv");
            break;
        case 1:
            a = unsetenv(name), b = model_unsetenv(name);
            EXPECT(a == b && (a == 0 || errno == *model___errno_location()), "unsetenv %s: %d %d", name, a, b);
            compare_all("unsetenv");
            break;
        default:
            if (!*name || strchr(name, '='))
                break;
            snprintf(texts[i], sizeof texts[i], below(4) ? "%s=%s" : "%s", name, value);
            b = model_putenv(texts[i]);
            if (had_memory(b))
                EXPECT(putenv(texts[i]) == b, "putenv %s", texts[i]);
            compare_all("putenv");
        }
    }
}

int main(void) {
    /* What nobody has set is the same each time. */
    const char *first = model_getenv("HOME"), *again = model_getenv("HOME");
    EXPECT(first == again, "HOME changes");
    for (int i = 0; i < 2000; i++)
        check_sequence();
    return finish();
}
