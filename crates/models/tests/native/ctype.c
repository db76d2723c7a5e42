/* ctype.c against the native table and functions, for all characters. */
#include "driver.h"
#include <ctype.h>

const unsigned short **model___ctype_b_loc(void);
int model_toupper(int), model_tolower(int);
int model_isalnum(int), model_isalpha(int), model_isblank(int), model_iscntrl(int);
int model_isdigit(int), model_isgraph(int), model_islower(int), model_isprint(int);
int model_ispunct(int), model_isspace(int), model_isupper(int), model_isxdigit(int);

#define SAME(name) EXPECT(!model_##name(c) == !(name)(c), #name " %d", c)

int main(void) {
    for (int c = -128; c < 256; c++) {
        EXPECT((*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "table at %d", c);
        if (c < -1)
            continue;
        SAME(isalnum);
        SAME(isalpha);
        SAME(isblank);
        SAME(iscntrl);
        SAME(isdigit);
        SAME(isgraph);
        SAME(islower);
        SAME(isprint);
        SAME(ispunct);
        SAME(isspace);
        SAME(isupper);
        SAME(isxdigit);
        EXPECT(model_toupper(c) == toupper(c) && model_tolower(c) == tolower(c), "case %d", c);
    }
    return finish();
}
