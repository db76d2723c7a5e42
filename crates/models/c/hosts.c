/* Hosts and services by name, the old way: gethostbyname, gethostbyaddr, getservbyname.
 *
 * A name may be found or not; one that is has any address. The result is one object that each call writes anew: threads that use them
 * without a lock race. h_errno belongs to the thread.
 * left out: more than one address, aliases; that two calls give the same.
 *
 * accesses: visible
 */
#include "any.h"

typedef struct {
    char *name, **aliases;
    int family, length;
    char **addresses;
} host;

typedef struct {
    char *name, **aliases;
    int port;
    char *protocol;
} service;

enum { AF_INET = 2, LONGEST = 31 };

int *__h_errno_location(void) {
    static _Thread_local int number;
    return &number;
}

static void copy_name(char *to, const char *from) {
    size_t i = 0;
    for (; i < LONGEST && from[i]; i++)
        to[i] = from[i];
    to[i] = 0;
}

static host *found(const char *name) {
    static host result;
    static char text[LONGEST + 1];
    static unsigned address;
    static char *none[1], *addresses[2];
    if (may_fail()) {
        *__h_errno_location() = 1 + (int)__raddle_choice(4);
        return NULL;
    }
    copy_name(text, name);
    address = __raddle_input_u32();
    addresses[0] = (char *)&address;
    result.name = text;
    result.aliases = none;
    result.family = AF_INET;
    result.length = sizeof address;
    result.addresses = addresses;
    return &result;
}

host *gethostbyname(const char *name) {
    read_text(name);
    return found(name);
}

host *gethostbyaddr(const void *address, unsigned length, int family) {
    __raddle_read_bytes(address, length);
    return found("host");
}

service *getservbyname(const char *name, const char *protocol) {
    static service result;
    static char text[LONGEST + 1];
    static char *none[1];
    read_text(name);
    if (protocol)
        read_text(protocol);
    if (may_fail())
        return NULL;
    copy_name(text, name);
    result.name = text;
    result.aliases = none;
    result.port = __raddle_input_u16();
    result.protocol = protocol ? (char *)protocol : "tcp";
    return &result;
}

const char *hstrerror(int error) { return "Host name lookup failure"; }
void herror(const char *text) {
    if (text)
        read_text(text);
}

/* Into memory of the caller, as much as the name and one address need. */
int gethostbyname_r(const char *name, host *result, char *room, size_t size, host **where, int *error) {
    enum { ADDRESS = 4 };
    *where = NULL;
    read_text(name);
    size_t length = 0;
    while (name[length])
        length++;
    size_t needed = 4 * sizeof(char *) + ADDRESS + length + 1;
    if (size < needed)
        return ERANGE;
    if (may_fail()) {
        *error = 1 + (int)__raddle_choice(4);
        return 2;
    }
    char **lists = (char **)room;
    lists[0] = NULL;
    lists[1] = (char *)(lists + 3);
    lists[2] = NULL;
    __raddle_fill(lists[1], ADDRESS);
    char *text = lists[1] + ADDRESS;
    for (size_t i = 0; i <= length; i++)
        text[i] = name[i];
    *result = (host){text, lists, AF_INET, ADDRESS, lists + 1};
    *where = result;
    return 0;
}

service *getservbyport(int port, const char *protocol) {
    service *found = getservbyname("service", protocol);
    if (found)
        found->port = port;
    return found;
}

typedef struct {
    char *name, **aliases;
    int number;
} protocol;

protocol *getprotobyname(const char *name) {
    static protocol result;
    static char text[LONGEST + 1];
    static char *none[1];
    read_text(name);
    if (may_fail())
        return NULL;
    copy_name(text, name);
    result = (protocol){text, none, __raddle_input_u8()};
    return &result;
}
