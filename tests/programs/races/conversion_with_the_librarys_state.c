// Null as a state of a conversion means one object of the library for all threads.
// args: --property races
// expect: UNSAFE races
#include <locale.h>
#include <pthread.h>
#include <wchar.h>

static void *run(void *argument) {
    mbrlen("\xc3", 1, 0); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    setlocale(LC_CTYPE, "");
    pthread_create(&thread, 0, run, 0);
    return mbrlen("a", 1, 0) != 1; //~ races
}
