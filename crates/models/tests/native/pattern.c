/* patterns.c: structures are where the native header has them; matches lie inside the text. */
#include "driver.h"
#include <fnmatch.h>
#include <regex.h>
#include <string.h>

int model_fnmatch(const char *, const char *, int);
int model_regcomp(regex_t *, const char *, int);
int model_regexec(const regex_t *, const char *, size_t, regmatch_t *, int);
void model_regfree(regex_t *);
size_t model_regerror(int, const regex_t *, char *, size_t);

int main(void) {
    int matched = 0, failed = 0;
    for (int i = 0; i < 2000; i++) {
        struct {
            regex_t re;
            unsigned char behind[16];
        } it;
        memset(&it, '#', sizeof it);
        int error = model_regcomp(&it.re, "(a|b)*c", i % 2 ? REG_NOSUB : 0);
        for (unsigned k = 0; k < sizeof it.behind; k++)
            EXPECT(it.behind[k] == '#', "beyond regex_t: %u", k);
        if (error) {
            char text[40], few[4];
            size_t size = model_regerror(error, &it.re, text, sizeof text);
            EXPECT(size == strlen(text) + 1, "%zu '%s'", size, text);
            EXPECT(model_regerror(error, &it.re, few, sizeof few) == size && strlen(few) == 3, "%s", few);
            failed++;
            continue;
        }
        EXPECT(it.re.re_nsub <= 255, "%zu", it.re.re_nsub);
        regmatch_t found[4];
        memset(found, '#', sizeof found);
        if (model_regexec(&it.re, "aababc", 4, found, 0) == 0 && i % 2 == 0)
            for (int k = 0; k < 4; k++) {
                int start = (int)found[k].rm_so, end = (int)found[k].rm_eo;
                EXPECT((start == -1 && end == -1) || (0 <= start && start <= end && end <= 6), "%d %d",
                       start, end);
                matched++;
            }
        model_regfree(&it.re);
    }
    EXPECT(matched > 0 && failed > 0, "both: %d %d", matched, failed);
    int answer = model_fnmatch("*.c", "a.c", 0);
    EXPECT(answer == 0 || answer == FNM_NOMATCH, "%d", answer);
    return finish();
}
