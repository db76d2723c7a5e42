// expect: SAFE
// What gcc's stdatomic.h accepts: pointers to atomic objects where atomic pointers are meant, plain objects, values cast to atomic types.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    atomic_uintptr_t next;
    int value;
};

static _Atomic struct node *slots[2];
static atomic_uintptr_t head;
static int plain;
static struct node nodes[2];

static void *work(void *arg) {
    struct node *mine = arg, *seen;
    atomic_store_explicit(&slots[mine->value], mine, memory_order_release);
    do {
        seen = (struct node *)atomic_load(&head);
        atomic_init(&mine->next, (uintptr_t)seen);
    } while (!atomic_compare_exchange_weak(&head, &seen, (atomic_uintptr_t)mine));
    atomic_fetch_add(&plain, 1);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        nodes[i].value = i;
        pthread_create(&threads[i], 0, work, &nodes[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(atomic_load(&plain) == 2);
    struct node *first = (struct node *)atomic_exchange(&head, 0);
    struct node *second = (struct node *)atomic_load(&first->next);
    assert(first != second && second->next == 0);
    assert(atomic_load(&slots[0]) == &nodes[0] && atomic_load(&slots[1]) == &nodes[1]);
    return 0;
}
