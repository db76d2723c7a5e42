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

static void check(double x, double y) {
    float f = (float)x, g = (float)y;
    ONE(fabs);
    ONE(trunc);
    ONE(floor);
    ONE(ceil);
    ONE(round);
    TWO(fmin);
    TWO(fmax);
    EXPECT(same(model_copysign(x, y), copysign(x, y)), "copysign %a %a", x, y);
    EXPECT(same(model_copysignf(f, g), copysignf(f, g)), "copysignf %a %a", f, g);
}

int main(void) {
    const double edges[] = {
        0.0,  -0.0,  0.5,   -0.5,   1.5, 2.5,      -2.5,      0.49999999999999994,
        1e15, 1e300, -1e16, 1e-300, NAN, INFINITY, -INFINITY, 4503599627370495.5,
    };
    const int count = sizeof edges / sizeof *edges;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            check(edges[i], edges[j]);
    for (int i = 0; i < 30000; i++)
        check((rand() - rand()) / (double)(1 << below(31)), (rand() - rand()) / 1000.0);
    return finish();
}
