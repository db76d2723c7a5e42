#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *current;

static char *trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

static void config_free(struct config *config) {
    free(config->root);
    free(config->index);
    free(config);
}

static bool replace(char **field, const char *value) {
    char *copy = strdup(value);
    if (copy == NULL)
        return false;
    free(*field);
    *field = copy;
    return true;
}

static bool set(struct config *config, const char *key, const char *value) {
    if (strcasecmp(key, "root") == 0)
        return replace(&config->root, value);
    if (strcasecmp(key, "index") == 0)
        return replace(&config->index, value);
    if (strcasecmp(key, "timeout") == 0) {
        config->timeout = (unsigned)strtoul(value, NULL, 10);
        return true;
    }
    if (strcasecmp(key, "max_body") == 0) {
        config->max_body = strtoull(value, NULL, 0);
        return true;
    }
    errno = EINVAL;
    return false;
}

static bool read_lines(struct config *config, FILE *file, const char *path) {
    char line[256];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        char *comment = strchr(line, '#');
        if (comment != NULL)
            *comment = '\0';
        char *key = trim(line);
        if (*key == '\0')
            continue;
        char *equals = strchr(key, '=');
        if (equals == NULL) {
            fprintf(stderr, "%s:%d: no '='\n", path, number);
            return false;
        }
        *equals = '\0';
        char *value = trim(equals + 1);
        if (!set(config, trim(key), value)) {
            fprintf(stderr, "%s:%d: %s: %m\n", path, number, key);
            return false;
        }
    }
    return !ferror(file);
}

struct config *config_read(const char *path) {
    struct config *config = calloc(1, sizeof *config);
    if (config == NULL)
        return NULL;
    config->references = 1;
    config->timeout = 30;
    config->max_body = 1 << 16;
    config->root = strdup("/var/www");
    config->index = strdup("index.html");
    bool ok = config->root != NULL && config->index != NULL;
    if (ok && path != NULL) {
        FILE *file = fopen(path, "r");
        if (file == NULL) {
            fprintf(stderr, "%s: %s\n", path, strerror(errno));
            ok = false;
        } else {
            ok = read_lines(config, file, path);
            fclose(file);
        }
    }
    if (!ok) {
        config_free(config);
        return NULL;
    }
    return config;
}

struct config *config_get(void) {
#ifdef BUG
    struct config *config = current;
    pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    struct config *config = current;
#endif
    config->references++;
    pthread_mutex_unlock(&lock);
    return config;
}

void config_release(struct config *config) {
    pthread_mutex_lock(&lock);
    int left = --config->references;
    pthread_mutex_unlock(&lock);
    if (left == 0)
        config_free(config);
}

void config_set(struct config *config) {
    pthread_mutex_lock(&lock);
    struct config *old = current;
    current = config;
    pthread_mutex_unlock(&lock);
    if (old != NULL)
        config_release(old);
}
