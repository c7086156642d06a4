/* One point on one engine: what a case's run function may call, and the judgement. */
#include "harness/run/point.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "expected/oracle.h"

enum { BUFFERS = 48, SCRATCH = 64, GUARD = 256, GUARD_BYTE = 0x5C };

enum { LIMIT_NS = 20 * 1000 * 1000 }; /* what a device-side wait may take: copies take microseconds */

/* A buffer as it stands on the device: guard band, data, guard band. */
struct region {
    unsigned char *image; /* of all of it */
    uint64_t device;      /* of the front guard */
    size_t front, size, back;
    bool changed, output;
};

struct ck {
    const struct ck_point *point;
    struct ck_engine *engine;
    struct ck_slot *result;
    uint64_t random;
    struct region regions[BUFFERS];
    size_t region_count;
    void *scratch[SCRATCH];
    size_t scratch_count;
    uint64_t timeouts_at; /* device address of the word of timeouts, and what it held after the last launch */
    uint32_t timeouts;
    jmp_buf end;
    int end_verdict;
    int checks, failures;
    bool watching; /* outcomes are recorded and do not gate */
    bool no_digest, launched, lost;
    struct ck_outcome outcome;
};

/* ---- words for the record ------------------------------------------------------------------------------------- */

static void add_words(char *to, size_t size, const char *separator, const char *format, va_list args)
{
    size_t n = strlen(to);

    if (n && n + 1 < size)
        n += (size_t)snprintf(to + n, size - n, "%s", separator);
    if (n < size)
        vsnprintf(to + n, size - n, format, args);
}

static void detail(struct ck *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void detail(struct ck *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_words(t->result->detail, sizeof t->result->detail, "\n", format, args);
    va_end(args);
}

void ck_see(struct ck *t, const char *format, ...)
{
    va_list args;

    t->checks++;
    va_start(args, format);
    add_words(t->result->seen, sizeof t->result->seen, "; ", format, args);
    va_end(args);
}

void ck_note(struct ck *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_words(t->result->detail, sizeof t->result->detail, "\n", format, args);
    va_end(args);
}

static void end(struct ck *t, enum ck_verdict verdict) __attribute__((noreturn));
static void end(struct ck *t, enum ck_verdict verdict)
{
    t->end_verdict = verdict;
    longjmp(t->end, 1);
}

static void broken(struct ck *t, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
static void broken(struct ck *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_words(t->result->detail, sizeof t->result->detail, "\n", format, args);
    va_end(args);
    end(t, CK_V_BROKEN);
}

void ck_skip(struct ck *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    t->result->detail[0] = 0;
    add_words(t->result->detail, sizeof t->result->detail, "\n", format, args);
    va_end(args);
    end(t, CK_V_SKIP);
}

/* ---- axes ----------------------------------------------------------------------------------------------------- */

const char *ck_word(struct ck *t, const char *axis)
{
    const char *value = ck_point_value(t->point, axis);

    if (!value)
        broken(t, "the case asks for axis '%s', which it lacks", axis);
    return value;
}

int64_t ck_int(struct ck *t, const char *axis)
{
    const char *value = ck_word(t, axis);
    char *rest;
    const long long number = strtoll(value, &rest, 0);

    if (rest == value || *rest)
        broken(t, "axis %s=%s is no integer", axis, value);
    return number;
}

bool ck_is(struct ck *t, const char *axis, const char *value)
{
    const char *got = ck_point_value(t->point, axis);

    return got && !strcmp(got, value);
}

bool ck_variant(struct ck *t, const char *name)
{
    return t->point->variant && !strcmp(t->point->variant->name, name);
}

bool ck_point_valid(const struct ck_point *point)
{
    struct ck_slot ignored = { 0 };
    struct ck t = { .point = point, .result = &ignored };

    if (setjmp(t.end))
        return true; /* an axis that it lacks: let the run say so */
    return point->c->valid(&t);
}

bool ck_conforming(struct ck *t)
{
    return !t->point->variant || t->point->mutant;
}

void ck_no_digest(struct ck *t)
{
    t->no_digest = true;
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

void *ck_alloc(struct ck *t, size_t bytes)
{
    void *p = t->scratch_count < SCRATCH ? calloc(1, bytes ? bytes : 1) : NULL;

    if (!p)
        broken(t, "no room for %zu bytes of host scratch (at most %d pieces)", bytes, SCRATCH);
    return t->scratch[t->scratch_count++] = p;
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t ck_random(struct ck *t)
{
    uint64_t z = t->random += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* An outcome of the engine that is not what the case asked for: ends the point. */
static void engine_failed(struct ck *t, const struct ck_outcome *out) __attribute__((noreturn));
static void engine_failed(struct ck *t, const struct ck_outcome *out)
{
    t->outcome = *out;
    if (out->kind == CK_O_UNSUPPORTED)
        ck_skip(t, "%s", out->message);
    t->lost |= out->kind == CK_O_FAULT;
    detail(t, "got       %s", out->message);
    end(t, out->kind == CK_O_FAULT ? CK_V_FAULT : CK_V_BROKEN);
}

static struct ck_buf make(struct ck *t, enum ck_memory kind, size_t bytes, bool output)
{
    struct region *r = &t->regions[t->region_count];
    struct ck_outcome out = { 0 };

    if (t->region_count == BUFFERS)
        broken(t, "a point has at most %d buffers", BUFFERS);
    r->front = kind == CK_MEM_EDGE ? 0 : 1024;
    r->back = kind == CK_MEM_EDGE ? 0 : GUARD;
    r->size = bytes;
    r->image = malloc(r->front + bytes + r->back);
    if (!r->image)
        broken(t, "out of memory for a buffer of %zu bytes", bytes);
    t->region_count++;
    memset(r->image, GUARD_BYTE, r->front + bytes + r->back);
    if (!t->engine->ops->alloc)
        ck_skip(t, "%s launches nothing", t->engine->name);
    r->device = t->engine->ops->alloc(t->engine, kind, r->front + bytes + r->back, &out);
    if (!r->device)
        engine_failed(t, &out);
    r->changed = true;
    r->output = output;
    return (struct ck_buf){ .host = r->image + r->front, .device = r->device + r->front, .size = bytes };
}

static struct ck_buf seeded(struct ck *t, enum ck_memory kind, size_t bytes)
{
    const struct ck_buf b = make(t, kind, bytes, false);

    for (size_t i = 0; i < bytes; i++) {
        unsigned char byte;
        do
            byte = (unsigned char)(ck_random(t) >> 24);
        while (byte == 0 || byte == CK_POISON);
        b.host[i] = byte;
    }
    return b;
}

static struct ck_buf filled(struct ck *t, enum ck_memory kind, size_t bytes, int value)
{
    const struct ck_buf b = make(t, kind, bytes, true);

    memset(b.host, value, bytes);
    return b;
}

struct ck_buf ck_input(struct ck *t, size_t bytes)
{
    return seeded(t, CK_MEM_DEVICE, bytes);
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
    for (size_t i = 0; i < t->region_count; i++)
        if (t->regions[i].image + t->regions[i].front == b.host)
            t->regions[i].changed = true;
}

/* ---- doing ---------------------------------------------------------------------------------------------------- */

long ck_encode_call(struct ck *t, const struct tensor_map *map, void *object, unsigned null)
{
    struct ck_outcome out = { 0 };

    if (!t->engine->ops->encode)
        ck_skip(t, "%s encodes no tensor maps", t->engine->name);
    t->engine->ops->encode(t->engine, map, object, null, &out);
    if (out.kind == CK_O_UNSUPPORTED || out.kind == CK_O_FAULT)
        engine_failed(t, &out);
    t->outcome = out;
    return out.kind == CK_O_DONE ? 0 : out.code;
}

void ck_encode(struct ck *t, const struct tensor_map *map, struct ck_buf buffer, struct ck_tmap *out)
{
    struct tensor_map whole = *map;
    _Alignas(128) struct ck_tmap object;

    whole.address += buffer.device;
    if (ck_encode_call(t, &whole, &object, 0) == 0) {
        memcpy(out, &object, sizeof object);
        return;
    }
    if (t->watching) {
        ck_see(t, "encode refused: %s", strrchr(t->outcome.message, ' ') ? strrchr(t->outcome.message, ' ') + 1 : "");
        end(t, CK_V_SEEN);
    }
    detail(t, "expected  the encode call accepts the map\ngot       %s", t->outcome.message);
    t->failures++;
    end(t, CK_V_FAIL);
}

static void send(struct ck *t)
{
    struct ck_outcome out = { 0 };
    const uint32_t zero = 0;

    if (!t->timeouts_at && !(t->timeouts_at = t->engine->ops->alloc(t->engine, CK_MEM_DEVICE, 16, &out)))
        engine_failed(t, &out);
    if (!t->engine->ops->write(t->engine, t->timeouts_at, &zero, sizeof zero, &out))
        engine_failed(t, &out);
    for (size_t i = 0; i < t->region_count; i++) {
        struct region *r = &t->regions[i];
        if (r->changed && !t->engine->ops->write(t->engine, r->device, r->image, r->front + r->size + r->back, &out))
            engine_failed(t, &out);
        r->changed = false;
    }
}

/* The guard bands round the buffer still hold what they were made with. */
static void check_guards(struct ck *t, const struct region *r, size_t index)
{
    for (size_t i = 0; i < r->front + r->size + r->back; i++) {
        const bool before = i < r->front;
        if (i == r->front)
            i += r->size;
        if (i == r->front + r->size + r->back)
            return;
        if (r->image[i] == GUARD_BYTE)
            continue;
        t->failures++;
        if (t->watching)
            ck_see(t, "wrote %s buffer %zu", before ? "before" : "behind", index);
        detail(t, "guard     byte %zu %s buffer %zu was overwritten with 0x%02x",
               before ? r->front - i : i - r->front - r->size, before ? "before" : "behind", index, r->image[i]);
        return;
    }
}

static void fetch(struct ck *t)
{
    struct ck_outcome out = { 0 };

    if (!t->engine->ops->read(t->engine, &t->timeouts, t->timeouts_at, sizeof t->timeouts, &out))
        engine_failed(t, &out);
    for (size_t i = 0; i < t->region_count; i++) {
        struct region *r = &t->regions[i];
        if (!t->engine->ops->read(t->engine, r->image, r->device, r->front + r->size + r->back, &out))
            engine_failed(t, &out);
        check_guards(t, r, i);
    }
}

enum ck_end ck_launch(struct ck *t, const struct ck_launch *l)
{
    const struct ck_variant *v = t->point->variant;
    struct ck_device_launch d = { .smem = l->smem,
                                  .size = l->size,
                                  .constant = l->constant,
                                  .constant_bytes = l->constant_bytes,
                                  .constant_size = l->constant_size,
                                  .deadline_ms = 10000 };
    struct ck_head head = { .limit = t->engine->finds_hangs && !l->may_hang ? 0 : LIMIT_NS };
    struct ck_outcome out = { 0 };
    char kernel[128];
    void *args;

    if (t->lost)
        broken(t, "a launch after a fault");
    if (!t->engine->ops->launch)
        ck_skip(t, "%s launches nothing", t->engine->name);
    snprintf(kernel, sizeof kernel, "%s%s%s", l->kernel, v && v->kernel ? "__" : "", v && v->kernel ? v->kernel : "");
    d.kernel = kernel;
    for (int i = 0; i < 3; i++) {
        d.grid[i] = l->grid[i] ? l->grid[i] : 1;
        d.block[i] = l->block[i] ? l->block[i] : 1;
        d.cluster[i] = l->cluster[0] ? (l->cluster[i] ? l->cluster[i] : 1) : 0;
    }
    send(t);
    head.timeouts = t->timeouts_at;
    args = aligned_alloc(128, (l->size + 127) / 128 * 128);
    if (!args || l->size < sizeof head)
        broken(t, "kernel arguments of %zu bytes", l->size);
    memcpy(args, l->args, l->size);
    memcpy(args, &head, sizeof head);
    d.args = args;
    t->engine->ops->launch(t->engine, &d, &out);
    free(args);
    t->launched = true;
    t->outcome = out;
    if (out.kind == CK_O_DIAGNOSED ||
        (out.kind == CK_O_HANG &&
         out.rule[0])) { /* the kernel ran, as far as it could, and a rule that it breaks is named */
        t->checks++;
        detail(t, "got       diagnosed%s%s: %s", out.rule[0] ? " " : "", out.rule, out.message);
        if (t->watching && (v || out.kind == CK_O_DIAGNOSED))
            ck_see(t, "diagnosed %s%s%s", out.rule[0] ? out.rule : "without a rule", out.also[0] ? ", also " : "",
                   out.also);
        else if (!t->watching)
            t->failures++;
    }
    if (out.kind == CK_O_DONE || out.kind == CK_O_DIAGNOSED) {
        fetch(t);
        if (!t->timeouts || l->may_hang)
            return CK_DONE;
        detail(t, "got       a wait ran out on the device (bits 0x%x)", t->timeouts);
        if (!t->watching)
            end(t, CK_V_HANG);
        ck_see(t, "a wait ran out");
        t->outcome.kind = CK_O_HANG;
        return CK_HANG;
    }
    if (out.kind == CK_O_UNSUPPORTED)
        engine_failed(t, &out);
    t->lost |= out.kind == CK_O_FAULT;
    detail(t, "got       %s", out.message);
    if (!t->watching)
        end(t, out.kind == CK_O_FAULT ? CK_V_FAULT : out.kind == CK_O_HANG ? CK_V_HANG : CK_V_FAIL);
    if (out.kind == CK_O_HANG && t->engine->finds_hangs) /* what other engines say when a wait's limit is over */
        ck_see(t, "a wait ran out");
    else
        ck_see(t, "%s %ld",
               out.kind == CK_O_FAULT  ? "fault"
               : out.kind == CK_O_HANG ? "hang"
                                       : "launch refused",
               out.code);
    if (out.kind == CK_O_REFUSED)
        end(t, CK_V_SEEN);
    return out.kind == CK_O_FAULT ? CK_FAULT : CK_HANG;
}

uint32_t ck_timeouts(struct ck *t)
{
    return t->timeouts;
}

/* ---- judging -------------------------------------------------------------------------------------------------- */

static void hex(char *out, size_t size, const unsigned char *bytes, size_t count)
{
    size_t n = 0;

    out[0] = 0;
    for (size_t i = 0; i < count && n + 4 < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%02x", i ? " " : "", bytes[i]);
}

static bool compare(struct ck *t, const unsigned char *got, const unsigned char *expected, size_t offset, size_t bytes)
{
    char a[64], b[64];
    size_t first = 0, wrong = 0;

    t->checks++;
    for (size_t i = 0; i < bytes; i++)
        if (got[i] != expected[i] && !wrong++)
            first = i;
    if (!wrong)
        return true;
    if (!t->failures++) {
        const size_t from = first & ~(size_t)15, n = bytes - from < 16 ? bytes - from : 16;
        hex(a, sizeof a, expected + from, n);
        hex(b, sizeof b, got + from, n);
        detail(t,
               "first     byte %zu of the buffer; %zu of %zu bytes are wrong\nexpected  %06zx: %s\ngot       %06zx: %s",
               offset + first, wrong, bytes, offset + from, a, offset + from, b);
    }
    return false;
}

bool ck_equal(struct ck *t, struct ck_buf got, const void *expected)
{
    return compare(t, got.host, expected, 0, got.size);
}

bool ck_equal_at(struct ck *t, struct ck_buf got, size_t offset, const void *expected, size_t bytes)
{
    if (offset > got.size || bytes > got.size - offset)
        broken(t, "a comparison of bytes %zu to %zu in a buffer of %zu", offset, offset + bytes, got.size);
    return compare(t, got.host + offset, expected, offset, bytes);
}

bool ck_filled(struct ck *t, struct ck_buf got, size_t offset, size_t bytes, unsigned char value)
{
    unsigned char *expected;
    bool held;

    if (offset > got.size || bytes > got.size - offset)
        broken(t, "a comparison of bytes %zu to %zu in a buffer of %zu", offset, offset + bytes, got.size);
    expected = malloc(bytes ? bytes : 1);
    if (!expected)
        broken(t, "out of memory");
    memset(expected, value, bytes);
    held = compare(t, got.host + offset, expected, offset, bytes);
    free(expected);
    return held;
}

bool ck_expect(struct ck *t, const char *what, uint64_t got, uint64_t expected)
{
    t->checks++;
    if (got == expected)
        return true;
    if (!t->failures++ || t->failures < 4)
        detail(t, "expected  %s %llu (0x%llx)\ngot       %s %llu (0x%llx)", what, (unsigned long long)expected,
               (unsigned long long)expected, what, (unsigned long long)got, (unsigned long long)got);
    return false;
}

/* ---- rows ----------------------------------------------------------------------------------------------------- */

/* Holds an accepted-or-refused outcome against the side. */
static enum ck_verdict judge_side(struct ck *t, bool accepted)
{
    static const char *const words[] = { "", "accept", "refuse", "" };
    const enum ck_side side = t->point->side;
    const struct ck_outcome *o = &t->outcome;

    if (side == CK_SEEN || t->watching) {
        if (accepted)
            ck_see(t, "accepted");
        else if (o->kind == CK_O_REFUSED)
            ck_see(t, "refused");
        else
            ck_see(t, "%s", ck_outcome_names[o->kind]);
        return CK_V_SEEN;
    }
    if (accepted == (side == CK_ACCEPT) && (accepted || o->kind == CK_O_REFUSED))
        return CK_V_PASS;
    detail(t, "expected  %s\ngot       %s", words[side], accepted ? "accept" : ck_outcome_names[o->kind]);
    return o->kind == CK_O_TIMEOUT ? CK_V_HANG : CK_V_FAIL;
}

static enum ck_verdict run_assemble(struct ck *t)
{
    struct ck_ptx ptx = { 0 };
    char target[16];
    char *text = ck_fragment(t->point, target, &ptx.version);
    enum ck_verdict verdict;

    if (!text)
        broken(t, "the row's text cannot be made: a missing axis, or a version that is none");
    ptx.text = text;
    ptx.size = strlen(text);
    ptx.target = target;
    t->engine->ops->assemble(t->engine, &ptx, &t->outcome);
    if (t->outcome.kind == CK_O_UNSUPPORTED) {
        free(text);
        ck_skip(t, "%s", t->outcome.message);
    }
    verdict = judge_side(t, t->outcome.kind == CK_O_DONE);
    if (t->outcome.message[0])
        detail(t, "message   %s", t->outcome.message);
    if (verdict == CK_V_FAIL || verdict == CK_V_HANG) {
        char *body = ck_point_text(t->point, t->point->c->assemble);
        detail(t, "text      %s (.version %d.%d, .target %s)", body ? body : "", ptx.version / 10, ptx.version % 10,
               target);
        free(body);
    }
    free(text);
    return verdict;
}

/* A row's words over a legal call of the type and rank that they name. */
static bool row_map(const char *words, struct tensor_map *map, char *error, size_t size)
{
    struct tensor_map named = tensor_map_default(TENSOR_U8, 2);
    char part[64];
    int used;

    for (const char *p = words; sscanf(p, " %63s%n", part, &used) == 1; p += used)
        if ((!strncmp(part, "type=", 5) || !strncmp(part, "rank=", 5)) && !tensor_map_set(&named, part, error, size))
            return false;
    *map = tensor_map_default(named.type, named.rank);
    map->type = named.type;
    map->rank = named.rank;
    return tensor_map_set(map, words, error, size);
}

static enum ck_verdict run_encode(struct ck *t)
{
    _Alignas(128) unsigned char object[TENSOR_MAP_BYTES];
    struct tensor_map_fault faults[16];
    struct tensor_map map;
    char error[200];
    char *words = ck_point_text(t->point, t->point->c->encode);
    enum ck_verdict verdict;

    if (!words)
        broken(t, "the row's text cannot be made: a missing axis");
    if (!row_map(words, &map, error, sizeof error)) {
        detail(t, "%s: %s", words, error);
        free(words);
        end(t, CK_V_BROKEN);
    }
    verdict = judge_side(t, ck_encode_call(t, &map, object, 0) == 0);
    if (verdict == CK_V_FAIL) {
        size_t count = tensor_map_check(&map, faults, 16);
        detail(t, "call      %s", words);
        for (size_t i = 0; i < count && i < 4; i++)
            detail(t, "oracle    %s: %s must be %s", faults[i].rule->id, faults[i].argument, faults[i].limit);
        if (!count)
            detail(t, "oracle    the documents allow this call");
    }
    free(words);
    return verdict;
}

/* ---- a point -------------------------------------------------------------------------------------------------- */

const char *ck_point_phase(const struct ck_point *p)
{
    return p->c->assemble ? "assemble" : p->c->encode ? "encode" : "launch";
}

/* Encode rows ask the driver; `jit` would only ask the same driver again. */
bool ck_engine_can(const struct ck_engine *e, const struct ck_point *p)
{
    return p->c->assemble ? e->ops->assemble != NULL
           : p->c->encode ? e->ops->encode && strncmp(e->name, "jit", 3) != 0 && !strchr(e->name, '@')
                          : e->ops->launch != NULL;
}

static bool watches(const struct ck_point *p)
{
    return p->side == CK_SEEN || p->c->seen_only || p->c->rule->evidence == CK_OBSERVED || (p->variant && !p->mutant);
}

const char *ck_point_expected(const struct ck_point *p)
{
    if (watches(p))
        return "seen";
    return p->side == CK_ACCEPT ? "accept" : p->side == CK_REFUSE ? "refuse" : "done";
}

static const uint64_t fnv_basis = 0xcbf29ce484222325u;

static uint64_t fnv(uint64_t h, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        h = (h ^ bytes[i]) * 0x100000001b3u;
    return h;
}

/* Of all bytes that kernels may write, in the order in which the buffers were made. */
static uint64_t digest_of(const struct ck *t)
{
    uint64_t h = fnv_basis;

    for (size_t i = 0; i < t->region_count; i++)
        if (t->regions[i].output)
            h = fnv(h, t->regions[i].image + t->regions[i].front, t->regions[i].size);
    return h;
}

/* What this engine lacks of the rule's needs: ends the point as a skip. */
static void check_needs(struct ck *t)
{
    const struct ck_rule *rule = t->point->c->rule;
    struct ck_needs needs;

    if (t->point->c->assemble)
        return; /* the row says its own version and target, and the engine what it takes */
    ck_needs_parse(rule->needs, &needs);
    if (t->engine->sm && (needs.sm > t->engine->sm || (needs.arch == 'a' && needs.sm != t->engine->sm)))
        ck_skip(t, "needs sm_%d%.1s; %s is sm_%d", needs.sm, &needs.arch, t->engine->name, t->engine->sm);
    if (needs.other)
        ck_skip(t, "needs %s", rule->needs);
}

static enum ck_verdict run_case(struct ck *t)
{
    const struct ck_case *c = t->point->c;

    check_needs(t);
    if (c->assemble)
        return run_assemble(t);
    if (c->encode)
        return run_encode(t);
    c->run(t);
    if (t->watching && t->failures)
        ck_see(t, "differs");
    else if (t->watching && t->checks && !t->result->seen[0])
        ck_see(t, "as conforming");
    if (!t->checks)
        return CK_V_UNPROVEN;
    return t->watching ? CK_V_SEEN : t->failures ? CK_V_FAIL : CK_V_PASS;
}

static enum ck_verdict of_mutant(const struct ck_variant *v, enum ck_verdict verdict)
{
    switch (verdict) {
    case CK_V_PASS: return v && v->survives ? CK_V_EXCUSED : CK_V_SURVIVED;
    case CK_V_FAIL:
    case CK_V_HANG:
    case CK_V_FAULT: return CK_V_KILLED;
    default: return verdict;
    }
}

void ck_point_run(const struct ck_point *p, struct ck_engine *engine, uint64_t seed, struct ck_slot *result)
{
    struct ck *t = calloc(1, sizeof *t);
    struct timespec from, to;

    result->seen[0] = result->detail[0] = 0;
    result->lost = false;
    result->digest = 0;
    if (!t) {
        result->verdict = CK_V_BROKEN;
        return;
    }
    t->point = p;
    t->engine = engine;
    t->result = result;
    t->random = seed ^ fnv(fnv_basis, (const unsigned char *)p->base, strlen(p->base));
    t->watching = watches(p);
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (setjmp(t->end) == 0)
        t->end_verdict = run_case(t);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (t->end_verdict == CK_V_UNPROVEN)
        detail(t, "the case judged nothing");
    if (t->launched && !t->lost && !t->no_digest && !(p->variant && p->variant->varies))
        result->digest = digest_of(t);
    result->verdict = p->mutant ? (int)of_mutant(p->variant, (enum ck_verdict)t->end_verdict) : t->end_verdict;
    result->outcome = (int)t->outcome.kind;
    result->code = t->outcome.code;
    result->lost = t->lost;
    result->ms = (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) / 1e6;
    for (size_t i = 0; i < t->region_count; i++)
        free(t->regions[i].image);
    for (size_t i = 0; i < t->scratch_count; i++)
        free(t->scratch[i]);
    if (engine->ops->reset && !t->lost)
        engine->ops->reset(engine);
    free(t);
}
