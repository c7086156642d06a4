/* copycheck exec: its options. */
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/number.h"
#include "harness/base/processors.h"
#include "harness/exec/channel.h"
#include "harness/exec/exec.h"
#include "harness/exec/value.h"

const char exec_help[] =
    "usage: copycheck exec [OPTION...] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs a CUDA program on a machine with or without a GPU: its kernels run on the emulator, and each rule about\n"
    "asynchronous copies that they break is named. The program needs PTX in it: nvcc -arch=sm_90a puts it there.\n"
    "\n"
    "  --log FILE           write findings and the summary to FILE (default: standard error)\n"
    "  --format F           text, jsonl, gcc (one line for each finding, as a compiler writes it), github (annotations of\n"
    "                       a pull request), sarif\n"
    "  --error-exitcode N   the exit status where a rule was broken (default 1)\n"
    "  --kernel-name TEXT   judge only kernels with TEXT in their names; the others run unjudged\n"
    "  --launch-skip N      the first N launches run unjudged\n"
    "  --launch-count N     only N launches are judged, the others run unjudged\n"
    "  --schedules N        run each launch N times, each in another order of threads and copies (default 1)\n"
    "  --delivery D         when copies arrive: late, eager or random (default eager)\n"
    "  --seed N             of everything random (default 1)\n"
    "  --jobs N             host threads (default: one for each processor it may use)\n"
    "  --sms N              multiprocessors that the device says it has (default 8; an H200 has 132)\n"
    "  --leak-check         name the memory that was not freed when the program ends\n"
    "  --host-access        find accesses of the host to device memory on every processor, not only on those with\n"
    "                       protection keys; costs time at each call\n"
    "  --host-races         find accesses of the host to managed or page-locked memory before anything has waited for\n"
    "                       a kernel that uses the same page\n"
    "  --max-memory BYTES   of the device and of judging (default 64G)\n"
    "  --max-instructions N of a launch (default 8G)\n"
    "\n"
    "Exit status: that of the program, or 1 (--error-exitcode) where a rule was broken. 2 where the program ended with 0,\n"
    "but a launch could not be run to its end, or the program could not be run.\n";

static bool number(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    return ck_number(text, least, most, out) || ck_wrong("exec: %s '%.60s' is not a number from %llu to %llu", name,
                                                         text, (unsigned long long)least, (unsigned long long)most);
}

/* Options that the library inside the program reads: by their words in the channel's variable. */
static const struct {
    const char *option, *word;
    uint64_t least, most;
} numbers[] = {
    { "--launch-skip", "skip", 0, UINT64_MAX >> 1 },
    { "--launch-count", "count", 0, UINT64_MAX >> 1 },
    { "--schedules", "schedules", 1, 100000 },
    { "--seed", "seed", 0, UINT64_MAX >> 1 },
    { "--jobs", "jobs", 1, 1024 },
    { "--sms", "sms", 1, 132 },
    { "--max-memory", "memory", 1 << 20, 1ull << 46 },
    { "--max-instructions", "instructions", 1, UINT64_MAX >> 1 },
};

/* In the order of enum exec_format. */
static const char *const formats[] = { "text", "jsonl", "sarif", "gcc", "github" };

static bool read_format(const char *text, enum exec_format *out)
{
    for (int i = 0; i < 5; i++)
        if (!strcmp(text, formats[i])) {
            *out = (enum exec_format)i;
            return true;
        }
    return ck_wrong("exec: --format '%.60s' is none of text, jsonl, gcc, github, sarif", text);
}

/* One option at argv[*i]; false after a line. */
static bool read_one(char **argv, int *i, struct exec_args *out, const char **name)
{
    bool bad = false;
    const char *value;
    uint64_t n;

    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if ((value = exec_value("exec", argv, i, numbers[k].option, &bad))) {
            if (!number(numbers[k].option, value, numbers[k].least, numbers[k].most, &n))
                return false;
            ck_append(out->settings, sizeof out->settings, "%s=%llu ", numbers[k].word, (unsigned long long)n);
            return true;
        }
    if ((value = exec_value("exec", argv, i, "--log", &bad))) {
        out->log = value;
        return true;
    }
    if ((value = exec_value("exec", argv, i, "--format", &bad)))
        return read_format(value, &out->format);
    if ((value = exec_value("exec", argv, i, "--kernel-name", &bad))) {
        *name = value;
        return strlen(value) < 200 || ck_wrong("exec: --kernel-name has more than 199 characters");
    }
    if ((value = exec_value("exec", argv, i, "--error-exitcode", &bad))) {
        if (!number("--error-exitcode", value, 0, 255, &n))
            return false;
        out->error_status = (int)n;
        return true;
    }
    if ((value = exec_value("exec", argv, i, "--delivery", &bad))) {
        if (strcmp(value, "late") && strcmp(value, "eager") && strcmp(value, "random"))
            return ck_wrong("exec: --delivery '%.60s' is none of late, eager, random", value);
        ck_append(out->settings, sizeof out->settings, "delivery=%s ", value);
        return true;
    }
    return !bad && ck_wrong("exec: unknown option '%.60s'; copycheck exec --help lists them", argv[*i]);
}

/* An option without a value. */
static bool read_switch(const char *text, struct exec_args *out)
{
    static const struct {
        const char *option, *word;
    } switches[] = { { "--leak-check", "leaks" }, { "--host-access", "guard" }, { "--host-races", "races" } };

    for (size_t k = 0; k < sizeof switches / sizeof *switches; k++)
        if (!strcmp(text, switches[k].option)) {
            ck_append(out->settings, sizeof out->settings, "%s=1 ", switches[k].word);
            return true;
        }
    return false;
}

bool exec_read(int argc, char **argv, struct exec_args *out)
{
    const char *name = NULL;
    int i;

    *out = (struct exec_args){ .error_status = 1 };
    for (i = 1; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--help")) {
            out->help = true;
            return true;
        }
        if (!strcmp(argv[i], "--")) {
            i++;
            break;
        }
        if (read_switch(argv[i], out))
            continue;
        if (!read_one(argv, &i, out, &name))
            return false;
    }
    if (i == argc)
        return ck_wrong("exec: no program is named; copycheck exec --help explains");
    out->program = argv + i;
    if (!strstr(out->settings, "jobs="))
        ck_append(out->settings, sizeof out->settings, "jobs=%u ", ck_processors());
    ck_append(out->settings, sizeof out->settings, "format=%s", formats[out->format]);
    if (name)
        ck_append(out->settings, sizeof out->settings, " name=%s", name);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
