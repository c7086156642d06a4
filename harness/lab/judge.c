/* The judgement of a submission: public and drawn sizes, many deliveries, the bytes after each, the means. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/base/clean.h"
#include "harness/lab/judging.h"

enum {
    RANDOMS = 50,                  /* deliveries in random order, of each size */
    LAUNCH_INSTRUCTIONS = 2000000, /* of all threads of a launch: a hundred times what a solution takes */
    LAUNCH_QUIET = 500000,         /* of them, without any change of memory */
    ALL_INSTRUCTIONS = 100000000,  /* of all launches of a submission */
    MEMORY = 256 << 20,
};

/* ---- the launches -------------------------------------------------------------------------------------------------
 */

static void begins(void *state, const uint64_t *at)
{
    struct lab_judging *j = state;
    const struct lab_launch *l = j->launch;

    j->count.range_count = 0;
    for (unsigned i = 0; i < l->buffer_count && j->count.range_count < LAB_RANGES; i++)
        if (l->buffers[i].in)
            j->count.ranges[j->count.range_count++] = (struct lab_range){ at[l->buffers[i].arg], l->buffers[i].size };
}

static bool ended(void *state, const struct check_launched *launched)
{
    struct lab_judging *j = state;
    const enum emu_delivery kind = launched->schedule->delivery;

    j->instructions += launched->report->instructions;
    j->limit |= launched->report->end == EMU_TOO_LONG || launched->report->end == EMU_NO_MEMORY ||
                j->instructions > ALL_INSTRUCTIONS;
    j->counted |= !j->launches++ && launched->report->end == EMU_DONE;
    if (launched->report->end == EMU_DONE) {
        j->runs[kind]++;
        j->right[kind] += lab_bytes_right(j, launched);
    }
    return !j->limit;
}

/* ---- sizes and steps ----------------------------------------------------------------------------------------------
 */

static bool fails(struct lab_judging *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fails(struct lab_judging *j, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(j->v->text[LAB_COMPILES], LAB_TEXT, format, args);
    va_end(args);
    ck_clean(j->v->text[LAB_COMPILES], true);
    lab_name(j->v, "compile");
    lab_fail(j->v, LAB_COMPILES);
    return false;
}

/* The argument of this parameter. */
static const struct check_arg *given(const struct check_args *a, uint32_t parameter)
{
    const struct check_arg *arg = a->args;

    for (; arg->apart || parameter; arg++)
        parameter -= !arg->apart;
    return arg;
}

/* The kernel of the launch, if the module has it and it can be launched so. */
static const struct ptx_function *kernel_of(struct lab_judging *j)
{
    const struct check_args *a = &j->launch->args;
    const struct ptx_module *m = j->module;
    const struct ptx_function *f = lab_kernel(m, a->entry);
    size_t count = 0;

    if (!f) {
        fails(j, "There is no kernel %s: the task needs extern \"C\" __global__ void %s(...).\n", a->entry, a->entry);
        return NULL;
    }
    for (size_t i = 0; i < a->arg_count; i++)
        count += !a->args[i].apart;
    if (f->n_params != count) {
        fails(j, "%s has %u parameters; the task has %zu.\n", f->name, f->n_params, count);
        return NULL;
    }
    for (uint32_t i = 0; i < f->n_params; i++) {
        const uint64_t has = m->variables[f->params + i].size;
        const struct check_arg *arg = given(a, i);
        if (arg->kind == CHECK_MAP ? has == 8 || has == TENSOR_MAP_BYTES : has == (arg->kind == CHECK_VALUE ? 4 : 8))
            continue;
        fails(j, "Parameter %u of %s has %llu bytes, which are not the task's: leave the parameters as they were.\n", i,
              f->name, (unsigned long long)has);
        return NULL;
    }
    if ((f->reqntid[0] && (uint64_t)f->reqntid[0] * (f->reqntid[1] ? f->reqntid[1] : 1) !=
                              (uint64_t)a->block[0] * (a->block[1] ? a->block[1] : 1)) ||
        (f->maxntid[0] && (uint64_t)f->maxntid[0] * (f->maxntid[1] ? f->maxntid[1] : 1) <
                              (uint64_t)a->block[0] * (a->block[1] ? a->block[1] : 1)) ||
        (f->cluster[0] && f->cluster[0] != (a->cluster[0] ? a->cluster[0] : 1))) {
        fails(j, "%s asks for another block or cluster than the task launches: leave its bounds as they were.\n",
              f->name);
        return NULL;
    }
    return f;
}

/* One step of one size; false where the submission is known to be wrong. */
static bool judge_launch(struct lab_judging *j, bool first)
{
    static const struct emu_options options = { .seed = 1,
                                                .jobs = 1,
                                                .check_order = true,
                                                .check_init = true,
                                                .max_instructions = LAUNCH_INSTRUCTIONS,
                                                .max_quiet = LAUNCH_QUIET,
                                                .max_memory = MEMORY };
    struct lab_submission *s = j->s;
    struct lab_launch *l = j->launch;
    const struct check_program program = { begins, ended, &lab_means_watch, j, j->print, s->lab->file, s->source };
    struct check_args *args = &l->args;
    const struct ptx_function *f = kernel_of(j);
    struct check_result r = { 0 };
    bool ran;

    if (!f)
        return false;
    memset(j->runs, 0, sizeof j->runs);
    memset(j->right, 0, sizeof j->right);
    j->count = (struct lab_count){ 0 };
    j->launches = 0;
    j->counted = false;
    args->options = options;
    args->options.check_swizzle = l->ask_swizzle;
    args->randoms = RANDOMS;
    args->program = &program;
    args->html = s->html;
    args->html_of_findings = !first;
    args->text = s->ptx;
    s->flat = args->grid[1] * args->grid[2] * args->block[1] * args->block[2] <= 1;
    lab_launch_names(l, s->source, f->n_params);
    ran = check_run(args, j->module, f, &r);
    if (ran) {
        lab_say_rules(j, &r);
        lab_say_bytes(j);
        if (j->counted)
            lab_say_means(j);
    } else if (!j->launches) { /* its parameters and its block are the task's, so that what it asks for is too much */
        snprintf(j->v->text[LAB_RULES], LAB_TEXT, "%s cannot be launched: its variables take too much memory.\n\n",
                 args->entry);
        lab_name(j->v, "limit");
        lab_fail(j->v, LAB_RULES);
    } else {
        j->v->outcome = LAB_NO_VERDICT;
        snprintf(j->v->why, sizeof j->v->why, "the launch of %s could not be judged or drawn", args->entry);
    }
    check_result_free(&r);
    return j->v->outcome == LAB_PASS;
}

static bool judge_size(struct lab_judging *j, unsigned size)
{
    struct lab_launch *steps[LAB_STEPS] = { 0 };
    bool fine = true;

    for (unsigned k = 0; k < LAB_STEPS && j->s->lab->prepare[k] && fine; k++) {
        steps[k] = j->launch = lab_launch_new(j->s->lab, size, k, j->s->seed, k ? steps[k - 1] : NULL);
        if (!j->launch || *j->launch->failed) {
            j->v->outcome = LAB_NO_VERDICT;
            snprintf(j->v->why, sizeof j->v->why, "the lab itself is wrong: %s",
                     j->launch ? j->launch->failed : "no memory");
            fine = false;
        } else {
            fine = !lab_say_wrong(j) && judge_launch(j, !size && !k);
        }
    }
    for (unsigned k = LAB_STEPS; k > 0; k--)
        lab_launch_free(steps[k - 1]);
    return fine;
}

/* ---- what the kernel prints ---------------------------------------------------------------------------------------
 */

/* As much as there is room for. */
static ssize_t take(void *cookie, const char *bytes, size_t size)
{
    struct lab_verdict *v = cookie;
    const size_t has = strlen(v->printed), left = sizeof v->printed - 1 - has;

    memcpy(v->printed + has, bytes, size < left ? size : left);
    return (ssize_t)size;
}

/* What fails has other cares. */
static void forget_remarks(struct lab_verdict *v)
{
    unsigned kept = 0;

    *v->remarks = 0;
    for (unsigned i = 0; i < v->named_count; i++)
        if (strncmp(v->named[i], "remark:", strlen("remark:")) != 0)
            memmove(v->named[kept++], v->named[i], LAB_NAME);
    v->named_count = kept;
}

void lab_judge(struct lab_submission *s, const struct ptx_module *m, struct lab_verdict *v)
{
    struct lab_judging *j = calloc(1, sizeof *j);

    *v = (struct lab_verdict){ .parts = { [LAB_COMPILES] = LAB_RIGHT } };
    if (!j)
        ck_no_memory(); /* else it would have passed */
    *j = (struct lab_judging){ .s = s, .module = m, .v = v };
    j->print = fopencookie(v, "w", (cookie_io_functions_t){ .write = take });
    if (!j->print)
        ck_no_memory();
    setvbuf(j->print, NULL, _IONBF, 0);
    for (unsigned size = 0; size < LAB_SIZES; size++)
        if (!judge_size(j, size))
            break;
    if (v->outcome == LAB_FAIL)
        forget_remarks(v);
    if (v->outcome == LAB_PASS && *v->remarks)
        v->outcome = LAB_REMARK;
    fclose(j->print);
    free(j);
}
// SPDX-License-Identifier: Apache-2.0
