// expect: UNSAFE assertions
// Check and withdrawal are two critical sections: the account is overdrawn.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int balance = 10;

int enough(int amount) {
    pthread_mutex_lock(&m);
    int result = balance >= amount;
    pthread_mutex_unlock(&m);
    return result;
}

void withdraw(int amount) {
    pthread_mutex_lock(&m);
    balance -= amount;
    pthread_mutex_unlock(&m);
}

void *run(void *arg) {
    if (enough(10))
        withdraw(10);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(balance >= 0); //~ assertions
    return 0;
}
