// args: --property memory
// expect: SAFE
// Running from one member into the next stays inside the object: not found by design.
struct two {
    char name[2];
    char next;
};

int main(void) {
    struct two s = {{0, 0}, 0};
    char *p = s.name;
    int two = 2;
    p[two] = 1;
    return s.next - 1;
}
