/* Parts of names of files against the native functions, on random names with many slashes. */
#include "driver.h"
#include <libgen.h>
#include <string.h>

char *model___xpg_basename(char *), *model_dirname(char *);

int main(void) {
    for (int i = 0; i < 20000; i++) {
        char name[9], native[9], model[9];
        unsigned length = below(sizeof name);
        for (unsigned j = 0; j < length; j++)
            name[j] = "/a.b"[below(below(2) ? 1 : 4)];
        name[length] = 0;
        strcpy(native, name), strcpy(model, name);
        const char *a = basename(native), *b = model___xpg_basename(model);
        EXPECT(strcmp(a, b) == 0, "basename of %s: %s %s", name, a, b);
        strcpy(native, name), strcpy(model, name);
        a = dirname(native), b = model_dirname(model);
        EXPECT(strcmp(a, b) == 0, "dirname of %s: %s %s", name, a, b);
    }
    EXPECT(strcmp(model___xpg_basename(NULL), ".") == 0 && strcmp(model_dirname(NULL), ".") == 0, "no name");
    return finish();
}
