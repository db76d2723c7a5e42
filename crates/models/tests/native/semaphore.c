/* semaphore_named.c against the native functions: random calls on few names. */
#include "driver.h"
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

sem_t *model_sem_open(const char *, int, ...);
int model_sem_unlink(const char *), model_sem_getvalue(sem_t *, int *);
int model_sem_post(sem_t *), model_sem_trywait(sem_t *), model_sem_close(sem_t *);
int *model___errno_location(void);

enum { NAMES = 3, HANDLES = 6 };

static char names[NAMES][32];
static struct {
    sem_t *model, *native;
} open_ones[HANDLES];

static void open_one(unsigned at) {
    const char *name = names[below(NAMES)];
    int flags = (below(2) ? O_CREAT : 0) | (below(3) == 0 ? O_EXCL : 0);
    if (!(flags & O_CREAT))
        flags = 0;
    unsigned value = below(3);
    sem_t *m = model_sem_open(name, flags, 0600, value), *n = sem_open(name, flags, 0600, value);
    EXPECT((m == 0) == (n == SEM_FAILED), "%s %d: %p %p", name, flags, (void *)m, (void *)n);
    if (!m || n == SEM_FAILED) {
        EXPECT(*model___errno_location() == errno, "%d %d", *model___errno_location(), errno);
        return;
    }
    /* One that is open is the same object. */
    for (int i = 0; i < HANDLES; i++)
        if (open_ones[i].model)
            EXPECT((open_ones[i].model == m) == (open_ones[i].native == n), "%s", name);
    open_ones[at].model = m;
    open_ones[at].native = n;
}

static void use(unsigned at) {
    sem_t *m = open_ones[at].model, *n = open_ones[at].native;
    if (!m)
        return;
    int x = -1, y = -1;
    EXPECT(model_sem_getvalue(m, &x) == sem_getvalue(n, &y) && x == y, "%d %d", x, y);
    if (below(2))
        EXPECT(model_sem_post(m) == sem_post(n), "post");
    else
        EXPECT(model_sem_trywait(m) == sem_trywait(n), "trywait");
}

/* The model has room for eight names in its life, unlinked ones included. */
int main(void) {
    for (int i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "/raddle-%d-%d", (int)getpid(), i);
        sem_unlink(names[i]);
    }
    sem_t *first = sem_open(names[0], O_CREAT | O_EXCL, 0600, 1);
    if (first == SEM_FAILED) {
        fprintf(stderr, "no named semaphores here: %s\n", strerror(errno));
        return 2;
    }
    EXPECT(model_sem_open(names[0], O_CREAT | O_EXCL, 0600, 1) != 0, "the first one");
    unsigned unlinked = 0;
    for (int i = 0; i < 3000; i++) {
        open_one(below(HANDLES));
        use(below(HANDLES));
        if (unlinked < 4 && below(500) == 0) {
            const char *name = names[below(NAMES)];
            int a = model_sem_unlink(name), b = sem_unlink(name);
            EXPECT(a == b, "unlink %s: %d %d", name, a, b);
            if (a < 0 && b < 0)
                EXPECT(*model___errno_location() == errno, "%d %d", *model___errno_location(), errno);
            unlinked++;
        }
    }
    for (int i = 0; i < NAMES; i++)
        sem_unlink(names[i]);
    return finish();
}
