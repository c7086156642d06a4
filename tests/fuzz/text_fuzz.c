/* libFuzzer target: what else copycheck reads. The first byte says what the rest is:
 *
 *   a  arguments of `copycheck check`, one a line     s  a spec file of it; both are then run on a small kernel
 *   r  a record file                                  m  words of a tensor map, and its batch line
 *
 * (`make fuzz-text` builds and runs it.) Whatever is refused must be refused with a line. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "expected/oracle.h"
#include "harness/check/check.h"
#include "harness/emu/forms/form.h"
#include "harness/maps/maps.h"
#include "harness/records/tally.h"

enum { WORDS = 64 };

static const char kernel[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".entry k(.param .b64 in, .param .b64 out, .param .align 64 .b8 map[128], .param .b32 n, .param .align 16 .b8 s[48])\n"
    "{ .reg .b64 %d<3>; .reg .b32 %r<3>; .shared .align 128 .b8 sa[256];\n"
    "ld.param.b64 %d0, [in]; ld.param.b64 %d1, [out]; ld.param.b32 %r0, [n]; ld.global.b32 %r1, [%d0];\n"
    "add.u32 %r1, %r1, %r0; st.global.b32 [%d1], %r1; ret; }\n"
    ".entry two(.param .b16 h) .reqntid 32, 2 { ret; }\n";

static int file = -1;
static char path[64];
static FILE *messages;
static char *said;
static size_t said_size;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    file = memfd_create("input", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    messages = open_memstream(&said, &said_size);
    if (file < 0 || !messages)
        abort();
    stderr = messages; /* libFuzzer keeps its own */
    return 0;
}

static bool was_told(void)
{
    fflush(messages);
    return said_size > 0 && strchr(said, '\n');
}

/* Runs what the arguments say, but for what would touch this machine's files or take long. */
static void run(struct check_args *args)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_read(kernel, sizeof kernel - 1, NULL, &error);
    struct check_result result = { 0 };
    const struct ptx_function *entry;
    bool files = false;

    for (size_t i = 0; i < args->arg_count; i++)
        files |= args->args[i].file || args->args[i].dump;
    if (!m)
        abort();
    args->options.max_instructions = 2000;
    if (!args->options.max_memory || args->options.max_memory > 1 << 20)
        args->options.max_memory = 1 << 20;
    args->schedules = args->schedules > 2 ? 2 : args->schedules;
    args->options.jobs = args->options.jobs > 2 ? 2 : args->options.jobs;
    entry = files ? NULL : check_entry(args, m);
    if (entry && args->grid[0] * args->grid[1] * args->grid[2] < 64 && !check_run(args, m, entry, &result) &&
        !was_told())
        abort();
    if (!files && !entry && !was_told())
        abort();
    check_result_free(&result);
    ptx_free(m);
}

static void arguments(char *text, bool spec)
{
    char *argv[WORDS] = { "check", "kernel.ptx" };
    struct check_args *args = malloc(sizeof *args);
    int argc = 2;

    if (!args)
        return;
    if (spec) {
        argv[argc++] = "--spec";
        argv[argc++] = path;
    }
    for (char *word; !spec && argc < WORDS && (word = strsep(&text, "\n"));)
        argv[argc++] = strncmp(word, "--spec", 6) != 0 ? word : "--seed";
    if (!check_args_read(argc, argv, args)) {
        if (!was_told())
            abort();
    } else if (!args->help) {
        run(args);
    }
    check_args_free(args);
    free(args);
}

static void records(void)
{
    struct ck_record_file read;
    struct ck_entries entries;
    char error[512] = "";

    if (!ck_read_records(path, &read, error, sizeof error)) {
        if (!error[0])
            abort();
        return;
    }
    if (ck_entries_make(&read, &entries))
        ck_entries_free(&entries);
    ck_free_records(&read);
}

static void tensor_words(const char *text)
{
    struct tensor_map map = tensor_map_default(0, 2);
    struct tensor_map_fault faults[8];
    struct tile_at at;
    char error[256] = "";

    if (!tensor_map_set(&map, text, error, sizeof error) && !error[0])
        abort();
    tensor_map_check(&map, faults, 8);
    error[0] = 0;
    if (!map_line_read(text, &map, &at, error, sizeof error) && !error[0])
        abort();
    tensor_map_check(&map, faults, 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (!size || !text) {
        free(text);
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    rewind(messages);
    if (*data == 's' || *data == 'r') {
        if (ftruncate(file, 0) || pwrite(file, data + 1, size - 1, 0) != (ssize_t)(size - 1))
            abort();
    }
    switch (*data) {
    case 'a': arguments(text, false); break;
    case 's': arguments(text, true); break;
    case 'r': records(); break;
    case 'm': tensor_words(text); break;
    default: free(text); return -1;
    }
    free(text);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
