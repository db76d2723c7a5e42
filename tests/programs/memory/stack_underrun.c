// args: --property memory
// expect: UNSAFE memory
// One element too early.
int main(void) {
    int a[2] = {1, 2}, sum = 0;
    for (int i = 1; i >= -1; i--)
        sum += a[i]; //~ memory
    return sum;
}
