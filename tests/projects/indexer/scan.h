#ifndef SCAN_H
#define SCAN_H

#include "work.h"

/* What all threads do the same way. */
struct settings {
    const char *pattern; /* names of files */
    bool hidden;         /* also names that begin with a dot */
    long long largest;   /* files that are larger are left out */
};

/* Counts the words of a file, or adds what is in a folder. */
void scan(const struct settings *settings, const struct item *item);

unsigned long scan_files(void);
unsigned long scan_failures(void);

#endif
