// The destructor of thread-specific storage frees the value when its thread ends; another thread still has it.
// args: --property memory
// expect: UNSAFE memory
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static int *shown;
static mtx_t mutex;

static int run(void *argument) {
    int *own = malloc(sizeof *own);
    *own = 1;
    tss_set(key, own);
    mtx_lock(&mutex);
    shown = own;
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    tss_create(&key, free);
    thrd_create(&thread, run, 0);
    mtx_lock(&mutex);
    int value = shown ? *shown : 0; //~ memory
    mtx_unlock(&mutex);
    thrd_join(thread, 0);
    return value;
}
