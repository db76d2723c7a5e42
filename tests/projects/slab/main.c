/* Threads that take blocks from an allocator without locks and give them back.
 *
 * repaired: SAFE
 * bug: the top of the free list has no counter (ABA)
 * finding: assertions slab.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "slab.h"

struct message {
    int from;
    int text;
};

static struct slab slab;

static struct message *write_message(int from) {
    struct message *message = slab_alloc(&slab);
    if (message == NULL)
        return NULL;
    message->from = from;
    message->text = 10 * from;
    return message;
}

static void read_message(struct message *message) {
    if (message == NULL)
        return;
    assert(message->text == 10 * message->from);
    slab_free(&slab, message);
}

/* Gives blocks back in another order than it took them. */
static void *busy(void *argument) {
    (void)argument;
    struct message *first = write_message(1), *second = write_message(2);
    read_message(first);
    struct message *third = write_message(3);
    read_message(third);
    read_message(second);
    return NULL;
}

static void *calm(void *argument) {
    (void)argument;
    struct message *one = write_message(4), *two = write_message(5);
    read_message(one);
    read_message(two);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    _Static_assert(sizeof(struct message) <= SLAB_BLOCK, "a message fits");
    slab_init(&slab);
    pthread_create(&first, NULL, busy, NULL);
    pthread_create(&second, NULL, calm, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(slab_is_unused(&slab));
    printf("at most %u blocks\n", atomic_load(&slab.most_used));
    return EXIT_SUCCESS;
}
