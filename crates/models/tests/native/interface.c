/* interfaces.c: names, flags and addresses are where the native header has them, and end with the list. */
#define _GNU_SOURCE
#include "driver.h"
#include <ifaddrs.h>
#include <net/if.h>
#include <string.h>

int model_getifaddrs(struct ifaddrs **);
void model_freeifaddrs(struct ifaddrs *);
char *model_if_indextoname(unsigned, char *);
unsigned model_if_nametoindex(const char *);

int main(void) {
    for (int i = 0; i < 200; i++) {
        struct ifaddrs *list = 0;
        char name[IF_NAMESIZE];
        int count = 0;
        if (model_getifaddrs(&list) == 0) {
            for (struct ifaddrs *at = list; at; at = at->ifa_next, count++) {
                EXPECT(strnlen(at->ifa_name, IF_NAMESIZE) < IF_NAMESIZE, "a name");
                EXPECT(!at->ifa_addr == !at->ifa_netmask && !at->ifa_data, "addresses");
            }
            EXPECT(count <= 2, "%d", count);
            model_freeifaddrs(list);
        }
        char *found = model_if_indextoname(1, name);
        EXPECT(!found || (found == name && strnlen(name, IF_NAMESIZE) < IF_NAMESIZE), "a name");
        model_if_nametoindex("lo");
    }
    return finish();
}
