/* Record files, read whole. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clean.h"
#include "harness/base/file.h"
#include "harness/base/index.h"
#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/base/version.h"
#include "harness/records/chain.h"
#include "harness/records/lines.h"
#include "harness/records/usual.h"

/* What is known of a record beside what it says. */
struct read_record {
    unsigned long line;
    uint64_t hash, digest; /* ck_record_hash, and ck_record_digest as it was written */
};

struct reader {
    const char *path;
    unsigned long line;
    char *error;
    size_t error_size;
    struct ck_record_file *out;
    size_t room;
    struct ck_index keys;     /* records by point and engine */
    size_t run_begins;        /* the first record after the last head line */
    size_t held;              /* records that took the place of an earlier one */
    struct read_record *read; /* of each record */
    uint64_t plan;            /* ck_record_hash of the records, added up */
    uint64_t chain;           /* of the lines so far */
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

/* A number with up to 15 digits and no exponent is a whole one over a power of ten, both exact, so that their quotient
 * is rounded once, as strtod does it. Most are so. */
static double real(const struct json_value *v)
{
    static const double tens[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
    const char *const point = memchr(v->text, '.', v->size);
    uint64_t digits = 0;

    for (size_t i = 0; i < v->size && v->size <= 16; i++) {
        if (v->text + i == point)
            continue;
        if (v->text[i] < '0' || v->text[i] > '9')
            return strtod(v->text, NULL);
        digits = digits * 10 + (unsigned)(v->text[i] - '0');
    }
    if (v->size > 16 || (v->size == 16 && !point))
        return strtod(v->text, NULL);
    return (double)digits / tens[point ? v->text + v->size - 1 - point : 0];
}

static bool read_hex(struct reader *r, const struct json_value *v, const char *name, uint64_t *out)
{
    unsigned long long magnitude = 0;
    bool minus = false;

    if (v->type == JSON_NUMBER) {
        if (!read_whole(r, v, UINT64_MAX, false, &magnitude, &minus, name))
            return false;
        *out = magnitude;
        return true;
    }
    if (v->type == JSON_STRING) {
        const char *at = v->text + (v->size > 2 && !memcmp(v->text, "0x", 2) ? 2 : 0), *const end = v->text + v->size;
        const ptrdiff_t digits = end - at;
        for (*out = 0; at < end && isxdigit((unsigned char)*at); at++)
            *out = *out << 4 | (unsigned)(*at <= '9' ? *at - '0' : (*at & 7) + 9);
        if (at == end && digits && digits <= 16)
            return true;
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
        if (!v->plain && strlen(v->text) != v->size)
            return bad(r, "\"%s\" holds a NUL character", m->name);
        if (!v->plain) /* harmless to show */
            ck_clean(v->text, !strcmp(m->name, "detail"));
        *(char **)field = v->text;
        return true;
    case VERDICT: return read_verdict(r, v, field);
    case BOOL:
        if (v->type != JSON_BOOL)
            return bad(r, "\"%s\" is neither true nor false", m->name);
        *(bool *)field = v->truth;
        return true;
    case REAL:
        if (v->type != JSON_NUMBER)
            return bad(r, "\"%s\" is no number", m->name);
        *(double *)field = real(v);
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

/* Names are short, and most differ in their first letter: a call would take longer. */
static bool is_name(const char *text, const char *name)
{
    while (*text && *text == *name)
        text++, name++;
    return *text == *name;
}

static bool has(const struct line *line, const char *name)
{
    for (size_t i = 0; i < line->count; i++)
        if (is_name(line->names[i].text, name))
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
    size_t i = 0; /* members are written in the table's order: the next one is most often the one behind the last */

    for (size_t k = 0; k < line->count; k++) {
        size_t tried = 0;
        while (tried < kind->count && !is_name(kind->members[i].name, line->names[k].text)) {
            i = i + 1 < kind->count ? i + 1 : 0;
            tried++;
        }
        if (tried == kind->count || line->values[k].type == JSON_NULL)
            continue;
        if (seen >> i & 1) {
            bad(r, "\"%s\" is there twice", kind->members[i].name);
            return false;
        }
        if (!read_member(r, &kind->members[i], &line->values[k], object))
            return false;
        seen |= 1ul << i;
    }
    for (i = 0; i < kind->count; i++)
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
static size_t *find(const struct reader *r, const struct ck_record *key, uint64_t hash)
{
    const struct wanted wanted = { .records = r->out->records, .key = key };

    return ck_index_find(&r->keys, hash, same_key, &wanted);
}

static bool grow(struct reader *r)
{
    const size_t room = r->room ? r->room * 2 : 1024;
    struct ck_record *records = realloc(r->out->records, room * sizeof *records);
    struct read_record *read;

    if (!records)
        return bad(r, "out of memory");
    r->out->records = records;
    read = realloc(r->read, room * sizeof *read);
    if (!read)
        return bad(r, "out of memory");
    r->read = read;
    if (!ck_index_make(&r->keys, room))
        return bad(r, "out of memory");
    r->room = room;
    for (size_t i = 0; i < r->out->count; i++)
        *find(r, &records[i], read[i].hash) = i + 1;
    return true;
}

static bool keep_record(struct reader *r, struct ck_record *record)
{
    const char *contradiction;
    uint64_t digest, hash;
    size_t *place;

    if (!record->point || !record->engine)
        return false; /* read_members has refused such a line */
    if (r->ended)
        return bad(r, "a record follows the end line");
    if (r->out->head.engines && !ck_head_has_engine(&r->out->head, record->engine))
        return bad(r, "a record of the engine %.40s, which the run did not have", record->engine);
    if (!record->seed) /* absent: the run's */
        record->seed = r->out->head.seed;
    if (r->out->head.usual && !ck_record_fill_in(record, r->out))
        return bad(r, "out of memory");
    if (record->verdict == CK_V_NONE)
        return bad(r, "\"verdict\" is missing");
    if (!record->rule)
        return bad(r, "\"rule\" is missing");
    if (!record->family)
        return bad(r, "\"family\" is missing");
    digest = ck_record_digest(record); /* what was cleaned away does not count in it */
    contradiction = ck_record_contradiction(record);
    if (contradiction)
        return bad(r, "%s: the record was edited", contradiction);
    if (r->out->count == r->room && !grow(r))
        return false;
    hash = ck_record_hash(record->point, record->engine);
    place = find(r, record, hash);
    if (!*place)
        r->plan += hash;
    if (*place) {
        if (*place - 1 >= r->run_begins)
            return bad(r, "%.200s on %.40s has a record in line %lu already", record->point, record->engine,
                       r->read[*place - 1].line);
        r->out->records[*place - 1].verdict = CK_V_NONE; /* dropped by drop_replaced */
        r->out->digest -= r->read[*place - 1].digest;
        r->held++;
    }
    r->out->records[r->out->count] = *record;
    r->out->digest += digest;
    r->read[r->out->count] = (struct read_record){ r->line, hash, digest };
    r->out->count++;
    *place = r->out->count;
    return true;
}

/* The version of the file is not one that this program cannot know. */
static bool known_version(struct reader *r, const char *version)
{
    int major, minor, own_major, own_minor, used = 0;

    sscanf(ck_version, "%d.%d", &own_major, &own_minor);
    if (sscanf(version, "%9d.%9d%n", &major, &minor, &used) != 2 || version[used])
        return bad(r, "'%.40s' is no version of copycheck: MAJOR.MINOR", version);
    if (major > own_major || (major == own_major && minor > own_minor))
        return bad(r, "made by copycheck %d.%d; this is %s", major, minor, ck_version);
    return true;
}

static bool same_text(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

const char *ck_head_difference(const struct ck_run_head *a, const struct ck_run_head *b)
{
    for (size_t i = 0; i < head_line.count; i++) {
        const struct member *m = &head_line.members[i];
        const char *x = (const char *)a + m->offset, *y = (const char *)b + m->offset;
        bool same = true;

        switch (m->form) {
        case TEXT: same = same_text(*(const char *const *)x, *(const char *const *)y); break;
        case INT: same = *(const int *)x == *(const int *)y; break;
        case UINT: same = *(const unsigned *)x == *(const unsigned *)y; break;
        case ULONG: same = *(const unsigned long *)x == *(const unsigned long *)y; break;
        case BOOL: same = *(const bool *)x == *(const bool *)y; break;
        case HEX64: same = *(const uint64_t *)x == *(const uint64_t *)y; break;
        default: break; /* a head has no others */
        }
        if (!same && strcmp(m->name, "host") != 0)
            return m->name;
    }
    return NULL;
}

static bool keep_head(struct reader *r, struct ck_run_head *head)
{
    const char *difference;

    if (!known_version(r, head->version))
        return false;
    if (head->schema < 0 || head->schema > CK_SCHEMA)
        return bad(r, "schema %d; this program reads 1 to %d", head->schema, CK_SCHEMA);
    difference = r->headed ? ck_head_difference(head, &r->out->head) : NULL;
    if (difference)
        return bad(r, "two runs in one file: this head has another \"%s\" than the first", difference);
    if (!r->headed)
        r->out->head = *head;
    r->headed = true;
    r->ended = false;
    r->out->head.complete = false;
    r->run_begins = r->out->count;
    return true;
}

static bool keep_end(struct reader *r, const struct record_end *end, bool digested)
{
    const size_t count = r->out->count - r->held;

    if (r->ended)
        return bad(r, "a second end line");
    if (end->records != count)
        return bad(r, "the end line counts %lu records, but there are %zu: lines were lost or added", end->records,
                   count);
    if (digested && end->digest != r->out->digest)
        return bad(r, "the records are not those that the run wrote (another digest): a line was edited");
    if (r->out->head.plan && r->out->head.plan != r->plan)
        return bad(r, "the records are not those that the run had planned");
    r->ended = true;
    r->out->head.complete = true;
    r->out->head.digested = digested || !count;
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
        struct record_end last = { 0 };
        return read_members(r, &end_line, &line, &last) && keep_end(r, &last, has(&line, "digest"));
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

/* Holds a line that has been read to its sum. A head line that begins a chain of its own came from another file. */
static bool follows(struct reader *r, const struct ck_sum *sum, bool begins)
{
    if (r->out->head.schema < 2)
        return !sum->there || bad(r, "the line has a sum, but the head says no schema that has: it was edited");
    if (!sum->there)
        return bad(r, "the line has no sum: it was edited or added");
    if (!sum->right)
        return bad(r, begins ? "the head of another file: two files were put together"
                             : "the line's sum is not right: it or the head was edited, or lines before it were "
                               "lost, added or moved");
    r->chain = sum->chain;
    return true;
}

/* Whether the line would be right as the first one of a file. */
static bool begins_file(const struct reader *r, const char *line, size_t size, const struct ck_sum *sum)
{
    static const char head[] = "{\"copycheck\"";

    return r->headed && sum->there && !sum->right && size >= sizeof head && !memcmp(line, head, sizeof head - 1) &&
           ck_chain_read(line, size, CK_CHAIN_BASIS).right;
}

static bool read_lines(struct reader *r, char *text, size_t size)
{
    char *const end = text + size;

    r->chain = CK_CHAIN_BASIS;
    for (char *at = text; at < end;) {
        char *const newline = memchr(at, '\n', (size_t)(end - at)), *const stop = newline ? newline : end;
        const struct ck_sum sum = ck_chain_read(at, (size_t)(stop - at), r->chain); /* reading changes the line */
        const bool begins = begins_file(r, at, (size_t)(stop - at), &sum);

        r->line++;
        if (begins && !follows(r, &sum, begins))
            return false;
        if (!read_line(r, at, stop)) {
            if (newline || !r->headed || !r->unreadable)
                return false;
            r->out->head.complete = false;
            break;
        }
        if (!follows(r, &sum, false))
            return false;
        at = newline ? newline + 1 : end;
        r->out->good_bytes = (size_t)(at - text);
        if (!r->ended) {
            r->out->record_bytes = r->out->good_bytes;
            r->out->chain = r->chain;
        }
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
    free(r.read);
    if (!good) {
        ck_free_records(out);
        return false;
    }
    error[0] = 0;
    drop_replaced(out);
    return true;
}

bool ck_read_head(const char *path, struct ck_record_file *out, char *error, size_t error_size)
{
    struct reader r = { .path = path, .error = error, .error_size = error_size, .out = out, .line = 1 };
    const char *why;
    FILE *from = ck_file_open(path, &why);
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    bool good;

    *out = (struct ck_record_file){ 0 };
    if (!from) {
        snprintf(error, error_size, "%s: %s", path, why);
        return false;
    }
    errno = 0;
    n = getline(&line, &room, from);
    why = errno ? strerror(errno) : "empty";
    ck_file_close(from);
    good = n > 0 ? read_line(&r, line, line + n) : bad_file(&r, why);
    out->storage = line;
    if (!good)
        ck_free_records(out);
    return good;
}

void ck_free_records(struct ck_record_file *file)
{
    free(file->records);
    free(file->storage);
    ck_record_file_free_rules(file);
    *file = (struct ck_record_file){ 0 };
}
// SPDX-License-Identifier: Apache-2.0
