// Accesses of different size and at an odd offset to the same bytes stay accesses of their own size.
#include <pthread.h>
struct __attribute__((packed)) pair { char c; int i; } p;
char bytes[8];
void *work(void *arg) {
    p.i = 0x01020304;
    *(short *)(bytes + 1) = 5;
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    char *q = (char *)&p;
    int seen = q[2] + *(int *)bytes;
    return seen;
}
