// Two threads count in a mapping.
// args: --property races
// expect: UNSAFE races
#include <pthread.h>
#include <sys/mman.h>

static int *count;

static void *counter(void *arg) {
    ++*count; //~ races
    return arg;
}

int main(void) {
    pthread_t thread;
    void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return 1;
    count = at;
    pthread_create(&thread, NULL, counter, NULL);
    ++*count; //~ races
    pthread_join(thread, NULL);
    munmap(at, 4096);
    return 0;
}
