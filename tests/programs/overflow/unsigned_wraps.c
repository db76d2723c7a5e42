// args: --property overflow
// expect: SAFE
// Unsigned numbers wrap around, small ones are promoted first.
unsigned u = 0xffffffffu;
unsigned char c = 255;
short s = 32767;

int main(void) {
    u = u + 1;
    u = u - 1;
    u = u * 3;
    c++;
    s++;
    return 0;
}
