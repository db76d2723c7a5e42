// args: --property races
// expect: UNSAFE races
// A handler writes what main reads before it has joined the thread.
#include <pthread.h>
#include <unistd.h>

int done;

void note(void *arg) { done = 1; } //~ races

void *work(void *arg) {
    pthread_cleanup_push(note, 0);
    sleep(1);
    pthread_cleanup_pop(0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    int seen = done; //~ races
    pthread_join(t, 0);
    return seen;
}
