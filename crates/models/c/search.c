/* Trees, tables and lists of search.h.
 *
 * The tree is a plain binary one in the order of the caller's function; POSIX does not say how it looks. Its nodes begin
 * with the pointer to what they hold, as POSIX says. The table is one for the whole program: threads that use it without
 * a lock race.
 * left out: a tree of another shape; more than one table (hcreate_r).
 *
 * accesses: visible
 */
#include "raddle.h"

void *malloc(size_t size);
void free(void *object);
int strcmp(const char *a, const char *b);

typedef struct node {
    const void *key;
    struct node *left, *right;
} node;

typedef int (*order)(const void *a, const void *b);

/* Where a key is, or would be. */
static node **place_of(const void *key, node **at, order compare) {
    while (*at) {
        int sign = compare(key, (*at)->key);
        if (sign == 0)
            break;
        at = sign < 0 ? &(*at)->left : &(*at)->right;
    }
    return at;
}

void *tsearch(const void *key, void **root, order compare) {
    if (!root)
        return NULL;
    node **at = place_of(key, (node **)root, compare);
    if (*at)
        return *at;
    node *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = (node){key, NULL, NULL};
    return *at = made;
}

void *tfind(const void *key, void *const *root, order compare) {
    return root ? *place_of(key, (node **)root, compare) : NULL;
}

/* Gives the parent, or something that is not null for the root. */
void *tdelete(const void *key, void **root, order compare) {
    if (!root)
        return NULL;
    node **at = (node **)root, *parent = NULL;
    while (*at) {
        int sign = compare(key, (*at)->key);
        if (sign == 0)
            break;
        parent = *at;
        at = sign < 0 ? &parent->left : &parent->right;
    }
    node *gone = *at;
    if (!gone)
        return NULL;
    if (gone->left && gone->right) {
        node **next = &gone->right;
        while ((*next)->left)
            next = &(*next)->left;
        node *replaces = *next;
        *next = replaces->right;
        replaces->left = gone->left;
        replaces->right = gone->right;
        *at = replaces;
    } else {
        *at = gone->left ? gone->left : gone->right;
    }
    free(gone);
    return parent ? (void *)parent : (void *)root;
}

static void walk(const node *at, void (*action)(const void *, int, int), int depth) {
    enum { PREORDER, POSTORDER, ENDORDER, LEAF };
    if (!at->left && !at->right) {
        action(at, LEAF, depth);
        return;
    }
    action(at, PREORDER, depth);
    if (at->left)
        walk(at->left, action, depth + 1);
    action(at, POSTORDER, depth);
    if (at->right)
        walk(at->right, action, depth + 1);
    action(at, ENDORDER, depth);
}

void twalk(const void *root, void (*action)(const void *, int, int)) {
    if (root && action)
        walk(root, action, 0);
}

void tdestroy(void *root, void (*release)(void *)) {
    node *at = root;
    if (!at)
        return;
    tdestroy(at->left, release);
    tdestroy(at->right, release);
    release((void *)at->key);
    free(at);
}

typedef struct {
    char *key;
    void *data;
} entry;

static struct {
    entry *entries; /* null: there is none */
    size_t room, used;
} the_table_of_hsearch;

int hcreate(size_t size) {
    if (the_table_of_hsearch.entries)
        return 0;
    the_table_of_hsearch.entries = malloc(size * sizeof(entry));
    the_table_of_hsearch.room = size;
    the_table_of_hsearch.used = 0;
    return the_table_of_hsearch.entries != NULL;
}

void hdestroy(void) {
    free(the_table_of_hsearch.entries);
    the_table_of_hsearch.entries = NULL;
    the_table_of_hsearch.room = the_table_of_hsearch.used = 0;
}

entry *hsearch(entry item, int action) {
    enum { FIND, ENTER };
    entry *entries = the_table_of_hsearch.entries;
    size_t used = the_table_of_hsearch.used;
    for (size_t i = 0; i < used; i++)
        if (strcmp(entries[i].key, item.key) == 0)
            return &entries[i];
    if (action != ENTER || used == the_table_of_hsearch.room) {
        *__errno_location() = action == ENTER ? ENOMEM : ESRCH;
        return NULL;
    }
    entries[used] = item;
    the_table_of_hsearch.used = used + 1;
    return &entries[used];
}

/* Doubly linked lists. */
typedef struct element {
    struct element *next, *before;
} element;

void insque(element *what, element *behind) {
    what->next = behind ? behind->next : NULL;
    what->before = behind;
    if (behind)
        behind->next = what;
    if (what->next)
        what->next->before = what;
}

void remque(element *what) {
    if (what->before)
        what->before->next = what->next;
    if (what->next)
        what->next->before = what->before;
}
