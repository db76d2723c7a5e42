/* Output functions that are called by a pointer: in a table of functions, or as a logger.
 *
 * Where lowering sees a call of printf it reads what printf will read, and drops the rest
 * (output_reads.c); who takes the address of printf gets one of these instead, which look at what
 * they are given when they are called.
 * left out: streams in memory (UNKNOWN); errno stays as it is.
 *
 * accesses: visible
 */
#include "any.h"

typedef __builtin_va_list va_list;

void __raddle_read_format(const char *format, va_list list);

static _Bool looks(void) { return __raddle_checking(MEMORY) || __raddle_checking(RACES); }

static void use(void *file) {
    if (looks())
        __raddle_stream_use(file);
    if (__raddle_in_memory(file))
        __raddle_unsupported("output into memory by a function that is called by a pointer");
}

static int text(const char *s) {
    if (looks())
        read_text(s);
    int value = any_int();
    return value < 0 ? -1 : value;
}

static int character(int c, void *file) {
    use(file);
    return any_int() < 0 ? -1 : (unsigned char)c;
}

int __raddle_pointed_puts(const char *s) { return text(s); }
int __raddle_pointed_fputs(const char *s, void *file) {
    use(file);
    return text(s);
}
int __raddle_pointed_fputs_unlocked(const char *s, void *file) { return __raddle_pointed_fputs(s, file); }
int __raddle_pointed_fputc(int c, void *file) { return character(c, file); }
int __raddle_pointed_fputc_unlocked(int c, void *file) { return character(c, file); }
int __raddle_pointed_putc(int c, void *file) { return character(c, file); }
int __raddle_pointed_putc_unlocked(int c, void *file) { return character(c, file); }

int __raddle_pointed_fflush(void *file) {
    if (file)
        use(file);
    return any_int() < 0 ? -1 : 0;
}
int __raddle_pointed_fflush_unlocked(void *file) { return __raddle_pointed_fflush(file); }

void __raddle_pointed_setlinebuf(void *file) { use(file); }

void __raddle_pointed_perror(const char *s) {
    if (s)
        text(s);
}

size_t __raddle_pointed_fwrite(const void *data, size_t size, size_t count, void *file) {
    use(file);
    if (looks())
        __raddle_read_bytes(data, size * count);
    return any_up_to(count);
}
size_t __raddle_pointed_fwrite_unlocked(const void *data, size_t size, size_t count, void *file) {
    return __raddle_pointed_fwrite(data, size, count, file);
}

/* Also where nobody looks: a format may count the characters so far. */
int __raddle_pointed_vprintf(const char *format, va_list list) {
    __raddle_read_format(format, list);
    return any_int();
}
int __raddle_pointed_vfprintf(void *file, const char *format, va_list list) {
    use(file);
    return __raddle_pointed_vprintf(format, list);
}
int __raddle_pointed_vdprintf(int file, const char *format, va_list list) {
    return __raddle_pointed_vprintf(format, list);
}
void __raddle_pointed_vsyslog(int priority, const char *format, va_list list) {
    __raddle_read_format(format, list);
}

#define WITH_LIST(call)                                                                            \
    va_list list;                                                                                  \
    __builtin_va_start(list, format);                                                              \
    call;                                                                                          \
    __builtin_va_end(list);

int __raddle_pointed_printf(const char *format, ...) {
    WITH_LIST(int result = __raddle_pointed_vprintf(format, list))
    return result;
}
int __raddle_pointed_fprintf(void *file, const char *format, ...) {
    WITH_LIST(int result = __raddle_pointed_vfprintf(file, format, list))
    return result;
}
int __raddle_pointed_dprintf(int file, const char *format, ...) {
    WITH_LIST(int result = __raddle_pointed_vprintf(format, list))
    return result;
}
void __raddle_pointed_syslog(int priority, const char *format, ...) {
    WITH_LIST(__raddle_pointed_vsyslog(priority, format, list))
}
