// Which thread is joined depends on shared memory: a join with a free result.
#include <pthread.h>
pthread_t who;
int x;
void *one(void *arg) { x = 1; return (void *)1; }
void *two(void *arg) {
    void *result;
    pthread_join(who, &result);
    x = 2;
    return result;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    who = s;
    return 0;
}
