// expect: UNSAFE memory
// The handler ends the service, in the middle of what the main thread does.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct service {
    pthread_mutex_t lock;
    int requests;
};

static struct service *service;

static void on_interrupt(int number) {
    free(service);
    (void)number;
}

static void *serve(void *unused) {
    pthread_mutex_lock(&service->lock); //~ memory
    service->requests++; //~ memory
    pthread_mutex_unlock(&service->lock); //~ memory
    return unused;
}

int main(void) {
    pthread_t thread;
    service = calloc(1, sizeof *service);
    pthread_mutex_init(&service->lock, 0);
    signal(SIGINT, on_interrupt);
    pthread_create(&thread, 0, serve, 0);
    pthread_join(thread, 0);
    return 0;
}
