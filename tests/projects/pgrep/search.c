#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 8 };

/* The number of lines with the text; -1 if the file cannot be read. */
static long count_matches(const char *name, const char *text) {
    char line[LINE_SIZE];
    FILE *file = fopen(name, "r");
    if (file == NULL)
        return -1;
    long matches = 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (strstr(line, text) != NULL)
            matches++;
    fclose(file);
    return matches;
}

static void note(struct score *score, const struct file *file, long matches) {
    pthread_mutex_lock(&score->lock);
    score->files++;
    if (matches < 0) {
        score->errors++;
    } else if (matches > 0) {
        score->matches += (unsigned long)matches;
#ifdef BUG
        /* The caller frees the file with its name. */
        score->last_match = file->name;
#else
        free((char *)score->last_match);
        score->last_match = strdup(file->name);
#endif
    }
    pthread_mutex_unlock(&score->lock);
}

void *search_run(void *argument) {
    struct search *search = argument;
    struct file *file;
    while ((file = work_take(search->work)) != NULL) {
        note(search->score, file, count_matches(file->name, search->text));
        file_free(file);
    }
    return NULL;
}

void score_print(struct score *score) {
    pthread_mutex_lock(&score->lock);
    printf("%lu files, %lu matches, %lu errors", score->files, score->matches, score->errors);
    if (score->last_match != NULL)
        printf(", last in %s", score->last_match);
    putchar('\n');
    pthread_mutex_unlock(&score->lock);
}
