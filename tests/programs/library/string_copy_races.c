// args: --property races
// expect: UNSAFE races
// A library function reads the string while another thread writes it.
#include <pthread.h>
#include <string.h>

char name[4] = "ab";

void *run(void *arg) {
    name[1] = 'c'; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    size_t length = strlen(name); //~ races
    pthread_join(t, 0);
    return (int)length;
}
