// args: --property races,assertions,memory
// args explore: --inputs 3
// expect: SAFE
// expect explore: BOUNDED (some values of inputs)
// localtime_r writes to the caller's object, within its ranges.
#include <assert.h>
#include <pthread.h>
#include <time.h>

void *clock_of(void *arg) {
    time_t now = time(0);
    struct tm fields;
    localtime_r(&now, &fields);
    assert(fields.tm_hour >= 0 && fields.tm_hour < 24 && fields.tm_mday >= 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, clock_of, 0);
    pthread_create(&b, 0, clock_of, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
