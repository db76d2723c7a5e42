// args: --property assertions,races
// expect: UNSAFE assertions
// Two threads look at a large table that nobody has filled, one of them after it wrote: equal places have
// equal contents, but only before the write.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 20000

unsigned *table;
unsigned place, seen;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *arg) {
    pthread_mutex_lock(&lock);
    seen = table[place];
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    table = malloc(SIZE * sizeof *table);
    place = __VERIFIER_nondet_uint() % SIZE;
    unsigned other = __VERIFIER_nondet_uint() % SIZE;
    pthread_create(&thread, 0, look, 0);
    pthread_mutex_lock(&lock);
    unsigned mine = table[other];
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    table[other] = mine + 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    if (place == other) {
        assert(seen == mine || seen == mine + 1);
        assert(seen == mine); //~ assertions
    }
    return 0;
}
