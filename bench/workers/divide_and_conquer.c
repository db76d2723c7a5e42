// expect: SAFE
// family: fork and join
// Merge sort with threads: a range of WORKERS + 1 numbers is halved, one half goes to a new thread
// and the other is sorted here; then the thread is joined and the halves are merged.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifndef WORKERS
#define WORKERS 2
#endif
#define COUNT (WORKERS + 1)

struct range {
    int *numbers;
    size_t length;
};

static void merge(struct range left, struct range right) {
    size_t length = left.length + right.length, i = 0, j = 0;
    int *merged = malloc(length * sizeof *merged);
    for (size_t k = 0; k < length; k++) {
        if (j == right.length || (i < left.length && left.numbers[i] <= right.numbers[j]))
            merged[k] = left.numbers[i++];
        else
            merged[k] = right.numbers[j++];
    }
    memcpy(left.numbers, merged, length * sizeof *merged);
    free(merged);
}

static void *sort(void *arg) {
    const struct range *whole = arg;
    if (whole->length <= 1)
        return NULL;
    size_t half = whole->length / 2;
    struct range left = {whole->numbers, half};
    struct range right = {whole->numbers + half, whole->length - half};
    pthread_t helper;
    pthread_create(&helper, NULL, sort, &left);
    sort(&right);
    pthread_join(helper, NULL);
    merge(left, right);
    return NULL;
}

int main(void) {
    int numbers[COUNT];
    for (int i = 0; i < COUNT; i++)
        numbers[i] = 5 * i % COUNT;
    struct range all = {numbers, COUNT};
    sort(&all);
    int sum = numbers[0];
    for (int i = 1; i < COUNT; i++) {
        assert(numbers[i - 1] <= numbers[i]);
        sum += numbers[i];
    }
    int expected = 0;
    for (int i = 0; i < COUNT; i++)
        expected += 5 * i % COUNT;
    assert(sum == expected);
    return 0;
}
