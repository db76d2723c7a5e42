// expect: SAFE
// There is nothing that a bound on arguments could leave out.
int main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return 0;
}
