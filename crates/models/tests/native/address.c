/* Addresses as texts against the native functions. */
#include "driver.h"
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

int model_inet_pton(int, const char *, void *), model_inet_aton(const char *, struct in_addr *);
const char *model_inet_ntop(int, const void *, char *, socklen_t);
in_addr_t model_inet_addr(const char *);
char *model_inet_ntoa(struct in_addr);
int *model___errno_location(void);

static void check_text(const char *text) {
    struct in_addr x = {7}, y = {7};
    int a = inet_pton(AF_INET, text, &x), b = model_inet_pton(AF_INET, text, &y);
    EXPECT(a == b && x.s_addr == y.s_addr, "'%s': %d %d", text, a, b);
    if (a != 1)
        return;
    EXPECT(model_inet_addr(text) == inet_addr(text), "'%s'", text);
    EXPECT(model_inet_aton(text, &y) == 1 && y.s_addr == x.s_addr, "'%s'", text);
}

static void check_address(struct in_addr address) {
    char x[20], y[20];
    unsigned size = below(sizeof x);
    memset(x, '#', sizeof x), memset(y, '#', sizeof y);
    errno = *model___errno_location() = 0;
    const char *a = inet_ntop(AF_INET, &address, x, size), *b = model_inet_ntop(AF_INET, &address, y, size);
    EXPECT(!a == !b && errno == *model___errno_location(), "%u bytes", size);
    EXPECT(!a || memcmp(x, y, sizeof x) == 0, "'%.19s' '%.19s'", x, y);
    EXPECT(strcmp(inet_ntoa(address), model_inet_ntoa(address)) == 0, "%x", address.s_addr);
}

int main(void) {
    for (int i = 0; i < 20000; i++) {
        char text[24] = "";
        for (unsigned j = below(6); j > 0; j--) {
            sprintf(text + strlen(text), below(9) ? "%u" : "%02u", below(below(2) ? 300 : 12));
            strcat(text, j == 1 && below(9) ? "" : below(20) ? "." : " ");
        }
        check_text(text);
        sprintf(text, "%u.%u.%u.%u", below(256), below(256), below(260), below(256));
        check_text(text);
        check_address((struct in_addr){(in_addr_t)rand() * 3u});
    }
    char room[46];
    EXPECT(model_inet_ntop(AF_INET6, room, room, sizeof room) && strlen(room) < sizeof room, "version 6");
    EXPECT(model_inet_pton(AF_UNSPEC, "1.2.3.4", room) == -1, "no family");
    EXPECT(*model___errno_location() == EAFNOSUPPORT, "its number");
    return finish();
}
