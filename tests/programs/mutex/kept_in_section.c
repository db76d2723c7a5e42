// args: --property assertions,races
// expect: SAFE
// Inside a section a value that was read or written stays; between sections it need not.
#include <assert.h>
#include <pthread.h>

int left, right, turns;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *move(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        int before = left;
        left = left + 1;
        left = left + 1;
        right = right - 2;
        turns = turns + (left == before + 2);
        assert(left + right == 0);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, move, 0);
    pthread_mutex_lock(&lock);
    assert(left == 2 * turns);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(turns == 4 && left == 8);
    return 0;
}
