/* A mutex is a word: 0, or the number of the thread that holds it. */
void raddle_lock(u64 mutex) {
    u64 holder;
    raddle_atomic_begin();
    holder = raddle_load(mutex, 4);
    if (!raddle_now.stopped && holder != 0)
        raddle_stop();
    if (!raddle_now.stopped)
        raddle_store(mutex, 4, raddle_now.self);
    if (!raddle_now.stopped)
        raddle_atomic_end();
}

u32 raddle_try_lock(u64 mutex) {
    u64 holder;
    raddle_atomic_begin();
    holder = raddle_load(mutex, 4);
    if (!raddle_now.stopped && holder == 0)
        raddle_store(mutex, 4, raddle_now.self);
    if (!raddle_now.stopped)
        raddle_atomic_end();
    return holder == 0;
}
