/* Choices as CBMC has them. */
extern unsigned long long nondet_unsigned_long_long(void);
#ifndef __CPROVER__ /* for compilers */
extern void __CPROVER_assume(_Bool);
extern void __CPROVER_assert(_Bool, const char *);
#endif
#define raddle_any() nondet_unsigned_long_long()
#define raddle_assume(condition) __CPROVER_assume((condition) != 0)
#define raddle_violation(text) __CPROVER_assert(0, text)
