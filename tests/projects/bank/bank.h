/* Accounts with a lock each. */
#ifndef BANK_H
#define BANK_H

#include "journal.h"

enum bank_result { BANK_OK, BANK_NO_ACCOUNT, BANK_NO_MONEY, BANK_JOURNAL_FULL };

struct account {
    pthread_mutex_t lock;
    long balance;
    long at_start;
};

struct bank {
    struct account *accounts;
    unsigned count;
    struct journal journal;
};

bool bank_open(struct bank *bank, unsigned count, long balance);
void bank_close(struct bank *bank);
enum bank_result bank_transfer(struct bank *bank, unsigned from, unsigned to, long amount);

/* The sum of all balances at one point in time. */
long bank_total(struct bank *bank);

/* Whether balances and journal agree. Only when nobody transfers. */
bool bank_audit(const struct bank *bank);

#endif
