/* What is wrong with a submission, in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/clean.h"
#include "harness/base/text.h"
#include "harness/lab/finding.h"
#include "harness/lab/judging.h"
#include "harness/lab/words.h"

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
    if (!t->to || !ck_text_close(t->to, &t->data))
        ck_no_memory();
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
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);

    if (!line)
        ck_no_memory();
    fprintf(line, "launch: %s<<<%u", a->entry, a->grid[0]);
    if (a->grid[1] * a->grid[2] > 1)
        fprintf(line, a->grid[2] > 1 ? "x%ux%u" : "x%u", a->grid[1], a->grid[2]);
    fprintf(line, ", %u", a->block[0]);
    if (a->block[1] * a->block[2] > 1)
        fprintf(line, a->block[2] > 1 ? "x%ux%u" : "x%u", a->block[1], a->block[2]);
    fputs(">>>", line);
    tell_arguments(line, l);
    if (l->lab->steps[l->step])
        fprintf(line, " (%s)", l->lab->steps[l->step]);
    if (!ck_text_close(line, &text))
        ck_no_memory();
    lab_wrap(to, "", 8, text);
    free(text);
}

static void tell_bytes(struct lab_judging *j, FILE *to)
{
    unsigned runs = 0, right = 0;
    char words[600];

    for (int k = 0; k < LAB_DELIVERIES; k++) {
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
    if (j->launch->look && j->v->parts[LAB_RULES] != LAB_WRONG && !right)
        lab_wrap(to, "  look      ", 12, j->launch->look);
    putc('\n', to);
}

static void tell_wish(struct lab_judging *j, FILE *to, const struct lab_wish *w)
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
void lab_say_means(struct lab_judging *j)
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

void lab_say_bytes(struct lab_judging *j)
{
    unsigned runs = 0, right = 0;

    for (int k = 0; k < LAB_DELIVERIES; k++) {
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

/* Why the judgement ended early. Options of copycheck check, which the message names, are none of a lab's. */
static void tell_limit(const struct lab_judging *j, const struct check_result *r, FILE *to)
{
    char message[sizeof r->message] = "the kernel takes too many instructions", own[600], words[700];
    char *option;

    if (*r->message)
        snprintf(message, sizeof message, "%s", r->message);
    while ((option = strstr(message, " (--")) != NULL && strchr(option, ')'))
        memmove(option, strchr(option, ')') + 1, strlen(strchr(option, ')')));
    ck_clean(message, false);
    lab_own_words(j->module, j->s->source, j->s->flat, message, own, sizeof own);
    snprintf(words, sizeof words, "Not judged to its end: %s.", own);
    lab_wrap(to, "", 2, words);
    putc('\n', to);
}

void lab_say_rules(struct lab_judging *j, const struct check_result *r)
{
    struct text t, remarks;
    struct lab_verdict *v = j->v;

    begin_text(&t);
    begin_text(&remarks);
    if (t.to && lab_tell_findings(t.to, j->s, j->module, r, false, v))
        lab_fail(v, LAB_RULES);
    if (t.to && (j->limit || emu_stopped(r->end))) {
        lab_name(v, r->end == EMU_UNSUPPORTED || r->end == EMU_BAD_LAUNCH ? "compile" : "limit");
        tell_limit(j, r, t.to);
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
bool lab_say_wrong(struct lab_judging *j)
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
// SPDX-License-Identifier: Apache-2.0
