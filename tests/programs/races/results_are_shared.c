// What the library writes to the places that it is given, and reads from them, races with others who do.
// args: --property races
// args auto: --unwind 20
// args staged: --unwind 20
// args context: --unwind 20
// args unwinding: --unwind 20
// expect: UNSAFE races
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

_Bool __VERIFIER_nondet_bool(void);

#define EITHER(change)                                                                             \
    if (__VERIFIER_nondet_bool()) {                                                                \
        change;                                                                                    \
        return 0;                                                                                  \
    }

static struct timespec duration;
static int exponent, number, value;
static double whole;
static sigset_t set;
static char *end, *last, text[4], name[2];
static wchar_t wide[2];
static pthread_attr_t attr;
static pthread_key_t key;
static sem_t sem;

static void *run(void *argument) {
    frexp(1.5, &exponent);                 //~ races
    modf(1.5, &whole);                     //~ races
    sigemptyset(&set);                     //~ races
    sscanf("7", "%d", &number);            //~ races
    strtod("1", &end);                     //~ races
    strtol("1", &last, 10);                //~ races
    snprintf(text, sizeof text, "%d", 7);  //~ races
    wcscpy(wide, L"a");                    //~ races
    pthread_attr_init(&attr);              //~ races
    pthread_key_create(&key, 0);           //~ races
    sem_getvalue(&sem, &value);            //~ races
    nanosleep(&duration, 0);                  //~ races
    pthread_setname_np(pthread_self(), name); //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    EITHER(exponent = 0)                    //~ races
    EITHER(whole = 0)                       //~ races
    EITHER(set.__val[0] = 0)                //~ races
    EITHER(number = 0)                      //~ races
    EITHER(end = 0)                         //~ races
    EITHER(last = 0)                        //~ races
    EITHER(text[0] = 0)                     //~ races
    EITHER(wide[0] = 0)                     //~ races
    EITHER(attr = (pthread_attr_t){0})      //~ races
    EITHER(key = 0)                         //~ races
    EITHER(value = 0)                       //~ races
    EITHER(duration.tv_nsec = 5)            //~ races
    EITHER(name[0] = 'a')                   //~ races
    return 0;
}
