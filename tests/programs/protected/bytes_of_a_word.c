// args: --property assertions --property races
// expect: UNSAFE assertions
// Bytes of a word that only one thread writes: the rest of an overwritten word stays.
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned word;

void *writer(void *arg) {
    pthread_mutex_lock(&m);
    word = 0x01020304;
    ((unsigned char *)&word)[0] = 9;
    unsigned char second = ((unsigned char *)&word)[1];
    unsigned short upper;
    memcpy(&upper, (char *)&word + 2, sizeof upper);
    assert(second == 3);
    assert(upper == 0x0102);
    assert(word == 0x01020304); //~ assertions
    pthread_mutex_unlock(&m);
    return arg;
}

void *reader(void *arg) {
    pthread_mutex_lock(&m);
    unsigned seen = word;
    pthread_mutex_unlock(&m);
    assert(seen == 0 || seen == 0x01020309);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&u, 0, reader, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
