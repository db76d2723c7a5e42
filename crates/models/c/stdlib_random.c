/* Pseudo-random numbers: any number in range, each time anew, whatever the seed.
 * left out: the sequence that belongs to a seed: any numbers come; initstate and setstate give the new table instead of the old one.
 *
 * accesses: visible
 */
#include "raddle.h"

int rand(void) { return __raddle_input_u32() & 0x7fffffff; }
int rand_r(unsigned *seed) {
    *seed = *seed + __raddle_input_u32();
    return __raddle_input_u32() & 0x7fffffff;
}
void srand(unsigned seed) {}
long random(void) { return __raddle_input_u32() & 0x7fffffff; }
void srandom(unsigned seed) {}
long lrand48(void) { return __raddle_input_u32() & 0x7fffffff; }
long mrand48(void) { return (int)__raddle_input_u32(); }
void srand48(long seed) {}
unsigned arc4random(void) { return __raddle_input_u32(); }
unsigned arc4random_uniform(unsigned limit) { return limit ? __raddle_input_u32() % limit : 0; }
double drand48(void) { return (double)(__raddle_input_u32() >> 1) / 2147483648.0; }

/* With a state of the caller's. */
static void go_on(unsigned short *state) {
    for (int i = 0; i < 3; i++)
        state[i] = (unsigned short)(state[i] + __raddle_input_u16());
}
double erand48(unsigned short *state) {
    go_on(state);
    return drand48();
}
long nrand48(unsigned short *state) {
    go_on(state);
    return lrand48();
}
long jrand48(unsigned short *state) {
    go_on(state);
    return mrand48();
}

/* With a state of the caller's that is an object: the functions write to it. */
static void change_state(unsigned char *state) { *state = (unsigned char)(*state + __raddle_input_u8()); }
int srandom_r(unsigned seed, void *state) {
    change_state(state);
    return 0;
}
int initstate_r(unsigned seed, char *room, size_t size, void *state) { return srandom_r(seed, state); }
int random_r(void *state, int *result) {
    change_state(state);
    *result = __raddle_input_u32() & 0x7fffffff;
    return 0;
}
int srand48_r(long seed, void *state) { return srandom_r(0, state); }
int drand48_r(void *state, double *result) {
    change_state(state);
    *result = drand48();
    return 0;
}
int lrand48_r(void *state, long *result) {
    change_state(state);
    *result = lrand48();
    return 0;
}
int mrand48_r(void *state, long *result) {
    change_state(state);
    *result = mrand48();
    return 0;
}
int setstate_r(char *room, void *state) { return srandom_r(0, state); }
char *initstate(unsigned seed, char *table, size_t size) { return table; }
char *setstate(char *table) { return table; }
