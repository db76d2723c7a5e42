// What a thread allocates and nobody else sees is its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include <stdlib.h>

atomic_int last;

void *visitor(void *unused) {
    int *mine = malloc(sizeof *mine);
    if (mine) {
        *mine = 1;
        last = *mine;
        assert(*mine == 1 && last == 1);
        free(mine);
    }
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, visitor, 0);
    }
}
