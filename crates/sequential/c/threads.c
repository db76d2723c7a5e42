/* ---- Threads, atomic sections, violations ----------------------------------------------- */

/* Check number `check` is violated. That stands although the guess is confirmed only at the end.
 * Of several violations one is chosen; if another one is, this thread stops before its own. */
void raddle_fail(u32 check) {
    if (raddle_failed || raddle_choose(0, 1) == 0) {
        raddle_stop();
        return;
    }
    if (raddle_now.acted)
        raddle_break_section();
    raddle_failed = check;
    raddle_now.stopped = RADDLE_STOPPED;
}

/* The running thread needs more than this file has room for. What it would do then is not looked
 * at, so this is a violation of its own; with RADDLE_NO_BOUND_ASSERTIONS the thread just stops. */
void raddle_exceed(u32 check) {
#ifdef RADDLE_NO_BOUND_ASSERTIONS
    (void)check;
    raddle_stop();
#else
    raddle_fail(check);
#endif
}

void raddle_atomic_begin(void) { raddle_now.sections++; }

void raddle_atomic_end(void) {
    if (raddle_now.sections == 1) {
        raddle_complete_section();
        raddle_now.pinned = raddle_now.wrote = raddle_now.acted = 0;
    }
    raddle_now.sections -= raddle_now.sections != 0;
}

/* The running thread ends with a result. */
void raddle_thread_exit(u64 result) {
    raddle_exit_result = result;
    raddle_now.stopped = RADDLE_EXITED;
}

/* With the first creation of a thread, guessing begins. What is in memory now is initial. */
void raddle_start(void) {
    raddle_started = 1;
    for (u32 i = 1; i <= RADDLE_THREADS; i++) {
        raddle_end_position[i] = (u32)raddle_any();
        raddle_end_rank[i] = raddle_choose(0, RADDLE_THREADS);
        raddle_end_result[i] = raddle_any();
    }
    raddle_guess();
}

/* A thread is created: the caller stops if there are too many, else it simulates the new one. */
u32 raddle_new_position;
void raddle_create(void) {
    if (raddle_threads == RADDLE_THREADS) {
        raddle_exceed(RADDLE_TOO_MANY_THREADS);
        return;
    }
    if (!raddle_started)
        raddle_start();
    raddle_new_position = raddle_begin_position();
    raddle_now.acted = raddle_now.sections != 0;
}

/* The new thread becomes the running one; the creator is to be kept until it has been simulated. */
struct raddle_thread raddle_begin_thread(void) {
    struct raddle_thread creator = raddle_now;
    raddle_threads++;
    raddle_now.self = raddle_threads;
    raddle_now.position = raddle_new_position;
    raddle_now.sections = raddle_now.pinned = raddle_now.wrote = raddle_now.acted = 0;
    raddle_now.section_end = 0;
    raddle_begin();
    return creator;
}

/* The running thread has been simulated: it ended or stopped as guessed. */
void raddle_finish(u64 result) {
    u32 self = raddle_now.self;
    if (raddle_now.stopped == RADDLE_EXITED)
        result = raddle_exit_result;
    if (raddle_now.stopped == RADDLE_STOPPED) {
        raddle_assume(raddle_end_position[self] == RADDLE_NEVER);
    } else {
        if (raddle_now.sections)
            raddle_complete_section();
        raddle_assume(raddle_end_position[self] == raddle_now.position);
        raddle_assume(raddle_end_rank[self] >= raddle_now.rank);
        raddle_assume(raddle_end_result[self] == result);
    }
    raddle_check_thread();
    raddle_finished[self] = 1;
}

/* Back to the creator; gives the number of the new thread. */
u64 raddle_end_thread(struct raddle_thread creator, u64 result) {
    u64 child = raddle_now.self;
    raddle_finish(result);
    raddle_now = creator;
    return child;
}

/* Goes on when the thread has ended, stops if it never does. */
u64 raddle_join(u64 thread) {
    u32 joined = (u32)thread;
    if (!raddle_started || thread == 0 || thread > RADDLE_THREADS ||
        raddle_end_position[joined] == RADDLE_NEVER) {
        raddle_stop();
        return 0;
    }
    if (!raddle_move_to_join(joined))
        return 0;
    if (raddle_now.rank <= raddle_end_rank[joined])
        raddle_now.rank = raddle_end_rank[joined] + 1;
    return raddle_end_result[joined];
}

/* When all threads have been simulated: was the guess right? */
void raddle_confirm(void) {
    if (!raddle_started)
        return;
    raddle_finish(0);
    for (u32 i = 1; i <= RADDLE_THREADS; i++)
        raddle_assume(i <= raddle_threads || raddle_end_position[i] == RADDLE_NEVER);
    raddle_check_guess();
}
