#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static const struct option long_options[] = {
    {"config", required_argument, NULL, 'c'},
    {"help", no_argument, NULL, 'h'},
    {"log", required_argument, NULL, 'l'},
    {"port", required_argument, NULL, 'p'},
    {"verbose", no_argument, NULL, 'v'},
    {"workers", required_argument, NULL, 'w'},
    {NULL, 0, NULL, 0},
};

static void usage(FILE *stream, const char *program) {
    fprintf(stream,
            "usage: %s [options]\n"
            "  -c, --config FILE   read settings from FILE\n"
            "  -l, --log FILE      write the access log to FILE\n"
            "  -p, --port PORT     listen on PORT\n"
            "  -w, --workers N     number of worker threads\n"
            "  -v, --verbose       log every request\n"
            "  -h, --help          show this\n",
            program);
}

static bool number(const char *text, int low, int high, int *result) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < low || value > high)
        return false;
    *result = (int)value;
    return true;
}

bool options_parse(struct options *options, int argc, char **argv, int *status) {
    *options = (struct options){.port = 8080, .workers = 2};
    *status = EXIT_FAILURE;
    int option;
    while ((option = getopt_long(argc, argv, "c:hl:p:vw:", long_options, NULL)) != -1) {
        switch (option) {
        case 'c':
            options->config = optarg;
            break;
        case 'l':
            options->log = optarg;
            break;
        case 'p':
            if (!number(optarg, 1, 65535, &options->port)) {
                fprintf(stderr, "%s: bad port '%s'\n", argv[0], optarg);
                return false;
            }
            break;
        case 'w':
            if (!number(optarg, 1, 2, &options->workers)) {
                fprintf(stderr, "%s: bad number of workers '%s'\n", argv[0], optarg);
                return false;
            }
            break;
        case 'v':
            options->verbose = true;
            break;
        case 'h':
            usage(stdout, argv[0]);
            *status = EXIT_SUCCESS;
            return false;
        default:
            usage(stderr, argv[0]);
            return false;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "%s: unexpected argument '%s'\n", argv[0], argv[optind]);
        return false;
    }
    return true;
}
