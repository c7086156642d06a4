/* libFuzzer target: the whole emulator, from text to the end of a launch, must survive any module in bounded time and
 * memory: parsing, checking, loading, decoding, running, judging and telling what was found.
 *
 * (`make fuzz-emu` builds and runs it.) Bytes that begin with '.' are a module; all others are statements of a kernel,
 * so that short inputs get as far as a launch. The first entry runs with small limits; its parameters are the address
 * of a buffer, as often as there is room, and the bytes of a tensor map. */
#include "expected/oracle.h"
#include "harness/emu/emu.h"
#include "tests/fuzz/module.h"

enum { BUFFER = 4096, PARAMS = 4096 };

/* The names of harness/plan/fragment.c, and those of the order checker's tests, with values that make sense. */
static const char head[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".global .align 128 .b8 gbuf[1024] = {1, 2}; .const .align 128 .b8 cbuf[1024] = {3};\n"
    ".global .align 64 .b8 gmap[128]; .const .align 64 .b8 cmap[128]; .shared .align 64 .b8 smap[128];\n"
    ".shared .align 128 .b8 sbuf[1024]; .shared .align 8 .b64 mb; .shared .align 128 .b8 s[4096];\n"
    ".shared .align 8 .b64 bars[2]; .extern .shared .align 16 .b8 dyn[];\n"
    ".func (.param .b32 x) f(.param .b32 a) { .reg .b32 v; ld.param.b32 v, [a]; st.param.b32 [x], v; ret; }\n"
    ".visible .entry k(.param .b64 pg, .param .align 64 .b8 pmap[128]) {\n"
    ".reg .pred p, q; .reg .b16 h; .reg .b32 sa, ma, ra, n, m, r<8>; .reg .b64 g, pol, st, d<4>, gm;\n"
    ".reg .f32 f0, f1; .reg .f64 fd0; .local .align 8 .b8 la[64];\n"
    ".reg .pred %p0, %p1, %w1, %w0, %t; .reg .b32 %i, %s, %m, %n, %o, %q, %x, %y, %z, %r;\n"
    ".reg .b64 %g, %h, %a, %b, %d;\n"
    "ld.param.b64 g, [pg]; mov.b64 gm, gmap; mov.b32 sa, sbuf; mov.b32 ma, mb; mov.b32 n, 16; mov.b32 m, 1;\n"
    "mov.b32 %i, %tid.x; setp.eq.u32 %p0, %i, 0; setp.ne.u32 %p1, %i, 0; mov.b32 %s, s; mov.b32 %m, bars;\n"
    "add.u32 %n, %m, 8; mov.b64 %g, g; add.u64 %h, g, 2048; shl.b32 %o, %i, 4; cvt.u64.u32 %d, %o;\n"
    "add.u64 %a, %g, %d; add.u64 %b, %h, %d; add.u32 %o, %o, %s; mov.b32 %r, %cluster_ctarank;\n";
static const char tail[] = "\nret;\n}\n";

/* A small stream of choices that the input makes. */
static uint64_t hash(const char *text, size_t size)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h ^ h >> 29;
}

static void fill_params(unsigned char *params, uint64_t buffer)
{
    struct tensor_map map = tensor_map_default(0, 1); /* 256 bytes */
    _Alignas(64) unsigned char object[128];

    map.address = buffer;
    for (size_t i = 0; i < PARAMS; i += sizeof buffer)
        memcpy(params + i, &buffer, sizeof buffer);
    emu_map_encode(&map, object);
    for (size_t i = 64; i + sizeof object <= PARAMS; i += 1024)
        memcpy(params + i, object, sizeof object);
}

/* What is said must be there, and is read to its end. */
static void read_report(const struct ptx_module *m, const struct emu_report *r)
{
    char text[512];

    if (r->end != EMU_DONE && r->end != EMU_FAULTED && !r->message[0] && !r->count)
        abort();
    for (size_t i = 0; i < r->count; i++) {
        const struct emu_finding *f = &r->findings[i];
        if (!f->message[0])
            abort();
        if (f->here.known && f->here.at)
            ptx_source(m, f->here.at, text, sizeof text);
        if (f->there.known && f->there.at)
            ptx_source(m, f->there.at, text, sizeof text);
    }
}

static void launch(const struct ptx_module *m, const struct ptx_function *f, uint64_t choice)
{
    const struct emu_options options = { .delivery = (enum emu_delivery)(choice % 3),
                                         .seed = choice,
                                         .jobs = choice & 64 ? 2 : 1,
                                         .max_instructions = 20000,
                                         .max_memory = 4 << 20,
                                         .check_order = true,
                                         .check_init = choice & 8,
                                         .check_reads = choice & 16 };
    static const uint32_t blocks[][3] = { { 1, 1, 1 }, { 2, 1, 1 }, { 32, 1, 1 }, { 17, 2, 1 } };
    uint32_t block[3], cluster[3] = { 1, 1, 1 }, grid[3] = { 1, 1, 1 };
    unsigned char params[PARAMS];
    struct emu_report report = { 0 };
    char error[256] = "";
    struct emu *e = emu_new(&options);
    uint64_t buffer;

    if (!e)
        return;
    memcpy(block, f->reqntid[0] ? f->reqntid : blocks[choice >> 8 & 3], sizeof block);
    cluster[0] = f->cluster[0] ? f->cluster[0] : choice & 32 ? 2 : 1;
    cluster[1] = f->cluster[0] && f->cluster[1] ? f->cluster[1] : 1;
    cluster[2] = f->cluster[0] && f->cluster[2] ? f->cluster[2] : 1;
    for (int i = 0; i < 3; i++) {
        block[i] = block[i] ? block[i] : 1;
        grid[i] = cluster[i];
    }
    grid[0] *= choice & 128 ? 2 : 1;
    if ((uint64_t)grid[0] * grid[1] * grid[2] <= 8) {
        if (!emu_load(e, m, error, sizeof error)) {
            if (!error[0])
                abort();
        } else if ((buffer = emu_alloc(e, BUFFER, 256, choice & 512, "buffer")) != 0) {
            fill_params(params, buffer);
            emu_launch(e, f->name, grid, block, cluster, choice & 1024 ? 2048 : 0, params, f->param_bytes, &report);
            read_report(m, &report);
        }
    }
    emu_free(e);
}

/* The first entry that has a body. */
static void launch_first(const struct ptx_module *m, const char *text, size_t size)
{
    for (uint32_t i = 0; i < m->n_functions; i++)
        if (m->functions[i].is_entry && m->functions[i].has_body && m->functions[i].param_bytes <= PARAMS) {
            launch(m, &m->functions[i], hash(text, size));
            break;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_module(data, size, head, tail, launch_first);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
