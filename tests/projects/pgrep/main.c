/* Searches the files of a folder with several threads.
 *
 * repaired: SAFE or BOUNDED
 * bug: the progress line prints a file name that its worker has freed
 * finding: memory search.c
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "search.h"

enum { THREADS = 2 };

static struct work work;
static struct score score = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Adds the files of a folder; those that begin with a dot are hidden. */
static int collect(const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL) {
        perror(path);
        return -1;
    }
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        if (!work_add(&work, path, entry->d_name))
            break;
    }
    closedir(folder);
    return 0;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    if (argc != 3) {
        fprintf(stderr, "usage: %s TEXT FOLDER\n", argc > 0 ? argv[0] : "pgrep");
        return EXIT_FAILURE;
    }
    struct search search = {.text = argv[1], .work = &work, .score = &score};
    work_init(&work);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, search_run, &search) != 0)
            return EXIT_FAILURE;
    int error = collect(argv[2]);
    work_complete(&work);
    score_print(&score);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    score_print(&score);
    work_destroy(&work);
    return error == 0 && score.errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
