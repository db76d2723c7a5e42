#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

/* What the command line says. */
struct options {
    const char *config;
    const char *log;
    int port;
    int workers;
    bool verbose;
};

/* Reads the command line; false if the program should end, with `*status`. */
bool options_parse(struct options *options, int argc, char **argv, int *status);

#endif
