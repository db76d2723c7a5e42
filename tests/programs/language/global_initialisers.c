// args: --property assertions
// expect: SAFE
// Globals with pointers to each other, to functions and into arrays.
#include <assert.h>

static int answer(void) { return 42; }
int a[3] = {[2] = 9};
int *p = &a[2];
struct node {
    struct node *other;
    int (*f)(void);
    const char *text;
};
extern struct node second;
struct node first = {&second, answer, "one"};
struct node second = {&first, 0, &"two"[1]};

int main(void) {
    assert(*p == 9 && a[0] == 0);
    assert(first.other->other == &first && first.f() == 42);
    assert(second.text[0] == 'w' && first.text[3] == 0);
    return 0;
}
