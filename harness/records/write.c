/* Records, written a line each. */
#include "harness/base/json.h"
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
        write_name(to, m->name, first);
        fprintf(to, "\"%s\"", ck_verdict_names[*(const enum ck_verdict *)field]);
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

static bool write_line(FILE *to, const struct line_kind *kind, const void *object)
{
    bool first = true;

    for (size_t i = 0; i < kind->count; i++)
        write_member(to, &kind->members[i], object, &first);
    fputs("}\n", to);
    return !ferror(to);
}

bool ck_write_head(FILE *to, const struct ck_run_head *head)
{
    return write_line(to, &head_line, head);
}

bool ck_write_record(FILE *to, const struct ck_record *record)
{
    return write_line(to, &record_line, record);
}

bool ck_write_end(FILE *to, unsigned long records, uint64_t digest)
{
    return write_line(to, &end_line, &(struct record_end){ .records = records, .digest = digest });
}
