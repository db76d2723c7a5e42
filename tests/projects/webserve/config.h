#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* Settings that can be read again while the server runs. */
struct config {
    char *root;       /* folder of the files that are served */
    char *index;      /* name of the file for a folder */
    unsigned timeout; /* seconds to wait for a request */
    size_t max_body;
    int references;   /* under the lock of config.c */
};

/* Reads a file of lines `key = value`; NULL with a message if that fails. */
struct config *config_read(const char *path);

/* The present settings, with a reference that `config_release` gives back. */
struct config *config_get(void);
void config_release(struct config *config);

/* Makes settings the present ones and takes over the caller's reference. */
void config_set(struct config *config);

#endif
