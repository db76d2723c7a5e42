/* Interfaces of the network: net/if.h, ifaddrs.h.
 *
 * There are up to two, with any names of at most 15 characters, flags and addresses; the list is the caller's until
 * freeifaddrs.
 * left out: more than two; that two calls give the same.
 *
 * accesses: visible
 */
#include "any.h"

enum { NAME = 16, ADDRESS = 28 };

void *malloc(size_t size);
void free(void *object);

static void any_name(char *to) {
    size_t length = 1 + any_up_to(NAME - 2);
    __raddle_fill(to, length);
    to[length] = 0;
}

typedef struct addresses {
    struct addresses *next;
    char *name;
    unsigned flags;
    void *address, *mask, *other, *data;
} addresses;

/* Names and addresses lie in the object itself. */
typedef struct {
    addresses told;
    char name[NAME];
    unsigned char address[ADDRESS], mask[ADDRESS];
} interface;

static addresses *any_interface(void) {
    interface *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    made->told = (addresses){NULL, made->name, __raddle_input_u32(), NULL, NULL, NULL, NULL};
    any_name(made->name);
    /* There may be none. */
    if (__raddle_choice(2)) {
        __raddle_fill(made->address, ADDRESS);
        made->told.address = made->address;
        made->told.mask = made->mask;
        __raddle_fill(made->mask, ADDRESS);
    }
    return &made->told;
}

int getifaddrs(addresses **list) {
    if (may_fail())
        return fails();
    unsigned count = __raddle_choice(3);
    *list = NULL;
    for (unsigned i = 0; i < count; i++) {
        addresses *made = any_interface();
        if (!made)
            return fails_with(ENOMEM);
        made->next = *list;
        *list = made;
    }
    return 0;
}

void freeifaddrs(addresses *list) {
    while (list) {
        addresses *next = list->next;
        free(list);
        list = next;
    }
}

unsigned if_nametoindex(const char *name) {
    read_text(name);
    if (may_fail()) {
        fails();
        return 0;
    }
    return 1 + (__raddle_input_u32() & 0xffff);
}

char *if_indextoname(unsigned index, char *to) {
    if (may_fail()) {
        fails();
        return NULL;
    }
    any_name(to);
    return to;
}
