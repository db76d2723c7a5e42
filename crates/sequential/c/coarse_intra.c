/* Intra-thread clusters: in each, one thread runs; between them all threads may read. */
u32 raddle_owner[RADDLE_CLUSTERS + 1];

void raddle_guess_owners(void) {
    for (u32 i = 1; i <= RADDLE_CLUSTERS; i++)
        raddle_owner[i] = raddle_choose(1, RADDLE_THREADS);
}

u32 raddle_may_be_at(u32 position) {
    return position % 2 == 1 || raddle_owner[position / 2] == raddle_now.self;
}

void raddle_begin(void) {}
