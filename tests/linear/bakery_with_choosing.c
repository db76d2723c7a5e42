// Lamport's bakery for two threads, numbers end at 3. Who would draw a higher one says that it does not
// choose any more and waits until the other one has left; that one draws 1 then, so all goes on. If it
// tries again at once (AT_ONCE) the other one can see it choose each time it looks, and waits for ever.
// SAFE --property starvation
// UNSAFE --property starvation -- -DAT_ONCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int choosing[2], number[2], inside;

void serve(int me) {
    int other = 1 - me;
    for (;;) {
        choosing[me] = 1;
        int mine = number[other] + 1;
        if (mine > 3) {
            choosing[me] = 0;
#ifndef AT_ONCE
            while (number[other] == 3)
                ;
#endif
            continue;
        }
        number[me] = mine;
        choosing[me] = 0;
        while (choosing[other])
            ;
        for (;;) {
            int his = number[other];
            if (his == 0 || mine < his || (mine == his && me < other))
                break;
        }
        inside++;
        assert(inside == 1);
        inside--;
        number[me] = 0;
    }
}

void *other(void *unused) {
    serve(1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    serve(0);
}
