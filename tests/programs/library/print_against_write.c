// args: --property races
// expect: UNSAFE races
// What is printed is read, while another thread writes it.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

char name[4] = "abc";
char block[8];

void *change(void *arg) {
    name[0] = 'A'; //~ races
    block[3] = 1; //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, change, 0);
    printf("%lu %s\n", 1ul, name); //~ races
    write(1, block, sizeof block); //~ races
    pthread_join(t, 0);
    printf("%s\n", name);
    return 0;
}
