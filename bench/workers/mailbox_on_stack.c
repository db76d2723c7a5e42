// expect: UNSAFE memory
// family: event loops and actors
// Requests that live on the stacks of their senders: the server says "done" and only then follows
// the link in the request, which may be gone by then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct request {
    struct request *next;
    int question, answer;
    atomic_int done;
} request_t;

static _Atomic(request_t *) inbox;

static int ask(int question) {
    request_t r = {.question = question};
    r.next = atomic_load(&inbox);
    while (!atomic_compare_exchange_strong(&inbox, &r.next, &r))
        ;
    while (!atomic_load(&r.done))
        ;
    return r.answer;
}

static int answer_all(request_t *r) {
    int count = 0;
    while (r) {
        r->answer = r->question + 1;
        atomic_store(&r->done, 1);
        r = r->next; //~ memory
        count++;
    }
    return count;
}

static void *client(void *arg) {
    int question = (int)(long)arg;
    int answer = ask(question);
    assert(answer == question + 1);
    return NULL;
}

static void *server(void *arg) {
    (void)arg;
    int served = 0;
    while (served < WORKERS)
        served += answer_all(atomic_exchange(&inbox, NULL));
    return NULL;
}

int main(void) {
    pthread_t clients[WORKERS], server_thread;
    pthread_create(&server_thread, NULL, server, NULL);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&clients[i], NULL, client, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(clients[i], NULL);
    pthread_join(server_thread, NULL);
    return 0;
}
