// C11 atomics of all orders, threads, fences, volatile accesses.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int counter;
static atomic_uint bits = 0xff;
static _Atomic(void *) head;
static _Atomic long long wide;
static _Atomic float real = 1.5f;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static volatile int polled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int plain;

static void *work(void *arg) {
  for (int i = 0; i < 1000; i++) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    plain += *(int *)arg;
    pthread_mutex_unlock(&lock);
    wide += 1LL << 33;
    real += 1;
  }
  return arg;
}

int main(void) {
  pthread_t threads[2];
  int steps[2] = {1, 2};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, &steps[i]);
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(threads[i], &result);
    sum += *(int *)result;
  }
  printf("%d %d %d %lld %g\n", counter, plain, sum, (long long)wide, (double)real);
  unsigned old = atomic_fetch_and_explicit(&bits, 0x3c, memory_order_acquire);
  atomic_fetch_or_explicit(&bits, 0x100, memory_order_release);
  atomic_fetch_xor_explicit(&bits, 1, memory_order_acq_rel);
  atomic_fetch_sub(&bits, 2);
  printf("%x %x\n", old, atomic_load_explicit(&bits, memory_order_acquire));
  int expected = 5, found = 2000;
  int lost = atomic_compare_exchange_strong(&counter, &expected, 1);
  while (!atomic_compare_exchange_weak_explicit(&counter, &found, 7, memory_order_acq_rel, memory_order_relaxed)) {
  }
  printf("%d %d %d\n", lost, expected, atomic_load(&counter));
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acq_rel);
  head = &plain;
  void *before = atomic_exchange(&head, (void *)0);
  printf("%d %d %d\n", before == &plain, atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  polled = 3;
  polled += __sync_fetch_and_nand(&plain, 6) + __atomic_fetch_max(&plain, -3, __ATOMIC_SEQ_CST);
  printf("%d %d\n", polled, plain);
  return 0;
}
