// The indexer (paper 004): threads enter messages into a hash table of 128 places.
//
// Each thread enters MESSAGES (4) messages; a place that is taken sends it to the next one. Each place has its
// mutex. Up to 12 threads there are no collisions, with more there are many. Checked: nobody collides at place
// WATCHED, which holds up to 12 threads.
// THREADS (13), UNLOCKED: places have no mutexes, so that entries race
#include <assert.h>
#include <pthread.h>
#ifndef THREADS
#define THREADS 13
#endif
#ifndef MESSAGES
#define MESSAGES 4
#endif
#ifndef WATCHED
#define WATCHED 0
#endif
enum { SIZE = 128, MOST = 4 };

static int table[SIZE];
static pthread_mutex_t locks[SIZE];

static void enter(int message) {
    int at = (message * 7) % SIZE;
    for (int free_place = 0; !free_place;) {
#ifndef UNLOCKED
        pthread_mutex_lock(&locks[at]);
#endif
        if (table[at] == 0) {
            table[at] = message;
            free_place = 1;
        } else {
            assert(at != WATCHED);
        }
#ifndef UNLOCKED
        pthread_mutex_unlock(&locks[at]);
#endif
        at = (at + 1) % SIZE;
    }
}

static void *indexer(void *number) {
    int thread = (int)(long)number;
    for (int i = 1; i <= MESSAGES; i++)
        enter(i * 11 + thread);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&locks[i], 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, indexer, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
