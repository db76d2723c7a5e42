// In the "C" locale ASCII is what it is; a program that asks for another one may meet longer characters.
// args: --property assertions
// expect: UNSAFE assertions
#include <assert.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    wchar_t wide[3];
    char back[3];
    mbstate_t state = {0};
    assert(mbstowcs(wide, "aZ", 3) == 2 && wide[0] == L'a' && wide[1] == L'Z' && wide[2] == 0);
    assert(wcstombs(back, wide, 3) == 2 && back[1] == 'Z');
    assert(iswalpha(wide[0]) && !iswdigit(wide[0]) && towupper(wide[0]) == L'A');
    assert(mbrtowc(wide, "\xc3\xa4", 2, &state) != 2);
    if (setlocale(LC_CTYPE, ""))
        assert(mbrtowc(wide, "\xc3\xa4", 2, &state) != 2); //~ assertions
    return 0;
}
