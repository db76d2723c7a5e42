// args: --property assertions -- --target=aarch64-linux-gnu
// expect: UNKNOWN
// 98 is futex there, and something else on x86.
long syscall(long, ...);
int word;

int main(void) { return (int)syscall(98, &word, 1, 1); }
