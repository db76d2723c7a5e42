/* A job server in small: squares numbers on a pool of workers and adds them up.
 *
 * repaired: SAFE
 * bug: shutdown wakes one worker only
 * finding: deadlocks pool.c
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pool.h"

enum { WORKERS = 2, REQUESTS = 2 };

struct request {
    int number;
    int result;
};

static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void square(void *argument) {
    struct request *request = argument;
    request->result = request->number * request->number;
    pthread_mutex_lock(&sum_lock);
    sum += request->result;
    pthread_mutex_unlock(&sum_lock);
}

int main(void) {
    struct request requests[REQUESTS];
    struct pool *pool = pool_create(WORKERS);
    if (pool == NULL) {
        perror("pool_create");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < REQUESTS; i++) {
        requests[i] = (struct request){.number = i + 1};
        int error = pool_submit(pool, square, &requests[i]);
        if (error != 0)
            fprintf(stderr, "request %d is lost: error %d\n", i, error);
    }
    unsigned long finished = pool_destroy(pool, true);
    assert(finished == REQUESTS);
    assert(sum == 1 + 4);
    printf("%lu jobs, sum %d\n", finished, sum);
    return EXIT_SUCCESS;
}
