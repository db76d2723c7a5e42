#ifndef WORK_H
#define WORK_H

#include <stdbool.h>

/* Paths that are still to be looked at. Whoever looks at a folder adds what is in it, so
 * all is done when the list is empty and nobody looks at anything. */
struct item;

void work_add(const char *path, bool folder);

/* The next path, or NULL when all is done. `work_done` is called for each. */
struct item *work_next(void);
const char *item_path(const struct item *item);
bool item_is_folder(const struct item *item);
void work_done(struct item *item);

/* No more paths are given out. */
void work_abandon(void);

#endif
