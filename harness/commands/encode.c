/* copycheck encode: is this call of cuTensorMapEncodeTiled legal, and if not, why? */
#include "harness/commands/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "expected/oracle.h"
#include "harness/engines/driver.h"
#include "harness/maps/map_args.h"
#include "harness/maps/map_line.h"

enum { FAULTS = 64 };

static int help(void)
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
          "--batch reads a call a line from FILE or standard input: type, rank, address, dims, strides, box, element\n"
          "strides, interleave, swizzle, l2, fill; tabs between them, commas in the lists. It prints `accept`, or\n"
          "`refuse`, a tab and the ids of the broken rules. --engine gpu asks the CUDA driver instead; --compare asks\n"
          "both, prints the lines where they differ, and a count. Exit status 1: refused, or a difference.\n"
          "\n"
          "The answer is that of an H200 with driver 580, which refuses some calls that the documents allow and\n"
          "accepts some that they forbid; --documents goes by the documents alone.\n",
          stdout);
    return 0;
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
    printf("; it must be %s. The nearest legal value is ", f->limit);
    print_value(f->nearest);
    printf(".\n   rule    %s: %s\n   source  %s\n", f->rule->id, f->rule->sentence, f->rule->source);
    if (f->rule->evidence == CK_OBSERVED)
        puts("   This limit stands in no document: it was observed on an H200 with driver 580.");
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
        puts("driver: not asked, since it dies of such a rank.");
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

    puts(map->mode == TENSOR_MODE_IM2COL ? "cuTensorMapEncodeIm2col" : "cuTensorMapEncodeTiled");
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
        puts("\nAn H200 with driver 580 accepts this call: it does not hold to the documents here.");
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

static int batch(FILE *from, const char *name, struct ask ask)
{
    struct tensor_map_fault faults[FAULTS];
    unsigned long lines = 0, differ = 0;
    char *line = NULL;
    size_t size = 0;
    int status = 0;

    for (ssize_t length; (length = getline(&line, &size, from)) >= 0;) {
        struct tensor_map map;
        char error[200];
        bool refused = false;
        size_t count;
        int result;

        lines++;
        if (memchr(line, '\0', (size_t)length)) {
            status = ck_bad("%s:%lu: a null byte", name, lines);
            break;
        }
        if (!map_line_read(line, &map, NULL, error, sizeof error)) {
            status = ck_bad("%s:%lu: %s", name, lines, error);
            break;
        }
        count = ask.oracle ? ask_oracle(&map, ask, faults, &refused) : 0;
        result = ask.gpu ? ask_gpu(&map) : 0;
        if (!ask.gpu) {
            print_oracle(faults, count, refused);
        } else if (!ask.oracle) {
            print_gpu(result);
        } else if (refused == (result != 0)) {
            continue;
        } else {
            differ++;
            printf("%.*s\toracle ", (int)strcspn(line, "\n"), line);
            print_oracle(faults, count, refused);
            fputs("\tgpu ", stdout);
            print_gpu(result);
        }
        putchar('\n');
    }
    if (!status && ferror(from))
        status = ck_bad("%s: %s", name, strerror(errno));
    free(line);
    if (status)
        return fflush(stdout), status;
    if (ask.oracle && ask.gpu)
        printf("%lu calls, %lu differ\n", lines, differ);
    if (fflush(stdout) || ferror(stdout))
        return ck_bad("standard output: %s", strerror(errno));
    return differ != 0;
}

static int batch_file(const char *path, struct ask ask)
{
    FILE *from = path && strcmp(path, "-") != 0 ? fopen(path, "r") : stdin;
    int status;

    if (!from)
        return ck_bad("%s: %s", path, strerror(errno));
    status = batch(from, from == stdin ? "standard input" : path, ask);
    if (from != stdin)
        fclose(from);
    return status;
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
    if (fflush(stdout) || ferror(stdout))
        return ck_bad("standard output: %s", strerror(errno));
    return 0;
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

static bool number(const char *text, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

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
        int taken;

        if (!strcmp(a, "--help") || !strcmp(a, "-h"))
            return help();
        if (!strcmp(a, "--batch")) {
            o->mode = BATCH;
        } else if (!strcmp(a, "--compare")) {
            o->compare = true;
        } else if (!strcmp(a, "--documents")) {
            o->documents = true;
        } else if (!strcmp(a, "--bench")) {
            o->mode = BENCH;
            if (more && number(argv[i + 1], &o->count))
                i++;
        } else if (!strcmp(a, "--random")) {
            o->mode = RANDOM;
            if (!more || !number(argv[++i], &o->count))
                return ck_bad("--random needs a number of calls");
        } else if (!strcmp(a, "--seed")) {
            if (!more || !number(argv[++i], &o->seed))
                return ck_bad("--seed needs a number");
        } else if (!strcmp(a, "--engine") || !strncmp(a, "--engine=", 9)) {
            if (a[8] != '=' && !more)
                return ck_bad("--engine needs oracle or gpu");
            o->engine = a[8] == '=' ? a + 9 : argv[++i];
        } else if ((taken = map_args_take(&o->call, argc, argv, &i)) != 0) {
            if (taken < 0)
                return 2;
        } else if (o->mode == BATCH && !o->file && (a[0] != '-' || !a[1])) {
            o->file = a;
        } else {
            return ck_bad("encode: '%s' is no option of it; copycheck encode --help lists them", a);
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
    if (o.mode == EXPLAIN && !o.call.any)
        return help(), 2;
    if (o.mode == EXPLAIN && !map_args_finish(&o.call, &map))
        return 2;
    if (ask.gpu && !gpu_encode_open(error, sizeof error))
        return ck_bad("%s", error);
    return o.mode == BATCH ? batch_file(o.file, ask) : explain(&map, ask);
}
