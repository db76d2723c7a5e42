/* A bank with two tellers and an auditor.
 *
 * repaired: SAFE
 * bug: the accounts of a transfer are locked in the order payer, payee
 * finding: deadlocks bank.c
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "bank.h"

static struct bank bank;

static void *first_teller(void *argument) {
    (void)argument;
    if (bank_transfer(&bank, 0, 1, 70) != BANK_OK)
        puts("the first transfer is refused");
    return NULL;
}

static void *second_teller(void *argument) {
    (void)argument;
    if (bank_transfer(&bank, 1, 0, 150) != BANK_OK)
        puts("the second transfer is refused");
    return NULL;
}

int main(void) {
    pthread_t first, second;
    if (!bank_open(&bank, 2, 100))
        return EXIT_FAILURE;
    pthread_create(&first, NULL, first_teller, NULL);
    pthread_create(&second, NULL, second_teller, NULL);
    assert(bank_total(&bank) == 200);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(bank_audit(&bank));
    assert(bank.journal.count + bank.journal.refused == 2);
    bank_close(&bank);
    return EXIT_SUCCESS;
}
