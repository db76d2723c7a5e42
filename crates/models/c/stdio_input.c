/* Input: any characters, then perhaps the end of the file.
 *
 * Once at its end a file may go on in these models, as a terminal does. scanf is not modelled.
 *
 * accesses: visible
 */
#include "raddle.h"

int getchar(void) {
    int c = (int)__raddle_input_u32();
    return c < 0 ? -1 : (unsigned char)c;
}

int getc(void *file) { return getchar(); }
int fgetc(void *file) { return getchar(); }

char *fgets(char *line, int size, void *file) {
    int length = 0;
    while (length < size - 1) {
        int c = getchar();
        if (c < 0)
            break;
        line[length++] = (char)c;
        if (c == '\n')
            break;
    }
    if (length == 0)
        return NULL;
    line[length] = 0;
    return line;
}

ssize_t read(int file, void *data, size_t size) {
    ssize_t length = (ssize_t)__raddle_input_u64();
    if (length < 0)
        return -1;
    if ((size_t)length > size)
        length = (ssize_t)size;
    for (ssize_t i = 0; i < length; i++)
        ((unsigned char *)data)[i] = __raddle_input_u8();
    return length;
}
