// args: --property assertions
// expect: SAFE
// Classes of characters.
#include <assert.h>
#include <ctype.h>

int main(void) {
    assert(isdigit('7') && !isdigit('a') && isalpha('Q') && isspace('\t') && !isupper('q'));
    assert(toupper('b') == 'B' && tolower('Z') == 'z' && toupper('1') == '1');
    return 0;
}
