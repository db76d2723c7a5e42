// A hash table with open addressing and a mutex for each entry: T threads with four insertions
// each.
#include <pthread.h>
#include <stdlib.h>
#ifndef T
#define T 13
#endif
#define SIZE 128
#define MAX 4
int table[SIZE];
pthread_mutex_t lock[SIZE];

void *run(void *a) {
    int tid = (int)(long)a;
    for (int m = 0; m < MAX; m++) {
        int w = m * 11 + tid;
        int h = (w * 7) % SIZE;
        for (;;) {
            pthread_mutex_lock(&lock[h]);
            if (table[h] == 0) {
                table[h] = w + 1;
                pthread_mutex_unlock(&lock[h]);
                break;
            }
            pthread_mutex_unlock(&lock[h]);
            h = (h + 1) % SIZE;
        }
    }
    return 0;
}

int main(void) {
    pthread_t t[T];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&lock[i], 0);
    for (int i = 0; i < T; i++)
        pthread_create(&t[i], 0, run, (void *)(long)i);
    for (int i = 0; i < T; i++)
        pthread_join(t[i], 0);
    return 0;
}
