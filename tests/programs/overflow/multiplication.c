// args: --property overflow
// expect: UNSAFE overflow
// 65536 squared does not fit.
int x = 65536;

int main(void) {
    int y = x * x; //~ overflow
    return y;
}
