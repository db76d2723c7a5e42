/* terminal.c: the native structure is written and read as a whole, and made raw as the library does it. */
#include "driver.h"
#include <string.h>
#include <termios.h>

int model_tcgetattr(int, struct termios *), model_tcsetattr(int, int, const struct termios *);
void model_cfmakeraw(struct termios *);

int main(void) {
    int failed = 0, done = 0;
    for (int i = 0; i < 500; i++) {
        struct termios a, b;
        memset(&a, 0xa5, sizeof a);
        memset(&b, 0xa5, sizeof b);
        if (model_tcgetattr(0, &a) < 0) {
            EXPECT(memcmp(&a, &b, sizeof a) == 0, "a failure writes nothing");
            failed++;
            continue;
        }
        done++;
        EXPECT(a.c_iflag != b.c_iflag || a.c_lflag != b.c_lflag, "flags are written");
        EXPECT(memcmp(a.c_cc, b.c_cc, sizeof a.c_cc) != 0, "characters are written");
        model_tcsetattr(0, TCSANOW, &a);
        b = a;
        model_cfmakeraw(&a);
        cfmakeraw(&b);
        EXPECT(memcmp(&a, &b, sizeof a) == 0, "raw");
    }
    EXPECT(failed > 0 && done > 0, "%d %d", failed, done);
    EXPECT(model_tcgetattr(17, &(struct termios){0}) < 0, "no such descriptor");
    return finish();
}
