// args auto: --unwind 2
// args staged: --unwind 2
// args context: --unwind 2
// args unwinding: --unwind 2
// expect: BOUNDED
// expect explore: SAFE (it meets the same states again)
// Two threads that hand a token to and fro for ever: no bound on loops is enough.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int token;

static void *player(void *own) {
    int me = own != 0;
    for (;;) {
        pthread_mutex_lock(&m);
        if (token == me) {
            token = !me;
        }
        assert(token == 0 || token == 1);
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, player, 0);
    pthread_create(&two, 0, player, &m);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
