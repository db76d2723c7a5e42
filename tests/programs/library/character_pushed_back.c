// args: --property assertions,memory
// expect: SAFE
// What was pushed back is what comes next, to whoever reads; a change of the position forgets it.
#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("input", "r");
    if (!file)
        return 1;
    char line[4];
    int first = getc(file);
    if (first != EOF) {
        assert(ungetc(first, file) == first);
        assert(getc(file) == first);
    }
    assert(ungetc('u', file) == 'u' && !feof(file));
    assert(fread(line, 1, 2, file) >= 1 && line[0] == 'u');
    assert(ungetc('v', file) == 'v');
    /* An error behind it loses the line. */
    assert(fgets(line, sizeof line, file) ? line[0] == 'v' : ferror(file));
    rewind(file);
    assert(ungetc('w', file) == 'w');
    fclose(file);
    return 0;
}
