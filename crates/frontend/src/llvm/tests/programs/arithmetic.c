// Integers and floats of all widths, casts, bit fields, constants.
#include <stdint.h>
#include <stdio.h>

typedef unsigned _BitInt(67) odd;
static const float tenth = 0.1f;
static const long double third = 1.0L / 3;
#ifdef __x86_64__
static const __float128 quad = 2.5Q;
#else
static const long double quad = 2.5L;
#endif
struct bits { unsigned a : 3; int b : 20; unsigned c : 12; _Bool d : 1; };
volatile int seven = 7, minus = -3;
volatile double half = 0.5;

static void integers(void) {
  int a = seven, b = minus;
  unsigned u = (unsigned)b;
  printf("%d %d %d %d %d\n", a + b, a - b, a * b, b / 2, b % 2);
  printf("%u %u %u %u\n", u / 3, u % 3, u >> 1, u << 3);
  printf("%d %d %d %d %d\n", b >> 1, a & 5, a | 8, a ^ b, ~a);
  printf("%d %d %d %d %d %d\n", a < b, a > b, u < 1, u > 1, a == 7, a != 7);
  int8_t c = (int8_t)(a * 100);
  uint8_t d = (uint8_t)(a * 100);
  int16_t e = (int16_t)(a * 10000);
  int64_t f = (int64_t)a << 40;
  printf("%d %d %d %lld\n", c, d, e, (long long)f);
#ifdef __SIZEOF_INT128__
  __int128 wide = ((__int128)f << 60) + 12345678901234567890ULL;
  printf("%llx %llx\n", (unsigned long long)(wide >> 64), (unsigned long long)wide);
#endif
  odd o = (odd)1 << 66 | seven;
  printf("%llx\n", (unsigned long long)(o >> 3));
  _Bool t = a, n = !a;
  printf("%d %d %d\n", t, n, a && b);
}

static void floats(void) {
  float s = tenth * seven;
  double d = half / minus;
  printf("%.9g %.17g %.20Lg %.17g\n", s, d, third * seven, (double)(quad * seven));
  printf("%d %u %d\n", (int)d, (unsigned)(s * 10), (int)-half);
  printf("%g %g %g\n", (double)seven, (float)(unsigned)minus, -half);
  printf("%d %d %d %d %d\n", half < 1, half > 1, half == 0.5, half != 0.5, __builtin_isnan(half / 0 - half / 0));
#ifdef __x86_64__
  _Float16 h = (_Float16)half;
  printf("%g %g\n", (double)(h * (_Float16)3), 1e300 * 10);
#endif
}

int main(void) {
  integers();
  floats();
  struct bits b = {5, -77777, 4000, 1};
  b.a += seven;
  b.b -= 1;
  printf("%u %d %u %d\n", b.a, b.b, b.c, b.d);
  return 0;
}
