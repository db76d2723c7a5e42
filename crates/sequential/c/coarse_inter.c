/* Inter-thread clusters: in each, all threads may run, in the order in which they are simulated. */

void raddle_guess_owners(void) {}
u32 raddle_may_be_at(u32 position) { return position != 0; }
void raddle_begin(void) {}
