/* Records: written a line each, read a file at a time. */
#include "harness/records/record.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/hash.h"
#include "harness/base/index.h"
#include "harness/base/json.h"
#include "harness/base/text.h"

const char *const ck_verdict_names[CK_V_COUNT] = {
    [CK_V_NONE] = "none",         [CK_V_PASS] = "pass",     [CK_V_FAIL] = "fail",         [CK_V_SKIP] = "skip",
    [CK_V_SEEN] = "seen",         [CK_V_HANG] = "hang",     [CK_V_FAULT] = "fault",       [CK_V_BROKEN] = "broken",
    [CK_V_UNPROVEN] = "unproven", [CK_V_KILLED] = "killed", [CK_V_SURVIVED] = "survived", [CK_V_EXCUSED] = "excused",
};

/* How a member of a line is kept in its struct. */
enum form { TEXT, INT, UINT, LONG, ULONG, BOOL, HEX64, MS, VERDICT };

struct member {
    const char *name;
    enum form form;
    size_t offset;
    bool must; /* a line without it is bad */
};

#define AT(type, field) offsetof(struct type, field)

static const struct member record_members[] = {
    { "point", TEXT, AT(ck_record, point), true },
    { "engine", TEXT, AT(ck_record, engine), true },
    { "verdict", VERDICT, AT(ck_record, verdict), true },
    { "rule", TEXT, AT(ck_record, rule), true },
    { "family", TEXT, AT(ck_record, family), true },
    { "phase", TEXT, AT(ck_record, phase) },
    { "evidence", TEXT, AT(ck_record, evidence) },
    { "expected", TEXT, AT(ck_record, expected) },
    { "outcome", TEXT, AT(ck_record, outcome) },
    { "code", LONG, AT(ck_record, code) },
    { "seen", TEXT, AT(ck_record, seen) },
    { "varies", BOOL, AT(ck_record, varies) },
    { "detail", TEXT, AT(ck_record, detail) },
    { "at", TEXT, AT(ck_record, at) },
    { "digest", HEX64, AT(ck_record, digest) },
    { "seed", HEX64, AT(ck_record, seed) },
    { "runs", UINT, AT(ck_record, runs) },
    { "same", UINT, AT(ck_record, same) },
    { "ms", MS, AT(ck_record, ms) },
};

static const struct member head_members[] = {
    { "copycheck", TEXT, AT(ck_run_head, version), true },
    { "device", TEXT, AT(ck_run_head, device) },
    { "sm", INT, AT(ck_run_head, sm) },
    { "driver", TEXT, AT(ck_run_head, driver) },
    { "toolkit", TEXT, AT(ck_run_head, toolkit) },
    { "engines", TEXT, AT(ck_run_head, engines) },
    { "selection", TEXT, AT(ck_run_head, selection) },
    { "seed", HEX64, AT(ck_run_head, seed) },
    { "planned", ULONG, AT(ck_run_head, planned) },
    { "mutants", BOOL, AT(ck_run_head, mutants) },
};

static const struct member end_members[] = { { "end", ULONG, 0, true } };

static const struct line_kind {
    const struct member *members;
    size_t count;
} head_line = { head_members, sizeof head_members / sizeof *head_members },
  record_line = { record_members, sizeof record_members / sizeof *record_members },
  end_line = { end_members, sizeof end_members / sizeof *end_members };

/* ---- writing ---- */

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
    case MS:
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

bool ck_write_end(FILE *to, unsigned long records)
{
    return write_line(to, &end_line, &records);
}

/* ---- reading ---- */

struct reader {
    const char *path;
    unsigned long line;
    char *error;
    size_t error_size;
    struct ck_record_file *out;
    size_t room;
    struct ck_index keys; /* records by point and engine */
    size_t run_begins;    /* the first record after the last head line */
    size_t held;          /* records that took the place of an earlier one */
    unsigned long *lines; /* of each record */
    bool headed, ended;
    bool unreadable; /* the line at hand is no JSON */
};

static bool bad(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(struct reader *r, const char *format, ...)
{
    va_list args;
    const int n = snprintf(r->error, r->error_size, "%s:%lu: ", r->path, r->line);

    va_start(args, format);
    if (n >= 0 && (size_t)n < r->error_size)
        vsnprintf(r->error + n, r->error_size - (size_t)n, format, args);
    va_end(args);
    return false;
}

static bool bad_file(struct reader *r, const char *why)
{
    snprintf(r->error, r->error_size, "%s: %s", r->path, why);
    return false;
}

static bool read_whole(struct reader *r, const struct json_value *v, unsigned long long max, bool negative,
                       unsigned long long *magnitude, bool *minus, const char *name)
{
    const size_t sign = v->type == JSON_NUMBER && *v->text == '-';
    char *end;

    if (v->type == JSON_NUMBER && (negative || !sign)) {
        errno = 0;
        *magnitude = strtoull(v->text + sign, &end, 10);
        *minus = sign;
        if (!errno && end == v->text + v->size && *magnitude <= max)
            return true;
    }
    return bad(r, "\"%s\" is no whole number from %s%llu to %llu", name, negative ? "-" : "", negative ? max : 0, max);
}

static bool read_hex(struct reader *r, const struct json_value *v, const char *name, uint64_t *out)
{
    unsigned long long magnitude = 0;
    bool minus = false;
    char *end;

    if (v->type == JSON_NUMBER) {
        if (!read_whole(r, v, UINT64_MAX, false, &magnitude, &minus, name))
            return false;
        *out = magnitude;
        return true;
    }
    if (v->type == JSON_STRING) {
        const char *digits = v->text + (v->size > 2 && !memcmp(v->text, "0x", 2) ? 2 : 0);
        const size_t n = strlen(digits);
        if (n && n <= 16 && strspn(digits, "0123456789abcdefABCDEF") == n && strlen(v->text) == v->size) {
            *out = strtoull(digits, &end, 16);
            return true;
        }
    }
    return bad(r, "\"%s\" is no string of 1 to 16 hexadecimal digits", name);
}

static bool read_verdict(struct reader *r, const struct json_value *v, enum ck_verdict *out)
{
    if (v->type != JSON_STRING)
        return bad(r, "\"verdict\" is no string");
    for (int i = CK_V_PASS; i < CK_V_COUNT; i++) {
        if (!strcmp(ck_verdict_names[i], v->text)) {
            *out = (enum ck_verdict)i;
            return true;
        }
    }
    return bad(r, "no verdict is called '%.40s'", v->text);
}

static bool read_member(struct reader *r, const struct member *m, const struct json_value *v, char *object)
{
    void *field = object + m->offset;
    unsigned long long n = 0;
    bool minus = false;

    switch (m->form) {
    case TEXT:
        if (v->type != JSON_STRING)
            return bad(r, "\"%s\" is no string", m->name);
        if (strlen(v->text) != v->size)
            return bad(r, "\"%s\" holds a NUL character", m->name);
        *(const char **)field = v->text;
        return true;
    case VERDICT: return read_verdict(r, v, field);
    case BOOL:
        if (v->type != JSON_BOOL)
            return bad(r, "\"%s\" is neither true nor false", m->name);
        *(bool *)field = v->truth;
        return true;
    case MS:
        if (v->type != JSON_NUMBER)
            return bad(r, "\"%s\" is no number", m->name);
        *(double *)field = strtod(v->text, NULL);
        return true;
    case HEX64: return read_hex(r, v, m->name, field);
    case INT:
        if (!read_whole(r, v, INT32_MAX, true, &n, &minus, m->name))
            return false;
        *(int *)field = minus ? -(int)n : (int)n;
        return true;
    case UINT:
        if (!read_whole(r, v, UINT32_MAX, false, &n, &minus, m->name))
            return false;
        *(unsigned *)field = (unsigned)n;
        return true;
    case LONG:
        if (!read_whole(r, v, INT64_MAX, true, &n, &minus, m->name))
            return false;
        *(long *)field = minus ? -(long)n : (long)n;
        return true;
    case ULONG:
        if (!read_whole(r, v, UINT64_MAX, false, &n, &minus, m->name))
            return false;
        *(unsigned long *)field = (unsigned long)n;
        return true;
    }
    return false;
}

enum { MEMBERS_MAX = 64 };

struct line {
    struct json_value names[MEMBERS_MAX], values[MEMBERS_MAX];
    size_t count;
};

static bool has(const struct line *line, const char *name)
{
    for (size_t i = 0; i < line->count; i++)
        if (!strcmp(line->names[i].text, name))
            return true;
    return false;
}

static bool split(struct reader *r, struct json *j, struct line *line)
{
    line->count = 0;
    if (json_open(j)) {
        while (line->count < MEMBERS_MAX && json_member(j, &line->names[line->count], &line->values[line->count]))
            line->count++;
        if (line->count == MEMBERS_MAX)
            return bad(r, "more than %d members", MEMBERS_MAX - 1);
    }
    r->unreadable = j->error || !json_ends(j);
    return !r->unreadable || bad(r, "%s", j->error);
}

/* Fills `object` from the line's members. A null is an absent member. */
static bool read_members(struct reader *r, const struct line_kind *kind, const struct line *line, void *object)
{
    unsigned long seen = 0;

    for (size_t k = 0; k < line->count; k++) {
        for (size_t i = 0; i < kind->count; i++) {
            const struct member *m = &kind->members[i];
            if (strcmp(m->name, line->names[k].text) != 0 || line->values[k].type == JSON_NULL)
                continue;
            if (seen >> i & 1)
                return bad(r, "\"%s\" is there twice", m->name);
            if (!read_member(r, m, &line->values[k], object))
                return false;
            seen |= 1ul << i;
        }
    }
    for (size_t i = 0; i < kind->count; i++)
        if (kind->members[i].must && !(seen >> i & 1))
            return bad(r, "\"%s\" is missing", kind->members[i].name);
    return true;
}

struct wanted {
    const struct ck_record *records, *key;
};

static bool same_key(const void *key, size_t element)
{
    const struct wanted *w = key;
    const struct ck_record *r = &w->records[element];

    return !strcmp(r->point, w->key->point) && !strcmp(r->engine, w->key->engine);
}

/* The place in the index of the record with this key, or the free place where it belongs. */
static size_t *find(const struct reader *r, const struct ck_record *key)
{
    const struct wanted wanted = { .records = r->out->records, .key = key };

    return ck_index_find(&r->keys, ck_record_hash(key->point, key->engine), same_key, &wanted);
}

uint64_t ck_record_hash(const char *point, const char *engine)
{
    return fnv1a(fnv1a(FNV1A_BASIS, point, strlen(point) + 1), engine, strlen(engine));
}

static bool grow(struct reader *r)
{
    const size_t room = r->room ? r->room * 2 : 1024;
    struct ck_record *records = realloc(r->out->records, room * sizeof *records);
    unsigned long *lines;

    if (!records)
        return bad(r, "out of memory");
    r->out->records = records;
    lines = realloc(r->lines, room * sizeof *lines);
    if (!lines)
        return bad(r, "out of memory");
    r->lines = lines;
    if (!ck_index_make(&r->keys, room))
        return bad(r, "out of memory");
    r->room = room;
    for (size_t i = 0; i < r->out->count; i++)
        *find(r, &records[i]) = i + 1;
    return true;
}

static bool keep_record(struct reader *r, const struct ck_record *record)
{
    size_t *place;

    if (!record->point || !record->engine)
        return false; /* read_members has refused such a line */
    if (r->ended)
        return bad(r, "a record follows the end line");
    if (r->out->count == r->room && !grow(r))
        return false;
    place = find(r, record);
    if (*place) {
        if (*place - 1 >= r->run_begins)
            return bad(r, "%.200s on %.40s has a record in line %lu already", record->point, record->engine,
                       r->lines[*place - 1]);
        r->out->records[*place - 1].verdict = CK_V_NONE; /* dropped by drop_replaced */
        r->held++;
    }
    r->out->records[r->out->count] = *record;
    if (!record->seed) /* absent: the run's */
        r->out->records[r->out->count].seed = r->out->head.seed;
    r->lines[r->out->count] = r->line;
    r->out->count++;
    *place = r->out->count;
    return true;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool keep_head(struct reader *r, const struct ck_run_head *head)
{
    const struct ck_run_head *first = &r->out->head;

    if (!r->headed)
        r->out->head = *head;
    else if (!same(head->device, first->device) || !same(head->driver, first->driver) ||
             !same(head->toolkit, first->toolkit))
        return bad(r, "the run went on with another device, driver or toolkit than it began with");
    r->headed = true;
    r->ended = false;
    r->out->head.complete = false;
    r->run_begins = r->out->count;
    return true;
}

static bool keep_end(struct reader *r, unsigned long records)
{
    if (r->ended)
        return bad(r, "a second end line");
    r->ended = true;
    r->out->head.complete = records == r->out->count - r->held;
    return true;
}

/* One line: a head, a record, an end, or something of a later version, which is ignored. */
static bool read_line(struct reader *r, char *from, char *end)
{
    struct json j = { .at = from, .end = end };
    struct line line;

    if (!split(r, &j, &line))
        return false;
    if (has(&line, "copycheck")) {
        struct ck_run_head head = { 0 };
        return read_members(r, &head_line, &line, &head) && keep_head(r, &head);
    }
    if (!r->headed)
        return bad(r, "no record file: its first line has no member \"copycheck\"");
    if (has(&line, "point")) {
        struct ck_record record = { 0 };
        return read_members(r, &record_line, &line, &record) && keep_record(r, &record);
    }
    if (has(&line, "end")) {
        unsigned long records = 0;
        return read_members(r, &end_line, &line, &records) && keep_end(r, records);
    }
    return true;
}

static void drop_replaced(struct ck_record_file *file)
{
    size_t kept = 0;

    for (size_t i = 0; i < file->count; i++)
        if (file->records[i].verdict != CK_V_NONE)
            file->records[kept++] = file->records[i];
    file->count = kept;
}

static bool read_lines(struct reader *r, char *text, size_t size)
{
    char *const end = text + size;

    for (char *at = text; at < end;) {
        char *newline = memchr(at, '\n', (size_t)(end - at));

        r->line++;
        if (!read_line(r, at, newline ? newline : end)) {
            if (newline || !r->headed || !r->unreadable)
                return false;
            r->out->head.complete = false;
            break;
        }
        at = newline ? newline + 1 : end;
        r->out->good_bytes = (size_t)(at - text);
    }
    return r->headed || bad_file(r, "empty");
}

bool ck_read_records(const char *path, struct ck_record_file *out, char *error, size_t error_size)
{
    struct reader r = { .path = path, .error = error, .error_size = error_size, .out = out };
    struct ck_text text;
    bool good;

    *out = (struct ck_record_file){ 0 };
    if (!ck_text_read(path, &text, error, error_size))
        return false;
    out->storage = text.data;
    good = read_lines(&r, text.data, text.size);
    ck_index_free(&r.keys);
    free(r.lines);
    if (!good) {
        ck_free_records(out);
        return false;
    }
    error[0] = 0;
    drop_replaced(out);
    return true;
}

void ck_free_records(struct ck_record_file *file)
{
    free(file->records);
    free(file->storage);
    *file = (struct ck_record_file){ 0 };
}
