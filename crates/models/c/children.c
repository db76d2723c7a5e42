/* Other programs that this one starts: spawn.h, sys/wait.h, the exec family.
 *
 * A child is outside: it has a number and ends in any way at any time. Waiting for one always ends. exec either fails, or this program
 * is over. A child that is waited for is gone; whether there is one at all is not counted: wait may say that there is none.
 * left out: fork (UNKNOWN), what children do to this program, descriptors that they inherit, which of them ends first.
 *
 * accesses: visible
 */
#include "any.h"

typedef int pid;

static pid any_child(void) {
    pid number = (pid)(__raddle_input_u32() & 0x7fffffff);
    return number ? number : 1;
}

static void read_list(char *const *list) {
    for (; list && *list; list++)
        read_text(*list);
}

/* A code, or a signal, perhaps with a dump of the memory; or that it was stopped, for those who ask. */
static int any_end(int options) {
    enum { UNTRACED = 2, STOPPED = 0x7f };
    int number = __raddle_input_u8();
    _Bool stopped = options & UNTRACED && __raddle_choice(2);
    unsigned how = stopped ? 2 : __raddle_choice(2);
    if (how == 0)
        return number << 8;
    number = number % 64 + 1;
    return how == 1 ? number | (__raddle_choice(2) ? 0x80 : 0) : number << 8 | STOPPED;
}

static pid ended(pid asked, int *status, int options) {
    enum { WNOHANG = 1 };
    __raddle_cancel_point();
    if (may_fail())
        return fails();
    if (options & WNOHANG && __raddle_choice(2))
        return 0;
    if (status)
        *status = any_end(options);
    return asked > 0 ? asked : any_child();
}

pid wait(int *status) { return ended(-1, status, 0); }
pid waitpid(pid child, int *status, int options) { return ended(child, status, options); }
pid wait3(int *status, int options, void *usage) {
    if (usage)
        __raddle_fill(usage, 18 * sizeof(long));
    return ended(-1, status, options);
}
pid wait4(pid child, int *status, int options, void *usage) {
    if (usage)
        __raddle_fill(usage, 18 * sizeof(long));
    return ended(child, status, options);
}
int waitid(int kind, unsigned child, void *info, int options) {
    enum { SIZE = 128 };
    __raddle_cancel_point();
    if (may_fail())
        return fails();
    if (info)
        __raddle_fill(info, SIZE);
    return 0;
}

static int spawned(pid *child, const char *path, char *const *arguments, char *const *variables) {
    read_text(path);
    read_list(arguments);
    read_list(variables);
    if (may_fail())
        return 1 + (int)(__raddle_input_u8() & 127);
    if (child)
        *child = any_child();
    return 0;
}

int posix_spawn(pid *child, const char *path, const void *actions, const void *attributes,
                char *const *arguments, char *const *variables) {
    return spawned(child, path, arguments, variables);
}
int posix_spawnp(pid *child, const char *path, const void *actions, const void *attributes,
                 char *const *arguments, char *const *variables) {
    return spawned(child, path, arguments, variables);
}

/* What a child does first: objects that own memory, so that a use after their end is found. */
typedef struct {
    void *own;
} plan;

void *malloc(size_t size);
void free(void *object);

int posix_spawn_file_actions_init(plan *p) {
    p->own = malloc(1);
    return p->own ? 0 : ENOMEM;
}
int posix_spawn_file_actions_destroy(plan *p) {
    free(p->own);
    return 0;
}
static int planned(plan *p) {
    (void)*(volatile char *)p->own;
    return __raddle_choice(2) ? ENOMEM : 0;
}
int posix_spawn_file_actions_addclose(plan *p, int fd) { return planned(p); }
int posix_spawn_file_actions_adddup2(plan *p, int fd, int copy) { return planned(p); }
int posix_spawn_file_actions_addopen(plan *p, int fd, const char *path, int flags, unsigned mode) {
    read_text(path);
    return planned(p);
}
int posix_spawnattr_init(void *p) {
    enum { SIZE = 336 };
    __raddle_fill(p, SIZE);
    return 0;
}
int posix_spawnattr_destroy(void *p) { return 0; }
int posix_spawnattr_setflags(short *p, short flags) {
    *p = flags;
    return 0;
}

static int replaced(const char *path) {
    read_text(path);
    if (!may_fail())
        __raddle_abort();
    return fails();
}
int execv(const char *path, char *const *arguments) {
    read_list(arguments);
    return replaced(path);
}
int execvp(const char *path, char *const *arguments) { return execv(path, arguments); }
int execve(const char *path, char *const *arguments, char *const *variables) {
    read_list(variables);
    return execv(path, arguments);
}
int execvpe(const char *path, char *const *arguments, char *const *variables) {
    return execve(path, arguments, variables);
}

static int replaced_by(const char *path, const char *first, __builtin_va_list list) {
    for (const char *text = first; text; text = __builtin_va_arg(list, const char *))
        read_text(text);
    return replaced(path);
}
int execl(const char *path, const char *first, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, first);
    int result = replaced_by(path, first, list);
    __builtin_va_end(list);
    return result;
}
int execlp(const char *path, const char *first, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, first);
    int result = replaced_by(path, first, list);
    __builtin_va_end(list);
    return result;
}
