// Executions that end stay in their last state for ever. X speaks of the next change.
// SAFE --ltl F (done == 1)
// SAFE --ltl F terminated(worker)
// SAFE --ltl F G (done == 1)
// SAFE --ltl F terminated(main)
// SAFE --ltl done == 0 && X (done == 1) && X X (done == 1)
// SAFE --ltl terminated(worker) R !(done == 1)  ||  !terminated(worker) U (done == 1)
// UNSAFE --ltl G (done == 0)
// UNSAFE --ltl G F (done == 0)
// UNSAFE --ltl F (done == 2)
// UNSAFE --ltl X (done == 0)
// UNSAFE --fairness none --ltl F (done == 2)
// SAFE --fairness none --ltl F (done == 1)
// SAFE --property starvation
#include <pthread.h>

int done;

void *worker(void *p) {
    done = 1;
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
