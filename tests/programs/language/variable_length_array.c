// args: --property assertions --property memory
// expect: SAFE
// An array whose length is known only at run time.
#include <assert.h>

static int sum(int n) {
    int a[n], s = 0;
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s + (int)(sizeof a / sizeof a[0]);
}

int main(void) {
    assert(sum(2) == 3 && sum(4) == 18);
    return 0;
}
