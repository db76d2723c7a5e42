/* Implicit reads: the contents of a cell are looked for in the sequence. */
void raddle_tabulate(void) {}

u64 raddle_contents(u32 cell, u32 position) {
    u64 contents = raddle_memory[cell];
    for (u32 i = 1; i <= RADDLE_WRITES; i++)
        if (i <= position && raddle_cell[i] == cell)
            contents = raddle_value[i];
    return contents;
}
