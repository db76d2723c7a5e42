#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdio.h>

/* How often words occur, in a table that several threads fill. */
struct word {
    struct word *next;
    unsigned long count;
    char text[];
};

void words_init(void);
void words_free(void);

/* Counts a word; 0 or ENOMEM. */
int words_add(const char *text, size_t length);

/* Prints the words that occur most often. Nobody adds any more. */
int words_print(FILE *stream, size_t most);
size_t words_distinct(void);

#endif
