/* Input from streams: any characters, then perhaps the end of the file or an error.
 *
 * left out: a stream that met its end may go on, as a terminal does; a line that getline reads may have ends of lines inside; gets is
 * not modelled.
 *
 * accesses: visible
 */
#include "any.h"

extern void *stdin;

int fgetc(void *file) {
    __raddle_stream_use(file);
    int pushed = __raddle_pushed_back(file);
    if (pushed)
        return pushed - 1;
    if (__raddle_in_memory(file))
        return __raddle_memory_getc(file);
    int c = (int)__raddle_input_u32();
    if (c >= 0)
        return (unsigned char)c;
    __raddle_stream_ends(file, c & 1);
    return -1;
}

int getc(void *file) { return fgetc(file); }
int _IO_getc(void *file) { return fgetc(file); }
int getc_unlocked(void *file) { return fgetc(file); }
int fgetc_unlocked(void *file) { return fgetc(file); }
int getchar(void) { return fgetc(stdin); }
int getchar_unlocked(void) { return fgetc(stdin); }

int ferror(void *file);

/* An error loses what was read; the end of the file does not. */
char *fgets(char *line, int size, void *file) {
    int length = 0;
    __raddle_stream_use(file);
    _Bool error_before = ferror(file);
    while (length < size - 1) {
        int c = fgetc(file);
        if (c < 0 && !error_before && ferror(file))
            return NULL;
        if (c < 0)
            break;
        line[length++] = (char)c;
        if (c == '\n')
            break;
    }
    if (size <= 0 || (length == 0 && size != 1))
        return NULL;
    line[length] = 0;
    return line;
}

char *fgets_unlocked(char *line, int size, void *file) { return fgets(line, size, file); }

static size_t read_memory(char *data, size_t size, size_t count, void *file) {
    size_t done = 0;
    for (; done < size * count; done++) {
        int c = fgetc(file);
        if (c < 0)
            break;
        data[done] = (char)c;
    }
    return done / size;
}

size_t fread(void *data, size_t size, size_t count, void *file) {
    __raddle_stream_use(file);
    if (size == 0 || count == 0)
        return 0;
    if (__raddle_in_memory(file))
        return read_memory(data, size, count, file);
    size_t done = any_up_to(count);
    int pushed = __raddle_pushed_back(file);
    if (pushed && size == 1 && done == 0)
        done = 1;
    __raddle_fill(data, done * size);
    if (pushed && done != 0)
        *(char *)data = (char)(pushed - 1);
    if (done < count)
        __raddle_stream_ends(file, may_fail());
    return done;
}
size_t fread_unlocked(void *data, size_t size, size_t count, void *file) {
    return fread(data, size, count, file);
}

ssize_t getdelim(char **line, size_t *size, int end, void *file) {
    enum { FIRST = 120 };
    __raddle_stream_use(file);
    if (__raddle_in_memory(file))
        __raddle_unsupported("lines of a stream in memory");
    /* There is memory to be freed also if nothing is read. */
    if (!*line) {
        *line = __raddle_alloc(FIRST);
        *size = FIRST;
    }
    int c = fgetc(file);
    if (c < 0)
        return -1;
    /* Any length: a line that goes on is arbitrary up to its last character. */
    size_t length = c == end ? 1 : 1 + any_up_to(~(size_t)0 >> 2);
    if (*size < length + 1) {
        /* New memory has any content. */
        __raddle_free(*line);
        *line = __raddle_alloc(length + 1);
        *size = length + 1;
    } else {
        __raddle_fill(*line, length);
    }
    (*line)[0] = (char)c;
    (*line)[length] = 0;
    return (ssize_t)length;
}

ssize_t getline(char **line, size_t *size, void *file) {
    return getdelim(line, size, '\n', file);
}
