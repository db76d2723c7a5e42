/* Parts of names of files: libgen.h.
 *
 * basename and dirname write zeros into the text that they are given, and give a part of it, or "."
 * or "/", which nobody may change. (The basename of string.h is another function, string.c.)
 * left out: results in memory of the library that later calls overwrite; "//" at the beginning,
 * which POSIX leaves to the system, is as in glibc.
 *
 * accesses: visible
 */
#include "raddle.h"

static size_t length_of(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

char *__xpg_basename(char *path) {
    if (!path || !path[0])
        return ".";
    size_t end = length_of(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    if (path[end])
        path[end] = 0;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    return start == end && end == 1 ? path : path + start;
}

char *dirname(char *path) {
    if (!path || !path[0])
        return ".";
    size_t end = length_of(path);
    if (end == 2 && path[0] == '/' && path[1] == '/')
        return path;
    while (end > 1 && path[end - 1] == '/')
        end--;
    while (end > 0 && path[end - 1] != '/')
        end--;
    if (end == 0)
        return ".";
    /* The slashes before the last part, unless there is nothing before them: then one stays, or two that are all. */
    size_t before = end;
    while (before > 0 && path[before - 1] == '/')
        before--;
    if (before != 0)
        end = before;
    else if (end != 2)
        end = 1;
    path[end] = 0;
    return path;
}
