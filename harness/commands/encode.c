/* copycheck encode: is this call of cuTensorMapEncodeTiled legal, and if not, why? */
#include "harness/commands/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "expected/oracle.h"
#include "harness/base/clean.h"
#include "harness/base/number.h"
#include "harness/engines/engines.h"
#include "harness/maps/maps.h"

enum { FAULTS = 64 };

static void help(void)
{
    fputs("usage: copycheck encode [--engine oracle|gpu] [--compare] [--documents] OPTION...   one call, explained\n"
          "       copycheck encode --batch [--engine oracle|gpu] [--compare] [--documents] [FILE]\n"
          "       copycheck encode --random N [--seed S]    N random calls in the form that --batch reads\n"
          "       copycheck encode --bench [N]              checks a second on one core\n"
          "\n"
          "Says which limits of cuTensorMapEncodeTiled, or cuTensorMapEncodeIm2col, a call breaks.\n"
          "Options of a call, also as words (dims[1]=7):\n",
          stdout);
    fputs(map_args_help, stdout);
    fputs("\n"
          "--batch reads one call from each line of FILE or standard input: type, rank, address, dims, strides, box,\n"
          "element strides, interleave, swizzle, l2, fill, with tabs between them and commas in the lists. It prints\n"
          "`accept`, or `refuse`, a tab and the ids of the broken rules. --engine gpu asks the CUDA driver instead;\n"
          "--compare asks both and prints the lines where they differ, and a count. Exit status 1: refused, or a\n"
          "difference.\n"
          "\n"
          "The answer is that of an H200 with driver 580, which refuses some calls that the documents allow and\n"
          "accepts some that they forbid; --documents goes by the documents alone.\n",
          stdout);
}

/* ---- one call --------------------------------------------------------------------------------------------------- */

static void print_value(uint64_t value)
{
    if (value > INT64_MAX && 0 - value <= INT32_MAX)
        printf("%" PRId64, (int64_t)value); /* an enumerator below 0 */
    else if (value >= 1 << 20)
        printf("%" PRIu64 " (0x%" PRIx64 ")", value, value);
    else
        printf("%" PRIu64, value);
}

static void print_fault(size_t number, const struct tensor_map *map, const struct tensor_map_fault *f)
{
    const bool whole_box = !strcmp(f->argument, "boxDim");
    const bool row = !strcmp(f->argument, "boxDim[0]") && strstr(f->limit, "bytes");
    unsigned per;
    const uint64_t size = tensor_type_bytes(map->type, &per);

    if (whole_box)
        printf("\n%zu. boxDim makes a box of ", number);
    else
        printf("\n%zu. %s is ", number, f->argument);
    print_value(f->value);
    if (whole_box)
        fputs(" bytes", stdout);
    else if (row && f->value <= UINT32_MAX)
        printf(" elements, %" PRIu64 " bytes", f->value * size / per);
    printf("; it must be %s. ", f->limit);
    if (f->holds)
        printf("%s takes %" PRIu64 " bytes: the nearest legal value that holds it is ",
               strcmp(f->argument, "globalStrides[0]") ? "What it steps over" : "A row", f->holds);
    else
        fputs("The nearest legal value is ", stdout);
    print_value(f->nearest);
    printf(".\n   rule    %s: %s\n   source  %s\n", f->rule->id, f->rule->sentence, f->rule->source);
    if (f->rule->evidence == CK_OBSERVED)
        puts("   No document states this limit: it was observed on an H200 with driver 580.");
    if (f->tolerated)
        puts("   Driver 580 accepts this all the same: do not build on it.");
}

struct ask {
    bool oracle, gpu;
    bool documents; /* the oracle knows the documents only, not what an H200 was seen to do */
};

/* The rules that a call breaks; *refused says what the call is answered. */
static size_t ask_oracle(const struct tensor_map *map, struct ask ask, struct tensor_map_fault *faults, bool *refused)
{
    const size_t count = tensor_map_check(map, faults, FAULTS);
    size_t kept = 0;

    *refused = false;
    for (size_t i = 0; i < count && i < FAULTS; i++) {
        if (ask.documents && faults[i].rule->evidence != CK_DOCUMENTED)
            continue;
        *refused |= ask.documents || !faults[i].tolerated;
        faults[kept++] = faults[i];
    }
    return kept;
}

/* The driver reads as many entries of each array as the rank says before it refuses the rank: ranks far beyond 5 end in
 * a segmentation fault. Those are not asked. */
enum { NOT_ASKED = -1, ENTRIES = 63 };

static int ask_gpu(const struct tensor_map *map)
{
    _Alignas(128) unsigned char object[TENSOR_MAP_BYTES];

    return (uint32_t)map->rank > ENTRIES ? NOT_ASKED : gpu_encode(map, object);
}

static void print_driver(int result)
{
    if (result == NOT_ASKED)
        puts("driver: not asked, because such a rank crashes it.");
    else if (result == 0)
        puts("driver: accepts this call.");
    else
        printf("driver: refuses this call (%s).\n",
               result == 1 ? "CUDA_ERROR_INVALID_VALUE" : "another error than CUDA_ERROR_INVALID_VALUE");
}

static int explain(const struct tensor_map *map, struct ask ask)
{
    struct tensor_map_fault faults[FAULTS];
    bool refused;
    const size_t count = ask_oracle(map, ask, faults, &refused);
    int result = 0;

    puts(tensor_mode_call(map->mode));
    map_args_print(stdout, map);
    if (ask.gpu) {
        result = ask_gpu(map);
        putchar('\n');
        print_driver(result);
    }
    if (!ask.oracle)
        return result != 0;
    if (count == 0) {
        printf("\naccepted: the call breaks no limit. A tile load with this map writes %zu bytes to shared memory.\n",
               tensor_tile_bytes(map));
    } else {
        printf("\nillegal: the call breaks %zu limit%s.\n", count, count == 1 ? "" : "s");
        for (size_t i = 0; i < count; i++)
            print_fault(i + 1, map, &faults[i]);
    }
    if (count && !refused)
        puts("\nAn H200 with driver 580 accepts this call: it does not follow the documents here.");
    return ask.gpu ? (result != 0) != refused : count != 0;
}

/* ---- many calls ------------------------------------------------------------------------------------------------- */

static void print_rules(const struct tensor_map_fault *faults, size_t count)
{
    for (size_t i = 0, printed = 0; i < count; i++) {
        size_t k = 0;

        while (k < i && faults[k].rule != faults[i].rule)
            k++;
        if (k == i) /* the first of its rule */
            printf("%s%s", printed++ ? "," : "", faults[i].rule->id);
    }
}

static void print_oracle(const struct tensor_map_fault *faults, size_t count, bool refused)
{
    if (!refused) {
        fputs("accept", stdout);
        return;
    }
    fputs("refuse\t", stdout);
    print_rules(faults, count);
}

static void print_gpu(int result)
{
    if (result == NOT_ASKED)
        fputs("refuse\tnot asked: the driver dies of such a rank", stdout);
    else if (result == 0)
        fputs("accept", stdout);
    else if (result == 1)
        fputs("refuse\tCUDA_ERROR_INVALID_VALUE", stdout);
    else
        printf("refuse\tCUresult %d", result);
}

struct batch {
    struct ask ask;
    unsigned long calls, differ;
};

/* A line of a file as it is, but for what a terminal would obey. */
static void print_line(const char *text)
{
    char line[1024];

    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    ck_clean(line, true);
    fputs(line, stdout);
}

static int answer_line(void *context, const struct map_line *line)
{
    struct batch *b = context;
    struct tensor_map_fault faults[FAULTS];
    bool refused = false;
    const size_t count = b->ask.oracle ? ask_oracle(&line->map, b->ask, faults, &refused) : 0;
    const int result = b->ask.gpu ? ask_gpu(&line->map) : 0;

    b->calls++;
    if (!b->ask.gpu) {
        print_oracle(faults, count, refused);
    } else if (!b->ask.oracle) {
        print_gpu(result);
    } else if (refused == (result != 0)) {
        return 0;
    } else {
        b->differ++;
        print_line(line->text);
        fputs("\toracle ", stdout);
        print_oracle(faults, count, refused);
        fputs("\tgpu ", stdout);
        print_gpu(result);
    }
    putchar('\n');
    return 0;
}

static int batch(const char *path, struct ask ask)
{
    struct batch b = { .ask = ask };
    const int status = map_lines_each(path, false, answer_line, &b);

    if (status) {
        fflush(stdout);
        return status;
    }
    if (ask.oracle && ask.gpu)
        printf("%lu calls, %lu differ\n", b.calls, b.differ);
    return cmd_end(b.differ != 0);
}

static int print_random(uint64_t count, uint64_t seed)
{
    uint64_t state = seed ? seed : 1;

    for (; count; count--) {
        struct tensor_map map;

        map_random(&state, &map);
        map_line_write(stdout, &map);
        putchar('\n');
        if (ferror(stdout))
            break;
    }
    return cmd_end(0);
}

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Checks of calls that are already in memory. CPU time: other work on the machine does not count. */
static int bench(uint64_t checks)
{
    enum { CALLS = 4096 };
    static struct tensor_map maps[CALLS];
    struct tensor_map_fault faults[FAULTS];
    uint64_t state = 0x5eed, accepted = 0;
    double begin, took;

    for (int i = 0; i < CALLS; i++)
        map_random(&state, &maps[i]);
    begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (uint64_t i = 0; i < checks; i++)
        accepted += tensor_map_check(&maps[i % CALLS], faults, FAULTS) == 0;
    took = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    printf("%" PRIu64 " checks in %.3f s: %.1f million a second, %.0f ns each; %.0f %% were legal\n", checks, took,
           (double)checks / took / 1e6, took / (double)checks * 1e9, 100 * (double)accepted / (double)checks);
    return 0;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

enum mode { EXPLAIN, BATCH, RANDOM, BENCH };

struct options {
    enum mode mode;
    struct map_args call;
    const char *engine, *file;
    bool compare, documents;
    uint64_t count, seed;
};

/* Reads the arguments; returns -1 to go on, else the exit status. */
static int read_options(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        const bool more = i + 1 < argc;

        if (!strcmp(a, "--help") || !strcmp(a, "-h")) {
            help();
            return cmd_end(0);
        }
        if (!strcmp(a, "--batch")) {
            o->mode = BATCH;
        } else if (!strcmp(a, "--compare")) {
            o->compare = true;
        } else if (!strcmp(a, "--documents")) {
            o->documents = true;
        } else if (!strcmp(a, "--bench")) {
            o->mode = BENCH;
            if (more && ck_number(argv[i + 1], 0, UINT64_MAX, &o->count))
                i++;
        } else if (!strcmp(a, "--random")) {
            o->mode = RANDOM;
            i++;
            if (!more || !ck_number(argv[i], 0, UINT64_MAX, &o->count))
                return ck_bad("--random needs a number of calls");
        } else if (!strcmp(a, "--seed")) {
            i++;
            if (!more || !ck_number(argv[i], 0, UINT64_MAX, &o->seed))
                return ck_bad("--seed needs a number");
        } else if (!strncmp(a, "--engine=", 9)) {
            o->engine = a + 9;
        } else if (!strcmp(a, "--engine")) {
            i++;
            if (!more)
                return ck_bad("--engine needs oracle or gpu");
            o->engine = argv[i];
        } else {
            const enum map_args_taken taken = map_args_take(&o->call, argc, argv, &i);
            if (taken == MAP_ARGS_BAD)
                return 2;
            if (taken == MAP_ARGS_TAKEN)
                continue;
            if (o->mode != BATCH || o->file || (a[0] == '-' && a[1]))
                return ck_bad("encode: '%s' is no option of it; copycheck encode --help lists them", a);
            o->file = a;
        }
    }
    return -1;
}

int cmd_encode(int argc, char **argv)
{
    struct options o = { .engine = "oracle", .seed = 0x5eed, .count = 20000000 };
    struct tensor_map map = { 0 };
    struct ask ask;
    char error[256];
    const int status = read_options(&o, argc, argv);

    if (status >= 0)
        return status;
    if (strcmp(o.engine, "oracle") != 0 && strcmp(o.engine, "emu") != 0 && strcmp(o.engine, "gpu") != 0)
        return ck_bad("encode: no engine '%s': oracle or gpu", o.engine);
    if (o.mode != EXPLAIN && o.call.any)
        return ck_bad("encode: options of a single call do not go with --batch, --random or --bench");
    ask = (struct ask){ .oracle = o.compare || strcmp(o.engine, "gpu") != 0,
                        .gpu = o.compare || strcmp(o.engine, "gpu") == 0,
                        .documents = o.documents };
    if (o.mode == RANDOM)
        return print_random(o.count, o.seed);
    if (o.mode == BENCH)
        return o.count ? bench(o.count) : ck_bad("--bench needs at least one check");
    if (o.mode == EXPLAIN && !o.call.any) {
        help();
        return 2;
    }
    if (o.mode == EXPLAIN && !map_args_finish(&o.call, &map))
        return 2;
    if (ask.gpu && !gpu_encode_open(error, sizeof error))
        return ck_bad("%s", error);
    return o.mode == BATCH ? batch(o.file, ask) : explain(&map, ask);
}
// SPDX-License-Identifier: Apache-2.0
