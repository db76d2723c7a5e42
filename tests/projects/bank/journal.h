/* A journal of transfers, so that the books can be checked at the end of the day. */
#ifndef JOURNAL_H
#define JOURNAL_H

#include <pthread.h>
#include <stdbool.h>

enum { JOURNAL_SIZE = 8 };

struct transfer {
    unsigned sequence;
    unsigned from, to;
    long amount;
};

struct journal {
    pthread_mutex_t lock;
    struct transfer transfers[JOURNAL_SIZE];
    unsigned count;
    unsigned refused; /* transfers that were not made */
};

void journal_init(struct journal *journal);
void journal_destroy(struct journal *journal);

/* False if the journal is full. */
bool journal_add(struct journal *journal, unsigned from, unsigned to, long amount);
void journal_refuse(struct journal *journal);

/* The sum of what came to an account, less what went. Only when nobody writes. */
long journal_balance(const struct journal *journal, unsigned account);

#endif
