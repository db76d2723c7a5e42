/* Functions of math.h that need no approximation. Others are not modelled.
 *
 * Numbers of 2^52 (float: 2^23) and more are integers already; a smaller one fits into a long
 * long, whose conversion cuts off the fraction.
 * left out: functions that need an approximation (UNKNOWN), and floating-point exceptions.
 *
 * accesses: hidden
 */
#include "raddle.h"

#define FUNCTIONS(type, suffix, integers)                                                          \
    type copysign##suffix(type x, type sign) {                                                     \
        return __builtin_signbit(x) == __builtin_signbit(sign) ? x : -x;                           \
    }                                                                                              \
    type fabs##suffix(type x) { return copysign##suffix(x, 1); }                                   \
    type fmin##suffix(type x, type y) { return y != y || x < y ? x : y; }                          \
    type fmax##suffix(type x, type y) { return y != y || x > y ? x : y; }                          \
    type trunc##suffix(type x) {                                                                   \
        if (!(fabs##suffix(x) < integers))                                                         \
            return x;                                                                              \
        return copysign##suffix((type)(long long)x, x);                                            \
    }                                                                                              \
    type floor##suffix(type x) {                                                                   \
        type whole = trunc##suffix(x);                                                             \
        return whole > x ? whole - 1 : whole;                                                      \
    }                                                                                              \
    type ceil##suffix(type x) { return -floor##suffix(-x); }                                       \
    type round##suffix(type x) {                                                                   \
        type whole = trunc##suffix(x);                                                             \
        if (fabs##suffix(x - whole) >= (type)0.5)                                                  \
            whole += copysign##suffix(1, x);                                                       \
        return whole;                                                                              \
    }

FUNCTIONS(double, , 4503599627370496.0)
FUNCTIONS(float, f, 8388608.0f)
