/* math.c against the native functions, bit by bit. */
#include "driver.h"
#include <math.h>
#include <string.h>

#define DECLARE(name)                                                                              \
    double model_##name(double);                                                                   \
    float model_##name##f(float);
DECLARE(fabs)
DECLARE(trunc)
DECLARE(floor)
DECLARE(ceil)
DECLARE(round)
DECLARE(rint)
DECLARE(nearbyint)
DECLARE(sqrt)
#define RANGES(ROW)                                                                                \
    ROW(exp) ROW(exp2) ROW(expm1) ROW(log) ROW(log2) ROW(log10) ROW(log1p) ROW(sin) ROW(cos)       \
    ROW(tan) ROW(asin) ROW(atan) ROW(sinh) ROW(cosh) ROW(tanh) ROW(cbrt)
RANGES(DECLARE)
DECLARE(acos)
long model_lround(double), model_lrint(double);
long long model_llround(double), model_llrint(double);
double model_fdim(double, double), model_fmod(double, double), model_modf(double, double *);
float model_fmodf(float, float), model_modff(float, float *), model_fdimf(float, float);
double model_ldexp(double, int), model_frexp(double, int *), model_scalbln(double, long);
float model_ldexpf(float, int), model_frexpf(float, int *);
double model_pow(double, double), model_hypot(double, double), model_atan2(double, double);
double model_fmin(double, double), model_fmax(double, double), model_copysign(double, double);
float model_fminf(float, float), model_fmaxf(float, float), model_copysignf(float, float);

/* Equal, also in the sign of zero; all that are not numbers are the same. */
static int same(double a, double b) {
    return (a == b && !signbit(a) == !signbit(b)) || (a != a && b != b);
}

#define ONE(name)                                                                                  \
    EXPECT(same(model_##name(x), name(x)), #name " %a", x);                                        \
    EXPECT(same(model_##name##f(f), name##f(f)), #name "f %a", f)

/* Which zero fmin and fmax give for zeros of both signs is not specified. */
#define TWO(name)                                                                                  \
    EXPECT(same(model_##name(x, y), name(x, y)) || (x == 0 && y == 0), #name " %a %a", x, y);      \
    EXPECT(same(model_##name##f(f, g), name##f(f, g)) || (f == 0 && g == 0), #name "f %a", f)

/* A number cut into pieces. */
static void check_parts(double x, float f) {
    double a, b;
    float c, d;
    int i = 0, j = 0;
    EXPECT(same(model_modf(x, &a), modf(x, &b)) && same(a, b), "modf %a", x);
    EXPECT(same(model_modff(f, &c), modff(f, &d)) && same(c, d), "modff %a", f);
    EXPECT(same(model_frexp(x, &i), frexp(x, &j)) && (i == j || !isfinite(x)), "frexp %a", x);
    EXPECT(same(model_frexpf(f, &i), frexpf(f, &j)) && (i == j || !isfinite(f)), "frexpf %a", f);
    for (int n = 0; n < 4; n++) {
        int power = (int)below(n < 2 ? 5000 : 200) - (n < 2 ? 2500 : 100);
        EXPECT(same(model_ldexp(x, power), ldexp(x, power)), "ldexp %a %d", x, power);
        EXPECT(same(model_ldexpf(f, power), ldexpf(f, power)), "ldexpf %a %d", f, power);
        EXPECT(same(model_scalbln(x, power), scalbln(x, power)), "scalbln %a %d", x, power);
    }
}

/* What is exact is as the library has it; the rest is UNKNOWN. */
#define EXACT(name)                                                                                \
    EXPECT(same(model_##name(x), name(x)), #name " %a", x);                                        \
    EXPECT(same(model_##name##f(x), name##f(x)), #name "f %a", x);

static void check_exact(void) {
    const double special[] = {0.0, -0.0, NAN};
    for (int i = 0; i < 3; i++) {
        double x = special[i];
        RANGES(EXACT)
        EXPECT(same(model_pow(x, 0), 1) && same(model_pow(1, x), 1), "pow %a", x);
    }
    double x = 1;
    EXACT(log) EXACT(log2) EXACT(log10) EXACT(acos)
    x = -2;
    EXACT(log) EXACT(log2) EXACT(log10) EXACT(log1p) EXACT(asin) EXACT(acos)
    x = INFINITY;
    EXACT(sin) EXACT(cos) EXACT(tan)
    EXPECT(same(model_acos(NAN), NAN) && same(model_hypot(0, 0), 0), "acos, hypot %d", 0);
    EXPECT(same(model_pow(x, 1), x) && same(model_atan2(NAN, 1), NAN), "pow, atan2 %d", 0);
}

static void check(double x, double y) {
    float f = (float)x, g = (float)y;
    ONE(fabs);
    ONE(trunc);
    ONE(floor);
    ONE(ceil);
    ONE(round);
    ONE(rint);
    ONE(nearbyint);
    ONE(sqrt);
    TWO(fdim);
    TWO(fmod);
    if (fabs(x) < 1e9) {
        EXPECT(model_lround(x) == lround(x) && model_llround(x) == llround(x), "lround %a", x);
        EXPECT(model_lrint(x) == lrint(x) && model_llrint(x) == llrint(x), "lrint %a", x);
    }
    check_parts(x, f);
    TWO(fmin);
    TWO(fmax);
    EXPECT(same(model_copysign(x, y), copysign(x, y)), "copysign %a %a", x, y);
    EXPECT(same(model_copysignf(f, g), copysignf(f, g)), "copysignf %a %a", f, g);
}

int main(void) {
    check_exact();
    const double edges[] = {
        0.0,  -0.0,  0.5,   -0.5,   1.5, 2.5,      -2.5,      0.49999999999999994,
        1e15, 5e-324, -2.5e-320, 1.0, -1.0, 1e300, -1e16, 1e-300, NAN, INFINITY, -INFINITY, 4503599627370495.5,
    };
    const int count = sizeof edges / sizeof *edges;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            check(edges[i], edges[j]);
    for (int i = 0; i < 30000; i++)
        check((rand() - rand()) / (double)(1 << below(31)), (rand() - rand()) / 1000.0);
    return finish();
}
