/* ---- Accesses of the program: addresses are 8 * cell + byte ------------------------------- */

u64 raddle_mask(u32 bytes) { return bytes >= 8 ? ~0ull : (1ull << 8 * bytes) - 1; }

/* An address of no object stops the thread: what comes after it has no meaning. */
u32 raddle_is_valid(u64 address, u32 bytes) {
    if (address < 8 || address / 8 >= RADDLE_CELLS)
        raddle_stop();
    else if (address % 8 + bytes > 8)
        raddle_fail(RADDLE_MISALIGNED);
    else
        return 1;
    return 0;
}

/* A variable that has a cell of its own. */
u64 raddle_get(u64 address) { return raddle_read((u32)(address / 8)); }
void raddle_set(u64 address, u64 value) { raddle_write((u32)(address / 8), value, ~0ull); }

/* Memory that this thread need not share with others as long as it is used in this way. */
u64 raddle_own_load(u64 address, u32 bytes) {
    if (!raddle_is_valid(address, bytes))
        return 0;
    return raddle_memory[address / 8] >> 8 * (address % 8) & raddle_mask(bytes);
}

void raddle_own_store(u64 address, u32 bytes, u64 value) {
    u32 shift = 8 * (u32)(address % 8);
    u64 mask = raddle_mask(bytes) << shift;
    if (raddle_is_valid(address, bytes))
        raddle_memory[address / 8] = (raddle_memory[address / 8] & ~mask) | (value << shift & mask);
}

/* Memory of which only the address tells whether it is shared. */
u64 raddle_load(u64 address, u32 bytes) {
    if (address / 8 >= RADDLE_SHARED_CELLS || !raddle_is_valid(address, bytes))
        return raddle_own_load(address, bytes);
    return raddle_read((u32)(address / 8)) >> 8 * (address % 8) & raddle_mask(bytes);
}

void raddle_store(u64 address, u32 bytes, u64 value) {
    u32 shift = 8 * (u32)(address % 8);
    if (address / 8 >= RADDLE_SHARED_CELLS)
        raddle_own_store(address, bytes, value);
    else if (raddle_is_valid(address, bytes))
        raddle_write((u32)(address / 8), value << shift, raddle_mask(bytes) << shift);
}
