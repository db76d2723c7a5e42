/* Streams in memory: open_memstream and fmemopen.
 *
 * What is printed into such a stream is kept, and what is read from it is what is there. open_memstream tells the caller where its text is, and
 * how long, at fflush and fclose; each output may move the text, so that an address from before is dangling: POSIX lets it be used until the next
 * output only. The text is the caller's to free. In programs that use such streams lowering calls the functions below
 * instead of those of stdio_output.c (crates/frontend/src/lower/output.rs).
 * left out: positions, lines and formats that are read (UNKNOWN); standard streams that are replaced by one in memory; output that fails; more than 4 such
 * streams in a run (UNKNOWN).
 *
 * accesses: visible
 */
#include "any.h"

typedef __builtin_va_list va_list;

enum { STREAMS = 4 };

typedef struct {
    void *file;
    char **place; /* of open_memstream: where the caller wants to know the text and its length */
    size_t *size;
    char *data;
    size_t length;   /* of what can be read, or was written */
    size_t position; /* of fmemopen */
    size_t room;
    _Bool reads, writes;
} memory;

static memory streams[STREAMS];
static int made;

void *__raddle_stream_new(void);
void __raddle_read_format(const char *format, va_list list);
int vasprintf(char **to, const char *text, va_list list);
size_t strlen(const char *s);
void free(void *object);

/* All that follows up to the functions of the library is called in atomic sections: threads may share a stream. */
static memory *memory_of(void *file) {
    for (int i = 0; i < made; i++)
        if (streams[i].file == file)
            return &streams[i];
    return NULL;
}

static memory *new_memory(void *file) {
    if (made == STREAMS)
        __raddle_unsupported("more than 4 streams in memory");
    streams[made].file = file;
    return &streams[made++];
}

/* How many bytes had room. */
static size_t append(memory *m, const char *from, size_t size) {
    if (!m->place) {
        size_t done = 0;
        for (; done < size && m->writes && m->position < m->room; done++)
            m->data[m->position++] = from[done];
        if (m->position < m->room && done)
            m->data[m->position] = 0;
        return done;
    }
    char *longer = __raddle_alloc(m->length + size + 1);
    for (size_t i = 0; i < m->length; i++)
        longer[i] = m->data[i];
    for (size_t i = 0; i < size; i++)
        longer[m->length + i] = from[i];
    longer[m->length + size] = 0;
    __raddle_free(m->data);
    m->data = longer;
    m->length += size;
    return size;
}

int __raddle_in_memory(void *file) {
    __raddle_atomic_begin();
    int found = memory_of(file) != NULL;
    __raddle_atomic_end();
    return found;
}

int __raddle_memory_getc(void *file) {
    int c = -1;
    __raddle_atomic_begin();
    memory *m = memory_of(file);
    if (m->reads && m->position < m->length)
        c = (unsigned char)m->data[m->position++];
    __raddle_atomic_end();
    if (c < 0)
        __raddle_stream_ends(file, 0);
    return c;
}

static void tell(void *file) {
    __raddle_atomic_begin();
    memory *m = memory_of(file);
    char **place = m->place, *data = m->data;
    size_t *size = m->size, length = m->length;
    __raddle_atomic_end();
    if (place) {
        *place = data;
        *size = length;
    }
}

void __raddle_memory_close(void *file) {
    tell(file);
    __raddle_atomic_begin();
    memory_of(file)->file = NULL;
    __raddle_atomic_end();
}

void *open_memstream(char **place, size_t *size) {
    if (__raddle_may_fail("malloc") && __raddle_choice(2)) {
        fails_with(ENOMEM);
        return NULL;
    }
    void *file = __raddle_stream_new();
    __raddle_atomic_begin();
    memory *m = new_memory(file);
    m->place = place;
    m->size = size;
    m->data = __raddle_alloc_zeroed(1);
    __raddle_atomic_end();
    return file;
}

void *fmemopen(void *data, size_t size, const char *mode) {
    read_text(mode);
    _Bool updates = mode[1] == '+' || (mode[1] && mode[2] == '+');
    if (!data || size == 0 || (mode[0] != 'r' && mode[0] != 'w') || updates)
        __raddle_unsupported("this use of fmemopen");
    if (__raddle_may_fail("malloc") && __raddle_choice(2)) {
        fails_with(ENOMEM);
        return NULL;
    }
    if (mode[0] == 'w')
        *(char *)data = 0;
    void *file = __raddle_stream_new();
    __raddle_atomic_begin();
    memory *m = new_memory(file);
    m->data = data;
    m->room = m->length = size;
    m->reads = mode[0] == 'r';
    m->writes = !m->reads;
    __raddle_atomic_end();
    return file;
}

/* Output to any stream. -1: the stream is not in memory. */
static ssize_t written(void *file, const char *from, size_t size) {
    ssize_t done = -1;
    if (__raddle_checking(MEMORY) || __raddle_checking(RACES)) {
        __raddle_stream_use(file);
        __raddle_read_bytes(from, size);
    }
    __raddle_atomic_begin();
    memory *m = memory_of(file);
    if (m)
        done = (ssize_t)append(m, from, size);
    __raddle_atomic_end();
    return done;
}

int __raddle_memory_vfprintf(void *file, const char *format, va_list list) {
    if (__raddle_in_memory(file)) {
        char *text;
        int length = vasprintf(&text, format, list);
        if (length < 0)
            return -1;
        written(file, text, (size_t)length);
        free(text);
        return length;
    }
    if (__raddle_checking(MEMORY) || __raddle_checking(RACES)) {
        __raddle_stream_use(file);
        __raddle_read_format(format, list);
    }
    return any_int();
}

int __raddle_memory_fprintf(void *file, const char *format, ...) {
    va_list list;
    __builtin_va_start(list, format);
    int length = __raddle_memory_vfprintf(file, format, list);
    __builtin_va_end(list);
    return length;
}

size_t __raddle_memory_fwrite(const void *from, size_t size, size_t count, void *file) {
    ssize_t done = written(file, from, size * count);
    if (done < 0)
        return any_up_to(count);
    return size ? (size_t)done / size : 0;
}

int __raddle_memory_fputs(const char *text, void *file) {
    return written(file, text, strlen(text)) >= 0 || !may_fail() ? 1 : -1;
}

int __raddle_memory_fputc(int c, void *file) {
    char byte = (char)c;
    ssize_t done = written(file, &byte, 1);
    return done == 1 || (done < 0 && !may_fail()) ? (unsigned char)c : -1;
}
int __raddle_memory_putc(int c, void *file) { return __raddle_memory_fputc(c, file); }

int __raddle_memory_fflush(void *file) {
    if (!file)
        return zero_or_fails();
    __raddle_stream_use(file);
    if (!__raddle_in_memory(file))
        return zero_or_fails();
    tell(file);
    return 0;
}
