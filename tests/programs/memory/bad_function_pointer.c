// args: --property memory
// expect: UNSAFE memory
// A call through a null function pointer.
int main(void) {
    int (*f)(int) = 0;
    return f(1); //~ memory
}
