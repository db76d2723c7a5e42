// args: --property races
// args explore: --inputs 3
// expect: UNSAFE races
// localtime gives one object to all threads.
#include <pthread.h>
#include <time.h>

int hours[2];

void *clock_of(void *arg) {
    time_t now = time(0);
    struct tm *fields = localtime(&now); //~ races
    hours[*(int *)arg] = fields->tm_hour; //~ races
    return 0;
}

int main(void) {
    pthread_t a, b;
    int first = 0, second = 1;
    pthread_create(&a, 0, clock_of, &first);
    pthread_create(&b, 0, clock_of, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
