/* Barriers, spin locks, joins that give up, and extensions of pthread.h against the native ones. */
#include "driver.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

int model_pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
int model_pthread_barrier_wait(pthread_barrier_t *), model_pthread_barrier_destroy(pthread_barrier_t *);
int model_pthread_spin_init(pthread_spinlock_t *, int), model_pthread_spin_destroy(pthread_spinlock_t *);
int model_pthread_spin_lock(pthread_spinlock_t *), model_pthread_spin_trylock(pthread_spinlock_t *);
int model_pthread_spin_unlock(pthread_spinlock_t *);
int model_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int model_pthread_join(pthread_t, void **), model_pthread_detach(pthread_t);
int model_pthread_tryjoin_np(pthread_t, void **);
int model_pthread_timedjoin_np(pthread_t, void **, const struct timespec *);
pthread_t model_pthread_self(void);
int model_pthread_setname_np(pthread_t, const char *), model_pthread_getname_np(pthread_t, char *, size_t);
int model_pthread_getaffinity_np(pthread_t, size_t, cpu_set_t *);
int model_pthread_getattr_np(pthread_t, pthread_attr_t *);
int model_pthread_getschedparam(pthread_t, int *, struct sched_param *);
int model_sched_get_priority_max(int), model_sched_get_priority_min(int), model_sched_getcpu(void);
void *__raddle_thread_main(void *(*)(void *), void *);
int *model___errno_location(void);

static void check_barrier(void) {
    pthread_barrier_t native, model;
    memset(&model, 0x5a, sizeof model);
    EXPECT(pthread_barrier_init(&native, 0, 0) == model_pthread_barrier_init(&model, 0, 0), "for nobody");
    EXPECT(pthread_barrier_init(&native, 0, 1) == model_pthread_barrier_init(&model, 0, 1), "for one");
    for (int i = 0; i < 3; i++)
        EXPECT(pthread_barrier_wait(&native) == model_pthread_barrier_wait(&model), "round %d", i);
    EXPECT(pthread_barrier_destroy(&native) == model_pthread_barrier_destroy(&model), "destroy");
}

static void check_spin(void) {
    pthread_spinlock_t native, model = 77;
    int held = 0;
    EXPECT(pthread_spin_init(&native, 0) == model_pthread_spin_init(&model, 0), "init");
    for (int i = 0; i < 12; i++) {
        int a, b, which = (int)below(3);
        if (which == 0 && !held)
            a = pthread_spin_lock(&native), b = model_pthread_spin_lock(&model), held = 1;
        else if (which == 1)
            a = pthread_spin_trylock(&native), b = model_pthread_spin_trylock(&model), held = 1;
        else if (which == 2 && held)
            a = pthread_spin_unlock(&native), b = model_pthread_spin_unlock(&model), held = 0;
        else
            continue;
        EXPECT(a == b, "call %d: %d %d", which, a, b);
    }
    if (held)
        pthread_spin_unlock(&native), model_pthread_spin_unlock(&model);
    EXPECT(pthread_spin_destroy(&native) == model_pthread_spin_destroy(&model), "destroy");
}

static void *same(void *argument) { return argument; }
/* What lowering makes of it where a program joins so. */
static void *noted(void *argument) { return __raddle_thread_main(same, argument); }

static void check_joins(void) {
    static const struct timespec past = {1, 0};
    pthread_t native, model;
    void *x = NULL, *y = NULL;
    int a;
    pthread_create(&native, NULL, same, &native);
    model_pthread_create(&model, NULL, noted, &native);
    while ((a = pthread_tryjoin_np(native, &x)) == EBUSY)
        sched_yield();
    int b = below(2) ? model_pthread_tryjoin_np(model, &y) : model_pthread_timedjoin_np(model, &y, &past);
    EXPECT(a == b && x == y, "%d %d", a, b);
    EXPECT(pthread_tryjoin_np(pthread_self(), NULL) == model_pthread_tryjoin_np(model_pthread_self(), NULL), "self");
    a = pthread_timedjoin_np(pthread_self(), NULL, &past);
    b = model_pthread_timedjoin_np(model_pthread_self(), NULL, &past);
    EXPECT(a == b, "self, timed: %d %d", a, b);
}

static void check_extensions(void) {
    char few[3], name[24] = "#######################";
    EXPECT(pthread_getname_np(pthread_self(), few, sizeof few) ==
               model_pthread_getname_np(model_pthread_self(), few, sizeof few), "room");
    EXPECT(model_pthread_getname_np(model_pthread_self(), name, 20) == 0 && strlen(name) <= 15, "name");
    EXPECT(name[16] == '#', "beyond the name");
    const char *names[] = {"", "short", "fifteen letters", "sixteen letters!"};
    for (int i = 0; i < 4; i++)
        EXPECT(pthread_setname_np(pthread_self(), names[i]) ==
                   model_pthread_setname_np(model_pthread_self(), names[i]), "'%s'", names[i]);
    for (int policy = -1; policy < 7; policy++) {
        errno = *model___errno_location() = 0;
        EXPECT(sched_get_priority_max(policy) == model_sched_get_priority_max(policy), "policy %d", policy);
        EXPECT(sched_get_priority_min(policy) == model_sched_get_priority_min(policy), "policy %d", policy);
        EXPECT(errno == *model___errno_location(), "policy %d: %d", policy, *model___errno_location());
    }
    struct {
        pthread_attr_t attr;
        char behind[8];
    } own;
    memset(&own, '#', sizeof own);
    EXPECT(model_pthread_getattr_np(model_pthread_self(), &own.attr) == 0, "attributes");
    EXPECT(memcmp(own.behind, "########", 8) == 0, "attributes are smaller");
    struct {
        cpu_set_t set;
        char behind[8];
    } where;
    memset(&where, '#', sizeof where);
    EXPECT(model_pthread_getaffinity_np(model_pthread_self(), sizeof where.set, &where.set) == 0, "affinity");
    EXPECT(memcmp(where.behind, "########", 8) == 0 && model_sched_getcpu() >= 0, "processors");
    int policy;
    struct sched_param parameters;
    EXPECT(model_pthread_getschedparam(model_pthread_self(), &policy, &parameters) == 0 && policy >= 0 &&
               parameters.sched_priority >= 0 && parameters.sched_priority <= 99, "schedule");
}

int main(void) {
    for (int i = 0; i < 300; i++) {
        check_barrier();
        check_spin();
        check_joins();
        check_extensions();
    }
    return finish();
}
