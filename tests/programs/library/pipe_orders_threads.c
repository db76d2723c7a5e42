// args: --property races,assertions,deadlocks
// expect: SAFE
// Who has read from the pipe sees what the writer did before; the bytes arrive as they were sent.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int ends[2], data;

void *run(void *arg) {
    data = 7;
    write(ends[1], "ab", 2);
    return arg;
}

int main(void) {
    pthread_t t;
    char got[2] = "";
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&t, 0, run, 0);
    ssize_t n = read(ends[0], got, 2);
    assert(n == 2 && got[0] == 'a' && got[1] == 'b');
    assert(data == 7);
    pthread_join(t, 0);
    close(ends[1]);
    assert(read(ends[0], got, 1) == 0);
    return 0;
}
