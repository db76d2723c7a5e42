#include "bank.h"

#include <stdlib.h>

bool bank_open(struct bank *bank, unsigned count, long balance) {
    bank->accounts = calloc(count, sizeof *bank->accounts);
    if (bank->accounts == NULL)
        return false;
    bank->count = count;
    for (unsigned i = 0; i < count; i++) {
        pthread_mutex_init(&bank->accounts[i].lock, NULL);
        bank->accounts[i].balance = bank->accounts[i].at_start = balance;
    }
    journal_init(&bank->journal);
    return true;
}

void bank_close(struct bank *bank) {
    for (unsigned i = 0; i < bank->count; i++)
        pthread_mutex_destroy(&bank->accounts[i].lock);
    journal_destroy(&bank->journal);
    free(bank->accounts);
}

static void lock_both(struct account *a, struct account *b) {
#ifdef BUG
    pthread_mutex_lock(&a->lock);
    pthread_mutex_lock(&b->lock);
#else
    /* In the order of addresses, whoever pays. */
    struct account *first = a < b ? a : b, *second = a < b ? b : a;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
#endif
}

static void unlock_both(struct account *a, struct account *b) {
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_unlock(&b->lock);
}

/* Both accounts are locked. */
static enum bank_result move(struct bank *bank, unsigned from, unsigned to, long amount) {
    struct account *payer = &bank->accounts[from], *payee = &bank->accounts[to];
    if (payer->balance < amount) {
        journal_refuse(&bank->journal);
        return BANK_NO_MONEY;
    }
    if (!journal_add(&bank->journal, from, to, amount))
        return BANK_JOURNAL_FULL;
    payer->balance -= amount;
    payee->balance += amount;
    return BANK_OK;
}

enum bank_result bank_transfer(struct bank *bank, unsigned from, unsigned to, long amount) {
    if (from >= bank->count || to >= bank->count || amount < 0)
        return BANK_NO_ACCOUNT;
    if (from == to)
        return BANK_OK;
    lock_both(&bank->accounts[from], &bank->accounts[to]);
    enum bank_result result = move(bank, from, to, amount);
    unlock_both(&bank->accounts[from], &bank->accounts[to]);
    return result;
}

long bank_total(struct bank *bank) {
    long total = 0;
    for (unsigned i = 0; i < bank->count; i++)
        pthread_mutex_lock(&bank->accounts[i].lock);
    for (unsigned i = 0; i < bank->count; i++)
        total += bank->accounts[i].balance;
    for (unsigned i = 0; i < bank->count; i++)
        pthread_mutex_unlock(&bank->accounts[i].lock);
    return total;
}

bool bank_audit(const struct bank *bank) {
    for (unsigned i = 0; i < bank->count; i++) {
        const struct account *account = &bank->accounts[i];
        if (account->at_start + journal_balance(&bank->journal, i) != account->balance)
            return false;
    }
    return true;
}
