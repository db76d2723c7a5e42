// args: --property memory
// expect: UNSAFE memory
// Past the end of an array whose length is known only at run time.
static int last(int n) {
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a[n]; //~ memory
}

int main(void) {
    return last(3) > 0;
}
