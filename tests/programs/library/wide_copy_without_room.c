// args: --property memory
// expect: UNSAFE memory
// A wide character is four bytes: the room was counted in bytes of one.
#include <stdlib.h>
#include <wchar.h>

int main(void) {
    wchar_t *copy = malloc(wcslen(L"four") + 1);
    wcscpy(copy, L"four"); //~ memory
    free(copy);
    return 0;
}
