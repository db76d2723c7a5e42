// args: --property races
// args auto: --contexts 2
// args staged: --contexts 2
// args explore: --contexts 2
// args context: --contexts 2
// expect: UNSAFE races
// A section reads the data only after the writer has run. With two changes of the running thread the reader comes before its section
// first, and stands there while the writer runs.
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

atomic_int ready;
int data;

void *reader(void *arg) {
    int seen = 0;
    __VERIFIER_atomic_begin();
    if (atomic_load(&ready))
        seen = data; //~ races
    __VERIFIER_atomic_end();
    return seen ? arg : 0;
}

void *writer(void *arg) {
    atomic_store(&ready, 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    data = 1; //~ races
    return 0;
}
