/* Calls as lines of text. */
#include "harness/maps/maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/base/file.h"

enum { LIST_MAX = 8 }; /* entries that a call of a wrong rank may have */

struct reader {
    const char *at, *column;
    char *error;
    size_t error_size;
};

static bool bad(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(struct reader *r, const char *format, ...)
{
    char why[160];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    snprintf(r->error, r->error_size, "%s: %s", r->column, why);
    return false;
}

static bool at_end(char c)
{
    return c == '\0' || c == '\n';
}

static int digit_of(char c, unsigned base)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (base == 16 && c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (base == 16 && c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static bool read_unsigned(struct reader *r, uint64_t max, uint64_t *value)
{
    const char *p = r->at;
    unsigned base = 10;

    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        base = 16;
        p += 2;
    }
    if (digit_of(*p, base) < 0) {
        if (at_end(*r->at) || *r->at == '\t')
            return bad(r, "a number is missing");
        return bad(r, "not a number: '%.*s'", (int)strcspn(r->at, "\t\n,"), r->at);
    }
    *value = 0;
    for (int d; (d = digit_of(*p, base)) >= 0; p++)
        if (__builtin_mul_overflow(*value, (uint64_t)base, value) || __builtin_add_overflow(*value, (uint64_t)d, value))
            return bad(r, "above 2^64-1");
    if (*value > max)
        return bad(r, "%" PRIu64 " is above %" PRIu64, *value, max);
    r->at = p;
    return true;
}

static bool read_signed(struct reader *r, int64_t min, int64_t max, int64_t *value)
{
    const bool minus = *r->at == '-';
    uint64_t magnitude = 0;

    r->at += minus;
    if (!read_unsigned(r, minus ? 0 - (uint64_t)min : (uint64_t)max, &magnitude))
        return false;
    *value = minus ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

/* The end of a column: the tab after it, or the end of the line after the last. */
static bool end_column(struct reader *r, bool last)
{
    if (last ? at_end(*r->at) : *r->at == '\t') {
        r->at += !last;
        return true;
    }
    if (at_end(*r->at))
        return bad(r, "the line ends after it");
    if (*r->at == '\t')
        return bad(r, "more columns after it");
    return bad(r, "not understood at '%.*s'", (int)strcspn(r->at, "\t\n"), r->at);
}

/* Reads into values[LIST_MAX] and demands `wanted` entries; any number if it is negative. */
static bool read_list(struct reader *r, const char *column, int wanted, uint64_t max, uint64_t values[LIST_MAX])
{
    int n = 0;

    r->column = column;
    memset(values, 0, LIST_MAX * sizeof *values);
    if (*r->at != '\t')
        for (;; r->at++) {
            if (n == LIST_MAX)
                return bad(r, "too many entries");
            if (!read_unsigned(r, max, &values[n++]))
                return false;
            if (*r->at != ',')
                break;
        }
    if (wanted >= 0 && n != wanted)
        return bad(r, "%d entries, where the rank takes %d", n, wanted);
    return end_column(r, false);
}

static bool read_enum(struct reader *r, const char *column, bool last, int64_t *value)
{
    r->column = column;
    return read_signed(r, INT32_MIN, INT32_MAX, value) && end_column(r, last);
}

static void narrow(const uint64_t from[LIST_MAX], uint32_t to[TENSOR_RANK_MAX])
{
    for (int i = 0; i < TENSOR_RANK_MAX; i++)
        to[i] = (uint32_t)from[i];
}

static bool read_tile(struct reader *r, const struct tensor_map *map, struct tile_at *at)
{
    const bool legal = map->rank >= 1 && map->rank <= TENSOR_RANK_MAX;
    int n = 0;

    r->column = "coordinates";
    memset(at, 0, sizeof *at);
    if (*r->at != '\t')
        for (;; r->at++) {
            int64_t value = 0;

            if (n == LIST_MAX)
                return bad(r, "too many entries");
            if (!read_signed(r, INT32_MIN, INT32_MAX, &value))
                return false;
            if (n < TENSOR_RANK_MAX)
                at->corner[n] = (int32_t)value;
            n++;
            if (*r->at != ',')
                break;
        }
    if (legal && n != map->rank)
        return bad(r, "%d entries, where the rank takes %d", n, (int)map->rank);
    if (!end_column(r, false))
        return false;
    r->column = "shared offset";
    return read_unsigned(r, UINT32_MAX, &at->offset) && end_column(r, true);
}

bool map_line_read(const char *line, struct tensor_map *map, struct tile_at *at, char *error, size_t error_size)
{
    struct reader r = { .at = line, .error = error, .error_size = error_size };
    uint64_t list[LIST_MAX];
    int rank;

    memset(map, 0, sizeof *map); /* a line has no mode: its maps are tiled */
    if (!read_enum(&r, "type", false, &map->type))
        return false;
    r.column = "rank";
    if (!read_signed(&r, INT32_MIN, UINT32_MAX, &map->rank) || !end_column(&r, false))
        return false;
    r.column = "address";
    if (!read_unsigned(&r, UINT64_MAX, &map->address) || !end_column(&r, false))
        return false;
    rank = map->rank >= 1 && map->rank <= TENSOR_RANK_MAX ? (int)map->rank : -1;
    if (!read_list(&r, "dims", rank, UINT64_MAX, list))
        return false;
    memcpy(map->dims, list, sizeof map->dims);
    if (!read_list(&r, "strides", rank < 0 ? rank : rank - 1, UINT64_MAX, list))
        return false;
    memcpy(map->strides, list, sizeof map->strides);
    if (!read_list(&r, "box", rank, UINT32_MAX, list))
        return false;
    narrow(list, map->box);
    if (!read_list(&r, "element_strides", rank, UINT32_MAX, list))
        return false;
    narrow(list, map->element_strides);
    return read_enum(&r, "interleave", false, &map->interleave) && read_enum(&r, "swizzle", false, &map->swizzle) &&
           read_enum(&r, "l2", false, &map->l2) && read_enum(&r, "fill", !at, &map->fill) &&
           (!at || read_tile(&r, map, at));
}

static int each_line(FILE *from, bool with_tile, struct map_line *l,
                     int (*visit)(void *context, const struct map_line *line), void *context)
{
    char *text = NULL, error[200];
    size_t room = 0;
    int status = 0;

    while (!status) {
        const ssize_t length = getline(&text, &room, from);
        if (length < 0)
            break;
        l->number++;
        l->text = text;
        if (memchr(text, '\0', (size_t)length))
            status = ck_bad("%s:%lu: a null byte", l->name, l->number);
        else if (!map_line_read(text, &l->map, with_tile ? &l->at : NULL, error, sizeof error))
            status = ck_bad("%s:%lu: %s", l->name, l->number, error);
        else
            status = visit(context, l);
    }
    if (!status && !feof(from)) /* an error, or no memory for a line */
        status = ck_bad("%s: %s", l->name, strerror(errno));
    free(text);
    return status;
}

int map_lines_each(const char *path, bool with_tile, int (*visit)(void *context, const struct map_line *line),
                   void *context)
{
    const bool standard = !path || !strcmp(path, "-");
    struct map_line line = { .name = standard ? "standard input" : path };
    const char *why;
    FILE *from = ck_file_open(standard ? "-" : path, &why);
    int status;

    if (!from)
        return ck_bad("%s: %s", path, why);
    status = each_line(from, with_tile, &line, visit, context);
    ck_file_close(from);
    return status;
}

static void write_list(FILE *to, const uint64_t *list, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(to, i ? ",%" PRIu64 : "%" PRIu64, list[i]);
    putc('\t', to);
}

static void write_list32(FILE *to, const uint32_t *list, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(to, i ? ",%" PRIu32 : "%" PRIu32, list[i]);
    putc('\t', to);
}

void map_line_write(FILE *to, const struct tensor_map *m)
{
    const int n = m->rank < 1 ? 1 : m->rank > TENSOR_RANK_MAX ? TENSOR_RANK_MAX : (int)m->rank;

    fprintf(to, "%" PRId64 "\t%" PRId64 "\t%" PRIu64 "\t", m->type, m->rank, m->address);
    write_list(to, m->dims, n);
    write_list(to, m->strides, n - 1);
    write_list32(to, m->box, n);
    write_list32(to, m->element_strides, n);
    fprintf(to, "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64, m->interleave, m->swizzle, m->l2, m->fill);
}
// SPDX-License-Identifier: Apache-2.0
