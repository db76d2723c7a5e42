/* calendar.c against the native types and functions: what the model gives is any date that the native library
 * could have given, where the native library looks for it. */
#include "driver.h"
#include <string.h>
#include <time.h>

struct tm *model_gmtime(const time_t *), *model_localtime(const time_t *);
struct tm *model_gmtime_r(const time_t *, struct tm *), *model_localtime_r(const time_t *, struct tm *);
time_t model_mktime(struct tm *);
double model_difftime(time_t, time_t);
char *model_asctime_r(const struct tm *, char *), *model_ctime_r(const time_t *, char *);
char *model_asctime(const struct tm *), *model_ctime(const time_t *);
size_t model_strftime(char *, size_t, const char *, const struct tm *);

static void in_range(const struct tm *t) {
    EXPECT(t->tm_sec >= 0 && t->tm_sec <= 60, "%d", t->tm_sec);
    EXPECT(t->tm_min >= 0 && t->tm_min < 60, "%d", t->tm_min);
    EXPECT(t->tm_hour >= 0 && t->tm_hour < 24, "%d", t->tm_hour);
    EXPECT(t->tm_mday >= 1 && t->tm_mday <= 31, "%d", t->tm_mday);
    EXPECT(t->tm_mon >= 0 && t->tm_mon < 12, "%d", t->tm_mon);
    EXPECT(t->tm_year >= 0 && t->tm_year < 8100, "%d", t->tm_year);
    EXPECT(t->tm_wday >= 0 && t->tm_wday < 7, "%d", t->tm_wday);
    EXPECT(t->tm_yday >= 0 && t->tm_yday < 366, "%d", t->tm_yday);
    EXPECT(t->tm_isdst == 0 || t->tm_isdst == 1, "%d", t->tm_isdst);
    EXPECT(t->tm_gmtoff >= -12 * 3600 && t->tm_gmtoff <= 14 * 3600, "%ld", t->tm_gmtoff);
    EXPECT(strlen(t->tm_zone) >= 3, "zone");
}

/* A text of the length that the native function gives for dates with years of four digits. */
static void is_date(const char *text, const struct tm *t) {
    char native[64];
    asctime_r(t, native);
    EXPECT(strlen(text) == strlen(native), "'%s' '%s'", text, native);
    EXPECT(text[24] == '\n', "'%s'", text);
}

int main(void) {
    /* Every native date is in the ranges of the model, so none is missed. */
    for (int i = 0; i < 3000; i++) {
        struct tm native, t;
        time_t now = (time_t)((double)rand() / RAND_MAX * 2147000000.0);
        in_range(gmtime_r(&now, &native));
        in_range(localtime_r(&now, &native));
        memset(&t, 0x7f, sizeof t);
        EXPECT(model_gmtime_r(&now, &t) == &t, "result");
        in_range(&t);
        memset(&t, 0x7f, sizeof t);
        EXPECT(model_localtime_r(&now, &t) == &t, "result");
        in_range(&t);
        in_range(model_gmtime(&now));
        EXPECT(model_gmtime(&now) == model_localtime(&now), "one object for all");
        char text[26];
        is_date(model_asctime_r(&t, text), &t);
        is_date(model_ctime_r(&now, text), &t);
        EXPECT(model_asctime(&t) == model_ctime(&now), "one text for all");
        time_t later = (time_t)rand();
        EXPECT(model_difftime(later, now) == difftime(later, now), "difftime");
        char buffer[32];
        memset(buffer, '#', sizeof buffer);
        size_t size = below(sizeof buffer), length = model_strftime(buffer, size, "%F %T", &t);
        EXPECT(size == 0 ? length == 0 : length < size && buffer[length] == 0, "%zu %zu", size, length);
        EXPECT(buffer[size] == '#', "beyond its room");
        model_mktime(&t);
        in_range(&t);
    }
    return finish();
}
