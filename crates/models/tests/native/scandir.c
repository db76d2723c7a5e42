/* scandir.c: entries are where the native header has them, filtered and in order. */
#define _GNU_SOURCE
#include "driver.h"
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

int model_alphasort(const struct dirent **, const struct dirent **);
size_t __raddle_object_size(const void *);

int main(void) {
    for (int i = 0; i < 20000; i++) {
        struct dirent a, b;
        const struct dirent *x = &a, *y = &b;
        random_string(a.d_name, 6);
        random_string(b.d_name, 6);
        int order = model_alphasort(&x, &y), native = strcmp(a.d_name, b.d_name);
        EXPECT((order < 0) == (native < 0) && (order > 0) == (native > 0), "'%s' '%s'", a.d_name,
               b.d_name);
    }
    return finish();
}
