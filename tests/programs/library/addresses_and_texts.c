// args: --property assertions,memory
// expect: SAFE
// Addresses are what their texts say.
#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

int main(void) {
    struct in_addr address;
    char text[INET_ADDRSTRLEN];
    assert(inet_pton(AF_INET, "127.0.0.1", &address) == 1 && address.s_addr == htonl(INADDR_LOOPBACK));
    assert(inet_pton(AF_INET, "256.0.0.1", &address) == 0);
    assert(inet_ntop(AF_INET, &address, text, sizeof text) == text && strcmp(text, "127.0.0.1") == 0);
    assert(!inet_ntop(AF_INET, &address, text, 9));
    assert(inet_addr("10.0.0.1") == htonl(0x0a000001));
    return 0;
}
