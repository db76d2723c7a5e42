/* expansions.c and children.c: structures are where the native headers have them. */
#include "driver.h"
#include <glob.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <wordexp.h>

int model_glob(const char *, int, int (*)(const char *, int), glob_t *), model_wordexp(const char *, wordexp_t *, int);
void model_globfree(glob_t *), model_wordfree(wordexp_t *);
pid_t model_waitpid(pid_t, int *, int), model_wait(int *);
int model_posix_spawnp(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                       char *const *, char *const *);
int model_posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
int model_posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *, int);
int model_posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
int model_posix_spawnattr_init(posix_spawnattr_t *), model_posix_spawnattr_destroy(posix_spawnattr_t *);

#define FENCED(type, name)                                                                         \
    struct {                                                                                       \
        type object;                                                                               \
        char behind[8];                                                                            \
    } name;                                                                                        \
    memset(&name, '#', sizeof name)
#define WHOLE(name) EXPECT(memcmp(name.behind, "########", 8) == 0, "%s is smaller", #name)

static void names(void) {
    FENCED(glob_t, found);
    found.object.gl_offs = 2;
    int flags = below(2) ? GLOB_DOOFFS : 0, answer = model_glob("*.c", flags, NULL, &found.object);
    EXPECT(answer == 0 || answer == GLOB_ABORTED || answer == GLOB_NOMATCH, "%d", answer);
    if (answer == 0) {
        size_t offset = flags ? 2 : 0;
        EXPECT(found.object.gl_pathc >= 1 && found.object.gl_offs == offset, "counts");
        for (size_t i = 0; i < offset; i++)
            EXPECT(!found.object.gl_pathv[i], "reserved");
        for (size_t i = 0; i < found.object.gl_pathc && i < 9; i++)
            EXPECT(strlen(found.object.gl_pathv[offset + i]) <= 15, "a name");
        EXPECT(!found.object.gl_pathv[offset + found.object.gl_pathc], "the end");
        model_globfree(&found.object);
    }
    WHOLE(found);
    FENCED(wordexp_t, words);
    if (model_wordexp("a b", &words.object, 0) == 0) {
        EXPECT(!words.object.we_wordv[words.object.we_wordc], "the end");
        model_wordfree(&words.object);
    }
    WHOLE(words);
}

static void children(void) {
    FENCED(posix_spawn_file_actions_t, actions);
    FENCED(posix_spawnattr_t, attributes);
    model_posix_spawn_file_actions_init(&actions.object);
    model_posix_spawn_file_actions_addclose(&actions.object, 1);
    WHOLE(actions);
    model_posix_spawnattr_init(&attributes.object);
    WHOLE(attributes);
    char *arguments[] = {"true", NULL}, *none[] = {NULL};
    pid_t child = -7, ended;
    int status = -7, error = model_posix_spawnp(&child, "true", &actions.object, &attributes.object, arguments, none);
    EXPECT(error > 0 || (error == 0 && child > 0), "%d", error);
    model_posix_spawn_file_actions_destroy(&actions.object);
    model_posix_spawnattr_destroy(&attributes.object);
    ended = model_waitpid(5, &status, WNOHANG);
    EXPECT(ended == -1 || ended == 0 || (ended == 5 && (WIFEXITED(status) || WIFSIGNALED(status))), "%d", ended);
    ended = model_wait(NULL);
    EXPECT(ended == -1 || ended > 0, "%d", ended);
}

int main(void) {
    for (int i = 0; i < 40; i++)
        names();
    for (int i = 0; i < 1000; i++)
        children();
    return finish();
}
