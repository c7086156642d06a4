/* Findings as JSON Lines. */
#include <stdio.h>

#include "harness/base/json.h"
#include "harness/check/said.h"
#include "harness/check/schedules.h"

static const char *const end_names[] = {
    [EMU_DONE] = "done",           [EMU_FAULTED] = "fault",
    [EMU_DEADLOCK] = "deadlock",   [EMU_UNSUPPORTED] = "unsupported",
    [EMU_TOO_LONG] = "too-long",   [EMU_BAD_LAUNCH] = "bad-launch",
    [EMU_NO_MEMORY] = "no-memory",
};

const char *check_end_name(enum emu_end end)
{
    return end_names[end];
}

static void members_of_place(const struct check_said *to, const struct emu_place *p, const struct check_where *where)
{
    const struct check_line l = check_line_of(to, p);

    if (l.ptx)
        fprintf(to->out, "\"ptx_line\":%u", l.ptx);
    else
        fputs("\"ptx_line\":null", to->out);
    json_write_member(to->out, "ptx", l.text);
    json_write_member(to->out, "source", l.source);
    if (p->known)
        fprintf(to->out, ",\"thread\":{\"tid\":[%u,%u,%u],\"ctaid\":[%u,%u,%u]}", p->tid[0], p->tid[1], p->tid[2],
                p->ctaid[0], p->ctaid[1], p->ctaid[2]);
    else
        fputs(",\"thread\":null", to->out);
    json_write_member(to->out, "where", where->bytes);
    fputs(",\"numbers\":{", to->out);
    if (where->arg >= 0)
        fprintf(to->out, "\"arg\":%d,", where->arg);
    fprintf(to->out, "\"offset\":%llu,\"bytes\":%llu}", (unsigned long long)where->offset,
            (unsigned long long)p->bytes);
}

static void write_cause(const struct check_said *to, const struct ptx_instruction *at)
{
    const struct check_line l = check_line_of(to, &(struct emu_place){ .known = true, .at = at });

    fputs(",\"cause\":", to->out);
    if (!at) {
        fputs("null", to->out);
        return;
    }
    fprintf(to->out, "{\"ptx_line\":%u", l.ptx);
    json_write_member(to->out, "ptx", l.text);
    json_write_member(to->out, "source", l.source);
    fputc('}', to->out);
}

/* Which finding it belongs to, by the number of its line of output, from 0. */
static void write_role(const struct check_said *to, const struct check_found *g)
{
    const size_t own = (size_t)(g - to->result->found);
    size_t places = 1;

    for (size_t i = own + 1; i < to->result->count && to->result->found[i].leader == own; i++)
        places += to->result->found[i].role == CHECK_PLACE;
    fprintf(to->out, ",\"places\":%zu,\"same_as\":", places);
    if (g->role == CHECK_PLACE)
        fprintf(to->out, "%zu", g->leader);
    else
        fputs("null", to->out);
    fputs(",\"follows\":", to->out);
    if (g->role == CHECK_FOLLOWS)
        fprintf(to->out, "%zu", g->leader);
    else
        fputs("null", to->out);
}

void check_write_finding(const struct check_said *to, const struct check_found *g)
{
    const struct emu_finding *f = &g->finding;

    fputs("{\"rule\":", to->out);
    if (f->rule)
        json_write_string(to->out, f->rule->id);
    else
        fputs("null", to->out);
    fputs(",\"also\":[", to->out);
    for (int i = 0; i < EMU_ALSO && f->also[i]; i++) {
        if (i)
            fputc(',', to->out);
        json_write_string(to->out, f->also[i]->id);
    }
    fputc(']', to->out);
    json_write_member(to->out, "behind", f->behind ? f->behind->id : NULL);
    fprintf(to->out, ",\"severity\":\"%s\"", f->remark ? "remark" : "error");
    json_write_member(to->out, "message", f->message);
    json_write_member(to->out, "kernel", to->entry->name);
    fputc(',', to->out);
    members_of_place(to, &f->here, &g->here);
    if (f->there.known) {
        fputs(",\"other\":{", to->out);
        members_of_place(to, &f->there, &g->there);
        fputc('}', to->out);
    } else {
        fputs(",\"other\":null", to->out);
    }
    json_write_member(to->out, "sentence", f->rule ? f->rule->sentence : NULL);
    json_write_member(to->out, "remedy", f->remedy);
    json_write_member(to->out, "table", f->table);
    write_cause(to, f->cause);
    write_role(to, g);
    fprintf(to->out, ",\"schedules\":%u,\"schedule\":%u,\"seed\":%llu}\n", g->schedules, g->first,
            (unsigned long long)to->args->options.seed + g->first);
}

void check_write_end(const struct check_said *to)
{
    const struct check_result *r = to->result;
    char covered[300];

    fprintf(to->out, "{\"end\":\"%s\"", end_names[r->end]);
    json_write_member(to->out, "message", r->message);
    json_write_member(to->out, "kernel", to->entry->name);
    check_covered(r, covered, sizeof covered);
    json_write_member(to->out, "covered", covered);
    if (*r->bytes_said)
        json_write_member(to->out, "bytes", r->bytes_said);
    if (r->forgot)
        fputs(",\"forgot\":true", to->out);
    fprintf(to->out, ",\"findings\":%zu,\"remarks\":%zu,\"schedules\":%u,\"instructions\":%llu}\n",
            r->count - r->remarks, r->remarks, r->schedules, (unsigned long long)r->instructions);
}
// SPDX-License-Identifier: Apache-2.0
