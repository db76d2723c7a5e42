// What is copied or printed and the place that it goes to must not overlap, for all functions but memmove and its kin.
// args: --property memory
// expect: UNSAFE memory
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <wchar.h>

_Bool __VERIFIER_nondet_bool(void);

struct words {
    int word[6];
};

#define SOMETIMES(call)                                                                            \
    if (__VERIFIER_nondet_bool()) {                                                                \
        call;                                                                                      \
        return 0;                                                                                  \
    }

int main(void) {
    char text[32] = "hello";
    wchar_t wide[16] = L"hello";
    struct words two[2] = {0}, *first = two, *shifted = (struct words *)&two[0].word[1];
    size_t length = strlen(text);
    SOMETIMES(memcpy(text + 1, text, 5))                   //~ memory
    SOMETIMES(memcpy(text, text + 4, 5))                   //~ memory
    SOMETIMES(memcpy(text + length - 1, text, length))     //~ memory
    SOMETIMES(mempcpy(text + 1, text, length))             //~ memory
    SOMETIMES(memccpy(text, text + 1, 'o', 9))             //~ memory
    SOMETIMES(*first = *shifted)                           //~ memory
    SOMETIMES(strcpy(text, text + 1))                      //~ memory
    SOMETIMES(strcpy(text + 5, text))                      //~ memory
    SOMETIMES(strcpy(text, text))                          //~ memory
    SOMETIMES(stpcpy(text + 1, text))                      //~ memory
    SOMETIMES(strncpy(text, text + 3, 6))                  //~ memory
    SOMETIMES(strcat(text, text))                          //~ memory
    SOMETIMES(strncat(text, text + 1, 5))                  //~ memory
    SOMETIMES(wmemcpy(wide + 1, wide, 2))                  //~ memory
    SOMETIMES(wcscpy(wide + 1, wide))                      //~ memory
    SOMETIMES(wcsncpy(wide, wide + 1, 3))                  //~ memory
    SOMETIMES(wcscat(wide, wide + 2))                      //~ memory
    SOMETIMES(sprintf(text, "%s!", text))                  //~ memory
    SOMETIMES(sprintf(text + 5, "%s", text))               //~ memory
    SOMETIMES(snprintf(text, sizeof text, "<%s", text + 1)) //~ memory
    return 0;
}
