/* ---- Clusters: memory at the end of each is guessed, and compared in the end ---------------- */

/* Position 2 i is inside of cluster i, position 2 i + 1 is between it and the next. */
enum { RADDLE_LAST = 2 * RADDLE_CLUSTERS + 1 };
u64 raddle_after[RADDLE_CLUSTERS + 1][RADDLE_SHARED_CELLS];  /* guessed: when cluster i is over */
u64 raddle_during[RADDLE_CLUSTERS + 1][RADDLE_SHARED_CELLS]; /* while threads run in cluster i */
u32 raddle_limit;                                            /* nobody goes beyond it */

void raddle_guess_owners(void);
u32 raddle_may_be_at(u32 position);

void raddle_guess(void) {
    raddle_limit = raddle_choose(RADDLE_FIRST, RADDLE_LAST);
    for (u32 cell = 0; cell < RADDLE_SHARED_CELLS; cell++) {
        raddle_after[0][cell] = raddle_memory[cell];
        for (u32 i = 1; i <= RADDLE_CLUSTERS; i++) {
            raddle_during[i][cell] = raddle_after[i - 1][cell];
            raddle_after[i][cell] = raddle_any();
        }
    }
    raddle_guess_owners();
    raddle_now.position = RADDLE_FIRST;
}

/* Moves to a position from `from` on; 0 if the thread stops instead. */
u32 raddle_move(u32 from, u32 inside) {
    u32 to = raddle_now.position;
    if (!raddle_now.pinned) {
        to = raddle_choose(from < to ? to : from, raddle_limit + 1);
        if (to > raddle_limit) {
            raddle_stop();
            return 0;
        }
        raddle_assume(raddle_may_be_at(to));
    }
    raddle_assume(from <= to && (!inside || to % 2 == 0));
    raddle_now.position = to;
    raddle_now.pinned = raddle_now.sections != 0;
    return 1;
}

u64 raddle_read(u32 cell) {
    if (!raddle_started)
        return raddle_memory[cell];
    if (!raddle_move(0, 0))
        return 0;
    if (raddle_now.position % 2 == 0)
        return raddle_during[raddle_now.position / 2][cell];
    return raddle_after[raddle_now.position / 2][cell];
}

/* Writes those bits of a cell that are set in the mask. */
void raddle_write(u32 cell, u64 value, u64 mask) {
    u64 *contents = &raddle_memory[cell];
    if (raddle_started) {
        if (!raddle_move(0, 1))
            return;
        contents = &raddle_during[raddle_now.position / 2][cell];
        raddle_now.wrote = raddle_now.acted = raddle_now.sections != 0;
    }
    *contents = (*contents & ~mask) | (value & mask);
}

/* The end of the outermost atomic section. */
void raddle_complete_section(void) {}

/* A violation in the middle of a section: nobody sees the rest of it. */
void raddle_break_section(void) { raddle_assume(raddle_now.position == raddle_limit); }

/* Where a thread that is created now begins: here, but not in the middle of an atomic section. */
u32 raddle_begin_position(void) {
    if (!raddle_now.sections || !raddle_move(0, 0))
        return raddle_now.position;
    return raddle_now.position | 1;
}

/* Moves to a position at which this thread sees that another has ended; 0 if it stops instead.
 * Inside of a cluster, a thread that is simulated later has not run yet. */
u32 raddle_move_to_join(u32 thread) {
    u32 end = raddle_end_position[thread];
    if (!raddle_move(end, 0))
        return 0;
    raddle_assume(raddle_finished[thread] || raddle_now.position % 2 == 1 ||
                  end < raddle_now.position);
    return 1;
}

void raddle_check_thread(void) {}

void raddle_check_guess(void) {
    for (u32 cell = 0; cell < RADDLE_SHARED_CELLS; cell++)
        for (u32 i = 1; i <= RADDLE_COMPARED; i++)
            raddle_assume(raddle_during[i][cell] == raddle_after[i][cell]);
}
