// args auto: --unwind 4
// args staged: --unwind 4
// args context: --unwind 4
// args unwinding: --unwind 4
// expect: UNSAFE assertions
// A loop that never ends, and a violation on one of its rounds.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn, both;

static void *player(void *own) {
    int me = own != 0;
    for (;;) {
        pthread_mutex_lock(&m);
        if (turn == me) {
            turn = !me;
            both |= 1 << me;
        }
        assert(both != 3); //~ assertions
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, player, 0);
    pthread_create(&two, 0, player, &m);
    pthread_join(one, 0);
    return 0;
}
