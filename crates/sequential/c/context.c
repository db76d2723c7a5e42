/* Contexts: in each, one thread runs, and nothing happens between them. */
u32 raddle_owner[RADDLE_CLUSTERS + 1];

void raddle_guess_owners(void) {
    raddle_owner[1] = 1;
    for (u32 i = 2; i <= RADDLE_CLUSTERS; i++)
        raddle_owner[i] = raddle_choose(1, RADDLE_THREADS);
}

u32 raddle_may_be_at(u32 position) {
    return position % 2 == 0 && raddle_owner[position / 2] == raddle_now.self;
}

/* The first step of a thread needs a context, too. */
void raddle_begin(void) { raddle_move(0, 1); }
