/* The memory of a point: buffers with guard bands on the device, their images here, host scratch, random bytes. */
#include "harness/run/bench.h"

#include <stdlib.h>
#include <string.h>

#include "expected/random.h"
#include "harness/base/hash.h"
#include "harness/run/run.h"

enum { FRONT = 1024, BACK = 256, GUARD_BYTE = 0x5C }; /* bytes of the guard bands, and what they hold */
enum { SLOW_BYTES = 64 * 1024 };                      /* of an input that may be slow */

static bool slow_inputs;

void *ck_alloc(struct ck *t, size_t bytes)
{
    struct ck_bench *b = t->bench;
    void *p = b->scratch_count < CK_SCRATCH ? calloc(1, bytes ? bytes : 1) : NULL;

    if (!p)
        ck_broken(t, "no room for %zu bytes of host scratch (at most %d pieces)", bytes, CK_SCRATCH);
    b->scratch[b->scratch_count++] = p;
    return p;
}

uint64_t ck_random(struct ck *t)
{
    return splitmix64_next(&t->bench->random);
}

void ck_engine_failed(struct ck *t, const struct ck_outcome *out)
{
    t->bench->outcome = *out;
    if (out->kind == CK_O_UNSUPPORTED)
        ck_skip(t, "%s", out->message);
    t->bench->lost |= out->kind == CK_O_FAULT;
    t->bench->result->starved = out->kind == CK_O_MEMORY && !t->bench->engine->ops->one;
    ck_note(t, "got       %s", out->message);
    ck_end(t, out->kind == CK_O_FAULT ? CK_V_FAULT : CK_V_BROKEN);
}

/* ---- buffers -------------------------------------------------------------------------------------------------- */

/* Bytes of a buffer and its guard bands together. */
static size_t whole(const struct ck_region *r)
{
    return r->front + r->size + r->back;
}

static struct ck_buf make(struct ck *t, enum ck_memory kind, size_t bytes, bool output)
{
    struct ck_bench *b = t->bench;
    struct ck_region *r = &b->regions[b->region_count];
    struct ck_outcome out = { 0 };

    if (b->region_count == CK_BUFFERS)
        ck_broken(t, "a point has at most %d buffers", CK_BUFFERS);
    r->front = kind == CK_MEM_EDGE ? 0 : FRONT;
    r->back = kind == CK_MEM_EDGE ? 0 : BACK;
    r->size = bytes;
    r->image = malloc(whole(r));
    if (!r->image)
        ck_starved(t, whole(r));
    b->region_count++;
    memset(r->image, GUARD_BYTE, whole(r));
    if (!b->engine->ops->alloc)
        ck_skip(t, "%s launches nothing", b->engine->name);
    r->device = b->engine->ops->alloc(b->engine, kind, whole(r), &out);
    if (!r->device)
        ck_engine_failed(t, &out);
    r->changed = true;
    r->output = output;
    return (struct ck_buf){ .host = r->image + r->front, .device = r->device + r->front, .size = bytes };
}

static struct ck_buf seeded(struct ck *t, enum ck_memory kind, size_t bytes)
{
    const struct ck_buf b = make(t, kind, bytes, false);
    uint64_t random = t->bench->random; /* here, since a byte that is stored could be one of it there */

    for (size_t i = 0; i < bytes; i++) {
        unsigned char byte;
        do
            byte = (unsigned char)(splitmix64_next(&random) >> 24);
        while (byte == 0 || byte == CK_POISON);
        b.host[i] = byte;
    }
    t->bench->random = random;
    return b;
}

static struct ck_buf filled(struct ck *t, enum ck_memory kind, size_t bytes, int value)
{
    const struct ck_buf b = make(t, kind, bytes, true);

    memset(b.host, value, bytes);
    return b;
}

/* Whether the next input is put into host memory, where the run asks for such. */
static bool is_slow(const struct ck *t, size_t bytes)
{
    return slow_inputs && bytes <= SLOW_BYTES && splitmix64(t->bench->random + t->bench->region_count) & 1;
}

void ck_run_slow_inputs(bool slow)
{
    slow_inputs = slow;
}

struct ck_buf ck_input(struct ck *t, size_t bytes)
{
    return seeded(t, is_slow(t, bytes) ? CK_MEM_HOST : CK_MEM_DEVICE, bytes);
}

struct ck_buf ck_slow_input(struct ck *t, size_t bytes)
{
    return seeded(t, CK_MEM_HOST, bytes);
}

struct ck_buf ck_edge_input(struct ck *t, size_t bytes)
{
    return seeded(t, CK_MEM_EDGE, bytes);
}

struct ck_buf ck_output(struct ck *t, size_t bytes)
{
    return filled(t, CK_MEM_DEVICE, bytes, CK_POISON);
}

struct ck_buf ck_zeroed(struct ck *t, size_t bytes)
{
    return filled(t, CK_MEM_DEVICE, bytes, 0);
}

struct ck_buf ck_edge_output(struct ck *t, size_t bytes)
{
    return filled(t, CK_MEM_EDGE, bytes, CK_POISON);
}

void ck_changed(struct ck *t, struct ck_buf b)
{
    for (size_t i = 0; i < t->bench->region_count; i++) {
        struct ck_region *r = &t->bench->regions[i];
        if (r->image + r->front == b.host)
            r->changed = true;
    }
}

/* ---- to the device and back ----------------------------------------------------------------------------------- */

/* The buffers, or of them the changed ones alone, and behind them the word of timeouts; how many pieces. */
static size_t pieces_of(struct ck_bench *b, bool changed, uint32_t *timeouts, struct ck_piece out[CK_BUFFERS + 1])
{
    size_t n = 0;

    for (size_t i = 0; i < b->region_count; i++) {
        const struct ck_region *r = &b->regions[i];
        if (r->changed || !changed)
            out[n++] = (struct ck_piece){ .at = r->device, .bytes = r->image, .size = whole(r) };
    }
    out[n++] = (struct ck_piece){ .at = b->timeouts_at, .bytes = timeouts, .size = sizeof *timeouts };
    return n;
}

void ck_bench_send(struct ck *t)
{
    struct ck_bench *b = t->bench;
    struct ck_engine *e = b->engine;
    struct ck_outcome out = { 0 };
    struct ck_piece pieces[CK_BUFFERS + 1];
    uint32_t zero = 0;

    if (!b->timeouts_at)
        b->timeouts_at = e->ops->alloc(e, CK_MEM_DEVICE, 16, &out);
    if (!b->timeouts_at)
        ck_engine_failed(t, &out);
    const size_t count = pieces_of(b, true, &zero, pieces);
    bool sent = !e->ops->write_all || e->ops->write_all(e, pieces, count, &out);
    for (size_t i = 0; i < count && sent && !e->ops->write_all; i++)
        sent = e->ops->write(e, pieces[i].at, pieces[i].bytes, pieces[i].size, &out);
    if (!sent)
        ck_engine_failed(t, &out);
    for (size_t i = 0; i < b->region_count; i++)
        b->regions[i].changed = false;
}

/* The first byte of a guard band that no longer holds what it was made with: its offset from `from`; `count` where all
 * of them do. */
static size_t first_touched(const unsigned char *from, size_t count)
{
    size_t i = 0;

    while (i < count && from[i] == GUARD_BYTE)
        i++;
    return i;
}

/* Says which byte of a guard band was overwritten: `distance` bytes before the buffer's first byte, or after its end.
 */
static void guard_failed(struct ck *t, size_t buffer, const char *side, size_t distance, unsigned char byte)
{
    t->bench->failures++;
    if (t->bench->watching)
        ck_see(t, "wrote %s buffer %zu", side, buffer);
    ck_note(t, "guard     byte %zu %s buffer %zu was overwritten with 0x%02x", distance, side, buffer, byte);
}

static void check_guards(struct ck *t, const struct ck_region *r, size_t buffer)
{
    const unsigned char *back = r->image + r->front + r->size;
    const size_t before = first_touched(r->image, r->front), behind = first_touched(back, r->back);

    if (before < r->front)
        guard_failed(t, buffer, "before", r->front - before, r->image[before]);
    else if (behind < r->back)
        guard_failed(t, buffer, "behind", behind, back[behind]);
}

void ck_bench_fetch(struct ck *t)
{
    struct ck_bench *b = t->bench;
    struct ck_engine *e = b->engine;
    struct ck_outcome out = { 0 };
    struct ck_piece pieces[CK_BUFFERS + 1];
    const size_t count = pieces_of(b, false, &b->timeouts, pieces);
    bool got = !e->ops->read_all || e->ops->read_all(e, pieces, count, &out);

    for (size_t i = 0; i < count && got && !e->ops->read_all; i++)
        got = e->ops->read(e, pieces[i].bytes, pieces[i].at, pieces[i].size, &out);
    if (!got)
        ck_engine_failed(t, &out);
    for (size_t i = 0; i < b->region_count; i++)
        check_guards(t, &b->regions[i], i);
}

uint64_t ck_bench_digest(const struct ck_bench *b)
{
    uint64_t hash = FNV1A_BASIS;

    for (size_t i = 0; i < b->region_count; i++)
        if (b->regions[i].output)
            hash = fnv1a(hash, b->regions[i].image + b->regions[i].front, b->regions[i].size);
    return hash;
}

void ck_bench_free(struct ck_bench *b)
{
    for (size_t i = 0; i < b->region_count; i++)
        free(b->regions[i].image);
    for (size_t i = 0; i < b->scratch_count; i++)
        free(b->scratch[i]);
}
// SPDX-License-Identifier: Apache-2.0
