// Loops, switches, computed goto, recursion, short circuits, setjmp, inline assembly.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;

static const char *kind(long n) {
  switch (n) {
  case 0: return "zero";
  case 1:
  case 2: return "few";
  case 10 ... 20: return "some";
  case -5000000000: return "very few";
  default: return n < 0 ? "none" : "many";
  }
}

static int machine(const char *program) {
  static void *const labels[] = {&&add, &&multiply, &&stop};
  int value = 1;
  goto *labels[*program++ - '0'];
add:
  value += 3;
  goto *labels[*program++ - '0'];
multiply:
  value *= 5;
  goto *labels[*program++ - '0'];
stop:
  return value;
}

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int shown;
static int show(int x) { shown++; return x; }
__attribute__((noreturn)) static void leave(int code) { longjmp(back, code); }

int main(void) {
  for (long n = -1; n < 25; n += 6) printf("%s ", kind(n));
  printf("%s\n", kind(-5000000000));
  printf("%d %d\n", machine("0102"), machine("11012"));
  int n = 0, outer = 0;
  do {
    for (int i = 0;; i++) {
      if (i == 3) break;
      if (i == 1) continue;
      outer += i;
    }
  } while (++n < 4);
  while (n-- > 0) outer *= 2;
  printf("%d %d\n", outer, fibonacci(15));
  int either = show(0) && show(1) || show(2) && (show(3), show(0));
  printf("%d %d\n", either, shown);
  int code = setjmp(back);
  if (code == 0) leave(9);
  printf("%d\n", code);
  int copied;
  __asm__ volatile("movl %1, %0" : "=r"(copied) : "r"(code + 1) : "memory");
  printf("%d\n", copied);
  __asm__ goto("jmp %l0" : : : : target);
  printf("not here\n");
target:
  printf("%s\n", code > 5 ? code > 8 ? "large" : "medium" : "small");
  exit(0);
}
