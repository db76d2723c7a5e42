/* Choices as ESBMC has them. */
extern unsigned long long nondet_ulonglong(void);
extern void __ESBMC_assume(_Bool);
extern void __ESBMC_assert(_Bool, const char *);
#define raddle_any() nondet_ulonglong()
#define raddle_assume(condition) __ESBMC_assume((condition) != 0)
#define raddle_violation(text) __ESBMC_assert(0, text)
