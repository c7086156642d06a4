/* The judgement of a submission: public and drawn sizes, many deliveries, the bytes after each, the means. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/clean.h"
#include "harness/lab/finding.h"
#include "harness/lab/launch.h"
#include "harness/lab/means.h"
#include "harness/lab/verdict.h"
#include "harness/lab/words.h"

enum {
    RANDOMS = 50,                  /* deliveries in random order, of each size */
    LAUNCH_INSTRUCTIONS = 2000000, /* of all threads of a launch: a hundred times what a solution takes */
    LAUNCH_QUIET = 500000,         /* of them, without any change of memory */
    ALL_INSTRUCTIONS = 100000000,  /* of all launches of a submission */
    MEMORY = 256 << 20,
    KINDS = EMU_RANDOM + 1,
};

struct judging {
    struct lab_count count; /* the first member: the watcher's state is this struct's address */
    struct lab_submission *s;
    const struct ptx_module *module;
    struct lab_verdict *v;
    struct lab_launch *launch;
    FILE *print;
    uint64_t instructions;
    unsigned runs[KINDS], right[KINDS]; /* of each delivery: launches that came to their end; with the right bytes */
    unsigned launches;                  /* ended */
    bool counted;                       /* the first of them came to its end: what it counted is whole */
    char first[300];                    /* the first wrong bytes, in words */
    bool limit;                         /* no more instructions */
};

/* ---- the bytes ----------------------------------------------------------------------------------------------------
 */

/* Whether a word is likely to be a float: one of a usual size. */
static bool is_float(uint32_t word)
{
    float f;

    memcpy(&f, &word, sizeof f);
    return fabsf(f) >= 1e-4F && fabsf(f) < 1e7F;
}

/* Whether n bytes of a buffer, up to 4, are as they should be. */
static bool same(const struct lab_buffer *b, const unsigned char *want, const unsigned char *got, size_t n)
{
    float x, y;

    if (!memcmp(want, got, n))
        return true;
    if (b->tolerance <= 0 || n < sizeof x)
        return false;
    memcpy(&x, want, sizeof x);
    memcpy(&y, got, sizeof y);
    return fabsf(x - y) <= b->tolerance * fabsf(x);
}

/* The first wrong word of a buffer in words. */
static void describe(struct judging *j, const struct lab_buffer *b, size_t at, const unsigned char *want,
                     const unsigned char *got, size_t n)
{
    uint32_t x = 0, y = 0;
    float fx, fy;

    memcpy(&x, want, n);
    memcpy(&y, got, n);
    memcpy(&fx, &x, sizeof fx);
    memcpy(&fy, &y, sizeof fy);
    if (n == sizeof x && is_float(x ? x : y))
        snprintf(j->first, sizeof j->first, "float %zu (bytes %zu to %zu) of %s: expected %g, got %g", at / 4, at,
                 at + n - 1, b->name, (double)fx, (double)fy);
    else
        snprintf(j->first, sizeof j->first, "word %zu (bytes %zu to %zu) of %s: expected 0x%08x, got 0x%08x", at / 4,
                 at, at + n - 1, b->name, x, y);
    if (b->in)
        ck_append(j->first, sizeof j->first, " (the kernel is only to read it)");
}

static bool buffer_right(struct judging *j, const struct lab_buffer *b, const unsigned char *got)
{
    for (size_t at = 0, n; b->expected && at < b->size; at += n) {
        n = b->size - at < 4 ? b->size - at : 4;
        if (!same(b, b->expected + at, got + at, n)) {
            if (!*j->first)
                describe(j, b, at, b->expected + at, got + at, n);
            return false;
        }
    }
    return true;
}

/* Compares all buffers; those of the first launch are kept for the next step. */
static bool buffers_right(struct judging *j, const struct check_launched *launched)
{
    struct lab_launch *l = j->launch;
    bool right = true;

    for (unsigned i = 0; i < l->buffer_count && right; i++) {
        const struct lab_buffer *b = &l->buffers[i];
        unsigned char *got = malloc(b->size + 1);
        right = got && emu_read(launched->machine, got, launched->at[b->arg], b->size) && buffer_right(j, b, got);
        if (!l->left[i])
            l->left[i] = got;
        else
            free(got);
    }
    return right;
}

/* ---- the launches -------------------------------------------------------------------------------------------------
 */

static void begins(void *state, const uint64_t *at)
{
    struct judging *j = state;
    const struct lab_launch *l = j->launch;

    j->count.range_count = 0;
    for (unsigned i = 0; i < l->buffer_count && j->count.range_count < LAB_RANGES; i++)
        if (l->buffers[i].in)
            j->count.ranges[j->count.range_count++] = (struct lab_range){ at[l->buffers[i].arg], l->buffers[i].size };
}

static bool ended(void *state, const struct check_launched *launched)
{
    struct judging *j = state;
    const enum emu_delivery kind = launched->schedule->delivery;

    j->instructions += launched->report->instructions;
    j->limit |= launched->report->end == EMU_TOO_LONG || launched->report->end == EMU_NO_MEMORY ||
                j->instructions > ALL_INSTRUCTIONS;
    j->counted |= !j->launches++ && launched->report->end == EMU_DONE;
    if (launched->report->end == EMU_DONE) {
        j->runs[kind]++;
        j->right[kind] += buffers_right(j, launched);
    }
    return !j->limit;
}

/* ---- what is said -------------------------------------------------------------------------------------------------
 */

/* A stream into one of the verdict's texts, behind what it holds; closed with end_text. */
struct text {
    FILE *to;
    char *data;
    size_t size;
};

static void begin_text(struct text *t)
{
    *t = (struct text){ 0 };
    t->to = open_memstream(&t->data, &t->size);
}

static void end_text(struct text *t, char out[LAB_TEXT])
{
    if (t->to && !fclose(t->to))
        ck_append(out, LAB_TEXT, "%s", t->data);
    free(t->data);
}

/* What the kernel was called with: "(out, in, n = 37)". */
static void tell_arguments(FILE *to, const struct lab_launch *l)
{
    for (size_t i = 0, parameter = 0; i < l->args.arg_count; i++) {
        const struct check_arg *a = &l->args.args[i];
        uint32_t word;
        float f;
        if (a->apart)
            continue;
        fprintf(to, "%s%s", parameter ? ", " : "(", *l->names[parameter] ? l->names[parameter] : a->spec);
        parameter++;
        if (a->kind != CHECK_VALUE)
            continue;
        memcpy(&word, a->data, sizeof word);
        memcpy(&f, a->data, sizeof f);
        if (!strcmp(a->spec, "f32"))
            fprintf(to, " = %g", (double)f);
        else
            fprintf(to, " = %u", word);
    }
    putc(')', to);
}

/* How the launch was made, behind what is said of it. */
static void tell_size(FILE *to, const struct lab_launch *l)
{
    const struct check_args *a = &l->args;

    fprintf(to, "launch: %s<<<%u", a->entry, a->grid[0]);
    if (a->grid[1] * a->grid[2] > 1)
        fprintf(to, "x%ux%u", a->grid[1], a->grid[2]);
    fprintf(to, ", %u", a->block[0]);
    if (a->block[1] * a->block[2] > 1)
        fprintf(to, "x%ux%u", a->block[1], a->block[2]);
    fputs(">>>", to);
    tell_arguments(to, l);
    if (l->lab->steps[l->step])
        fprintf(to, " (%s)", l->lab->steps[l->step]);
    putc('\n', to);
}

static void tell_bytes(struct judging *j, FILE *to)
{
    unsigned runs = 0, right = 0;
    char words[600];

    for (int k = 0; k < KINDS; k++) {
        runs += j->runs[k];
        right += j->right[k];
    }
    lab_name(j->v, "bytes");
    snprintf(words, sizeof words, "The bytes are wrong in %u of %u deliveries.", runs - right, runs);
    lab_wrap(to, "", 0, words);
    lab_wrap(to, "  first     ", 12, j->first);
    if (j->right[EMU_EAGER] && !j->right[EMU_LATE])
        lab_wrap(
            to, "  ", 2,
            "They are right only when copies arrive early: the kernel does not wait for what it needs, and is right by luck.");
    else if (right)
        lab_wrap(to, "  ", 2,
                 "Whether they are right depends on when copies arrive and which thread comes first: by luck.");
    putc('\n', to);
}

static void tell_wish(struct judging *j, FILE *to, const struct lab_wish *w)
{
    const uint64_t has = j->count.of[w->means];
    char words[600];

    lab_name(j->v, "%s:%s", w->kind == LAB_REMARKED ? "remark" : "means", lab_means_name(w->means));
    snprintf(words, sizeof words, "%s (%s: %llu; %s %llu)", w->say, lab_means_name(w->means), (unsigned long long)has,
             w->kind == LAB_LEAST ? "at least" : "at most", (unsigned long long)w->bound);
    lab_wrap(to, w->kind == LAB_REMARKED ? "remark: " : "By other means than asked for: ", 2, words);
    putc('\n', to);
}

/* Whether what was counted is as the task asks; what passes with a remark goes to the remarks. */
static void judge_means(struct judging *j)
{
    const struct lab_launch *l = j->launch;
    struct text wrong, remarks;
    struct lab_verdict *v = j->v;
    bool fine = true;

    begin_text(&wrong);
    begin_text(&remarks);
    for (unsigned i = 0; i < l->wish_count && wrong.to && remarks.to; i++) {
        const struct lab_wish *w = &l->wishes[i];
        const uint64_t has = j->count.of[w->means];
        if (w->kind == LAB_LEAST ? has >= w->bound : has <= w->bound)
            continue;
        fine &= w->kind == LAB_REMARKED;
        if (w->kind != LAB_REMARKED || !*v->remarks)
            tell_wish(j, w->kind == LAB_REMARKED ? remarks.to : wrong.to, w);
    }
    end_text(&wrong, v->text[LAB_BY_MEANS]);
    end_text(&remarks, v->remarks);
    if (!fine)
        lab_fail(v, LAB_BY_MEANS);
    else if (v->parts[LAB_BY_MEANS] == LAB_NOT_REACHED)
        v->parts[LAB_BY_MEANS] = LAB_RIGHT;
}

static void judge_bytes(struct judging *j)
{
    unsigned runs = 0, right = 0;

    for (int k = 0; k < KINDS; k++) {
        runs += j->runs[k];
        right += j->right[k];
    }
    if (!runs)
        return; /* no launch has come to its end: nothing can be said */
    if (right < runs) {
        struct text t;
        begin_text(&t);
        if (t.to)
            tell_bytes(j, t.to);
        end_text(&t, j->v->text[LAB_BYTES]);
        lab_fail(j->v, LAB_BYTES);
        return;
    }
    if (j->v->parts[LAB_BYTES] == LAB_NOT_REACHED)
        j->v->parts[LAB_BYTES] = LAB_RIGHT;
    if (j->v->parts[LAB_RULES] == LAB_WRONG)
        ck_append(j->v->text[LAB_RULES], LAB_TEXT,
                  "The bytes were right in all %u deliveries: they do not show the mistake.\n\n", runs);
}

static void judge_rules(struct judging *j, const struct check_result *r)
{
    struct text t, remarks;
    struct lab_verdict *v = j->v;
    char words[600];

    begin_text(&t);
    begin_text(&remarks);
    if (t.to && lab_tell_findings(t.to, j->s, j->module, r, false, v))
        lab_fail(v, LAB_RULES);
    if (t.to && (j->limit || emu_stopped(r->end))) {
        lab_name(v, r->end == EMU_UNSUPPORTED || r->end == EMU_BAD_LAUNCH ? "compile" : "limit");
        snprintf(words, sizeof words, "Not judged to its end: %s.",
                 *r->message ? r->message : "the kernel takes too many instructions");
        ck_clean(words, false);
        lab_wrap(t.to, "", 2, words);
        putc('\n', t.to);
        lab_fail(v, LAB_RULES);
    }
    if (t.to && v->parts[LAB_RULES] == LAB_WRONG)
        tell_size(t.to, j->launch);
    end_text(&t, v->text[LAB_RULES]);
    if (remarks.to && !*v->remarks)
        lab_tell_findings(remarks.to, j->s, j->module, r, true, v);
    end_text(&remarks, v->remarks);
    if (v->parts[LAB_RULES] == LAB_NOT_REACHED)
        v->parts[LAB_RULES] = LAB_RIGHT;
}

/* The lab's own objection to what the step before has left. */
static bool told_wrong(struct judging *j)
{
    const struct lab_launch *l = j->launch;
    struct text t;

    begin_text(&t);
    if (!l->wrong_count || !t.to) {
        end_text(&t, j->v->text[LAB_RULES]);
        return false;
    }
    for (unsigned i = 0; i < l->wrong_count; i++) {
        const struct lab_fault *fault = &l->wrong[i];
        lab_name(j->v, "%s", fault->rule ? fault->rule : "bytes");
        if (fault->rule)
            fprintf(t.to, "%s\n", fault->rule);
        lab_wrap(t.to, "  ", 2, fault->text);
        putc('\n', t.to);
    }
    end_text(&t, j->v->text[LAB_RULES]);
    lab_fail(j->v, LAB_RULES);
    return true;
}

/* ---- sizes and steps ----------------------------------------------------------------------------------------------
 */

static bool fails(struct judging *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fails(struct judging *j, const char *format, ...)
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
static const struct ptx_function *kernel_of(struct judging *j)
{
    const struct check_args *a = &j->launch->args;
    const struct ptx_module *m = j->module;
    const struct ptx_function *f = NULL;
    size_t count = 0;

    for (uint32_t i = 0; i < m->n_functions && !f; i++)
        if (m->functions[i].is_entry && m->functions[i].has_body && !strcmp(m->functions[i].name, a->entry))
            f = &m->functions[i];
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

/* Buffers are called what the student calls them. */
static void name_parameters(struct judging *j, uint32_t count)
{
    struct lab_launch *l = j->launch;
    size_t parameter = 0;

    if (!j->s->source || count > LAB_BUFFERS ||
        !lab_parameter_names(j->s->source, l->args.entry, count, LAB_PARAMETER, l->names))
        return;
    for (size_t i = 0, b = 0; i < l->args.arg_count; i++) {
        const bool buffer = b < l->buffer_count && l->buffers[b].arg == i;
        if (buffer && !l->args.args[i].apart)
            strcpy(l->buffers[b].name, l->names[parameter]);
        b += buffer;
        parameter += !l->args.args[i].apart;
    }
}

/* One step of one size; false where the submission is known to be wrong. */
static bool judge_launch(struct judging *j, bool first)
{
    static const struct emu_options options = { .seed = 1,
                                                .jobs = 1,
                                                .check_order = true,
                                                .check_init = true,
                                                .max_instructions = LAUNCH_INSTRUCTIONS,
                                                .max_quiet = LAUNCH_QUIET,
                                                .max_memory = MEMORY };
    const struct check_program program = {
        begins, ended, &lab_means_watch, j, j->print, j->s->lab->file, j->s->source
    };
    struct check_args *args = &j->launch->args;
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
    args->options.check_swizzle = j->launch->ask_swizzle;
    args->randoms = RANDOMS;
    args->program = &program;
    args->html = j->s->html;
    args->html_of_findings = !first;
    args->text = j->s->ptx;
    j->s->flat = args->grid[1] * args->grid[2] * args->block[1] * args->block[2] <= 1;
    name_parameters(j, f->n_params);
    ran = check_run(args, j->module, f, &r);
    if (ran) {
        judge_rules(j, &r);
        judge_bytes(j);
        if (j->counted)
            judge_means(j);
    } else {
        j->v->outcome = LAB_NO_VERDICT;
        snprintf(j->v->why, sizeof j->v->why, "the launch of %s could not be made", args->entry);
    }
    check_result_free(&r);
    return j->v->outcome == LAB_PASS;
}

static bool judge_size(struct judging *j, unsigned size)
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
            fine = !told_wrong(j) && judge_launch(j, !size && !k);
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
    struct judging *j = calloc(1, sizeof *j);

    *v = (struct lab_verdict){ .parts = { [LAB_COMPILES] = LAB_RIGHT } };
    if (!j)
        return;
    *j = (struct judging){ .s = s, .module = m, .v = v };
    j->print = fopencookie(v, "w", (cookie_io_functions_t){ .write = take });
    if (j->print)
        setvbuf(j->print, NULL, _IONBF, 0);
    for (unsigned size = 0; size < LAB_SIZES && j->print; size++)
        if (!judge_size(j, size))
            break;
    if (v->outcome == LAB_FAIL)
        forget_remarks(v);
    if (v->outcome == LAB_PASS && *v->remarks)
        v->outcome = LAB_REMARK;
    if (j->print)
        fclose(j->print);
    free(j);
}
