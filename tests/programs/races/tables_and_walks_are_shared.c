// What is in tables and trees, what is told about interfaces and addresses, and the names of walks are the caller's memory.
// args: --property races
// args explore: --inputs 1
// expect: UNSAFE races
#define _GNU_SOURCE
#include <dlfcn.h>
#include <ftw.h>
#include <net/if.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <sys/stat.h>

static char name[IF_NAMESIZE], folder[] = "folder", key[] = "key";
static Dl_info place;
static void *root;

static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

static int tell(const char *path, const struct stat *status, int kind) { return path[0] && status && kind; }

static void *run(void *argument) {
    tsearch(key, &root, order);            //~ races
    hsearch((ENTRY){key, argument}, FIND); //~ races
    if_indextoname(1, name);               //~ races
    dladdr(argument, &place);              //~ races
    ftw(folder, tell, 4);                  //~ races
    return argument;
}

int main(void) {
    pthread_t thread;
    hcreate(4);
    pthread_create(&thread, 0, run, 0);
    tfind(key, &root, order);               //~ races
    hsearch((ENTRY){key, &thread}, ENTER);  //~ races
    name[0] = 0;                            //~ races
    place.dli_fbase = 0;                    //~ races
    folder[0] = 'F';                        //~ races
    return 0;
}
