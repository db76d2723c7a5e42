// Each round remembers over its wait what it has read before: three rounds are not one.
// args: --property assertions
// expect: UNSAFE assertions
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int turn;

int grows_by_one(void) {
    int before = turn;
    pthread_cond_wait(&c, &m);
    return turn == before + 1;
}

void *watches(void *a) {
    pthread_mutex_lock(&m);
    turn = 1;
    while (grows_by_one())
        assert(turn != 4); //~ assertions
    pthread_mutex_unlock(&m);
    return a;
}

void *turns(void *a) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        if (turn)
            turn++;
        pthread_mutex_unlock(&m);
    }
    return a;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, watches, 0);
    pthread_create(&u, 0, turns, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
