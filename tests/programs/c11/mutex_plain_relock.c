// args: --property deadlocks
// expect: UNSAFE deadlocks
// mtx_plain cannot.
#include <threads.h>

mtx_t m;

int main(void) {
    mtx_init(&m, mtx_plain);
    mtx_lock(&m);
    mtx_lock(&m); //~ deadlocks
    mtx_unlock(&m);
    return 0;
}
