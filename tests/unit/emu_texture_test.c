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

enum { WORDS = 8, RESULTS = 4, MOST = 4096, LINE_ROOM = 512 };

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
        "mov.u32 %%i, %%ctaid.x; mov.u32 %%n, %%tid.x; mad.lo.u32 %%i, %%i, 64, %%n; ld.param.u32 %%n, [n]; setp.ge.u32 %%p, %%i, %%n; @%%p ret;\n"
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

static void launch(const struct asked *a, uint64_t in, uint64_t out, uint32_t n, const char *what)
{
    const uint32_t grid[3] = { (n + 63) / 64, 1, 1 }, block[3] = { 64, 1, 1 };
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
        launch(&a, in, out, (uint32_t)b->count, b->fetch);
    for (size_t k = 0; k < b->count; k++) {
        uint32_t d[RESULTS];
        if (a.stores) {
            assert_true(emu_write(a.e, a.at, a.texels, emu_texture_bytes(&a.arg.texture)));
            launch(&a, in + k * sizeof b->in[0], out, 1, b->fetch);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
