/* A semaphore as the models see it: not larger than that of glibc. */
#ifndef RADDLE_SEMAPHORE_H
#define RADDLE_SEMAPHORE_H

typedef struct {
    unsigned value;
    /* Where "locks" is checked and somebody destroys semaphores: how many threads found it 0 and have
     * not gone on yet. */
    unsigned waiting;
    unsigned destroyed; /* 0 from the initialisation to the end, where "locks" is checked */
    unsigned unused;
} sem_t;

#endif
