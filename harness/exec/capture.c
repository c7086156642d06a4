/* copycheck capture: its options, and the program's process. harness/inject does the rest from inside the program. */
#include "harness/exec/capture.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/bad.h"
#include "harness/base/number.h"
#include "harness/base/program.h"
#include "harness/exec/start.h"
#include "harness/exec/value.h"

const char capture_help[] =
    "usage: copycheck capture [OPTION...] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs a CUDA program on its GPU, and writes one of its launches to a file: PTX, grid, arguments, the memory that they\n"
    "lead to, tensor maps, and what memory held afterwards. `copycheck check FILE` judges it on any machine.\n"
    "\n"
    "  --output FILE        the capture (default launch.capture)\n"
    "  --kernel-name TEXT   the first launch of a kernel with TEXT in its name (default: of any kernel)\n"
    "  --launch-skip N      not the first N of these\n"
    "  --max-bytes N        of memory that a capture may hold (default 268435456)\n"
    "\n"
    "The memory of a launch is every allocation that a parameter, a tensor map, or the first MiB of such memory points\n"
    "into. Kernels of a graph are launches too. Triton's kernels are found with the PTX in Triton's cache; CuPy's\n"
    "need CUPY_COMPILE_WITH_PTX=1.\n"
    "\n"
    "Exit status: that of the program; 2 where nothing was captured.\n";

bool capture_args_read(int argc, char **argv, struct capture_args *out)
{
    bool bad = false;
    int i;

    *out = (struct capture_args){ .output = "launch.capture", .most = 256u << 20 };
    for (i = 1; i < argc && argv[i][0] == '-'; i++) {
        const char *value, *option = argv[i];
        if (!strcmp(option, "--help")) {
            out->help = true;
            return true;
        }
        if (!strcmp(option, "--")) {
            i++;
            break;
        }
        if ((value = exec_value("capture", argv, &i, "--output", &bad)))
            out->output = value;
        else if ((value = exec_value("capture", argv, &i, "--kernel-name", &bad)))
            out->name = value;
        else if ((value = exec_value("capture", argv, &i, "--launch-skip", &bad))) {
            if (!ck_number(value, 0, UINT64_MAX >> 1, &out->skip))
                return ck_wrong("capture: --launch-skip '%.60s' is not a number", value);
        } else if ((value = exec_value("capture", argv, &i, "--max-bytes", &bad))) {
            if (!ck_number(value, 1, UINT64_MAX >> 1, &out->most))
                return ck_wrong("capture: --max-bytes '%.60s' is not a number of bytes", value);
        } else
            return !bad && ck_wrong("capture: unknown option '%.60s'; copycheck capture --help lists them", option);
    }
    if (i == argc)
        return ck_wrong("capture: no program is named; copycheck capture --help explains");
    if (strchr(out->output, '\n') || (out->name && strchr(out->name, '\n')))
        return ck_wrong("capture: an option's value has a line break in it");
    out->program = argv + i;
    return true;
}

/* Where the driver's own library is. */
static bool find_driver(char path[PATH_MAX])
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    struct link_map *map;

    if (!driver || dlinfo(driver, RTLD_DI_LINKMAP, &map))
        return ck_wrong("capture: there is no CUDA driver on this machine (libcuda.so.1)");
    return realpath(map->l_name, path) || ck_wrong("capture: %.200s: %s", map->l_name, strerror(errno));
}

/* In the child. */
static _Noreturn void become(const struct capture_args *args, const char *driver, const char *output, int failed)
{
    char folder[PATH_MAX + 16], settings[3 * PATH_MAX];

    snprintf(folder, sizeof folder, "%s/capture", ck_program_folder());
    snprintf(settings, sizeof settings, "driver=%s\nout=%s\nskip=%llu\nmax=%llu\nname=%s", driver, output,
             (unsigned long long)args->skip, (unsigned long long)args->most, args->name ? args->name : "");
    if (!exec_put_before("LD_LIBRARY_PATH", folder) || setenv("COPYCHECK_CAPTURE", settings, 1))
        _exit(2);
    exec_become(args->program, failed);
}

/* The file's absolute name: the program may change its folder. */
static bool absolute(const char *path, char out[2 * PATH_MAX])
{
    char here[PATH_MAX];

    if (*path == '/')
        snprintf(out, 2 * PATH_MAX, "%s", path);
    else if (getcwd(here, sizeof here))
        snprintf(out, 2 * PATH_MAX, "%s/%s", here, path);
    else
        return ck_wrong("capture: %s", strerror(errno));
    return strlen(out) < PATH_MAX || ck_wrong("capture: --output %.60s...: the name is too long", path);
}

int capture_run(const struct capture_args *args)
{
    char driver[PATH_MAX], output[2 * PATH_MAX], library[PATH_MAX + 40];
    int failed[2], status = 0;
    pid_t child;

    snprintf(library, sizeof library, "%s/capture/libcuda.so.1", ck_program_folder());
    if (access(library, R_OK))
        return ck_bad("capture: %s is not there; `make` builds it where a toolkit's headers are", library);
    if (!exec_folder_fits("capture", ck_program_folder()) || !find_driver(driver) || !absolute(args->output, output))
        return 2;
    if (unlink(output) && errno != ENOENT)
        return ck_bad("capture: --output %.200s: %s", args->output, strerror(errno));
    if (pipe2(failed, O_CLOEXEC))
        return ck_bad("capture: %s", strerror(errno));
    child = fork();
    if (!child)
        become(args, driver, output, failed[1]);
    close(failed[1]);
    if (child < 0)
        return ck_bad("capture: %s", strerror(errno));
    if (!exec_started("capture", args->program[0], failed[0]))
        return 2;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (access(output, R_OK))
        return ck_bad("capture: no launch%s%.100s was captured; the program ended with %s %d",
                      args->name ? " of a kernel with this in its name: " : "", args->name ? args->name : "",
                      WIFSIGNALED(status) ? "signal" : "status",
                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    fprintf(stderr, "copycheck: captured %s; copycheck check %s judges it\n", args->output, args->output);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
// SPDX-License-Identifier: Apache-2.0
