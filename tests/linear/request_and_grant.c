// A server that looks again and again, and a client that waits for each answer.
// SAFE --ltl G (request == 1 -> F (grant == 1))
// SAFE --ltl G (request == 1 -> F (request == 0)) && G F (request == 1)
// UNSAFE --fairness none --ltl G (request == 1 -> F (grant == 1))
// UNSAFE --ltl F G (grant == 1)
// SAFE --property starvation
#include <pthread.h>

int request, grant;

void *server(void *p) {
    while (1) {
        if (request) {
            grant = 1;
            request = 0;
        }
    }
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, server, 0);
    while (1) {
        grant = 0;
        request = 1;
        while (request)
            ;
    }
}
