/* Explicit reads: the contents of every cell at every position. */
u64 raddle_table[RADDLE_WRITES + 1][RADDLE_SHARED_CELLS];

void raddle_tabulate(void) {
    for (u32 cell = 0; cell < RADDLE_SHARED_CELLS; cell++) {
        raddle_table[0][cell] = raddle_memory[cell];
        for (u32 i = 1; i <= RADDLE_WRITES; i++)
            raddle_table[i][cell] =
                raddle_cell[i] == cell ? raddle_value[i] : raddle_table[i - 1][cell];
    }
}

u64 raddle_contents(u32 cell, u32 position) { return raddle_table[position][cell]; }
