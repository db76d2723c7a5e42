/* Users and groups: pwd.h, grp.h.
 *
 * Who exists is not known: a name may be found or not, with any numbers and any texts. getpwnam, getpwuid, getgrnam and getgrgid give the same
 * object each time, which each call writes anew: threads that use them without a lock race. The forms with _r write into the
 * caller's buffer, or say ERANGE if it is too small.
 * left out: members of groups; texts longer than 31 characters; that two calls give the same; walks over all entries (UNKNOWN: no functions
 * for them).
 *
 * accesses: visible
 */
#include "any.h"

enum { LONGEST = 31, TEXTS = 5 };

typedef struct {
    char *name, *password;
    unsigned user, group;
    char *comment, *home, *shell;
} user;

typedef struct {
    char *name, *password;
    unsigned number;
    char **members;
} group;

/* Any text, at the place; gives the place behind it. */
static char *any_text(char **place, char *at) {
    size_t length = any_up_to(LONGEST);
    __raddle_fill(at, length);
    at[length] = 0;
    *place = at;
    return at + length + 1;
}

static void fill_user(user *to, char *buffer) {
    buffer = any_text(&to->name, buffer);
    buffer = any_text(&to->password, buffer);
    buffer = any_text(&to->comment, buffer);
    buffer = any_text(&to->home, buffer);
    any_text(&to->shell, buffer);
    to->user = __raddle_input_u32();
    to->group = __raddle_input_u32();
}

static void fill_group(group *to, char *buffer) {
    static char *nobody[1];
    buffer = any_text(&to->name, buffer);
    any_text(&to->password, buffer);
    to->number = __raddle_input_u32();
    to->members = nobody;
}

static user *any_user(void) {
    static user found;
    static char texts[TEXTS * (LONGEST + 1)];
    if (may_fail()) {
        fails();
        return NULL;
    }
    fill_user(&found, texts);
    return &found;
}

static group *any_group(void) {
    static group found;
    static char texts[TEXTS * (LONGEST + 1)];
    if (may_fail()) {
        fails();
        return NULL;
    }
    fill_group(&found, texts);
    return &found;
}

user *getpwuid(unsigned number) { return any_user(); }
user *getpwnam(const char *name) {
    read_text(name);
    return any_user();
}
group *getgrgid(unsigned number) { return any_group(); }
group *getgrnam(const char *name) {
    read_text(name);
    return any_group();
}

/* Not found is no error: 0, and no result. */
static int found_in(size_t size, void **result) {
    *result = NULL;
    if (size < TEXTS * (LONGEST + 1))
        return ERANGE;
    switch (__raddle_choice(3)) {
    case 0:
        return 1 + (int)(__raddle_input_u8() & 127);
    case 1:
        return 0;
    }
    return -1;
}

int getpwuid_r(unsigned number, user *to, char *buffer, size_t size, user **result) {
    int answer = found_in(size, (void **)result);
    if (answer >= 0)
        return answer;
    fill_user(to, buffer);
    *result = to;
    return 0;
}
int getpwnam_r(const char *name, user *to, char *buffer, size_t size, user **result) {
    read_text(name);
    return getpwuid_r(0, to, buffer, size, result);
}
int getgrgid_r(unsigned number, group *to, char *buffer, size_t size, group **result) {
    int answer = found_in(size, (void **)result);
    if (answer >= 0)
        return answer;
    fill_group(to, buffer);
    *result = to;
    return 0;
}
int getgrnam_r(const char *name, group *to, char *buffer, size_t size, group **result) {
    read_text(name);
    return getgrgid_r(0, to, buffer, size, result);
}

int getlogin_r(char *to, size_t size) {
    char *place;
    if (size <= LONGEST)
        return ERANGE;
    if (may_fail())
        return 1 + (int)(__raddle_input_u8() & 127);
    any_text(&place, to);
    return 0;
}
char *getlogin(void) {
    static char name[LONGEST + 1];
    return getlogin_r(name, sizeof name) == 0 ? name : NULL;
}
