// args: --property races
// args explore: --inputs 0,1
// expect: UNSAFE races
// The settings that one thread asks for are those that another one sets.
#include <pthread.h>
#include <termios.h>

struct termios settings;

void *restore(void *arg) {
    tcsetattr(0, TCSANOW, &settings); //~ races
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, restore, 0);
    tcgetattr(0, &settings); //~ races
    pthread_join(t, 0);
    return 0;
}
