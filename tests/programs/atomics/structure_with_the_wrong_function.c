// As in structure_with_a_function.c, but a thread may call before somebody has installed the function.
// expect: UNSAFE memory
#include <pthread.h>

typedef struct {
    void (*call)(int *);
    int *argument;
    long users;
} listener;

static listener slot;
static int called;

static void note(int *n) { __atomic_fetch_add(n, 1, __ATOMIC_SEQ_CST); }

static void *install(void *unused) {
    listener mine = {note, &called, 0};
    __atomic_store(&slot, &mine, __ATOMIC_SEQ_CST);
    return unused;
}

static void *run(void *unused) {
    listener now;
    __atomic_load(&slot, &now, __ATOMIC_SEQ_CST);
    now.call(now.argument); //~ memory
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, install, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
