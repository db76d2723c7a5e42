/* Choices as in SV-COMP: a call of reach_error is the violation. */
#include <assert.h>
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}
#define raddle_any() __VERIFIER_nondet_ulonglong()
#define raddle_assume(condition) __VERIFIER_assume(condition)
#define raddle_violation(text) do { reach_error(); assert(!text); } while (0)
