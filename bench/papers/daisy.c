// Daisy (papers 000 and 003): a small file system with a lock for each file, inode and block.
//
// Layers, from above: files (names to inodes), inodes (size and block of a file), blocks (data, and a bit for
// each that says whether it is taken), disk (bytes, reached by a seek and a transfer). A lock is a flag that is
// taken and given back under one token lock, in other functions than those that need it.
//
// Known mistakes, of the design as in the papers:
// - the allocation area has a bit for each block, but the disk transfers bytes: who takes block i and who takes
//   block j hold different locks and write the same byte if i / 8 == j / 8;
// - a seek and the transfer after it are two operations on one disk head.
//
// WITNESS: 1  two blocks in one byte of the allocation area (WW1: the first two blocks)
//          2  as 1, in files that exist already and grow (WW2: deeper)
//          3  seek against transfer
//          0  all of them; threads do all that files can do
// WRITTEN_OUT: seek and transfer stand where they are needed, so that each use is a line of its own: many races
// REPAIRED: the allocation area and the disk head have locks of their own
// THREADS (2), FILES (2), BLOCKS (8), STEPS (operations of each thread, 1)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef WITNESS
#define WITNESS 0
#endif
#ifndef THREADS
#define THREADS 2
#endif
#ifndef FILES
#define FILES 2
#endif
#ifndef BLOCKS
#define BLOCKS 8
#endif
#ifndef STEPS
#define STEPS 1
#endif

enum { NOTHING = -1, BLOCK_BYTES = 2, INODE_BYTES = 3 };
enum { ALLOCATION = 0, ALLOCATION_BYTES = (BLOCKS + 7) / 8 };
enum { INODES = ALLOCATION + ALLOCATION_BYTES, DATA = INODES + FILES * INODE_BYTES };
enum { DISK_BYTES = DATA + BLOCKS * BLOCK_BYTES };

/* ---- locks: many, each taken and given back under the token ---- */

typedef struct {
    int taken;
    pthread_cond_t freed;
} lock_t;

static pthread_mutex_t token = PTHREAD_MUTEX_INITIALIZER;
static lock_t file_locks[FILES], inode_locks[FILES], block_locks[BLOCKS];

static void acquire(lock_t *lock) {
    pthread_mutex_lock(&token);
    while (lock->taken)
        pthread_cond_wait(&lock->freed, &token);
    lock->taken = 1;
    pthread_mutex_unlock(&token);
}

static void release(lock_t *lock) {
    pthread_mutex_lock(&token);
    lock->taken = 0;
    pthread_cond_signal(&lock->freed);
    pthread_mutex_unlock(&token);
}

/* ---- disk: a head, and bytes ---- */

static unsigned char disk[DISK_BYTES];
static int head;

#ifdef REPAIRED
static pthread_mutex_t disk_lock = PTHREAD_MUTEX_INITIALIZER, allocation_lock = PTHREAD_MUTEX_INITIALIZER;
#define EXCLUSIVE(mutex) pthread_mutex_lock(&mutex)
#define SHARED(mutex) pthread_mutex_unlock(&mutex)
#else
#define EXCLUSIVE(mutex) (void)0
#define SHARED(mutex) (void)0
#endif

static void seek(int place) {
    assert(place >= 0 && place < DISK_BYTES);
    head = place;
}

static unsigned char read_byte(void) { return disk[head]; }

static void write_byte(unsigned char byte) { disk[head] = byte; }

#ifdef WRITTEN_OUT
#define disk_read(place) (head = (place), disk[head])
#define disk_write(place, byte) (head = (place), disk[head] = (byte))
#else

/* Where the head is no part of the question, it is no part of the disk either. */
static unsigned char disk_read(int place) {
#if WITNESS == 1 || WITNESS == 2
    return disk[place];
#else
    EXCLUSIVE(disk_lock);
    seek(place);
    unsigned char byte = read_byte();
    SHARED(disk_lock);
    return byte;
#endif
}

static void disk_write(int place, unsigned char byte) {
#if WITNESS == 1 || WITNESS == 2
    disk[place] = byte;
#else
    EXCLUSIVE(disk_lock);
    seek(place);
    write_byte(byte);
    SHARED(disk_lock);
#endif
}

#endif

/* ---- blocks ---- */

/* Takes a block if it is free. */
static int take_block(int block) {
    int taken = 0;
    acquire(&block_locks[block]);
    EXCLUSIVE(allocation_lock);
    unsigned char bits = disk_read(ALLOCATION + block / 8);
    if (!(bits & 1 << block % 8)) {
        disk_write(ALLOCATION + block / 8, bits | 1 << block % 8);
        taken = 1;
    }
    SHARED(allocation_lock);
    release(&block_locks[block]);
    return taken;
}

static void give_block_back(int block) {
    acquire(&block_locks[block]);
    EXCLUSIVE(allocation_lock);
    unsigned char bits = disk_read(ALLOCATION + block / 8);
    disk_write(ALLOCATION + block / 8, bits & ~(1 << block % 8));
    SHARED(allocation_lock);
    release(&block_locks[block]);
}

/* Each file begins to look at its own place. */
static int find_block(int file) {
    for (int i = 0; i < BLOCKS; i++) {
        int block = (file + i) % BLOCKS;
        if (take_block(block))
            return block;
    }
    return NOTHING;
}

/* ---- inodes: whether the file exists, its size, its block ---- */

static int inode_place(int inode, int field) { return INODES + inode * INODE_BYTES + field; }

static int inode_exists(int inode) { return disk_read(inode_place(inode, 0)); }

static void inode_set(int inode, int exists, int size, int block) {
    disk_write(inode_place(inode, 0), exists);
    disk_write(inode_place(inode, 1), size);
    disk_write(inode_place(inode, 2), block);
}

/* ---- files: what users call ---- */

static int file_create(int file) {
    int done = 0;
    acquire(&file_locks[file]);
    acquire(&inode_locks[file]);
    if (!inode_exists(file)) {
        int block = find_block(file);
        if (block != NOTHING) {
            inode_set(file, 1, 0, block);
            done = 1;
        }
    }
    release(&inode_locks[file]);
    release(&file_locks[file]);
    return done;
}

static int file_write(int file, unsigned char byte) {
    int done = 0;
    acquire(&file_locks[file]);
    acquire(&inode_locks[file]);
    if (inode_exists(file)) {
        int size = disk_read(inode_place(file, 1)), block = disk_read(inode_place(file, 2));
        if (size < BLOCK_BYTES) {
            acquire(&block_locks[block]);
            disk_write(DATA + block * BLOCK_BYTES + size, byte);
            release(&block_locks[block]);
            disk_write(inode_place(file, 1), size + 1);
            done = 1;
        }
    }
    release(&inode_locks[file]);
    release(&file_locks[file]);
    return done;
}

static int file_read(int file, int at) {
    int byte = NOTHING;
    acquire(&file_locks[file]);
    acquire(&inode_locks[file]);
    if (inode_exists(file) && at < disk_read(inode_place(file, 1))) {
        int block = disk_read(inode_place(file, 2));
        acquire(&block_locks[block]);
        byte = disk_read(DATA + block * BLOCK_BYTES + at);
        release(&block_locks[block]);
    }
    release(&inode_locks[file]);
    release(&file_locks[file]);
    return byte;
}

static int file_delete(int file) {
    int done = 0;
    acquire(&file_locks[file]);
    acquire(&inode_locks[file]);
    if (inode_exists(file)) {
        give_block_back(disk_read(inode_place(file, 2)));
        inode_set(file, 0, 0, 0);
        done = 1;
    }
    release(&inode_locks[file]);
    release(&file_locks[file]);
    return done;
}

/* ---- users ---- */

static void *user(void *argument) {
    int file = (int)(long)argument % FILES;
    for (int step = 0; step < STEPS; step++) {
#if WITNESS == 1
        take_block(file);
#elif WITNESS == 2
        file_create(file);
#elif WITNESS == 3
        file_read(file, 0);
#else
        file_create(file);
        file_write(file, 7);
        int byte = file_read(file, 0);
#ifdef REPAIRED
        assert(byte == 7 || THREADS > FILES);
#else
        (void)byte;
#endif
        file_delete(file);
#endif
    }
    return 0;
}

int main(void) {
    pthread_t users[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&users[i], 0, user, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(users[i], 0);
    return 0;
}
