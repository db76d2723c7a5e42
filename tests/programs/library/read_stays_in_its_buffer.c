// args: --property assertions,memory
// expect: SAFE
// A short read leaves the rest alone; errors come with errno; a closed descriptor is no descriptor.
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void) {
    char buffer[4] = "xyz";
    ssize_t got = read(0, buffer, 2);
    assert(got >= -1 && got <= 2);
    assert(buffer[2] == 'z');
    if (got == 0)
        assert(buffer[0] == 'x' && buffer[1] == 'y');
    if (got < 0)
        assert(errno > 0);
    close(0);
    assert(read(0, buffer, 2) == -1 && errno == EBADF);
    return 0;
}
