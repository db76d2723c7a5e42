// property: memory
// A stack object whose address is stored dies when its function returns.
#include <pthread.h>
int *p;
void *work(void *arg) {
    int own = 0;
    p = &own;
    own = 1;
    return arg;
}
int main(void) {
    pthread_t t;
    int none = 0;
    p = &none;
    pthread_create(&t, 0, work, 0);
    *p = 2;
    return 0;
}
