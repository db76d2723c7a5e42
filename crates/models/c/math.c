/* Functions of math.h that need no approximation; those that do: math_range.c, math_exact.c.
 *
 * Numbers of 2^52 (float: 2^23) and more are integers already; a smaller one fits into a long
 * long, whose conversion cuts off the fraction. Rounding to integers is to nearest, ties to even, where it
 * follows the mode.
 * left out: floating-point exceptions, errno, and other modes of rounding; long double (UNKNOWN).
 *
 * accesses: visible
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
    }                                                                                              \
    type rint##suffix(type x) {                                                                    \
        if (!(fabs##suffix(x) < integers))                                                         \
            return x;                                                                              \
        type far = copysign##suffix(integers, x);                                                  \
        return copysign##suffix((x + far) - far, x);                                               \
    }                                                                                              \
    type nearbyint##suffix(type x) { return rint##suffix(x); }                                     \
    type roundeven##suffix(type x) { return rint##suffix(x); }                                     \
    long lround##suffix(type x) { return (long)round##suffix(x); }                                 \
    long lrint##suffix(type x) { return (long)rint##suffix(x); }                                   \
    long long llround##suffix(type x) { return (long long)round##suffix(x); }                      \
    long long llrint##suffix(type x) { return (long long)rint##suffix(x); }                        \
    type fdim##suffix(type x, type y) {                                                            \
        return x != x || y != y ? x + y : x > y ? x - y : 0;                                       \
    }                                                                                              \
    type modf##suffix(type x, type *whole) {                                                       \
        *whole = trunc##suffix(x);                                                                 \
        return copysign##suffix(*whole == x ? 0 : x - *whole, x);                                  \
    }

FUNCTIONS(double, , 4503599627370496.0)
FUNCTIONS(float, f, 8388608.0f)
