/* Environment variables.
 *
 * getenv gives null or a text of any content and length, each time anew. setenv and its kin may
 * fail. POSIX lets getenv read what setenv, unsetenv, putenv and clearenv write, so without a lock they race.
 * left out: what was set is not remembered; environ itself is not given; a text that a later setenv
 * overwrites; getenv is not modelled where leaks are checked (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

/* Stands for all variables: threads race by it. */
static char the_environment;

static void look(void) { (void)*(volatile char *)&the_environment; }
static void change(void) { the_environment = 0; }

char *getenv(const char *name) {
    enum { LONGEST = 131071 };
    read_text(name);
    look();
    if (__raddle_choice(2))
        return NULL;
    if (__raddle_checking(LEAKS) || __raddle_checking(LOST_MEMORY))
        __raddle_unsupported("values of environment variables where leaks are checked");
    size_t length = any_up_to(LONGEST);
    char *text = __raddle_alloc(length + 1);
    text[length] = 0;
    return text;
}

char *secure_getenv(const char *name) { return getenv(name); }

int setenv(const char *name, const char *value, int overwrite) {
    read_text(name);
    read_text(value);
    look();
    /* One that is there already may be left as it is. */
    if (overwrite || __raddle_choice(2))
        change();
    return zero_or_fails();
}

int unsetenv(const char *name) {
    read_text(name);
    change();
    return zero_or_fails();
}

int putenv(char *text) {
    read_text(text);
    change();
    return zero_or_fails();
}

int clearenv(void) {
    change();
    return zero_or_fails();
}
