/* Functions of math.h on the bits of a number: square roots, remainders, exponents.
 *
 * IEEE 754 demands the results of sqrt and fmod to the last bit. A root is found bit by bit, and one more
 * bit decides how it is rounded; a remainder by subtraction of doubled divisors. Functions on float go
 * through double, which has more than twice the digits, so rounding twice is rounding once.
 * left out: floating-point exceptions and errno; long double (UNKNOWN).
 *
 * accesses: visible
 */
#include "raddle.h"

typedef unsigned long long u64;

enum { DIGITS = 52, BIAS = 1023, TOP = 0x7ff };
static const u64 FRACTION = (1ull << DIGITS) - 1;

static u64 bits_of(double x) {
    union {
        double number;
        u64 bits;
    } both = {.number = x};
    return both.bits;
}

static double number_of(u64 bits) {
    union {
        u64 bits;
        double number;
    } both = {.bits = bits};
    return both.number;
}

static int exponent_of(u64 bits) { return (int)(bits >> DIGITS & TOP); }

/* The digits with their first one at bit 52; the exponent that belongs to them. */
static u64 digits_of(u64 bits, int *exponent) {
    u64 digits = bits & FRACTION;
    *exponent = exponent_of(bits);
    if (*exponent != 0)
        return digits | 1ull << DIGITS;
    for (*exponent = 1; !(digits >> DIGITS); --*exponent)
        digits <<= 1;
    return digits;
}

double sqrt(double x) {
    u64 bits = bits_of(x);
    if (x == 0 || exponent_of(bits) == TOP || bits >> 63)
        return x == 0 || x != x || !(bits >> 63) ? x : number_of(0x7ff8ull << 48);
    int exponent;
    u64 rest = digits_of(bits, &exponent);
    exponent -= BIAS;
    if (exponent & 1)
        rest <<= 1;
    rest <<= 1;
    u64 root = 0, tried = 0;
    for (u64 bit = 1ull << (DIGITS + 1); bit; bit >>= 1) {
        if (tried + bit <= rest) {
            tried += bit + bit;
            rest -= tried - bit;
            root += bit;
        }
        rest <<= 1;
    }
    root += root & 1;
    return number_of((root >> 1) + ((u64)((exponent >> 1) + BIAS - 1) << DIGITS));
}

double fmod(double x, double y) {
    u64 a = bits_of(x), b = bits_of(y) << 1 >> 1, sign = a >> 63 << 63;
    a ^= sign;
    if (b == 0 || y != y || x != x || exponent_of(a) == TOP)
        return number_of(0x7ff8ull << 48);
    if (a < b)
        return x;
    int at, until;
    u64 rest = digits_of(a, &at), divisor = digits_of(b, &until);
    for (;; at--, rest <<= 1) {
        if (rest >= divisor)
            rest -= divisor;
        if (at == until || rest == 0)
            break;
    }
    if (rest == 0)
        return number_of(sign);
    for (; !(rest >> DIGITS) && at > 1; at--)
        rest <<= 1;
    if (at < 1) {
        rest >>= 1 - at;
        at = 1;
    }
    return number_of(sign | (rest >> DIGITS ? (rest & FRACTION) | (u64)at << DIGITS : rest));
}

double scalbn(double x, int power) {
    const double up = number_of((u64)(BIAS + 1023) << DIGITS);
    const double down = number_of((u64)(BIAS - 1022 + 53) << DIGITS);
    for (int i = 0; i < 2 && power > 1023; i++, power -= 1023)
        x *= up;
    for (int i = 0; i < 2 && power < -1022; i++, power += 1022 - 53)
        x *= down;
    power = power > 1023 ? 1023 : power < -1022 ? -1022 : power;
    return x * number_of((u64)(BIAS + power) << DIGITS);
}

double frexp(double x, int *power) {
    u64 bits = bits_of(x);
    if (x == 0 || exponent_of(bits) == TOP) {
        *power = 0;
        return x;
    }
    int exponent;
    u64 digits = digits_of(bits, &exponent);
    *power = exponent - BIAS + 1;
    return number_of((bits >> 63 << 63) | (digits & FRACTION) | (u64)(BIAS - 1) << DIGITS);
}

double ldexp(double x, int power) { return scalbn(x, power); }
double scalbln(double x, long power) {
    return scalbn(x, power > 5000 ? 5000 : power < -5000 ? -5000 : (int)power);
}

float sqrtf(float x) { return (float)sqrt(x); }
float fmodf(float x, float y) { return (float)fmod(x, y); }
float scalbnf(float x, int power) { return (float)scalbn(x, power); }
float ldexpf(float x, int power) { return (float)scalbn(x, power); }
float frexpf(float x, int *power) { return (float)frexp(x, power); }
