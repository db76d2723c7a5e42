/* Calendar times of time.h.
 *
 * The fields of a broken-down time are any numbers of their ranges, whatever the time was; mktime gives any time.
 * localtime, gmtime, asctime and ctime give one object to all threads, which each call writes: a program that uses
 * it from several threads without a lock has a race, as with glibc. strftime writes any text that fits.
 * left out: that conversions there and back agree; years before 1900 and after 9999, and failures for years beyond int; names of time
 * zones.
 *
 * accesses: visible
 */
#include "any.h"

typedef struct {
    int second, minute, hour, day, month, year, weekday, yearday, daylight;
    long offset;
    const char *zone;
} fields;

static int any_below(unsigned limit) { return (int)(__raddle_input_u32() % limit); }

static fields *set(fields *to) {
    to->second = any_below(61);
    to->minute = any_below(60);
    to->hour = any_below(24);
    to->day = 1 + any_below(31);
    to->month = any_below(12);
    to->year = any_below(8100);
    to->weekday = any_below(7);
    to->yearday = any_below(366);
    to->daylight = any_below(2);
    to->offset = any_below(26 * 3600 + 1) - 12 * 3600;
    to->zone = "GMT";
    return to;
}

static fields *told(const long *time, fields *to) {
    (void)*(const volatile long *)time;
    return set(to);
}

static fields the_result_of_localtime;
static char the_result_of_ctime[26];

fields *localtime(const long *time) { return told(time, &the_result_of_localtime); }
fields *gmtime(const long *time) { return told(time, &the_result_of_localtime); }
fields *localtime_r(const long *time, fields *to) { return told(time, to); }
fields *gmtime_r(const long *time, fields *to) { return told(time, to); }

long mktime(fields *from) {
    set(from);
    return may_fail() ? -1 : any_long();
}
long timegm(fields *from) { return mktime(from); }
double difftime(long later, long earlier) { return (double)later - (double)earlier; }
void tzset(void) {}

/* A day, a month, a day of the month, a time and a year: 24 characters and a line's end. */
char *asctime_r(const fields *from, char *to) {
    __raddle_read_bytes(from, sizeof *from);
    for (int i = 0; i < 24; i++)
        to[i] = (char)(' ' + any_below(95));
    to[24] = '\n';
    to[25] = 0;
    return to;
}
char *ctime_r(const long *time, char *to) {
    fields now;
    return asctime_r(localtime_r(time, &now), to);
}
char *asctime(const fields *from) { return asctime_r(from, the_result_of_ctime); }
char *ctime(const long *time) { return ctime_r(time, the_result_of_ctime); }

size_t strftime(char *to, size_t size, const char *format, const fields *from) {
    read_text(format);
    __raddle_read_bytes(from, sizeof *from);
    if (size == 0)
        return 0;
    size_t length = any_up_to(size - 1);
    for (size_t i = 0; i < length; i++)
        to[i] = (char)(' ' + any_below(95));
    to[length] = 0;
    return length;
}

int clock_getres(int clock, long *to) {
    if (to) {
        to[0] = 0;
        to[1] = 1;
    }
    return 0;
}
