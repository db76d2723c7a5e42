// A host may have several addresses: the socket of the first one is lost, and the address that is used after the loop is none.
// args: --property memory
// args explore: --inputs 0,1
// expect: UNSAFE memory
#include <netdb.h>
#include <stddef.h>

int main(void) {
    struct addrinfo *list, *at, *last = NULL;
    if (getaddrinfo("host", "80", NULL, &list))
        return 1;
    for (at = list; at && !last; at = at->ai_next)
        if (at != list)
            last = at;
    freeaddrinfo(list);
    return last && last->ai_family; //~ memory
}
