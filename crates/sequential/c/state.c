/* ---- The state of the simulation ------------------------------------------------------------ */

/* The thread that is being simulated. */
struct raddle_thread {
    u32 self;        /* its number; main is 1 */
    u32 stopped;     /* one of the words below */
    u32 position;    /* up to where it has seen what the others did */
    u32 next;        /* fine schemes: the position of its next write */
    u32 sections;    /* how many atomic sections it is in */
    u32 pinned;      /* its atomic section has a position, which must not change */
    u32 wrote;       /* its atomic section has written */
    u32 acted;       /* its atomic section has written or created a thread: it must be completed */
    u32 section_end; /* fine schemes: where the section must end because a thread starts there */
    u32 rank;        /* it ends after all threads with a lower rank that it has joined */
    u64 stack;       /* the next free address for its local variables */
};
enum { RADDLE_RUNS, RADDLE_STOPPED, RADDLE_EXITED };
enum { RADDLE_NEVER = 0x7fffffff };

struct raddle_thread raddle_now;
u32 raddle_failed;  /* the number of the violated check, 0 if none is */
u32 raddle_started; /* whether there ever was a second thread */
u32 raddle_threads; /* how many threads have been created, main included */

/* Threads may be joined before they are simulated: when and how they end is guessed as well. */
u32 raddle_end_position[RADDLE_THREADS + 1];
u32 raddle_end_rank[RADDLE_THREADS + 1];
u64 raddle_end_result[RADDLE_THREADS + 1];
u32 raddle_finished[RADDLE_THREADS + 1]; /* whether the thread has been simulated to its end */
u64 raddle_exit_result;                  /* what the running thread gave to pthread_exit */

u32 raddle_choose(u32 low, u32 high) {
    u32 chosen = (u32)raddle_any();
    raddle_assume(low <= chosen && chosen <= high);
    return chosen;
}

/* The thread takes no further step. A section that cannot be completed takes none at all. */
void raddle_stop(void) {
    raddle_assume(!raddle_now.acted);
    raddle_now.stopped = RADDLE_STOPPED;
}

/* In a loop: a thread may stop anywhere. */
u32 raddle_stops_here(void) {
    if (raddle_now.acted || (u8)raddle_any() % 2 == 0)
        return 0;
    raddle_now.stopped = RADDLE_STOPPED;
    return 1;
}
