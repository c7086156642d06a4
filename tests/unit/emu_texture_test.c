/* Texture and surface instructions as an H200 was seen to carry them out: expected/recorded/textures-h200.txt. A block
 * there is an object, as `check --arg` names it, an instruction, and a line for each execution: the words of %c0, %c1
 * ... and, behind '=', what %d0 to %d3 held afterwards; of an instruction that stores, the number of the first byte of
 * the surface that changed and what lies there and behind. Where the emulator is known to differ, '~' stands for '='.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/check/texture.h"
#include "harness/emu/forms/form.h"

enum { WORDS = 8, RESULTS = 4, MOST = 4096, LINE_ROOM = 512, CTA = 64 };

/* An object and an instruction, and what is asked. */
struct block {
    char object[LINE_ROOM], fetch[LINE_ROOM];
    uint32_t in[MOST][WORDS];
    char answer[MOST][LINE_ROOM / 2];
    bool differs[MOST]; /* the emulator is known to */
    size_t count;
};

/* A machine with the object and a kernel `k` of the instruction. */
struct asked {
    struct check_arg arg;
    struct emu *e;
    struct ptx_module *m;
    unsigned char *texels;
    uint64_t at, handle;
    bool stores;
};

static size_t wrong_lines, lines;

/* Element number k, over all levels and layers, as the recording filled them. */
static uint32_t element(const struct emu_texture *x, uint32_t k)
{
    uint32_t h = k * 2654435761u + 12345;

    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    h ^= h >> 16;
    if (x->kind != EMU_TEXEL_FLOAT)
        return x->bits == 32 ? h : h >> (32 - x->bits);
    if (x->bits == 32)
        return (h & 0x80000000) | (120 + (h >> 23 & 15)) << 23 | (h & 0x7fffff);
    return (h >> 16 & 0x8000) | (10 + (h >> 10 & 7)) << 10 | (h & 0x3ff);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void make_object(struct asked *a, const char *words)
{
    const bool surface = begins(words, "surf:");
    char error[256];
    struct emu_texture *x = &a->arg.texture;

    if (!check_texture_read(strchr(words, ':') + 1, surface, &a->arg, error, sizeof error))
        fail_msg("%s: %s", words, error);
    if (x->memory && x->height) /* as the recording laid them out */
        x->pitch = ((uint64_t)x->width * x->bits / 8 * x->channels + 511) / 512 * 512;
    const uint64_t bytes = emu_texture_bytes(x), rows = x->pitch ? x->height : 1, row = bytes / rows;
    const unsigned n = x->bits / 8u;
    const uint64_t used = x->pitch ? (uint64_t)x->width * n * x->channels : row;
    uint32_t k = 0;
    a->texels = calloc(1, bytes);
    for (uint64_t r = 0; r < rows; r++)
        for (uint64_t at = 0; at < used; at += n) {
            const uint32_t v = element(x, k++);
            memcpy(a->texels + r * row + at, &v, n);
        }
    a->at = emu_alloc(a->e, bytes, 256, true, "texels");
    x->at = a->at;
    assert_true(emu_write(a->e, a->at, a->texels, bytes));
    a->handle = emu_texture(a->e, x);
}

static void make_kernel(struct asked *a, const char *instruction)
{
    static const char frame[] =
        ".version 8.1\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 tex, .param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
        ".reg .pred %%p; .reg .b16 %%h<4>; .reg .b32 %%c<8>, %%d<4>, %%n, %%i; .reg .b64 %%t, %%a, %%o, %%x, %%w<2>;\n"
        "ld.param.u64 %%t, [tex]; ld.param.u64 %%a, [in]; ld.param.u64 %%o, [out]; ld.param.u32 %%n, [n];\n"
        "mov.u32 %%i, %%ctaid.x; mov.u32 %%n, %%ntid.x; mul.lo.u32 %%i, %%i, %%n; mov.u32 %%n, %%tid.x; add.u32 %%i, %%i, %%n; ld.param.u32 %%n, [n]; setp.ge.u32 %%p, %%i, %%n; @%%p ret;\n"
        "mul.wide.u32 %%x, %%i, 32; add.u64 %%a, %%a, %%x; mul.wide.u32 %%x, %%i, 16; add.u64 %%o, %%o, %%x;\n"
        "ld.global.v4.u32 {%%c0, %%c1, %%c2, %%c3}, [%%a]; ld.global.v4.u32 {%%c4, %%c5, %%c6, %%c7}, [%%a+16];\n"
        "mov.u32 %%d0, 0; mov.u32 %%d1, 0; mov.u32 %%d2, 0; mov.u32 %%d3, 0;\n%s\n%s\n%s\n"
        "st.global.v4.u32 [%%o], {%%d0, %%d1, %%d2, %%d3};\nret;\n}\n";
    const bool halves = strstr(instruction, "%h") != NULL, wide = strstr(instruction, "%w") != NULL;
    char text[4096], why[256];
    struct ptx_error error;

    a->stores = begins(instruction, "sust") || begins(instruction, "sured");
    const char *before = halves && a->stores ? "cvt.u16.u32 %h0, %c4; cvt.u16.u32 %h1, %c5;"
                                               "cvt.u16.u32 %h2, %c6; cvt.u16.u32 %h3, %c7;"
                         : halves            ? "mov.b16 %h0, 0; mov.b16 %h1, 0; mov.b16 %h2, 0; mov.b16 %h3, 0;"
                         : wide && a->stores ? "mov.b64 %w0, {%c4, %c5}; mov.b64 %w1, {%c6, %c7};"
                         : wide              ? "mov.b64 %w0, 0; mov.b64 %w1, 0;"
                                             : "";
    const char *after = a->stores ? ""
                        : halves  ? "mov.b32 %d0, {%h0, %h1}; mov.b32 %d1, {%h2, %h3};"
                        : wide    ? "mov.b64 {%d0, %d1}, %w0; mov.b64 {%d2, %d3}, %w1;"
                                  : "";
    snprintf(text, sizeof text, frame, before, instruction, after);
    a->m = ptx_read(text, strlen(text), NULL, &error);
    if (!a->m)
        fail_msg("%s: %s", instruction, error.message);
    assert_true(emu_load(a->e, a->m, why, sizeof why));
}

static void launch(const struct asked *a, uint64_t in, uint64_t out, uint32_t n, uint32_t threads, const char *what)
{
    const uint32_t grid[3] = { (n + threads - 1) / threads, 1, 1 }, block[3] = { threads, 1, 1 };
    struct emu_report report;
    struct {
        uint64_t handle, in, out;
        uint32_t n;
    } params = { a->handle, in, out, n };

    if (emu_launch(a->e, "k", grid, block, NULL, 0, &params, sizeof params, &report) != EMU_DONE)
        fail_msg("%s: %s", what, report.message);
}

static void compare(const struct block *b, size_t k, const char *got)
{
    const char *want = b->answer[k];

    lines++;
    if (!*want || !strcmp(want, got) != b->differs[k])
        return;
    if (wrong_lines++ >= 40 && !getenv("ALL"))
        return;
    print_message("%s | %s |", b->object, b->fetch);
    for (int i = 0; i < WORDS; i++)
        print_message(" %08x", b->in[k][i]);
    print_message(": %s, recorded %s\n", got, want);
}

/* What a store changed of the texels. */
static void changed(const struct asked *a, char *out, size_t size)
{
    const size_t bytes = emu_texture_bytes(&a->arg.texture);
    unsigned char *now = malloc(bytes);
    size_t first = 0, end = bytes, n;

    assert_true(now && emu_read(a->e, now, a->at, bytes));
    while (first < end && now[first] == a->texels[first])
        first++;
    while (end > first && now[end - 1] == a->texels[end - 1])
        end--;
    n = (size_t)snprintf(out, size, first < end ? "%zx " : "none", first);
    for (; first < end && n < size; first++)
        n += (size_t)snprintf(out + n, size - n, "%02x", now[first]);
    free(now);
}

static void run(const struct block *b)
{
    const struct emu_options options = { .jobs = 1 };
    struct asked a = { .e = emu_new(&options) };
    uint64_t in, out;
    char got[LINE_ROOM / 2];

    make_object(&a, b->object);
    make_kernel(&a, b->fetch);
    in = emu_alloc(a.e, sizeof b->in, 256, true, "in");
    out = emu_alloc(a.e, (uint64_t)MOST * RESULTS * 4, 256, true, "out");
    assert_true(emu_write(a.e, in, b->in, b->count * sizeof b->in[0]));
    if (!a.stores)
        launch(&a, in, out, (uint32_t)b->count, CTA, b->fetch);
    for (size_t k = 0; k < b->count; k++) {
        uint32_t d[RESULTS];
        if (a.stores) {
            assert_true(emu_write(a.e, a.at, a.texels, emu_texture_bytes(&a.arg.texture)));
            launch(&a, in + k * sizeof b->in[0], out, 1, CTA, b->fetch);
            changed(&a, got, sizeof got);
        } else {
            assert_true(emu_read(a.e, d, out + k * sizeof d, sizeof d));
            snprintf(got, sizeof got, "%08x %08x %08x %08x", d[0], d[1], d[2], d[3]);
        }
        compare(b, k, got);
    }
    emu_free(a.e);
    ptx_free(a.m);
    free(a.texels);
}

static void question(struct block *b, char *line)
{
    char *differs = strstr(line, " ~"), *equals = differs ? differs : strstr(line, " ="), *p = line, *end;

    assert_true(b->count < MOST);
    snprintf(b->answer[b->count], sizeof b->answer[0], "%s", equals && equals[2] ? equals + 3 : "");
    b->differs[b->count] = differs != NULL;
    if (equals)
        *equals = 0;
    memset(b->in[b->count], 0, sizeof b->in[0]);
    for (int k = 0; k < WORDS && *p; k++, p = end)
        b->in[b->count][k] = (uint32_t)strtoul(p, &end, 16);
    b->count++;
}

static void recorded(void **state)
{
    const char *name = getenv("TEXTURES") ? getenv("TEXTURES") : "expected/recorded/textures-h200.txt";
    FILE *f = fopen(name, "r");
    struct block *b = calloc(1, sizeof *b);
    char line[LINE_ROOM];
    bool more = true;

    (void)state;
    assert_non_null(f);
    while (more) {
        more = fgets(line, sizeof line, f) != NULL;
        line[strcspn(line, "\n")] = 0;
        if ((!more || begins(line, "object ") || begins(line, "fetch ")) && b->count) {
            run(b);
            b->count = 0;
        }
        if (!more || *line == '#' || !*line)
            continue;
        if (begins(line, "object "))
            snprintf(b->object, sizeof b->object, "%.500s", line + 7);
        else if (begins(line, "fetch "))
            snprintf(b->fetch, sizeof b->fetch, "%.500s", line + 6);
        else
            question(b, line);
    }
    fclose(f);
    free(b);
    print_message("%zu lines, %zu of them differ\n", lines, wrong_lines);
    assert_int_equal(wrong_lines, 0);
}

/* ---- lanes together ----------------------------------------------------------------------------------------------
 */

/* Bits of all kinds of numbers: any; near the extents of a texture; ends, halves and what is next to them. */
static uint32_t any_number(uint64_t *seed, uint32_t extent)
{
    static const float some[] = { 0, 0.5f, 1, 1.5f, 2, -0.5f, -1, -1.5f, 0.25f, 0.75f, 1e-30f, -1e-30f, 3e38f, -3e38f };
    const uint32_t kind = (uint32_t)(*seed >> 40) % 8;
    float f;
    uint32_t bits;

    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    bits = (uint32_t)(*seed >> 32);
    if (kind == 0)
        return bits;
    f = kind < 3   ? some[bits % (sizeof some / sizeof *some)] * (kind == 2 ? (float)extent : 1)
        : kind < 6 ? (float)(int32_t)bits / 2147483648.0f * 1.5f * (float)extent
                   : (float)(int32_t)bits / 1073741824.0f;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Texels of any bits. Those of single precision are mostly of like size in each part of the texture, and zeros of both
 * signs in some. */
static void any_texels(struct asked *a, uint64_t *seed)
{
    static const uint32_t least[] = { 124, 0, 35, 246, 250, 0 };
    const uint64_t bytes = emu_texture_bytes(&a->arg.texture);
    const bool singles = a->arg.texture.kind == EMU_TEXEL_FLOAT && a->arg.texture.bits == 32;

    for (uint64_t at = 0; at + 4 <= bytes; at += 4) {
        const uint64_t part = at * 6 / bytes;
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t bits = (uint32_t)(*seed >> 32);
        if (singles && bits % 16)
            bits = part == 5 ? bits & 0x80000000 : (bits & 0x80000fff) | (least[part] + (bits >> 13) % 5) << 23;
        memcpy(a->texels + at, &bits, sizeof bits);
    }
    assert_true(emu_write(a->e, a->at, a->texels, bytes));
}

/* What lanes of a warp fetch together is what each fetches alone. */
static void compare_lanes(const char *object, const char *fetch, bool floats, uint64_t seed)
{
    const struct emu_options options = { .jobs = 1, .in_step = seed % 2 };
    struct asked a = { .e = emu_new(&options) };
    struct block *b = calloc(1, sizeof *b);
    static uint32_t together[MOST][RESULTS], alone[MOST][RESULTS];

    assert_non_null(b);
    make_object(&a, object);
    make_kernel(&a, fetch);
    any_texels(&a, &seed);
    for (size_t k = 0; k < MOST; k++)
        for (int i = 0; i < WORDS; i++)
            b->in[k][i] = floats ? any_number(&seed, a.arg.texture.normalized ? 1 : a.arg.texture.width)
                                 : any_number(&seed, 1) % (a.arg.texture.width + 2) - 1;
    const uint64_t in = emu_alloc(a.e, sizeof b->in, 256, true, "in"),
                   out = emu_alloc(a.e, sizeof together, 256, true, "out");
    assert_true(emu_write(a.e, in, b->in, sizeof b->in));
    launch(&a, in, out, MOST, CTA, fetch);
    assert_true(emu_read(a.e, together, out, sizeof together));
    launch(&a, in, out, MOST, 1, fetch);
    assert_true(emu_read(a.e, alone, out, sizeof alone));
    for (size_t k = 0; k < MOST; k++)
        if (memcmp(together[k], alone[k], sizeof alone[k]))
            fail_msg("%s | %s | %08x %08x: %08x %08x, alone %08x %08x", object, fetch, b->in[k][0], b->in[k][1],
                     together[k][0], together[k][1], alone[k][0], alone[k][1]);
    emu_free(a.e);
    ptx_free(a.m);
    free(a.texels);
    free(b);
}

static void lanes_together(void **state)
{
    static const char *const formats[] = { "f32", "f32x4", "f16x2", "u8x4", "s8", "u16x2" },
                             *const extents[] = { "37", "37x19" }, *const modes[] = { "clamp",
                                                                                      "border",
                                                                                      "wrap,normalized",
                                                                                      "mirror,normalized",
                                                                                      "normalized",
                                                                                      "border,normalized" };
    char object[80], fetch[80];
    uint64_t seed = 1;

    (void)state;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t n = 0; n < 2; n++)
            for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
                for (int linear = 0; linear < 2; linear++) {
                    snprintf(object, sizeof object, "tex:%s,%s,%s%s%s", formats[f], extents[n], modes[m],
                             *formats[f] == 'f' ? "" : ",float", linear ? ",linear" : "");
                    snprintf(fetch, sizeof fetch, "tex.%dd.v4.f32.f32 {%%d0,%%d1,%%d2,%%d3}, [%%t, {%%c0%s}];",
                             n ? 2 : 1, n ? ",%c1" : "");
                    compare_lanes(object, fetch, true, seed++);
                }
    compare_lanes("tex:u8x4,37x19", "tex.2d.v4.u32.f32 {%d0,%d1,%d2,%d3}, [%t, {%c0,%c1}];", true, seed++);
    compare_lanes("tex:s16x2,37x19", "tex.2d.v4.s32.s32 {%d0,%d1,%d2,%d3}, [%t, {%c0,%c1}];", false, seed++);
    compare_lanes("tex:f32,999,memory", "tex.1d.v4.f32.s32 {%d0,%d1,%d2,%d3}, [%t, {%c0}];", false, seed++);
    compare_lanes("tex:u32x4,99,memory", "tex.1d.v4.u32.s32 {%d0,%d1,%d2,%d3}, [%t, {%c0}];", false, seed++);
    compare_lanes("tex:f32,16x8,layers=3,linear", "tex.a2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {1,%c0,%c1,%c1}];", true,
                  seed++);
    compare_lanes("tex:f32,16x8x4,linear", "tex.3d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%t, {%c0,%c1,%c2,%c2}];", true,
                  seed++);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded),
        cmocka_unit_test(lanes_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
