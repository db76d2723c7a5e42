// args: --property assertions -- --target=aarch64-linux-gnu
// expect: UNKNOWN
// A store-exclusive may fail for no reason; where the text does not try again, it is not guessed what happens.
int word;

int main(void) {
    int old;
    unsigned failed;
    __asm__ volatile("1: ldxr %w0, %2\n stxr %w1, %w3, %2"
                     : "=&r"(old), "=&r"(failed), "+Q"(word)
                     : "r"(1)
                     : "memory");
    return 0;
}
