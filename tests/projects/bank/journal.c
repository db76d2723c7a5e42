#include "journal.h"

#include <assert.h>

void journal_init(struct journal *journal) {
    pthread_mutex_init(&journal->lock, NULL);
    journal->count = journal->refused = 0;
}

void journal_destroy(struct journal *journal) { pthread_mutex_destroy(&journal->lock); }

bool journal_add(struct journal *journal, unsigned from, unsigned to, long amount) {
    bool room;
    pthread_mutex_lock(&journal->lock);
    room = journal->count < JOURNAL_SIZE;
    if (room) {
        struct transfer *transfer = &journal->transfers[journal->count];
        transfer->sequence = journal->count++;
        transfer->from = from;
        transfer->to = to;
        transfer->amount = amount;
    }
    pthread_mutex_unlock(&journal->lock);
    return room;
}

void journal_refuse(struct journal *journal) {
    pthread_mutex_lock(&journal->lock);
    journal->refused++;
    pthread_mutex_unlock(&journal->lock);
}

long journal_balance(const struct journal *journal, unsigned account) {
    long balance = 0;
    for (unsigned i = 0; i < journal->count; i++) {
        const struct transfer *transfer = &journal->transfers[i];
        assert(transfer->sequence == i);
        if (transfer->from == account)
            balance -= transfer->amount;
        if (transfer->to == account)
            balance += transfer->amount;
    }
    return balance;
}
