/* Small programs and exactly what the judge says of them: which findings, of which threads, in which words. */
#ifndef COPYCHECK_EMU_STORY_H
#define COPYCHECK_EMU_STORY_H

#include "tests/unit/emu_obligation.h"

/* found: the rules of all findings in their order, each with the thread of the access and of the one it meets ("-":
 * none), by their numbers x. says, never: words of their messages, remedies or tables. */
struct story {
    const char *name, *body, *found;
    const char *says[3], *never;
    const char *also; /* the other rule of the first finding, "": it has none; NULL: that is not asked */
    uint32_t threads, ctas, clusters;  /* 0: 64, 1, 1 */
    uint64_t bytes;                    /* of the first one's access; 0: they are not asked */
    bool hangs, init, unordered;       /* init: reads of what nobody wrote are judged; unordered: the order is not */
    bool same;                         /* stores of the same value are findings */
    bool blank;                        /* nobody has written h before the launch */
    bool faults;                       /* it ends in a fault, which is a finding too */
    const char *directive, *functions; /* of the kernel, before it; or NULL */
};

static void note(char *out, size_t size, const struct emu_finding *f)
{
    const size_t n = strlen(out);
    char there[16] = "-";

    if (f->there.known)
        snprintf(there, sizeof there, "%u", f->there.tid[0]);
    snprintf(out + n, size - n, "%s%s@%u:%s", n ? " " : "", f->rule ? f->rule->id : "fault", f->here.tid[0], there);
}

static bool said(const struct emu_report *r, const char *words)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct emu_finding *f = &r->findings[i];
        if (strstr(f->message, words) || strstr(f->remedy, words) || strstr(f->table, words))
            return true;
    }
    return strstr(r->message, words) != NULL;
}

static const char *main_of(const struct emu_report *r)
{
    return r->count ? r->findings[0].message : r->message;
}

static void others(char *out, size_t size, const struct emu_report *r)
{
    for (int i = 0; i < EMU_ALSO; i++)
        if (r->count && r->findings[0].also[i])
            snprintf(out + strlen(out), size - strlen(out), "%s%s", *out ? " " : "", r->findings[0].also[i]->id);
}

static void tell(const struct story *s)
{
    const struct emu_options options = {
        .jobs = 1, .delivery = EMU_LATE, .check_order = !s->unordered, .check_init = s->init, .check_same = s->same
    };
    const uint32_t ctas = s->ctas ? s->ctas : 1, cluster[3] = { ctas, 1, 1 },
                   grid[3] = { ctas * (s->clusters ? s->clusters : 1), 1, 1 },
                   block[3] = { s->threads ? s->threads : 64, 1, 1 };
    struct emu *e = emu_new(&options);
    struct emu_report report;
    const char *const entry = strstr(head, ".visible .entry"), *const open = strstr(head, "{\n");
    struct ptx_error error;
    struct ptx_module *m;
    char text[8192], message[400] = "", found[600] = "", also[200] = "";
    struct {
        uint64_t g, h, pad[6];
        unsigned char map[2][TENSOR_MAP_BYTES];
    } args = { 0 };
    enum emu_end end;

    snprintf(text, sizeof text, "%.*s%s%.*s%s%s%s\nret;\n}\n", (int)(entry - head), head,
             s->functions ? s->functions : "", (int)(open - entry), entry, s->directive ? s->directive : "", open,
             s->body);
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("%s: %s: %s", s->name, error.message, error.source);
    assert_true(emu_load(e, m, message, sizeof message));
    args.g = emu_alloc(e, 4096, 256, true, "g");
    args.h = emu_alloc(e, 4096, 256, !s->blank, "h");
    end = emu_launch(e, "k", grid, block, cluster, 0, &args, sizeof args, &report);
    for (size_t i = 0; i < report.count; i++)
        note(found, sizeof found, &report.findings[i]);
    if (end != (s->hangs ? EMU_DEADLOCK : s->faults ? EMU_FAULTED : EMU_DONE) || strcmp(found, s->found) != 0)
        wrong("%s: '%s', not '%s': %s\n", s->name, found, s->found, main_of(&report));
    for (size_t i = 0; i < sizeof s->says / sizeof *s->says; i++)
        if (s->says[i] && !said(&report, s->says[i]))
            wrong("%s: no '%s' in\n%s\n%s\n%s", s->name, s->says[i], main_of(&report),
                  report.count ? report.findings[0].table : "", report.count ? report.findings[0].remedy : "");
    others(also, sizeof also, &report);
    if (s->also && strcmp(s->also, also) != 0)
        wrong("%s: also '%s', not '%s'\n", s->name, also, s->also);
    if (report.count && s->bytes && s->bytes != report.findings[0].here.bytes)
        wrong("%s: an access of %llu bytes\n", s->name, (unsigned long long)report.findings[0].here.bytes);
    if (s->never && said(&report, s->never))
        wrong("%s: '%s' in\n%s\n", s->name, s->never, main_of(&report));
    for (size_t i = 0; i < report.count; i++) {
        const char *table_of = report.findings[i].table;
        if (*table_of && table_of[strlen(table_of) - 1] != '\n')
            wrong("%s: half a line at the end of\n%s\n", s->name, table_of);
    }
    emu_free(e);
    ptx_free(m);
}

static const struct story *told;
static size_t told_rows;

static void test_told(void **state)
{
    (void)state;
    wrongs = 0;
    for (size_t i = 0; i < told_rows; i++)
        tell(&told[i]);
    assert_int_equal(wrongs, 0);
}

/* All stories; how many tests failed. */
static int test_stories(const char *name, const struct story *all, size_t count)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_told) };

    told = all;
    told_rows = count;
    return _cmocka_run_group_tests(name, tests, 1, NULL, NULL);
}

#endif
// SPDX-License-Identifier: Apache-2.0
