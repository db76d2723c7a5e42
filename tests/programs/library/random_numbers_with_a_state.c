// expect: SAFE
// Each thread has a state of its own for its random numbers; texts are cut where there is no room.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

size_t strlcpy(char *to, const char *from, size_t room);
size_t strlcat(char *to, const char *from, size_t room);

static void *draw(void *unused) {
    struct random_data data = {0};
    char table[32];
    int number;
    initstate_r(1, table, sizeof table, &data);
    srandom_r(7, &data);
    random_r(&data, &number);
    assert(number >= 0);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, draw, 0);
    pthread_create(&two, 0, draw, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    char text[6];
    assert(strlcpy(text, "abc", sizeof text) == 3 && strcmp(text, "abc") == 0);
    assert(strlcat(text, "defg", sizeof text) == 7 && strcmp(text, "abcde") == 0);
    assert(strlcpy(text, "longer", 3) == 6 && strcmp(text, "lo") == 0);
    return 0;
}
