// What a library that is loaded at run time does nobody knows, but what comes before is looked at.
// args: --property memory
// expect: UNKNOWN
#include <dlfcn.h>

int main(void) {
    void *library = dlopen("plugin.so", RTLD_NOW);
    if (!library)
        return dlerror()[0] == 0;
    void (*start)(void) = (void (*)(void))dlsym(library, "start");
    if (start)
        start();
    dlclose(library);
    return 0;
}
