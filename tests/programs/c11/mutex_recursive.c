// args: --property deadlocks
// expect: SAFE
// mtx_recursive can be locked again.
#include <threads.h>

mtx_t m;

int main(void) {
    mtx_init(&m, mtx_plain | mtx_recursive);
    mtx_lock(&m);
    mtx_lock(&m);
    mtx_unlock(&m);
    mtx_unlock(&m);
    return 0;
}
