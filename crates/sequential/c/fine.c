/* ---- Memory unwinding: all writes are guessed, then every thread must make its own ----------- */

/* Write number i, from 1 to RADDLE_WRITES; position i is the state of memory after it. */
u32 raddle_writer[RADDLE_WRITES + 2]; /* the thread that makes it; 0 where the sequence has ended */
u32 raddle_cell[RADDLE_WRITES + 2];   /* what is written (0 at the end: nothing) … */
u64 raddle_value[RADDLE_WRITES + 2];  /* … and its contents from then on */
u32 raddle_inside[RADDLE_WRITES + 2]; /* the next write belongs to the same atomic section */
/* The first write of a thread after a position, RADDLE_WRITES + 1 if there is none. */
u32 raddle_following[RADDLE_THREADS + 1][RADDLE_WRITES + 2];

void raddle_tabulate(void);
u64 raddle_contents(u32 cell, u32 position);

void raddle_guess(void) {
    for (u32 i = 1; i <= RADDLE_WRITES; i++) {
        raddle_writer[i] = raddle_choose(0, RADDLE_THREADS);
        raddle_assume(i == 1 || raddle_writer[i] == 0 || raddle_writer[i - 1] != 0);
        raddle_cell[i] = raddle_writer[i] ? raddle_choose(1, RADDLE_SHARED_CELLS - 1) : 0;
        raddle_value[i] = raddle_any();
        raddle_inside[i] = raddle_choose(0, 1);
    }
    for (u32 thread = 1; thread <= RADDLE_THREADS; thread++) {
        raddle_following[thread][RADDLE_WRITES] = RADDLE_WRITES + 1;
        for (u32 i = RADDLE_WRITES; i > 0; i--)
            raddle_following[thread][i - 1] =
                raddle_writer[i] == thread ? i : raddle_following[thread][i];
    }
    raddle_tabulate();
    raddle_now.next = raddle_following[1][0];
}

/* Before a read: other threads may have run, up to the next write of this one. */
void raddle_move(void) {
    if (raddle_now.pinned)
        return;
    raddle_now.position = raddle_choose(raddle_now.position, raddle_now.next - 1);
    raddle_assume(!raddle_inside[raddle_now.position]);
    raddle_now.pinned = raddle_now.sections != 0;
}

u64 raddle_read(u32 cell) {
    if (!raddle_started)
        return raddle_memory[cell];
    raddle_move();
    return raddle_contents(cell, raddle_now.position);
}

/* Writes those bits of a cell that are set in the mask: that must be the thread's next write. */
void raddle_write(u32 cell, u64 value, u64 mask) {
    u32 at = raddle_now.next;
    if (!raddle_started) {
        raddle_memory[cell] = (raddle_memory[cell] & ~mask) | (value & mask);
        return;
    }
    if (at > RADDLE_WRITES) {
        raddle_stop();
        return;
    }
    raddle_assume(!raddle_now.pinned || at == raddle_now.position + 1);
    raddle_assume(raddle_inside[at - 1] == raddle_now.wrote);
    raddle_assume(raddle_now.sections || !raddle_inside[at]);
    raddle_assume(raddle_cell[at] == cell);
    if (mask != ~0ull)
        value = (raddle_contents(cell, at - 1) & ~mask) | (value & mask);
    raddle_assume(raddle_value[at] == value);
    raddle_now.position = at;
    raddle_now.next = raddle_following[raddle_now.self][at];
    raddle_now.pinned = raddle_now.wrote = raddle_now.acted = raddle_now.sections != 0;
}

/* The end of the outermost atomic section. */
void raddle_complete_section(void) {
    raddle_assume(!raddle_now.wrote || !raddle_inside[raddle_now.position]);
    raddle_assume(!raddle_now.section_end || raddle_now.section_end == raddle_now.position + 1);
    raddle_now.section_end = 0;
}

/* A violation in the middle of a section: nobody sees the rest of it. */
void raddle_break_section(void) {
    raddle_assume(!raddle_now.wrote || raddle_inside[raddle_now.position]);
}

/* Where a thread that is created now begins: here, or where the atomic section around it ends. */
u32 raddle_begin_position(void) {
    if (!raddle_now.sections)
        return raddle_now.position;
    raddle_move();
    if (!raddle_now.section_end)
        raddle_now.section_end = raddle_choose(raddle_now.position, RADDLE_WRITES) + 1;
    return raddle_now.section_end - 1;
}

/* A new thread has not written before it begins. */
void raddle_begin(void) {
    raddle_now.next = raddle_following[raddle_now.self][0];
    raddle_assume(raddle_now.next > raddle_now.position);
}

/* Moves to a position at which this thread sees that another has ended; 0 if it stops instead. */
u32 raddle_move_to_join(u32 thread) {
    u32 to = raddle_end_position[thread];
    if (to < raddle_now.position)
        to = raddle_now.position;
    if (raddle_now.pinned ? to != raddle_now.position : to >= raddle_now.next) {
        raddle_stop();
        return 0;
    }
    raddle_now.position = to;
    raddle_now.pinned = raddle_now.sections != 0;
    return 1;
}

/* A thread has made all its writes. */
void raddle_check_thread(void) { raddle_assume(raddle_now.next > RADDLE_WRITES); }

/* All threads that write exist. */
void raddle_check_guess(void) {
    for (u32 i = 1; i <= RADDLE_WRITES; i++)
        raddle_assume(raddle_writer[i] <= raddle_threads);
}
