// args: --property memory
// expect: UNSAFE memory
// Some indices lead into another array; that the access is wrong must be shown with one that does not.
int __VERIFIER_nondet_int(void);

int before[100000], a[4], behind[100000];

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < -100000 || i > 100000)
        return 0;
    return a[i] + before[0] + behind[0]; //~ memory
}
