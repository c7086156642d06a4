/* copycheck check: judges anyone's kernel on the emulator. */
#include "harness/commands/cmd.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/clean.h"
#include "harness/base/json.h"
#include "harness/check/check.h"
#include "harness/check/schedules.h"
#include "harness/emu/forms/form.h"

static const char *const end_names[] = {
    [EMU_DONE] = "done",           [EMU_FAULTED] = "fault",
    [EMU_DEADLOCK] = "deadlock",   [EMU_UNSUPPORTED] = "unsupported",
    [EMU_TOO_LONG] = "too-long",   [EMU_BAD_LAUNCH] = "bad-launch",
    [EMU_NO_MEMORY] = "no-memory",
};

/* What a finding is printed with. */
struct output {
    const struct check_args *args;
    char file[PATH_MAX]; /* its name, harmless to show */
    const struct ptx_module *module;
    const struct ptx_function *entry;
    const struct check_result *result;
};

/* An access at fault: its instruction as PTX text, and its CUDA line. */
struct line {
    unsigned ptx;
    char text[300], source[1000];
};

static struct line line_of(const struct output *to, const struct emu_place *p)
{
    const struct ptx_module *m = to->module;
    struct line l = { 0 };

    if (!p->known || !p->at)
        return l;
    l.ptx = p->at->line;
    const struct ptx_function *f = ptx_function_of(m, p->at);
    if (f)
        ptx_print(m, f, p->at, l.text, sizeof l.text);
    ptx_source_called(m, p->at, l.source, sizeof l.source);
    return l;
}

/* Makes harmless what findings quote of the PTX and of the arguments: names of files, maps and parameters. JSON escapes
 * it instead. */
static void make_harmless(struct check_result *r)
{
    for (size_t i = 0; i < r->count; i++) {
        ck_clean(r->found[i].finding.message, false);
        ck_clean(r->found[i].finding.table, true);
        ck_clean(r->found[i].finding.remedy, false);
    }
}

/* ---- text ------------------------------------------------------------------------------------------------------ */

static void print_place(const struct output *to, const char *label, const struct emu_place *p,
                        const struct check_where *where)
{
    struct line l = line_of(to, p);

    if (!p->known)
        return;
    ck_clean(l.text, false);
    ck_clean(l.source, false);
    printf("  %-9s thread %u,%u,%u of CTA %u,%u,%u", label, p->tid[0], p->tid[1], p->tid[2], p->ctaid[0], p->ctaid[1],
           p->ctaid[2]);
    if (*where->bytes)
        printf(": %s", where->bytes);
    putchar('\n');
    if (l.ptx)
        printf("            %s:%u: %s\n", to->file, l.ptx, l.text);
    if (*l.source)
        printf("            %s\n", l.source);
}

/* The instruction at fault, where it is neither of the two accesses. */
static void print_cause(const struct output *to, const struct ptx_instruction *at)
{
    struct line l = line_of(to, &(struct emu_place){ .known = true, .at = at });

    if (!at)
        return;
    ck_clean(l.text, false);
    ck_clean(l.source, false);
    printf("  %-9s %s:%u: %s\n", "cause", to->file, l.ptx, l.text);
    if (*l.source)
        printf("            %s\n", l.source);
}

/* The PTX lines of a finding's two accesses. */
static void append_lines(char *out, size_t size, const struct emu_finding *f)
{
    if (f->here.at)
        ck_append(out, size, "%u", f->here.at->line);
    if (f->there.at)
        ck_append(out, size, "%s%u", f->here.at ? " and " : "", f->there.at->line);
}

/* The findings from `i` on that have this role under the same leader and the same rule, in one line; returns the first
 * that is not of them. */
static size_t print_folded(const struct output *to, const char *label, size_t i)
{
    enum { SHOWN = 12 };
    const struct check_found *found = to->result->found, *first = &found[i];
    const struct ck_rule *rule = first->finding.rule;
    char lines[400] = "";
    size_t n = 0;

    for (; i < to->result->count && found[i].leader == first->leader && found[i].role == first->role &&
           found[i].finding.rule == rule;
         i++, n++) {
        if (n > SHOWN || (!found[i].finding.here.at && !found[i].finding.there.at))
            continue;
        ck_append(lines, sizeof lines, "%s", n == SHOWN ? "; ..." : n ? "; " : "");
        if (n < SHOWN)
            append_lines(lines, sizeof lines, &found[i].finding);
    }
    if (first->role == CHECK_PLACE)
        printf("  %-9s at %zu more place%s", label, n, n == 1 ? "" : "s");
    else
        printf("  %-9s %s, at %zu place%s", label, rule ? rule->id : first->finding.message, n, n == 1 ? "" : "s");
    if (*lines)
        printf(" (PTX line%s %s)", n > 1 || first->finding.there.at ? "s" : "", lines);
    putchar('\n');
    return i;
}

/* What is folded under the finding of this number. */
static void print_followers(const struct output *to, size_t leader)
{
    const struct check_found *found = to->result->found;
    bool told = false;

    for (size_t i = leader + 1; i < to->result->count && found[i].leader == leader;) {
        const bool follows = found[i].role == CHECK_FOLLOWS;
        i = print_folded(to, !follows ? "too" : told ? "" : "follows", i);
        told |= follows;
    }
}

static void print_table(const char *table)
{
    while (*table) {
        const int n = (int)strcspn(table, "\n");
        printf("            %.*s\n", n, table);
        table += n + (table[n] != 0);
    }
}

static void print_finding(const struct output *to, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;

    printf("%s  in %s\n  %s\n", f->rule ? f->rule->id : "(no rule of the catalogue)", to->entry->name, f->message);
    if (f->rule)
        printf("  rule      %s\n  source    %s\n", f->rule->sentence, f->rule->source);
    if (f->behind)
        printf("  behind    %s: %s\n", f->behind->id, f->behind->sentence);
    for (int i = 0; i < EMU_ALSO && f->also[i]; i++)
        printf("  also      %s: %s\n", f->also[i]->id, f->also[i]->sentence);
    print_place(to, "here", &f->here, &g->here);
    print_place(to, "other", &f->there, &g->there);
    print_table(f->table);
    print_cause(to, f->cause);
    if (*f->remedy)
        printf("  do        %s\n", f->remedy);
    print_followers(to, (size_t)(g - to->result->found));
    if (to->result->schedules > 1)
        printf("  seen      in %u of %u schedules, first in schedule %u (--seed %llu --schedule %u repeats it)\n",
               g->schedules, to->result->schedules, g->first, (unsigned long long)to->args->options.seed, g->first);
    putchar('\n');
}

/* In one line and the two places. */
static void print_remark(const struct output *to, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;

    printf("remark: %s  in %s: %s\n", f->rule ? f->rule->id : "", to->entry->name, f->message);
    print_place(to, "here", &f->here, &g->here);
    print_place(to, "other", &f->there, &g->there);
    print_followers(to, (size_t)(g - to->result->found));
    putchar('\n');
}

/* Where more is said of the rules of the findings that lead, each once. */
static void print_more(const struct output *to)
{
    const struct check_result *r = to->result;
    bool any = false;

    for (size_t i = 0; i < r->count; i++) {
        const struct ck_rule *rule = r->found[i].finding.rule;
        bool told = r->found[i].role != CHECK_LEADS || !rule;

        for (size_t k = 0; k < i && !told; k++)
            told = r->found[k].role == CHECK_LEADS && r->found[k].finding.rule == rule;
        if (told)
            continue;
        printf("%s %s", any ? "" : "more: copycheck explain", rule->id);
        any = true;
    }
    if (any)
        putchar('\n');
}

static void print_end(const struct output *to, const char *word)
{
    const struct check_args *a = to->args;
    const size_t findings = to->result->leaders, all = to->result->count - to->result->remarks;
    char covered[300];

    printf("%s: %s, grid %u,%u,%u, block %u,%u,%u", word, to->entry->name, a->grid[0], a->grid[1], a->grid[2],
           a->block[0], a->block[1], a->block[2]);
    if (a->cluster[0] * a->cluster[1] * a->cluster[2] > 1)
        printf(", cluster %u,%u,%u", a->cluster[0], a->cluster[1], a->cluster[2]);
    printf(", %u schedule%s, %llu instructions", to->result->schedules, to->result->schedules == 1 ? "" : "s",
           (unsigned long long)to->result->instructions);
    if (findings)
        printf(", %zu finding%s", findings, findings == 1 ? "" : "s");
    if (all > findings)
        printf(" (%zu with what is folded under %s)", all, findings == 1 ? "it" : "them");
    if (to->result->remarks)
        printf(", %zu remark%s", to->result->remarks, to->result->remarks == 1 ? "" : "s");
    check_covered(to->result, covered, sizeof covered);
    printf("\nschedules: %s\n", covered);
    print_more(to);
    if (to->result->forgot)
        puts(
            "memory: accesses of global memory before its shadow outgrew --max-memory were not compared with later ones");
}

/* ---- JSON Lines ------------------------------------------------------------------------------------------------ */

static void member(const char *name, const char *text)
{
    printf(",\"%s\":", name);
    if (text && *text)
        json_write_string(stdout, text);
    else
        fputs("null", stdout);
}

static void members_of_place(const struct output *to, const struct emu_place *p, const struct check_where *where)
{
    const struct line l = line_of(to, p);

    if (l.ptx)
        printf("\"ptx_line\":%u", l.ptx);
    else
        fputs("\"ptx_line\":null", stdout);
    member("ptx", l.text);
    member("source", l.source);
    if (p->known)
        printf(",\"thread\":{\"tid\":[%u,%u,%u],\"ctaid\":[%u,%u,%u]}", p->tid[0], p->tid[1], p->tid[2], p->ctaid[0],
               p->ctaid[1], p->ctaid[2]);
    else
        fputs(",\"thread\":null", stdout);
    member("where", where->bytes);
    fputs(",\"numbers\":{", stdout);
    if (where->arg >= 0)
        printf("\"arg\":%d,", where->arg);
    printf("\"offset\":%llu,\"bytes\":%llu}", (unsigned long long)where->offset, (unsigned long long)p->bytes);
}

static void write_cause(const struct output *to, const struct ptx_instruction *at)
{
    const struct line l = line_of(to, &(struct emu_place){ .known = true, .at = at });

    fputs(",\"cause\":", stdout);
    if (!at) {
        fputs("null", stdout);
        return;
    }
    printf("{\"ptx_line\":%u", l.ptx);
    member("ptx", l.text);
    member("source", l.source);
    putchar('}');
}

/* Which finding it belongs to, by the number of its line of output, from 0. */
static void write_role(const struct output *to, const struct check_found *g)
{
    const size_t own = (size_t)(g - to->result->found);
    size_t places = 1;

    for (size_t i = own + 1; i < to->result->count && to->result->found[i].leader == own; i++)
        places += to->result->found[i].role == CHECK_PLACE;
    printf(",\"places\":%zu,\"same_as\":", places);
    if (g->role == CHECK_PLACE)
        printf("%zu", g->leader);
    else
        fputs("null", stdout);
    fputs(",\"follows\":", stdout);
    if (g->role == CHECK_FOLLOWS)
        printf("%zu", g->leader);
    else
        fputs("null", stdout);
}

static void write_finding(const struct output *to, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;

    fputs("{\"rule\":", stdout);
    if (f->rule)
        json_write_string(stdout, f->rule->id);
    else
        fputs("null", stdout);
    fputs(",\"also\":[", stdout);
    for (int i = 0; i < EMU_ALSO && f->also[i]; i++) {
        if (i)
            putchar(',');
        json_write_string(stdout, f->also[i]->id);
    }
    putchar(']');
    member("behind", f->behind ? f->behind->id : NULL);
    printf(",\"severity\":\"%s\"", f->remark ? "remark" : "error");
    member("message", f->message);
    member("kernel", to->entry->name);
    putchar(',');
    members_of_place(to, &f->here, &g->here);
    if (f->there.known) {
        fputs(",\"other\":{", stdout);
        members_of_place(to, &f->there, &g->there);
        putchar('}');
    } else {
        fputs(",\"other\":null", stdout);
    }
    member("sentence", f->rule ? f->rule->sentence : NULL);
    member("remedy", f->remedy);
    member("table", f->table);
    write_cause(to, f->cause);
    write_role(to, g);
    printf(",\"schedules\":%u,\"schedule\":%u,\"seed\":%llu}\n", g->schedules, g->first,
           (unsigned long long)to->args->options.seed + g->first);
}

static void write_end(const struct output *to)
{
    const struct check_result *r = to->result;
    char covered[300];

    printf("{\"end\":\"%s\"", end_names[r->end]);
    member("message", r->message);
    member("kernel", to->entry->name);
    check_covered(r, covered, sizeof covered);
    member("covered", covered);
    if (r->forgot)
        fputs(",\"forgot\":true", stdout);
    printf(",\"findings\":%zu,\"remarks\":%zu,\"schedules\":%u,\"instructions\":%llu}\n", r->count - r->remarks,
           r->remarks, r->schedules, (unsigned long long)r->instructions);
}

/* ---- the command ----------------------------------------------------------------------------------------------- */

static int tell(const struct output *to)
{
    const struct check_result *r = to->result;
    const size_t findings = r->count - r->remarks;
    const bool stopped = emu_stopped(r->end);

    for (size_t i = 0; i < r->count; i++)
        if (to->args->jsonl)
            write_finding(to, &r->found[i]);
        else if (r->found[i].role == CHECK_LEADS && r->found[i].finding.remark)
            print_remark(to, &r->found[i]);
        else if (r->found[i].role == CHECK_LEADS)
            print_finding(to, &r->found[i]);
    if (to->args->jsonl)
        write_end(to);
    else if (!stopped || findings)
        print_end(to, findings ? "diagnosed" : "clean");
    if (!stopped || cmd_end(0) != 0)
        return cmd_end(findings ? 1 : 0);
    /* What was found holds, however the run ended. */
    ck_bad("check: %s: %s%s", to->args->file, findings ? "not judged to its end: " : "",
           *r->message ? r->message : end_names[r->end]);
    return findings ? 1 : 2;
}

/* Text that is no PTX, or breaks a rule of its form. */
static int refuse(const struct ptx_error *error, const struct check_args *args, const char *file)
{
    char text[1024];

    ptx_error_print(error, file, text, sizeof text);
    ck_clean(text, true);
    fputs(text, stderr);
    if (args->jsonl) {
        fputs("{\"end\":\"refused\"", stdout);
        member("message", error->message);
        member("rule", error->rule ? error->rule->id : NULL);
        printf(",\"ptx_line\":%d,\"column\":%d}\n", error->line, error->column);
    }
    return 2;
}

static int check(struct check_args *args, const struct ck_text *text)
{
    struct ptx_error error;
    struct ptx_module *m = ptx_read(text->data, text->size, NULL, &error);
    struct check_result result = { 0 };
    struct output to = { .args = args, .module = m, .result = &result };
    int status = 2;

    args->text = text;
    ck_clean_copy(to.file, sizeof to.file, args->file);
    if (!m) {
        ptx_free(m);
        return refuse(&error, args, to.file);
    }
    to.entry = check_entry(args, m);
    if (to.entry && check_run(args, m, to.entry, &result)) {
        if (!args->jsonl)
            make_harmless(&result);
        status = tell(&to);
    }
    check_result_free(&result);
    ptx_free(m);
    return status;
}

int cmd_check(int argc, char **argv)
{
    struct check_args args;
    struct ck_text text = { 0 };
    char error[512];
    int status = 2;

    if (!check_args_read(argc, argv, &args))
        status = 2;
    else if (args.help)
        status = cmd_help(check_help);
    else if (!ck_text_read(args.file, &text, error, sizeof error))
        status = ck_bad("check: %s", error);
    else
        status = check(&args, &text);
    ck_text_free(&text);
    check_args_free(&args);
    return status;
}
