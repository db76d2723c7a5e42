// A naive concurrent bubble sort: two threads share the passes over one array, and nobody locks it. Passes that
// overtake each other, or a swap that is interrupted, leave the array unsorted; whether they do depends on the values
// and on the schedule. After the example of paper 002, table 1.
// Parameters: SIZE elements of BITS bits (8, 12, 16 or 32).
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#if BITS == 12
typedef uint16_t element;
#define CUT(value) ((value) & 0xfff)
#else
#define NAME(bits) uint##bits##_t
#define TYPE(bits) NAME(bits)
typedef TYPE(BITS) element;
#define CUT(value) (value)
#endif

element a[SIZE];
extern element __VERIFIER_nondet_uint(void);

static void *passes(void *first) {
    for (int pass = first ? 1 : 0; pass < SIZE - 1; pass += 2)
        for (int i = 0; i + 1 < SIZE; i++) {
            element left = a[i], right = a[i + 1];
            if (left > right) {
                a[i] = right;
                a[i + 1] = left;
            }
        }
    return first;
}

int main(void) {
    for (int i = 0; i < SIZE; i++)
        a[i] = CUT(__VERIFIER_nondet_uint());
    pthread_t other;
    pthread_create(&other, 0, passes, a);
    passes(0);
    pthread_join(other, 0);
    for (int i = 0; i + 1 < SIZE; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
