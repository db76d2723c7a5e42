#define _GNU_SOURCE
#include "scan.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>
#include <wctype.h>

#include "logger.h"
#include "words.h"

static _Atomic unsigned long files, failures;
static _Thread_local unsigned long lines;

unsigned long scan_files(void) { return files; }
unsigned long scan_failures(void) { return failures; }

static void failed(const char *path) {
    char text[128];
    atomic_fetch_add(&failures, 1);
    LOG(ERROR, "%s: %s", path, strerror_r(errno, text, sizeof text));
}

static bool wanted(const struct settings *settings, const char *path, const char *name) {
    struct stat status;
    if (lstat(path, &status) != 0) {
        failed(path);
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        work_add(path, true);
        return false;
    }
    return S_ISREG(status.st_mode) && status.st_size <= settings->largest &&
           fnmatch(settings->pattern, name, FNM_PERIOD) == 0;
}

static void scan_folder(const struct settings *settings, const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        failed(path);
        return;
    }
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (entry->d_name[0] == '.' && !settings->hidden)
            continue;
        char *full;
        if (asprintf(&full, "%s/%s", path, entry->d_name) < 0) {
            failed(path);
            break;
        }
        if (entry->d_type == DT_DIR)
            work_add(full, true);
        else if (wanted(settings, full, entry->d_name))
            work_add(full, false);
        free(full);
    }
    closedir(folder);
}

/* The length in bytes of the word that the text begins with, 0 if there is none; in
 * `*step` how far to go on. */
static size_t word_length(const char *text, size_t size, size_t *step) {
    mbstate_t state = {0};
    size_t length = 0;
    while (length < size) {
        wchar_t character;
        size_t bytes = mbrtowc(&character, text + length, size - length, &state);
        if (bytes == (size_t)-1 || bytes == (size_t)-2 || bytes == 0) {
            *step = length + 1;
            return length;
        }
        if (!iswalnum((wint_t)character)) {
            *step = length + bytes;
            return length;
        }
        length += bytes;
    }
    *step = length;
    return length;
}

static void scan_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        failed(path);
        return;
    }
    char *line = NULL;
    size_t room = 0;
    ssize_t size;
    while ((size = getline(&line, &room, file)) >= 0) {
        lines++;
        size_t step;
        for (size_t at = 0; at < (size_t)size; at += step) {
            size_t length = word_length(line + at, (size_t)size - at, &step);
            if (length > 0 && words_add(line + at, length) != 0)
                failed(path);
        }
    }
    if (ferror(file))
        failed(path);
    free(line);
    fclose(file);
    atomic_fetch_add(&files, 1);
    LOG(DEBUG, "%s: %lu lines so far", path, lines);
}

void scan(const struct settings *settings, const struct item *item) {
    if (item_is_folder(item))
        scan_folder(settings, item_path(item));
    else
        scan_file(item_path(item));
}
