/* Output: what is written is not looked at, and may fail.
 *
 * The result is any number that the function may return, so it is an input of the program. The
 * functions have no other effect: lowering drops a call whose result is not used ("effects:
 * none"), which keeps programs that only print free of inputs. What they read is read before
 * (output_reads.c).
 * That a stream is open is looked at before, too.
 * left out: errno stays as it is.
 *
 * accesses: hidden
 * effects: none
 */
#include "raddle.h"

static int any(void) { return (int)__raddle_input_u32(); }

/* A number that is not negative, or EOF. */
static int any_or_eof(void) {
    int value = any();
    return value < 0 ? -1 : value;
}

static int written_or_eof(int c) { return any() < 0 ? -1 : (unsigned char)c; }

int printf(const char *format, ...) { return any(); }
int fprintf(void *file, const char *format, ...) { return any(); }
int dprintf(int file, const char *format, ...) { return any(); }
int vprintf(const char *format, __builtin_va_list arguments) { return any(); }
int vfprintf(void *file, const char *format, __builtin_va_list arguments) { return any(); }
int vdprintf(int file, const char *format, __builtin_va_list arguments) { return any(); }
int puts(const char *s) { return any_or_eof(); }
int fputs(const char *s, void *file) { return any_or_eof(); }
int putchar(int c) { return written_or_eof(c); }
int fputc(int c, void *file) { return written_or_eof(c); }
int putc(int c, void *file) { return written_or_eof(c); }
int fflush(void *file) { return any() < 0 ? -1 : 0; }
int fflush_unlocked(void *file) { return fflush(file); }
int fputs_unlocked(const char *s, void *file) { return any_or_eof(); }
int putc_unlocked(int c, void *file) { return written_or_eof(c); }
int fputc_unlocked(int c, void *file) { return written_or_eof(c); }
int putchar_unlocked(int c) { return written_or_eof(c); }
void setlinebuf(void *file) {}
void perror(const char *s) {}
void syslog(int priority, const char *format, ...) {}
void vsyslog(int priority, const char *format, __builtin_va_list arguments) {}

size_t fwrite(const void *data, size_t size, size_t count, void *file) {
    size_t written = (size_t)__raddle_input_u64();
    return written <= count ? written : count;
}

size_t fwrite_unlocked(const void *data, size_t size, size_t count, void *file) {
    return fwrite(data, size, count, file);
}
