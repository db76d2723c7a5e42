// Variable arguments, function pointers, structs by value in and out, old-style calls, complex numbers.
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>

struct small { int x; char y; };
struct pair { double a, b; };
struct mixed { int i; float f; double d; char c[20]; };

static double add(int count, ...) {
  va_list list, copy;
  va_start(list, count);
  va_copy(copy, list);
  double sum = 0;
  for (int i = 0; i < count; i++) sum += i % 2 ? va_arg(list, int) : va_arg(list, double);
  sum += va_arg(copy, double);
  va_end(copy);
  va_end(list);
  return sum;
}

static struct small step(struct small s) { return (struct small){s.x + 1, s.y - 1}; }
static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static struct mixed grow(struct mixed m, int n) {
  m.i += n;
  m.d *= n;
  m.c[0] = 'A' + n;
  return m;
}
static signed char narrow(signed char a, unsigned short b, _Bool c) { return c ? a - b : a + b; }
static int plus(int a, int b) { return a + b; }
static int less(int a, int b) { return a - b; }
typedef int (*operation)(int, int);
static operation choose(char c) { return c == '+' ? plus : less; }
static int old(a, b) int a; char b; { return a * b; }

int main(void) {
  printf("%g\n", add(4, 1.5, 2, 2.25, -3));
  struct small s = step((struct small){7, 'c'});
  struct pair p = swap((struct pair){1.5, -2});
  struct mixed m = grow((struct mixed){1, 2.5f, 3.5, "xyz"}, 2);
  printf("%d %c %g %g\n", s.x, s.y, p.a, p.b);
  printf("%d %g %g %s\n", m.i, m.f, m.d, m.c);
  printf("%d %d\n", narrow(-100, 20, 1), narrow(-100, 20, 0));
  printf("%d %d %d\n", choose('+')(3, 4), choose('-')(3, 4), old(6, 7));
  double complex z = (1 + 2 * I) * (3 - I);
  printf("%g %g\n", creal(z), cimag(z));
  return 0;
}
