/* Functions of math.h that need an approximation.
 *
 * C does not say how exact they are (5.2.4.2.2), and real libraries differ in the last digits: what
 * annex F demands exactly (cos 0 is 1, a NaN stays one) is exact, all else is UNKNOWN. Any number of
 * the range would be allowed by C, but shows violations that no real library does.
 * left out: all other values (UNKNOWN); floating-point exceptions and errno; long double (UNKNOWN).
 *
 * accesses: hidden
 */
#include "raddle.h"

#define INFINITE __builtin_inf()
#define NO_NUMBER __builtin_nan("")

static double approximation(void) {
    __raddle_unsupported("a value of math.h that needs an approximation");
    return 0;
}

#define ONE(name, result)                                                                          \
    double name(double x) { return x != x ? x : (result); }                                        \
    float name##f(float x) { return (float)name(x); }

ONE(exp, x == 0 ? 1 : approximation())
ONE(exp2, x == 0 ? 1 : approximation())
ONE(expm1, x == 0 ? x : approximation())
ONE(log, x < 0 ? NO_NUMBER : x == 0 ? -INFINITE : x == 1 ? 0 : approximation())
ONE(log2, x < 0 ? NO_NUMBER : x == 0 ? -INFINITE : x == 1 ? 0 : approximation())
ONE(log10, x < 0 ? NO_NUMBER : x == 0 ? -INFINITE : x == 1 ? 0 : approximation())
ONE(log1p, x < -1 ? NO_NUMBER : x == -1 ? -INFINITE : x == 0 ? x : approximation())
ONE(sin, x - x != 0 ? NO_NUMBER : x == 0 ? x : approximation())
ONE(cos, x - x != 0 ? NO_NUMBER : x == 0 ? 1 : approximation())
ONE(tan, x - x != 0 ? NO_NUMBER : x == 0 ? x : approximation())
ONE(asin, x < -1 || x > 1 ? NO_NUMBER : x == 0 ? x : approximation())
ONE(acos, x < -1 || x > 1 ? NO_NUMBER : x == 1 ? 0 : approximation())
ONE(atan, x == 0 ? x : approximation())
ONE(sinh, x == 0 ? x : approximation())
ONE(cosh, x == 0 ? 1 : approximation())
ONE(tanh, x == 0 ? x : approximation())
ONE(cbrt, x == 0 || x - x != 0 ? x : approximation())

double pow(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    if (y == 1)
        return x;
    return approximation();
}

double hypot(double x, double y) {
    return x == 0 && y == 0 ? 0 : approximation();
}

double atan2(double y, double x) {
    return x != x || y != y ? x + y : approximation();
}

float powf(float x, float y) { return (float)pow(x, y); }
float hypotf(float x, float y) { return (float)hypot(x, y); }
float atan2f(float y, float x) { return (float)atan2(y, x); }
