// Blocks that touch do not overlap, nor do those of which nothing is copied; memmove may do what it likes.
// args: --property memory
// expect: SAFE
#include <stdio.h>
#include <string.h>
#include <wchar.h>

struct words {
    int word[6];
};

int main(void) {
    char text[32] = "hello";
    wchar_t wide[16] = L"abc";
    struct words two[2] = {0}, *first = two, *second = two;
    size_t length = strlen(text);
    memmove(text + 1, text, 5);
    memmove(text, text + 1, length);
    memcpy(text + length, text, length);
    memcpy(text + 10, text + 5, 5);
    memcpy(text + 1, text, 0);
    memcpy(text, text, length);
    *first = *second;
    *first = second[1];
    text[5] = 0;
    strcpy(text + 6, text);
    text[5] = 0;
    strncat(text, text, 5);
    text[5] = 0;
    strncpy(text, text + 5, 5);
    sprintf(text + 6, "%s", text);
    sprintf(text + 5, "%.5s", text);
    snprintf(text + 1, 0, "%s", text);
    wmemmove(wide + 1, wide, 2);
    wmemcpy(wide, wide + 2, 2);
    return text[0];
}
