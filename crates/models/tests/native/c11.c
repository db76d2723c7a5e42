/* threads.h against the native one: mutexes, condition variables, storage, and threads that are joined after
 * their end. */
#include "driver.h"
#include <string.h>
#include <threads.h>
#include <time.h>

int model_mtx_init(mtx_t *, int), model_mtx_lock(mtx_t *), model_mtx_trylock(mtx_t *);
int model_mtx_timedlock(mtx_t *, const struct timespec *), model_mtx_unlock(mtx_t *);
void model_mtx_destroy(mtx_t *);
int model_cnd_init(cnd_t *), model_cnd_signal(cnd_t *), model_cnd_broadcast(cnd_t *);
int model_cnd_timedwait(cnd_t *, mtx_t *, const struct timespec *);
void model_cnd_destroy(cnd_t *);
int model_tss_create(tss_t *, tss_dtor_t), model_tss_set(tss_t, void *);
void *model_tss_get(tss_t);
void model_tss_delete(tss_t);
int model_thrd_create(thrd_t *, thrd_start_t, void *), model_thrd_join(thrd_t, int *);
int model_thrd_detach(thrd_t), model_thrd_equal(thrd_t, thrd_t);
_Noreturn void model_thrd_exit(int);
thrd_t model_thrd_current(void);

static const struct timespec past = {1, 0};

static void check_mutex(int kind) {
    mtx_t native, model;
    int held = 0;
    mtx_init(&native, kind);
    memset(&model, 0x5a, sizeof model);
    EXPECT(model_mtx_init(&model, kind) == thrd_success, "kind %d", kind);
    for (int i = 0; i < 12; i++) {
        int a, b, which = (int)below(4);
        if (which == 3) {
            if (held == 0)
                continue;
            a = mtx_unlock(&native), b = model_mtx_unlock(&model);
            held--;
        } else {
            if ((which == 0 && held && !(kind & mtx_recursive)) || (which == 2 && !(kind & mtx_timed)))
                continue;
            a = which == 0   ? mtx_lock(&native)
                : which == 1 ? mtx_trylock(&native)
                             : mtx_timedlock(&native, &past);
            b = which == 0   ? model_mtx_lock(&model)
                : which == 1 ? model_mtx_trylock(&model)
                             : model_mtx_timedlock(&model, &past);
            held += a == thrd_success;
        }
        EXPECT(a == b, "kind %d, call %d: %d %d", kind, which, a, b);
    }
    for (; held > 0; held--)
        EXPECT(mtx_unlock(&native) == model_mtx_unlock(&model), "the last unlocks");
    mtx_destroy(&native);
    model_mtx_destroy(&model);
}

static void check_condition(void) {
    mtx_t native_mutex, mutex;
    cnd_t native, model;
    mtx_init(&native_mutex, mtx_plain), model_mtx_init(&mutex, mtx_plain);
    memset(&model, 0x5a, sizeof model);
    EXPECT(cnd_init(&native) == model_cnd_init(&model), "init");
    EXPECT(cnd_signal(&native) == model_cnd_signal(&model), "signal");
    EXPECT(cnd_broadcast(&native) == model_cnd_broadcast(&model), "broadcast");
    mtx_lock(&native_mutex), model_mtx_lock(&mutex);
    int a = cnd_timedwait(&native, &native_mutex, &past), b = model_cnd_timedwait(&model, &mutex, &past);
    EXPECT(a == thrd_timedout && (b == thrd_timedout || b == thrd_success), "%d %d", a, b);
    EXPECT(mtx_unlock(&native_mutex) == model_mtx_unlock(&mutex), "it is held afterwards");
    cnd_destroy(&native), model_cnd_destroy(&model);
}

static int runs(void *argument) { return *(int *)argument + 1; }
static int exits(void *argument) {
    thrd_exit(*(int *)argument + 2);
}
static int model_exits(void *argument) {
    model_thrd_exit(*(int *)argument + 2);
}

static void check_thread(void) {
    thrd_t native, model;
    int argument = (int)below(1000) - 500, a = 0, b = 0, exiting = (int)below(2);
    thrd_create(&native, exiting ? exits : runs, &argument);
    EXPECT(model_thrd_create(&model, exiting ? model_exits : runs, &argument) == thrd_success, "create");
    EXPECT(!model_thrd_equal(model, model_thrd_current()) && model_thrd_equal(model, model), "equal");
    if (below(4) == 0) {
        EXPECT(thrd_detach(native) == model_thrd_detach(model), "detach");
        return;
    }
    EXPECT(thrd_join(native, &a) == model_thrd_join(model, &b) && a == b, "%d %d", a, b);
    EXPECT(model_thrd_join(model, &b) == thrd_error, "a second join");
}

static void check_storage(void) {
    tss_t native, model;
    EXPECT(tss_create(&native, NULL) == model_tss_create(&model, NULL), "create");
    EXPECT(tss_get(native) == model_tss_get(model), "the first value");
    EXPECT(tss_set(native, &native) == model_tss_set(model, &native), "set");
    EXPECT(tss_get(native) == model_tss_get(model), "get");
    tss_delete(native), model_tss_delete(model);
}

int main(void) {
    static const int kinds[] = {mtx_plain, mtx_timed, mtx_plain | mtx_recursive, mtx_timed | mtx_recursive};
    for (int i = 0; i < 4000; i++)
        check_mutex(kinds[i % 4]);
    for (int i = 0; i < 200; i++) {
        check_condition();
        check_thread();
    }
    for (int i = 0; i < 8; i++)
        check_storage();
    return finish();
}
