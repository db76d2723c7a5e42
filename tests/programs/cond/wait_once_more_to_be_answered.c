// Two waits in a row, and something is asked between them: the second one is no repetition of the first, although
// it begins with the release and changes nothing.
// args: --property assertions
// expect: UNSAFE assertions
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int asked, answered;

void *asks(void *a) {
    int first = 1;
    pthread_mutex_lock(&m);
    while (first || !__VERIFIER_nondet_bool()) {
        pthread_cond_wait(&c, &m);
        if (first) {
            asked = 1;
            first = 0;
        }
    }
    assert(!answered); //~ assertions
    pthread_mutex_unlock(&m);
    return a;
}

void *answers(void *a) {
    pthread_mutex_lock(&m);
    if (asked)
        answered = 1;
    pthread_mutex_unlock(&m);
    return a;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, asks, 0);
    pthread_create(&u, 0, answers, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
