// args: --property assertions
// expect: SAFE
// tss_t: own values, and a destructor when the thread ends.
#include <assert.h>
#include <threads.h>

tss_t key;
int destroyed;

void destroy(void *value) {
    destroyed += *(int *)value;
}

int run(void *arg) {
    int before = tss_get(key) != 0;
    tss_set(key, arg);
    return before;
}

int main(void) {
    thrd_t t;
    int four = 4, result;
    tss_create(&key, destroy);
    thrd_create(&t, run, &four);
    thrd_join(t, &result);
    assert(result == 0 && destroyed == 4);
    assert(tss_get(key) == 0);
    tss_delete(key);
    return 0;
}
