// Threads may share a stream, but where its text is they are told at the same place.
// args: --property races
// expect: UNSAFE races
#include <pthread.h>
#include <stdio.h>

static char *text;
static size_t size;
static FILE *memory;

static void *run(void *argument) {
    fputc('a', memory);
    fflush(memory); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    memory = open_memstream(&text, &size);
    if (!memory)
        return 1;
    pthread_create(&thread, 0, run, 0);
    fputc('b', memory);
    return size != 0; //~ races
}
