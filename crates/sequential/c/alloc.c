/* ---- Memory that is allocated while the program runs: some cells of each kind -------------- */
u64 raddle_heap = RADDLE_HEAP;
u64 raddle_zeroed_heap = RADDLE_ZEROED_HEAP;
u64 raddle_own_heap = RADDLE_OWN_HEAP;
u64 raddle_sizes[RADDLE_CELLS]; /* 1 + size of the object that begins at a cell; 0: not known yet */

/* Takes memory up to `end`; a thread that needs more exceeds a bound. */
u64 raddle_take(u64 *free, u64 end, u64 bytes, u64 align) {
    u64 address = (*free + align - 1) / align * align;
    if (address >= end || bytes >= end - address) {
        raddle_exceed(RADDLE_OUT_OF_MEMORY);
        return 0;
    }
    *free = address + 8 * (bytes / 8 + 1);
    raddle_sizes[address / 8] = bytes + 1;
    return address;
}

void raddle_fill(u64 address, u64 bytes, u32 zeroed) {
    for (u64 at = 0; at < bytes; at += 8)
        raddle_memory[(address + at) / 8] = zeroed ? 0 : raddle_any();
}

/* Shared memory has its contents from the beginning, because threads that use it may be simulated
 * before the one that allocates it. */
u64 raddle_alloc(u64 bytes, u64 align, u32 zeroed) {
    if (zeroed)
        return raddle_take(&raddle_zeroed_heap, RADDLE_ZEROED_HEAP_END, bytes, align);
    return raddle_take(&raddle_heap, RADDLE_HEAP_END, bytes, align);
}

u64 raddle_own_alloc(u64 bytes, u64 align, u32 zeroed) {
    u64 address = raddle_take(&raddle_own_heap, RADDLE_OWN_HEAP_END, bytes, align);
    if (address)
        raddle_fill(address, bytes, zeroed);
    return address;
}

/* Local variables: free again when their function returns. */
u64 raddle_own_stack(u64 bytes, u64 align) {
    u64 address = raddle_take(&raddle_now.stack, RADDLE_STACK_END, bytes, align);
    if (address)
        raddle_fill(address, bytes, 0);
    return address;
}

u64 raddle_object_size(u64 address) {
    if (address == 0 || !raddle_is_valid(address, 1))
        return 0;
    if (raddle_sizes[address / 8] == 0)
        raddle_fail(RADDLE_SIZE_NOT_KNOWN);
    return raddle_sizes[address / 8] - 1;
}
