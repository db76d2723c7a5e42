/* Counts the words of all files below some folders, with several threads.
 *
 * repaired: SAFE or BOUNDED
 * bug: the last one to look at something wakes only one of those who wait
 * finding: deadlocks work.c
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "logger.h"
#include "scan.h"
#include "words.h"
#include "work.h"

enum { MOST_THREADS = 3 };

static struct settings settings = {.pattern = "*", .largest = 1 << 20};

static void *work(void *unused) {
    struct item *item;
    while ((item = work_next()) != NULL) {
        scan(&settings, item);
        work_done(item);
    }
    return unused;
}

static int default_threads(void) {
    const char *text = getenv("INDEXER_THREADS");
    long count = text != NULL ? atol(text) : sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : (int)count;
}

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static void report(size_t most, double seconds) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL) {
        perror("open_memstream");
        return;
    }
    fprintf(memory, "%lu files, %lu failures, %zu words, %.2f s\n", scan_files(), scan_failures(),
            words_distinct(), seconds);
    int error = words_print(memory, most);
    fclose(memory);
    if (error == 0)
        fwrite(text, 1, size, stdout);
    else
        fprintf(stderr, "report: %s\n", strerror(error));
    free(text);
}

static int usage(const char *program) {
    fprintf(stderr, "usage: %s [-a] [-v] [-j threads] [-n words] [-p pattern] [-l log] folder…\n",
            program);
    return EXIT_FAILURE;
}

int main(int argc, char **argv) {
    const char *log = NULL;
    enum level level = LOG_LEVEL_INFO;
    int threads = default_threads(), option;
    size_t most = 10;
    setlocale(LC_ALL, "");
    while ((option = getopt(argc, argv, "aj:l:n:p:v")) != -1) {
        switch (option) {
        case 'a':
            settings.hidden = true;
            break;
        case 'j':
            threads = atoi(optarg);
            break;
        case 'l':
            log = optarg;
            break;
        case 'n':
            most = strtoul(optarg, NULL, 10);
            break;
        case 'p':
            settings.pattern = optarg;
            break;
        case 'v':
            level = LOG_LEVEL_DEBUG;
            break;
        default:
            return usage(argv[0]);
        }
    }
    if (optind == argc || threads < 1 || threads > MOST_THREADS)
        return usage(argv[0]);

    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int error = logger_start(log, level);
    if (error != 0) {
        fprintf(stderr, "%s: %s\n", log, strerror(error));
        return EXIT_FAILURE;
    }
    words_init();
    for (int i = optind; i < argc; i++) {
        char *path = realpath(argv[i], NULL);
        if (path == NULL) {
            LOG(ERROR, "%s: %s", argv[i], strerror(errno));
            continue;
        }
        work_add(path, true);
        free(path);
    }
    pthread_t workers[MOST_THREADS];
    int started = 0;
    while (started < threads) {
        error = pthread_create(&workers[started], NULL, work, NULL);
        if (error != 0) {
            LOG(ERROR, "only %d threads: %s", started, strerror(error));
            break;
        }
        started++;
    }
    if (started == 0)
        work_abandon();
    for (int i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    logger_stop();
    report(most, seconds_since(&start));
    words_free();
    return started == 0 || scan_failures() > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
