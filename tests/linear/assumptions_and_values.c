// Executions that fail an assumption do not count; C expressions have the types of C.
// SAFE --ltl G F (small > 200)
// SAFE --ltl G (point.y == -1 && word[1] == 'b' && kind == BLUE)
// SAFE --ltl G (small + 1 > 0 && small <= 255 && ~small < 0)
// SAFE --ltl G (number >= 0 && number < 3)
// UNSAFE --ltl G (number != 2)
// SAFE --ltl G F (small == 201) -> G F (small % 2 == 1)
enum colour { RED, BLUE };
enum colour kind = BLUE;
unsigned char small;
struct point { int x, y; } point = { 1, -1 };
char word[3] = "ab";
unsigned number;
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int main(void) {
    if (kind != BLUE || point.x != 1 || point.y != -1 || word[1] != 'b')
        return 1;
    while (1) {
        unsigned given = __VERIFIER_nondet_uint();
        __VERIFIER_assume(given < 3);
        number = given;
        small = 201;
        small = 10;
    }
}
