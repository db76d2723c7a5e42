// args: --property assertions --property races --property memory
// expect: SAFE
// A thread works on a structure on the creator's stack.
#include <assert.h>
#include <pthread.h>

struct job {
    int input, output;
};

void *run(void *arg) {
    struct job *job = arg;
    job->output = job->input * job->input;
    return 0;
}

int main(void) {
    pthread_t t;
    struct job job = {6, 0};
    pthread_create(&t, 0, run, &job);
    pthread_join(t, 0);
    assert(job.output == 36);
    return 0;
}
