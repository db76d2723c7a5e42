/* Pseudo-random numbers: any number in range, each time anew, whatever the seed.
 * left out: the sequence that belongs to a seed: any numbers come.
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
