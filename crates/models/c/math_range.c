/* Functions of math.h that need an approximation: any number that they may give.
 *
 * C does not say how exact they are (5.2.4.2.2), so each gives any number of its range, another one
 * with every call; what annex F demands exactly (cos 0 is 1, a NaN stays one) is exact. A program
 * whose properties depend on the digits is found to violate them.
 * left out: the results that a real library gives for equal arguments are equal; floating-point
 * exceptions and errno; long double (UNKNOWN).
 *
 * accesses: hidden
 */
#include "raddle.h"

#define INFINITE __builtin_inf()
#define NO_NUMBER __builtin_nan("")

static double any_double(void) {
    union {
        unsigned long long bits;
        double number;
    } both = {.bits = __raddle_input_u64()};
    return both.number;
}

/* Any number between two limits. */
static double between(double least, double most) {
    double x = any_double();
    return x >= least && x <= most ? x : least;
}

#define ONE(name, result)                                                                          \
    double name(double x) { return x != x ? x : (result); }                                        \
    float name##f(float x) { return (float)name(x); }

ONE(exp, x == 0 ? 1 : x < 0 ? between(0, 1) : between(1, INFINITE))
ONE(exp2, x == 0 ? 1 : x < 0 ? between(0, 1) : between(1, INFINITE))
ONE(expm1, x == 0 ? x : x < 0 ? between(-1, 0) : between(0, INFINITE))
ONE(log, x < 0 ? NO_NUMBER : x == 0 ? -INFINITE : x == 1 ? 0 : between(-746, 710))
ONE(log2, x < 0 ? NO_NUMBER : x == 0 ? -INFINITE : x == 1 ? 0 : between(-1075, 1024))
ONE(log10, x < 0 ? NO_NUMBER : x == 0 ? -INFINITE : x == 1 ? 0 : between(-324, 309))
ONE(log1p, x < -1 ? NO_NUMBER : x == -1 ? -INFINITE : x == 0 ? x : between(-746, 710))
ONE(sin, x - x != 0 ? NO_NUMBER : x == 0 ? x : between(-1, 1))
ONE(cos, x - x != 0 ? NO_NUMBER : x == 0 ? 1 : between(-1, 1))
ONE(tan, x - x != 0 ? NO_NUMBER : x == 0 ? x : between(-INFINITE, INFINITE))
ONE(asin, x < -1 || x > 1 ? NO_NUMBER : x == 0 ? x : between(-1.5707963267948968, 1.5707963267948968))
ONE(acos, x < -1 || x > 1 ? NO_NUMBER : x == 1 ? 0 : between(0, 3.1415926535897936))
ONE(atan, x == 0 ? x : between(-1.5707963267948968, 1.5707963267948968))
ONE(sinh, x == 0 ? x : between(-INFINITE, INFINITE))
ONE(cosh, x == 0 ? 1 : between(1, INFINITE))
ONE(tanh, x == 0 ? x : between(-1, 1))
ONE(cbrt, x == 0 || x - x != 0 ? x : x < 0 ? between(-INFINITE, 0) : between(0, INFINITE))

double pow(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    if (y == 1)
        return x;
    double result = any_double();
    /* Of a number that is not negative, no power is, or fails to be a number. */
    return x >= 0 && y == y && !(result >= 0) ? 0 : result;
}

double hypot(double x, double y) {
    return x == 0 && y == 0 ? 0 : between(0, INFINITE);
}

double atan2(double y, double x) {
    return x != x || y != y ? x + y : between(-3.1415926535897936, 3.1415926535897936);
}

float powf(float x, float y) { return (float)pow(x, y); }
float hypotf(float x, float y) { return (float)hypot(x, y); }
float atan2f(float y, float x) { return (float)atan2(y, x); }
