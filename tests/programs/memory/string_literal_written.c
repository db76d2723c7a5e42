// args: --property memory
// expect: UNSAFE memory
// String literals are constant.
int main(void) {
    char *s = (char *)"abc";
    s[0] = 'x'; //~ memory
    return 0;
}
