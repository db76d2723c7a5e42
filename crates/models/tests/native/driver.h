/* What all drivers share: expectations, and random strings over few letters, so that matches
 * happen. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int failures;

#define EXPECT(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                        \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fprintf(stderr, "\n");                                                                 \
            if (++failures > 20)                                                                   \
                exit(1);                                                                           \
        }                                                                                          \
    } while (0)

static inline int sign(int x) { return (x > 0) - (x < 0); }

static inline unsigned below(unsigned n) { return (unsigned)rand() % n; }

/* A string of fewer than `room` letters. */
static inline void random_string(char *s, unsigned room) {
    static const char letters[] = "abABc-\xe4";
    unsigned length = below(room);
    for (unsigned i = 0; i < length; i++)
        s[i] = letters[below(sizeof letters - 1)];
    s[length] = 0;
}

static inline int finish(void) {
    if (failures == 0)
        puts("passed");
    return failures != 0;
}
