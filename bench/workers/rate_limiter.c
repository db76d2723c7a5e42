// expect: SAFE
// family: services
// A token bucket: callers wait for a token, a ticker adds one at a time and never more than the bucket
// holds. Nobody passes without a token.
#include <assert.h>
#include <pthread.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define BURST 1

static struct bucket {
    pthread_mutex_t mutex;
    pthread_cond_t refilled, taken;
    int tokens;
    int issued, granted;
} bucket = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .refilled = PTHREAD_COND_INITIALIZER,
    .taken = PTHREAD_COND_INITIALIZER,
};

static int requests_sent;

static void bucket_take(void) {
    pthread_mutex_lock(&bucket.mutex);
    while (bucket.tokens == 0)
        pthread_cond_wait(&bucket.refilled, &bucket.mutex);
    bucket.tokens--;
    bucket.granted++;
    assert(bucket.granted <= bucket.issued);
    pthread_cond_signal(&bucket.taken);
    pthread_mutex_unlock(&bucket.mutex);
}

static void bucket_tick(void) {
    pthread_mutex_lock(&bucket.mutex);
    while (bucket.tokens == BURST)
        pthread_cond_wait(&bucket.taken, &bucket.mutex);
    bucket.tokens++;
    bucket.issued++;
    assert(bucket.tokens <= BURST);
    pthread_cond_signal(&bucket.refilled);
    pthread_mutex_unlock(&bucket.mutex);
}

static void *ticker(void *arg) {
    (void)arg;
    for (int i = 0; i < WORKERS; i++)
        bucket_tick();
    return 0;
}

static void *caller(void *arg) {
    (void)arg;
    bucket_take();
    __atomic_fetch_add(&requests_sent, 1, __ATOMIC_RELAXED);
    return 0;
}

int main(void) {
    pthread_t clock, callers[WORKERS];
    pthread_create(&clock, 0, ticker, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&callers[i], 0, caller, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(callers[i], 0);
    pthread_join(clock, 0);
    assert(requests_sent == WORKERS && bucket.tokens == 0);
    return 0;
}
