/* search.c: both trees hold the same keys, however they look; tables and lists are alike. */
#define _GNU_SOURCE
#include "driver.h"
#include <search.h>
#include <string.h>

void *model_tsearch(const void *, void **, int (*)(const void *, const void *));
void *model_tfind(const void *, void *const *, int (*)(const void *, const void *));
void *model_tdelete(const void *, void **, int (*)(const void *, const void *));
void model_twalk(const void *, void (*)(const void *, VISIT, int));
void model_tdestroy(void *, void (*)(void *));
int model_hcreate(size_t);
void model_hdestroy(void);
ENTRY *model_hsearch(ENTRY, ACTION);
void model_insque(void *, void *), model_remque(void *);

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* The keys in their order. */
static int seen[2][64], count[2], which;

static void visit(const void *node, VISIT when, int depth) {
    (void)depth;
    if (when == postorder || when == leaf)
        seen[which][count[which]++] = **(int *const *)node;
}

static void released(void *key) { (void)key; }

static void check_trees(void) {
    static int keys[32];
    void *model = 0, *native = 0;
    for (int i = 0; i < 32; i++)
        keys[i] = i;
    for (int step = 0; step < 200; step++) {
        int *key = &keys[below(32)];
        int **a, **b;
        if (below(3)) {
            a = model_tsearch(key, &model, order);
            b = tsearch(key, &native, order);
        } else {
            a = model_tdelete(key, &model, order);
            b = tdelete(key, &native, order);
            EXPECT(!a == !b, "%d", *key);
            continue;
        }
        EXPECT(**a == **b, "%d", *key);
        a = model_tfind(&keys[below(32)], &model, order);
        which = 0, count[0] = count[1] = 0;
        model_twalk(model, visit);
        which = 1;
        twalk(native, visit);
        EXPECT(count[0] == count[1] && memcmp(seen[0], seen[1], sizeof(int) * (size_t)count[0]) == 0, "%d", step);
    }
    model_tdestroy(model, released);
    tdestroy(native, released);
}

static void check_tables(void) {
    static char *keys[] = {"a", "b", "c", "d"};
    EXPECT(model_hcreate(8) && hcreate(8), "hcreate");
    for (int i = 0; i < 40; i++) {
        ENTRY item = {keys[below(4)], &keys[below(4)]};
        ACTION action = below(2) ? ENTER : FIND;
        ENTRY *a = model_hsearch(item, action), *b = hsearch(item, action);
        EXPECT(!a == !b && (!a || (a->data == b->data && strcmp(a->key, b->key) == 0)), "%s", item.key);
    }
    model_hdestroy();
    hdestroy();
}

typedef struct element {
    struct element *next, *before;
} element;

static void check_lists(void) {
    element a[3] = {0}, b[3] = {0};
    model_insque(&a[0], 0), insque(&b[0], 0);
    model_insque(&a[1], &a[0]), insque(&b[1], &b[0]);
    model_insque(&a[2], &a[0]), insque(&b[2], &b[0]);
    model_remque(&a[2]), remque(&b[2]);
    EXPECT(a[0].next == &a[1] && b[0].next == &b[1], "next");
    EXPECT(a[1].before == &a[0] && b[1].before == &b[0], "before");
}

int main(void) {
    for (int i = 0; i < 50; i++) {
        check_trees();
        check_tables();
    }
    check_lists();
    return finish();
}
