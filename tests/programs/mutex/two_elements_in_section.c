// args: --property assertions
// expect: UNSAFE assertions
// One section writes two elements, which may differ: the first write is not hidden by the second.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int cells[4];
unsigned i, j;

void *writer(void *arg) {
    pthread_mutex_lock(&m);
    cells[i % 4] = 1;
    cells[j % 4] = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

void *reader(void *arg) {
    pthread_mutex_lock(&m);
    assert(cells[1] != 1); //~ assertions
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t s, t;
    i = __VERIFIER_nondet_uint();
    j = __VERIFIER_nondet_uint();
    pthread_create(&s, 0, writer, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
