// args: --property assertions
// expect: SAFE
// trywait takes one or answers EAGAIN; getvalue tells how many are left.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
    sem_t s;
    int value, result;
    sem_init(&s, 0, 1);
    result = sem_trywait(&s);
    assert(result == 0);
    result = sem_trywait(&s);
    assert(result == -1 && errno == EAGAIN);
    sem_post(&s);
    sem_post(&s);
    sem_getvalue(&s, &value);
    assert(value == 2);
    return 0;
}
