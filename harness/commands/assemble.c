/* copycheck assemble: what engines say to anyone's PTX. */
#include "harness/commands/cmd.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clean.h"
#include "harness/base/number.h"
#include "harness/base/processors.h"
#include "harness/base/room.h"
#include "harness/base/text.h"
#include "harness/engines/engines.h"
#include "harness/run/run.h"

enum { ENGINES_MAX = CK_TOOLKITS_MAX + 8 };

static const char help[] =
    "usage: copycheck assemble [OPTION...] FILE...\n"
    "\n"
    "Asks engines about PTX. Prints, for each file and engine, separated by tabs:\n"
    "  FILE [ENGINE] accept\n"
    "  FILE [ENGINE] refuse LINE MESSAGE [RULE]\n"
    "  FILE [ENGINE] crashed | timeout | memory | unsupported LINE MESSAGE\n"
    "LINE is 0 if the message names none. ENGINE is printed if there are several. FILE may be - for standard input, or @LIST for\n"
    "a file that names one FILE in each line.\n"
    "\n"
    "  --engine E,...   ptxas (this machine's own), ptxas-VERSION, ptxas-* (every toolkit), jit, emu (default: ptxas, or\n"
    "                   emu if this machine has no ptxas)\n"
    "  --toolkit DIR    a further toolkit: its folder, or the version of one in build/toolkits; may be repeated\n"
    "  --deadline MS    time limit of a text on an engine, in milliseconds (default 10000)\n"
    "  --memory MB      limit of an assembler's address space, in MiB (default 2048)\n"
    "  --jobs N         texts at a time (default: one for each processor it may use)\n"
    "  --warnings       after accept, print line and message of the first warning\n"
    "  --compare        print only the files that engines disagree on, and at the end how many these are; an assembler\n"
    "                   that does not know a file's version or target does not count\n"
    "\n"
    "Exit status: 0 every file was answered; 1 with --compare, engines disagree; 2 a file or option is bad.\n";

struct options {
    const char **files;
    size_t file_count, file_room;
    char **lists; /* what was read from @LIST files; the names in them point there */
    size_t list_count;
    struct ck_engine engines[ENGINES_MAX];
    size_t engine_count;
    const char *toolkits[CK_TOOLKITS_MAX];
    size_t toolkit_count;
    const char *engine_names; /* the last --engine */
    unsigned jobs, deadline_ms, memory_mb;
    bool compare, warnings;
};

struct output {
    const struct options *o;
    size_t bad, differ, alone;
};

/* ---- arguments ------------------------------------------------------------------------------------------------- */

static bool add_file(struct options *o, const char *path)
{
    const char **files = ck_room(o->files, o->file_count, &o->file_room, 64, sizeof *files);

    if (!files)
        return false;
    o->files = files;
    o->files[o->file_count++] = path;
    return true;
}

/* The names in a list file, one a line; empty lines are skipped. */
static int add_list(struct options *o, const char *path)
{
    struct ck_text text;
    char error[256], *rest = NULL;

    if (!ck_text_read(path, &text, error, sizeof error))
        return ck_bad("%s", error);
    char **lists = realloc(o->lists, (o->list_count + 1) * sizeof *lists);
    if (!lists) {
        ck_text_free(&text);
        return ck_bad("no memory");
    }
    o->lists = lists;
    o->lists[o->list_count++] = text.data;
    for (char *name = strtok_r(text.data, "\r\n", &rest); name; name = strtok_r(NULL, "\r\n", &rest))
        if (!add_file(o, name))
            return ck_bad("no memory");
    return 0;
}

static int number(const char *option, const char *value, unsigned low, unsigned high, unsigned *out)
{
    uint64_t n;

    if (!ck_number(value, low, high, &n))
        return ck_bad("assemble: %s '%s': a number from %u to %u", option, value, low, high);
    *out = (unsigned)n;
    return 0;
}

static int option_with_value(struct options *o, const char *name, const char *value)
{
    if (!strcmp(name, "--engine")) {
        o->engine_names = value;
        return 0;
    }
    if (!strcmp(name, "--toolkit")) {
        if (o->toolkit_count == CK_TOOLKITS_MAX)
            return ck_bad("assemble: more than %d toolkits", CK_TOOLKITS_MAX);
        o->toolkits[o->toolkit_count++] = value;
        return 0;
    }
    if (!strcmp(name, "--deadline"))
        return number(name, value, 1, 3600000, &o->deadline_ms);
    if (!strcmp(name, "--memory"))
        return number(name, value, CK_PTXAS_MEMORY_MIN_MB, 1u << 24, &o->memory_mb);
    return number(name, value, 1, 256, &o->jobs);
}

/* Returns 0 to go on, else the exit status; *stop is set where the help was asked for. */
static int read_arguments(struct options *o, int argc, char **argv, bool *stop)
{
    static const char *const with_value[] = { "--engine", "--toolkit", "--deadline", "--memory", "--jobs" };
    bool options = true;

    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *name = NULL;
        int status = 0;
        if (!options || a[0] != '-' || !a[1]) {
            status = a[0] == '@' && options ? add_list(o, a + 1) : add_file(o, a) ? 0 : ck_bad("no memory");
        } else if (!strcmp(a, "--")) {
            options = false;
        } else if (!strcmp(a, "--help")) {
            *stop = true;
            return cmd_help(help);
        } else if (!strcmp(a, "--compare")) {
            o->compare = true;
        } else if (!strcmp(a, "--warnings")) {
            o->warnings = true;
        } else {
            for (size_t k = 0; k < sizeof with_value / sizeof *with_value; k++) {
                const size_t n = strlen(with_value[k]);
                if (!strncmp(a, with_value[k], n) && (!a[n] || a[n] == '='))
                    name = with_value[k];
            }
            if (!name)
                return ck_bad("assemble: no option '%s'; copycheck assemble --help lists them", a);
            const char *value = a + strlen(name) + 1;
            if (!a[strlen(name)]) { /* the value is the next argument */
                i++;
                if (i == argc)
                    return ck_bad("assemble: %s needs a value", name);
                value = argv[i];
            }
            status = option_with_value(o, name, value);
        }
        if (status)
            return status;
    }
    return o->file_count ? 0 : ck_bad("assemble: no file given; copycheck assemble --help explains");
}

/* ---- engines --------------------------------------------------------------------------------------------------- */

static int add_engine(struct options *o, const struct ck_engine *e)
{
    for (size_t i = 0; i < o->engine_count; i++)
        if (!strcmp(o->engines[i].name, e->name))
            return 0;
    if (!e->ops->assemble)
        return ck_bad("assemble: engine %s takes no PTX", e->name);
    if (o->engine_count == ENGINES_MAX)
        return ck_bad("assemble: more than %d engines", ENGINES_MAX);
    o->engines[o->engine_count++] = *e;
    return 0;
}

static int add_toolkits(struct options *o, const char *const *named, size_t count, const char *only)
{
    struct ck_engine found[CK_TOOLKITS_MAX];
    char error[512];
    const int n =
        ck_toolkits(named, count, count ? 0 : CK_TOOLKITS_OWN | CK_TOOLKITS_FETCHED, found, error, sizeof error);
    int status = 0;

    if (n < 0)
        return ck_bad("%s", error);
    for (int i = 0; i < n && !status; i++)
        if (!only || !strcmp(found[i].name, only))
            status = add_engine(o, &found[i]);
    return status;
}

static int add_named(struct options *o, const char *name)
{
    struct ck_engine e;
    char error[512];

    if (!strcmp(name, "ptxas-*"))
        return add_toolkits(o, NULL, 0, NULL);
    /* a toolkit given by its folder comes before one of the same release that was found */
    const size_t before = o->engine_count;
    const int status = o->toolkit_count ? add_toolkits(o, o->toolkits, o->toolkit_count, name) : 0;
    if (status || o->engine_count > before)
        return status;
    if (!ck_engine_find(name, &e, error, sizeof error))
        return ck_bad("%s", error);
    return add_engine(o, &e);
}

/* This machine's assembler; the emulator, which says so, where there is none. */
static int add_default(struct options *o)
{
    char path[4096];

    if (ck_toolkit_ptxas(NULL, path, sizeof path))
        return add_named(o, "ptxas");
    fputs("copycheck: no ptxas on this machine (tools/toolkit 13.0 fetches one): asking emu\n", stderr);
    return add_named(o, "emu");
}

static int find_engines(struct options *o)
{
    int status = 0;

    if (o->engine_names) {
        char *names = strdup(o->engine_names), *rest = NULL;
        if (!names)
            return ck_bad("no memory");
        for (char *name = strtok_r(names, ",", &rest); name && !status; name = strtok_r(NULL, ",", &rest))
            status = add_named(o, name);
        free(names);
    } else if (!o->toolkit_count) {
        status = add_default(o);
    }
    if (!status && o->toolkit_count)
        status = add_toolkits(o, o->toolkits, o->toolkit_count, NULL);
    if (!status && !o->engine_count)
        return ck_bad("assemble: --engine names none");
    if (!status && o->compare && o->engine_count < 2)
        return ck_bad("assemble: --compare needs two engines or more");
    return status;
}

/* ---- output ---------------------------------------------------------------------------------------------------- */

/* The word for an outcome. An assembler that does not know a version or target refuses the text. An engine that does
 * more than assemble, or an assembler that could not be run (then there is a code), has no answer: `unsupported`. */
static const char *word(const struct ck_engine *e, const struct ck_outcome *out)
{
    switch (out->kind) {
    case CK_O_DONE: return "accept";
    case CK_O_REFUSED:
    case CK_O_DIAGNOSED: return "refuse";
    case CK_O_UNSUPPORTED: return !e->ops->launch && !out->code ? "refuse" : "unsupported";
    default: return ck_outcome_names[out->kind];
    }
}

static void print_result(const struct output *to, const char *file, const struct ck_engine *e,
                         const struct ck_outcome *out)
{
    char name[PATH_MAX], message[sizeof out->message];

    fputs(ck_clean_copy(name, sizeof name, file), stdout);
    if (to->o->engine_count > 1)
        printf("\t%s", e->name);
    printf("\t%s", word(e, out));
    if (out->kind != CK_O_DONE || (out->message[0] && to->o->warnings))
        printf("\t%d\t%s", out->line, ck_clean_copy(message, sizeof message, out->message));
    if (out->rule[0])
        printf("\t%s", out->rule);
    putchar('\n');
}

/* Whether engines that have a say on a file disagree. Counts the files on which fewer than two have one. */
static bool disagree(struct output *to, const struct ck_assembled *results)
{
    const char *first = NULL;
    size_t say = 0;
    bool differ = false;

    for (size_t k = 0; k < to->o->engine_count; k++) {
        if (results[k].outcome.kind == CK_O_UNSUPPORTED)
            continue;
        const char *w = word(&to->o->engines[k], &results[k].outcome);
        differ |= say && strcmp(first, w) != 0;
        say++;
        first = w;
    }
    to->alone += say < 2;
    to->differ += differ;
    return differ;
}

static bool print_file(void *context, size_t file, const struct ck_assembled *results)
{
    struct output *to = context;
    const char *path = to->o->files[file];

    if (results[0].bad) {
        fflush(stdout);
        ck_bad("%s", results[0].outcome.message);
        to->bad++;
        return true;
    }
    if (!to->o->compare || disagree(to, results))
        for (size_t k = 0; k < to->o->engine_count; k++)
            print_result(to, path, &to->o->engines[k], &results[k].outcome);
    if (file % 64 == 0)
        fflush(stdout);
    return !ferror(stdout);
}

static int assemble(const struct options *o)
{
    struct output to = { .o = o };
    const struct ck_assemble a = {
        .files = o->files,
        .file_count = o->file_count,
        .engines = (struct ck_engine *)o->engines,
        .engine_count = o->engine_count,
        .jobs = o->jobs,
        .deadline_ms = o->deadline_ms,
    };
    char error[256];
    int ended_by;

    if (!ck_assemble_all(&a, print_file, &to, &ended_by, error, sizeof error))
        return ck_bad("%s", error);
    if (o->compare && !ended_by) {
        printf("%zu of %zu files: engines disagree", to.differ, o->file_count - to.bad);
        if (to.alone)
            printf("; %zu that fewer than two engines know the version and target of", to.alone);
        putchar('\n');
    }
    if (cmd_end(0) != 0)
        return 2;
    if (ended_by) {
        raise(ended_by); /* the shell learns that the program was interrupted */
        return 128 + ended_by;
    }
    return to.bad ? 2 : o->compare && to.differ ? 1 : 0;
}

int cmd_assemble(int argc, char **argv)
{
    struct options o = { .deadline_ms = CK_PTXAS_DEADLINE_MS,
                         .memory_mb = CK_PTXAS_MEMORY_MB,
                         .jobs = ck_processors() };
    bool stop = false;

    int status = read_arguments(&o, argc, argv, &stop);
    if (!status && !stop) {
        ck_ptxas_limits(o.deadline_ms, o.memory_mb);
        status = find_engines(&o);
        if (!status)
            status = assemble(&o);
        ck_engines_done();
    }
    for (size_t i = 0; i < o.list_count; i++)
        free(o.lists[i]);
    free(o.lists);
    free(o.files);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
