// A structure too large for the machine is exchanged in one piece: the function in it can be called afterwards.
// expect: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

typedef struct {
    void (*call)(int *);
    int *argument;
    long users;
} listener;

static listener slot;
static int called;

static void note(int *n) { __atomic_fetch_add(n, 1, __ATOMIC_SEQ_CST); }

static bool install(void) {
    listener none = {0, 0, 0}, mine = {note, &called, 0};
    return __atomic_compare_exchange(&slot, &none, &mine, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void *run(void *unused) {
    install();
    listener now;
    __atomic_load(&slot, &now, __ATOMIC_SEQ_CST);
    now.call(now.argument);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    listener last = {0, 0, 5};
    __atomic_exchange(&slot, &last, &last, __ATOMIC_SEQ_CST);
    assert(last.call == note && last.users == 0 && slot.users == 5 && called == 2);
    return 0;
}
