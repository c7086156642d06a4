/* Captures: reading and writing. */
#include "harness/capture/capture.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/hash.h"
#include "harness/base/room.h"

#define MOST (1ull << 40) /* bytes of a piece of memory */

enum { NUMBERS = CAPTURE_MAP_NUMBERS + 2, LINE = 1400, STEP = 64 };

bool capture_is(const char *data, size_t size)
{
    return size >= strlen(CAPTURE_MAGIC) && !memcmp(data, CAPTURE_MAGIC, strlen(CAPTURE_MAGIC));
}

struct capture_bytes *capture_add(struct capture *c)
{
    struct capture_bytes *all = ck_room(c->memory, c->memory_count, &c->memory_room, 16, sizeof *all);

    if (!all)
        return NULL;
    c->memory = all;
    all[c->memory_count] = (struct capture_bytes){ 0 };
    return &all[c->memory_count++];
}

struct capture_map *capture_add_map(struct capture *c)
{
    struct capture_map *all = ck_room(c->maps, c->map_count, &c->map_room, 16, sizeof *all);

    if (!all)
        return NULL;
    c->maps = all;
    all[c->map_count] = (struct capture_map){ 0 };
    return &all[c->map_count++];
}

void capture_free(struct capture *c)
{
    free(c->machine);
    free(c->ptx);
    free(c->entry);
    free(c->params);
    for (size_t i = 0; i < c->memory_count; i++) {
        free(c->memory[i].before);
        free(c->memory[i].after);
        free(c->memory[i].variable);
    }
    free(c->memory);
    free(c->maps);
    *c = (struct capture){ 0 };
}

/* ---- the arguments of a tensor map as numbers ---------------------------------------------------------------------
 */

/* Where each is in the struct: so that reading and writing cannot differ. */
static const struct {
    size_t offset;
    unsigned bytes, count;
} fields[] = {
#define FIELD(name, n)                                                                                                 \
    {                                                                                                                  \
        offsetof(struct tensor_map, name), sizeof((struct tensor_map *)0)->name / (n), (n)                             \
    }
    FIELD(type, 1),
    FIELD(rank, 1),
    FIELD(address, 1),
    FIELD(dims, TENSOR_RANK_MAX),
    FIELD(strides, TENSOR_RANK_MAX - 1),
    FIELD(box, TENSOR_RANK_MAX),
    FIELD(element_strides, TENSOR_RANK_MAX),
    FIELD(interleave, 1),
    FIELD(swizzle, 1),
    FIELD(l2, 1),
    FIELD(fill, 1),
    FIELD(mode, 1),
    FIELD(lower, TENSOR_SPACE_MAX),
    FIELD(upper, TENSOR_SPACE_MAX),
    FIELD(channels, 1),
    FIELD(pixels, 1),
#undef FIELD
};

static size_t map_numbers(struct tensor_map *map, uint64_t *numbers, bool into_map)
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        for (unsigned k = 0; k < fields[i].count; k++, n++) {
            unsigned char *at = (unsigned char *)map + fields[i].offset + (size_t)k * fields[i].bytes;
            if (into_map) {
                memcpy(at, &numbers[n], fields[i].bytes);
            } else {
                numbers[n] = 0;
                memcpy(&numbers[n], at, fields[i].bytes);
            }
        }
    return n;
}

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

struct writer {
    FILE *to;
    uint64_t digest;
    bool failed;
};

static void put(struct writer *w, const void *bytes, size_t n)
{
    w->digest = fnv1a(w->digest, bytes, n);
    w->failed |= fwrite(bytes, 1, n, w->to) != n;
}

static void section(struct writer *w, const char *name, const uint64_t *numbers, size_t count, const void *bytes,
                    size_t n)
{
    char line[LINE];
    int at = snprintf(line, sizeof line, "%s", name);

    for (size_t i = 0; i < count; i++)
        at += snprintf(line + at, sizeof line - (size_t)at, " %" PRIu64, numbers[i]);
    at += snprintf(line + at, sizeof line - (size_t)at, " %zu\n", n);
    put(w, line, (size_t)at);
    if (n)
        put(w, bytes, n);
    put(w, "\n", 1);
}

/* Whether a step of the memory is what a reader takes it for. */
static bool is_plain(const unsigned char *bytes, const unsigned char *base, size_t n)
{
    static const unsigned char zeros[STEP];

    return !memcmp(bytes, base ? base : zeros, n);
}

/* The pieces of `bytes` that differ from `base`, or from zero. Returns malloc'd bytes; NULL: no memory. */
static unsigned char *pieces(const unsigned char *bytes, const unsigned char *base, uint64_t size, size_t *out)
{
    unsigned char *to = NULL;
    size_t room = 0;

    *out = 0;
    for (uint64_t at = 0; at < size;) {
        uint64_t head[2] = { at, 0 };
        while (at < size && !is_plain(bytes + at, base ? base + at : NULL, size - at < STEP ? size - at : STEP))
            at += size - at < STEP ? size - at : STEP;
        head[1] = at - head[0];
        if (!head[1]) {
            at += STEP;
            continue;
        }
        while (room - *out < sizeof head + head[1] || !to) {
            unsigned char *more = realloc(to, room = room * 2 + sizeof head + head[1]);
            if (!more) {
                free(to);
                return NULL;
            }
            to = more;
        }
        memcpy(to + *out, head, sizeof head);
        memcpy(to + *out + sizeof head, bytes + head[0], head[1]);
        *out += sizeof head + head[1];
    }
    return to ? to : calloc(1, 1);
}

static void memory_section(struct writer *w, const char *name, const struct capture_bytes *m,
                           const unsigned char *bytes, const unsigned char *base)
{
    const uint64_t numbers[2] = { m->at, m->bytes };
    size_t n;
    unsigned char *coded = pieces(bytes, base, m->bytes, &n);

    w->failed |= !coded;
    if (coded)
        section(w, name, numbers, 2, coded, n);
    free(coded);
}

bool capture_write(FILE *to, const struct capture *c)
{
    struct writer w = { to, FNV1A_BASIS, false };
    uint64_t numbers[NUMBERS] = { 0 };

    put(&w, CAPTURE_MAGIC, strlen(CAPTURE_MAGIC));
    section(&w, "machine", numbers, 1, c->machine, strlen(c->machine));
    section(&w, "ptx", numbers, 1, c->ptx, c->ptx_bytes);
    section(&w, "entry", numbers, 1, c->entry, strlen(c->entry));
    for (int i = 0; i < 3; i++) {
        numbers[i] = c->grid[i];
        numbers[3 + i] = c->block[i];
        numbers[6 + i] = c->cluster[i];
    }
    numbers[9] = c->smem;
    numbers[10] = c->cooperative;
    section(&w, "launch", numbers, 11, NULL, 0);
    numbers[0] = 0;
    section(&w, "params", numbers, 1, c->params, c->param_bytes);
    for (size_t i = 0; i < c->memory_count; i++) {
        const struct capture_bytes *m = &c->memory[i];
        numbers[0] = m->at;
        if (m->variable)
            section(&w, "variable", numbers, 1, m->variable, strlen(m->variable));
        memory_section(&w, m->variable ? "bytes" : "memory", m, m->before, NULL);
        if (m->after)
            memory_section(&w, "after", m, m->after, m->before);
    }
    for (size_t i = 0; i < c->map_count; i++) {
        const size_t n = map_numbers(&c->maps[i].map, numbers, false);
        section(&w, "map", numbers, n, c->maps[i].object, TENSOR_MAP_BYTES);
    }
    numbers[0] = w.digest;
    section(&w, "end", numbers, 1, NULL, 0);
    return !w.failed && !fflush(to);
}

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

struct reader {
    const char *data;
    size_t size, at;
    char name[16];
    uint64_t numbers[NUMBERS];
    size_t count;
    const char *bytes; /* of the section */
    size_t n;
    char *error;
    size_t error_size;
};

static bool wrong(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct reader *r, const char *format, ...)
{
    va_list args;
    char text[200];

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(r->error, r->error_size, "byte %zu: %s", r->at, text);
    return false;
}

/* The numbers of a section's line; the last is how many bytes follow it. */
static bool read_numbers(struct reader *r, const char *p, const char *end)
{
    for (r->count = 0; p < end; r->count++) {
        char *behind;
        if (*p != ' ' || r->count == NUMBERS || p[1] < '0' || p[1] > '9')
            return wrong(r, "this line is none of a capture");
        r->numbers[r->count] = strtoull(p + 1, &behind, 10);
        p = behind;
    }
    return r->count || wrong(r, "this line is none of a capture");
}

static bool next(struct reader *r)
{
    const char *line = r->data + r->at, *end = memchr(line, '\n', r->size - r->at);
    size_t name = 0;

    if (!end)
        return wrong(r, "it stops here, before its end");
    while (name < sizeof r->name - 1 && line[name] >= 'a' && line[name] <= 'z')
        name++;
    if (!name || !read_numbers(r, line + name, end))
        return wrong(r, "this line is none of a capture");
    snprintf(r->name, sizeof r->name, "%.*s", (int)name, line);
    r->n = r->numbers[--r->count];
    r->bytes = end + 1;
    if (r->n >= r->size - (size_t)(r->bytes - r->data))
        return wrong(r, "section %s: it stops before its %zu bytes", r->name, r->n);
    if (r->bytes[r->n] != '\n')
        return wrong(r, "section %s has other than %zu bytes", r->name, r->n);
    return true;
}

/* The section's bytes, with a NUL behind them. */
static bool copy(struct reader *r, void *to)
{
    char *bytes = malloc(r->n + 1);

    if (!bytes)
        return wrong(r, "no memory for %zu bytes", r->n);
    memcpy(bytes, r->bytes, r->n);
    bytes[r->n] = 0;
    free(*(void **)to);
    *(void **)to = bytes;
    return true;
}

static bool take_launch(struct reader *r, struct capture *c)
{
    if (r->count != 11)
        return wrong(r, "a launch has 11 numbers");
    for (size_t i = 0; i < 11; i++)
        if (r->numbers[i] > INT32_MAX)
            return wrong(r, "a launch's number is too large");
    for (int i = 0; i < 3; i++) {
        c->grid[i] = (uint32_t)r->numbers[i];
        c->block[i] = (uint32_t)r->numbers[3 + i];
        c->cluster[i] = (uint32_t)r->numbers[6 + i];
    }
    c->smem = (uint32_t)r->numbers[9];
    c->cooperative = r->numbers[10] != 0;
    return true;
}

/* Memory from its pieces, laid over `base` or zeros. */
static bool lay(struct reader *r, const unsigned char *base, unsigned char **to)
{
    const uint64_t size = r->count > 1 ? r->numbers[1] : 0;
    const char *p = r->bytes, *end = r->bytes + r->n;

    if (r->count != 2 || !size || size > MOST)
        return wrong(r, "section %s has an address and a size", r->name);
    *to = base ? malloc(size) : calloc(1, size);
    if (!*to)
        return wrong(r, "no memory for %llu bytes", (unsigned long long)size);
    if (base)
        memcpy(*to, base, size);
    while (p < end) {
        uint64_t head[2];
        if ((size_t)(end - p) < sizeof head)
            return wrong(r, "section %s: a piece is cut off", r->name);
        memcpy(head, p, sizeof head);
        p += sizeof head;
        if (head[1] > (uint64_t)(end - p) || head[0] > size || head[1] > size - head[0])
            return wrong(r, "section %s: a piece lies outside", r->name);
        memcpy(*to + head[0], p, head[1]);
        p += head[1];
    }
    return true;
}

static bool take_memory(struct reader *r, struct capture *c)
{
    struct capture_bytes *last = c->memory_count ? &c->memory[c->memory_count - 1] : NULL;

    if (!strcmp(r->name, "bytes")) {
        if (!last || !last->variable || last->before)
            return wrong(r, "bytes of no variable");
        last->bytes = r->numbers[1];
        return lay(r, NULL, &last->before);
    }
    if (!strcmp(r->name, "after")) {
        if (!last || !last->before || last->after || last->bytes != r->numbers[1])
            return wrong(r, "after: it belongs to no memory of its size");
        return lay(r, last->before, &last->after);
    }
    last = capture_add(c);
    if (!last)
        return wrong(r, "no memory");
    if (!strcmp(r->name, "variable"))
        return copy(r, &last->variable);
    last->at = r->numbers[0];
    last->bytes = r->numbers[1];
    return lay(r, NULL, &last->before);
}

static bool take_map(struct reader *r, struct capture *c)
{
    struct capture_map *m;
    uint64_t none[NUMBERS];
    struct tensor_map empty = { 0 };

    if (r->n != TENSOR_MAP_BYTES || r->count != map_numbers(&empty, none, false))
        return wrong(r, "a tensor map has other numbers");
    m = capture_add_map(c);
    if (!m)
        return wrong(r, "no memory");
    map_numbers(&m->map, r->numbers, true);
    memcpy(m->object, r->bytes, TENSOR_MAP_BYTES);
    return true;
}

static bool take(struct reader *r, struct capture *c)
{
    if (!strcmp(r->name, "machine"))
        return copy(r, &c->machine);
    if (!strcmp(r->name, "ptx")) {
        c->ptx_bytes = r->n;
        return copy(r, &c->ptx);
    }
    if (!strcmp(r->name, "entry"))
        return copy(r, &c->entry);
    if (!strcmp(r->name, "launch"))
        return take_launch(r, c);
    if (!strcmp(r->name, "params")) {
        c->param_bytes = r->n;
        return copy(r, &c->params);
    }
    if (!strcmp(r->name, "map"))
        return take_map(r, c);
    if (!strcmp(r->name, "memory") || !strcmp(r->name, "variable") || !strcmp(r->name, "bytes") ||
        !strcmp(r->name, "after"))
        return take_memory(r, c);
    return wrong(r, "no section '%s' in a capture", r->name);
}

bool capture_read(const char *data, size_t size, struct capture *out, char *error, size_t error_size)
{
    struct reader r = {
        .data = data, .size = size, .at = strlen(CAPTURE_MAGIC), .error = error, .error_size = error_size
    };

    *out = (struct capture){ 0 };
    while (next(&r)) {
        if (!strcmp(r.name, "end")) {
            if (r.numbers[0] != fnv1a(FNV1A_BASIS, data, r.at))
                return wrong(&r, "its bytes were changed since it was written");
            if ((size_t)(r.bytes + r.n + 1 - data) != size)
                return wrong(&r, "something follows its end");
            for (size_t i = 0; i < out->memory_count; i++)
                if (!out->memory[i].before)
                    return wrong(&r, "variable %.60s has no bytes", out->memory[i].variable);
            return (out->machine && out->ptx && out->entry && out->params && out->block[0]) ||
                   wrong(&r, "a section is missing: machine, ptx, entry, launch or params");
        }
        if (!take(&r, out))
            return false;
        r.at = (size_t)(r.bytes + r.n + 1 - data);
    }
    return false;
}
// SPDX-License-Identifier: Apache-2.0
