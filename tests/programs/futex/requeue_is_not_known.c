// args: --property assertions
// expect: UNKNOWN
// Other operations are not guessed.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

int a, b;

int main(void) {
    syscall(SYS_futex, &a, FUTEX_CMP_REQUEUE, 1, 1, &b, 0);
    return 0;
}
