/* Looks for a text in files, and keeps the score. */
#ifndef SEARCH_H
#define SEARCH_H

#include <pthread.h>

#include "work.h"

struct score {
    pthread_mutex_t lock;
    unsigned long files, matches, errors;
    const char *last_match; /* the file of the last match, for the progress line */
};

struct search {
    const char *text;
    struct work *work;
    struct score *score;
};

/* A thread: searches files until there are no more. */
void *search_run(void *search);

/* Prints how far the search is. */
void score_print(struct score *score);

#endif
