// Structs, unions, arrays, pointers, strings, initialisers, thread-local and static variables, vectors.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inner { char name[6]; short s; };
struct outer { struct inner in[2]; double d; struct outer *next; int (*call)(int); };
union either { unsigned u; unsigned char bytes[4]; float f; };
typedef int four __attribute__((vector_size(16)));

static int twice(int x) { return 2 * x; }
int numbers[8] = {1, 2, 3, [6] = 7};
int *inside = &numbers[3];
char *texts[] = {"one", "two\n\"three\"\\", "", "\x01\xff", 0};
struct outer last = {{{"abc", 3}, {"defgh", 4}}, 2.5, 0, twice};
struct outer first = {{{"x"}}, -1, &last, 0};
const union either pi = {.f = 3.14159f};
_Thread_local int own = 41;
int tentative;
extern int elsewhere __attribute__((weak));
extern int other_name __attribute__((alias("tentative")));
static struct __attribute__((packed)) { char c; long long l; } packed = {1, 1LL << 40};

static int count(void) {
  static int calls;
  return ++calls;
}

struct big { int a[10]; };
static struct big make(int n) {
  struct big b;
  for (int i = 0; i < 10; i++) b.a[i] = n * i;
  return b;
}
static int total(struct big b) {
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += b.a[i];
  b.a[0] = 1000;
  return sum;
}

int main(void) {
  printf("%d %d %d\n", *inside, inside[3], (int)(inside - numbers));
  for (char **t = texts; *t; t++) printf("%zu ", strlen(*t));
  printf("%s\n", texts[1]);
  printf("%s %s %d %g %d\n", first.in[0].name, first.next->in[1].name, first.next->in[1].s, first.next->d,
         first.next->call(21));
  union either e = pi;
  printf("%x %u\n", e.u, e.bytes[3]);
  own++;
  other_name = 5;
  printf("%d %d %d %d\n", own, tentative, &elsewhere == 0, packed.l == 1LL << 40);
  count();
  printf("%d\n", count());
  struct big b = make(3);
  printf("%d %d\n", total(b), b.a[0]);
  int n = numbers[6];
  int vla[n][2];
  for (int i = 0; i < n; i++) vla[i][0] = i, vla[i][1] = -i;
  printf("%d %zu\n", vla[n - 1][1], sizeof vla);
  four v = {1, 2, 3, 4}, w = v * 2 + 1;
  v = __builtin_shufflevector(v, w, 3, 4, 1, 6);
  printf("%d %d %d %d %d\n", v[0], v[1], v[2], v[3], (v < w)[1]);
  struct outer *heap = malloc(sizeof *heap);
  memcpy(heap, &last, sizeof last);
  heap->in[0] = heap->in[1];
  memset(heap->in[1].name, 'z', 3);
  printf("%s %s\n", heap->in[0].name, heap->in[1].name);
  free(heap);
  return 0;
}
