// args: --property memory
// expect: UNSAFE memory
// A function gives away its local variable.
static int *latest;

static void remember(void) {
    int local = 3;
    latest = &local;
}

int main(void) {
    remember();
    *latest = 4; //~ memory
    return 0;
}
