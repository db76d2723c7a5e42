/* machine.c: structures have the native sizes, names end. */
#define _GNU_SOURCE
#include "driver.h"
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

int model_uname(struct utsname *), model_sysinfo(struct sysinfo *), model_get_nprocs(void);

int main(void) {
    for (int i = 0; i < 500; i++) {
        struct {
            struct utsname names;
            char behind[8];
        } u;
        struct {
            struct sysinfo info;
            char behind[8];
        } s;
        memset(&u, '#', sizeof u);
        memset(&s, '#', sizeof s);
        if (model_uname(&u.names) == 0) {
            EXPECT(memchr(u.names.sysname, 0, sizeof u.names.sysname), "sysname");
            EXPECT(memchr(u.names.nodename, 0, sizeof u.names.nodename), "nodename");
            EXPECT(memchr(u.names.release, 0, sizeof u.names.release), "release");
            EXPECT(memchr(u.names.version, 0, sizeof u.names.version), "version");
            EXPECT(memchr(u.names.machine, 0, sizeof u.names.machine), "machine");
        }
        model_sysinfo(&s.info);
        EXPECT(memcmp(u.behind, "########", 8) == 0 && memcmp(s.behind, "########", 8) == 0, "size");
        EXPECT(model_get_nprocs() > 0, "processors");
    }
    return finish();
}
