// unwind: 2
// The assertion holds in each iteration because `at` is known; that says nothing about how often the loop goes round.
#include <assert.h>
#include <pthread.h>

int table[100];

void *enter(void *a) {
    int at = 7, found = 0;
    while (!found) {
        if (table[at] == 0)
            found = 1;
        assert(at < 50);
        at++;
    }
    return a;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, enter, 0);
    for (int i = 0; i < 4; i++)
        table[i + 7] = 1;
    pthread_join(t, 0);
    return 0;
}
