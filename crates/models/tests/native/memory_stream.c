/* stdio_memory.c: what is printed into memory is what the native streams keep. */
#include "driver.h"
#include <string.h>

FILE *model_open_memstream(char **, size_t *), *model_fmemopen(void *, size_t, const char *);
int __raddle_memory_fprintf(FILE *, const char *, ...), __raddle_memory_fputs(const char *, FILE *);
int __raddle_memory_fputc(int, FILE *), __raddle_memory_fflush(FILE *);
size_t __raddle_memory_fwrite(const void *, size_t, size_t, FILE *);
int model_ungetc(int, FILE *);
int model_fclose(FILE *), model_fgetc(FILE *), model_feof(FILE *);
size_t model_fread(void *, size_t, size_t, FILE *);
char *model_fgets(char *, int, FILE *);
void model_free(void *);

static void print(FILE *native, FILE *model) {
    char text[8];
    for (int i = 0; i < 6; i++) {
        random_string(text, sizeof text);
        int number = (int)below(2000) - 1000, a = 0, b = 0;
        switch (below(4)) {
        case 0:
            a = fprintf(native, "%s=%d;", text, number), b = __raddle_memory_fprintf(model, "%s=%d;", text, number);
            break;
        case 1:
            a = fputs(text, native) < 0, b = __raddle_memory_fputs(text, model) < 0;
            break;
        case 2:
            a = fputc(number, native), b = __raddle_memory_fputc(number, model);
            break;
        default:
            a = (int)fwrite(text, 1, strlen(text), native);
            b = (int)__raddle_memory_fwrite(text, 1, strlen(text), model);
        }
        EXPECT(a == b, "%d %d", a, b);
    }
}

static void grows(void) {
    char *x = NULL, *y = NULL;
    size_t a = 0, b = 0;
    FILE *native = open_memstream(&x, &a), *model = model_open_memstream(&y, &b);
    if (below(2)) {
        print(native, model);
        fflush(native);
        __raddle_memory_fflush(model);
        EXPECT(a == b && memcmp(x, y, a + 1) == 0, "'%s' '%s'", x, y);
    }
    print(native, model);
    fclose(native);
    model_fclose(model);
    EXPECT(a == b && memcmp(x, y, a + 1) == 0, "'%s' '%s'", x, y);
    free(x);
    model_free(y);
}

static void is_read(void) {
    char text[] = "one\ntwo\n", x[8], y[8];
    FILE *native = fmemopen(text, strlen(text), "r"), *model = model_fmemopen(text, strlen(text), "r");
    EXPECT(fgetc(native) == model_fgetc(model), "the first one");
    if (below(2)) {
        EXPECT(ungetc(EOF, native) == model_ungetc(EOF, model), "the end is not pushed back");
        EXPECT(ungetc('\xe4', native) == model_ungetc('\xe4', model), "pushed back");
        if (below(2))
            EXPECT(fgetc(native) == model_fgetc(model), "and read again");
    }
    memset(x, '#', sizeof x), memset(y, '#', sizeof y);
    size_t count = below(5);
    EXPECT(fread(x, 1, count, native) == model_fread(y, 1, count, model) && memcmp(x, y, 8) == 0, "%zu", count);
    while (fgets(x, sizeof x, native))
        EXPECT(model_fgets(y, sizeof y, model) && strcmp(x, y) == 0, "'%s' '%s'", x, y);
    EXPECT(!model_fgets(y, sizeof y, model) && model_feof(model), "the end");
    EXPECT(ungetc('u', native) == 'u' && model_ungetc('u', model) == 'u', "at the end");
    EXPECT(!feof(native) && !model_feof(model), "it goes on");
    EXPECT(fgetc(native) == 'u' && model_fgetc(model) == 'u', "what was pushed back");
    fclose(native);
    model_fclose(model);
}

int main(int count, char **arguments) {
    /* A run has room for four streams: each is a run of its own. */
    (void)arguments;
    srand((unsigned)count);
    grows();
    grows();
    is_read();
    is_read();
    return finish();
}
