/* Mixed reads: explicit for scalar variables, implicit for arrays, structures and the heap. */
u64 raddle_table[RADDLE_WRITES + 1][RADDLE_SCALAR_CELLS];

void raddle_tabulate(void) {
    for (u32 cell = 0; cell < RADDLE_SCALAR_CELLS; cell++) {
        raddle_table[0][cell] = raddle_memory[cell];
        for (u32 i = 1; i <= RADDLE_WRITES; i++)
            raddle_table[i][cell] =
                raddle_cell[i] == cell ? raddle_value[i] : raddle_table[i - 1][cell];
    }
}

u64 raddle_contents(u32 cell, u32 position) {
    u64 contents = raddle_memory[cell];
    if (cell < RADDLE_SCALAR_CELLS)
        return raddle_table[position][cell];
    for (u32 i = 1; i <= RADDLE_WRITES; i++)
        if (i <= position && raddle_cell[i] == cell)
            contents = raddle_value[i];
    return contents;
}
