// args: --property memory
// expect: UNSAFE memory
// A thread still uses a mapping that main takes away; it begins with zeros.
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

char *page;

void *run(void *arg) {
    page[1] = 1; //~ memory
    return arg;
}

int main(void) {
    pthread_t t;
    page = mmap(0, 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    assert(page[15] == 0);
    pthread_create(&t, 0, run, 0);
    munmap(page, 16);
    pthread_join(t, 0);
    return 0;
}
