/* Records, written a line each. */
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/records/chain.h"
#include "harness/records/lines.h"

static void write_name(FILE *to, const char *name, bool *first)
{
    fprintf(to, "%c\"%s\":", *first ? '{' : ',', name);
    *first = false;
}

/* Writes a member unless its value is empty. */
static void write_member(FILE *to, const struct member *m, const char *object, bool *first)
{
    const void *field = object + m->offset;

    switch (m->form) {
    case TEXT: {
        const char *text = *(const char *const *)field;
        if (text && *text) {
            write_name(to, m->name, first);
            json_write_string(to, text);
        }
        return;
    }
    case VERDICT:
        if (*(const enum ck_verdict *)field != CK_V_NONE) {
            write_name(to, m->name, first);
            fprintf(to, "\"%s\"", ck_verdict_names[*(const enum ck_verdict *)field]);
        }
        return;
    case BOOL:
        if (*(const bool *)field) {
            write_name(to, m->name, first);
            fputs("true", to);
        }
        return;
    case REAL:
        if (*(const double *)field > 0) {
            write_name(to, m->name, first);
            fprintf(to, "%.6g", *(const double *)field);
        }
        return;
    case HEX64:
        if (*(const uint64_t *)field) {
            write_name(to, m->name, first);
            fprintf(to, "\"%016llx\"", (unsigned long long)*(const uint64_t *)field);
        }
        return;
    case INT:
        if (*(const int *)field) {
            write_name(to, m->name, first);
            fprintf(to, "%d", *(const int *)field);
        }
        return;
    case UINT:
        if (*(const unsigned *)field) {
            write_name(to, m->name, first);
            fprintf(to, "%u", *(const unsigned *)field);
        }
        return;
    case LONG:
        if (*(const long *)field) {
            write_name(to, m->name, first);
            fprintf(to, "%ld", *(const long *)field);
        }
        return;
    case ULONG:
        if (*(const unsigned long *)field || m->must) {
            write_name(to, m->name, first);
            fprintf(to, "%lu", *(const unsigned long *)field);
        }
        return;
    }
}

static bool write_members(FILE *to, const struct line_kind *kind, const void *object)
{
    bool first = true;

    for (size_t i = 0; i < kind->count; i++)
        write_member(to, &kind->members[i], object, &first);
    return !ferror(to);
}

static bool write_line(FILE *to, const struct line_kind *kind, const void *object, uint64_t *chain)
{
    char *text = NULL;
    size_t size;
    FILE *line;
    bool good;

    if (!chain) {
        good = write_members(to, kind, object);
        return fputs("}\n", to) != EOF && good;
    }
    line = open_memstream(&text, &size);
    if (!line)
        return false;
    good = write_members(line, kind, object);
    good = ck_text_close(line, &text) && good && ck_chain_write(to, text, size, chain);
    free(text);
    return good;
}

bool ck_write_head(FILE *to, const struct ck_run_head *head, uint64_t *chain)
{
    return write_line(to, &head_line, head, chain);
}

bool ck_write_record(FILE *to, const struct ck_record *record, uint64_t *chain)
{
    return write_line(to, &record_line, record, chain);
}

bool ck_write_end(FILE *to, unsigned long records, uint64_t digest, uint64_t *chain)
{
    return write_line(to, &end_line, &(struct record_end){ .records = records, .digest = digest }, chain);
}
// SPDX-License-Identifier: Apache-2.0
