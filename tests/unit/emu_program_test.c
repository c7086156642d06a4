/* Small kernels on the emulator: control flow, calls, barriers, state spaces, initialisers, special registers, and what
 * ends a launch before its time. Each has the words that it must leave, or what must be said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/forms/form.h"
#include "harness/emu/emu.h"

enum { WORDS = 8 };

/* %out is the address of 8 words. A program's first part stands at module scope, the second is the kernel's body, where
 * "word N, V;" stores V as word N, and "each V;" as that of the thread's number. */
static const char head[] = ".version 8.6\n.target sm_90a\n.address_size 64\n";
static const char entry[] =
    ".visible .entry k(.param .b64 out, .param .align 16 .b8 s[32])\n{\n"
    ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<16>, %i; .reg .b64 %d<8>, %out; .reg .f32 %f<4>; .reg .b128 %q;\n"
    "ld.param.b64 %out, [out]; mov.u32 %i, %tid.x;\n";

struct program {
    const char *name, *top, *body;
    uint32_t block, cluster, smem, clusters; /* 0: one */
    uint32_t words[WORDS];
    enum emu_end end;
    const char *says; /* part of the first finding's message, or of the launch's; NULL: there is none */
    const char *more; /* that a finding's table must hold */
};

static const struct program programs[] = {
    /* ---- control flow and calls ---- */
    { .name = "a branch through a table",
      .block = 4,
      .words = { 30, 20, 10, 30 },
      .body = "T: .branchtargets A, B, C;\n"
              "add.u32 %r1, %i, 2; rem.u32 %r1, %r1, 3; brx.idx %r1, T;\n"
              "A: mov.u32 %r2, 20; bra.uni E; B: mov.u32 %r2, 10; bra E; C: mov.u32 %r2, 30; E:\neach %r2;\n" },
    { .name = "beyond the table",
      .end = EMU_FAULTED,
      .says = "branch index 7 in a table of 2 targets",
      .body = "T: .branchtargets A, B; mov.u32 %r1, 7; brx.idx %r1, T; A: B:" },
    { .name = "calls by parameter, by register, and through a register",
      .words = { 12, 14, 7, 41 },
      .top = ".func (.param .b32 r) twice(.param .b32 a)\n{ .reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, %x;\n"
             "st.param.b32 [r], %x; ret; }\n"
             ".func (.reg .b32 r) inc(.reg .b32 a) { add.u32 r, a, 1; ret; }\n"
             ".func (.param .align 8 .b8 r[8]) swap(.param .align 8 .b8 a[8])\n"
             "{ .reg .b32 %x, %y; ld.param.v2.b32 {%x, %y}, [a]; st.param.v2.b32 [r], {%y, %x}; ret; }\n",
      .body =
          "{ .param .b32 a, r; st.param.b32 [a], 6; call.uni (r), twice, (a); ld.param.b32 %r1, [r]; }\nword 0, %r1;\n"
          "{ .param .b32 a, r; mov.u64 %d1, twice; st.param.b32 [a], 7; P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
          "call (r), %d1, (a), P; ld.param.b32 %r1, [r]; }\nword 1, %r1;\n"
          "mov.u32 %r2, 6; call (%r3), inc, (%r2);\nword 2, %r3;\n"
          "{ .param .align 8 .b8 a[8]; .param .align 8 .b8 r[8]; st.param.b32 [a], 1; st.param.b32 [a+4], 41;\n"
          "call (r), swap, (a); ld.param.b32 %r1, [r]; }\nword 3, %r1;\n" },
    { .name = "recursion with locals of its own",
      .words = { 15 },
      .top =
          ".func (.param .b32 r) sum(.param .b32 n);\n"
          ".func (.param .b32 r) sum(.param .b32 n)\n{ .reg .b32 %x, %y; .reg .pred %p; .local .b32 mine; .param .b32 a, s;\n"
          "ld.param.b32 %x, [n]; st.local.b32 [mine], %x; setp.eq.u32 %p, %x, 0; mov.u32 %y, 0; @%p bra E;\n"
          "sub.u32 %x, %x, 1; st.param.b32 [a], %x; call (s), sum, (a); ld.param.b32 %y, [s];\n"
          "ld.local.b32 %x, [mine]; add.u32 %y, %y, %x; E: st.param.b32 [r], %y; ret; }\n",
      .body = ".param .b32 a, b; st.param.b32 [a], 5; call (b), sum, (a); ld.param.b32 %r1, [b];\nword 0, %r1;\n" },
    { .name = "calls without end",
      .end = EMU_FAULTED,
      .says = "calls nested deeper than 512",
      .top = ".func f() { call f; ret; }\n",
      .body = "call f;" },
    { .name = "calls with much local memory",
      .end = EMU_FAULTED,
      .says = "no room for the frame of f",
      .top = ".func f() { .local .b8 x[40000]; call f; ret; }\n",
      .body = "call f;" },
    { .name = "a register that holds no function",
      .end = EMU_FAULTED,
      .says = "through a register that holds no function",
      .body = "P: .callprototype _ (); mov.u64 %d1, 999; call %d1, P;" },
    { .name = "exit within a call, and behind a guard",
      .block = 2,
      .words = { 0, 5 },
      .top = ".func f() { exit; }\n",
      .body = "setp.eq.u32 %p1, %i, 0; @!%p1 bra A; call f; A: mov.u32 %r1, 5;\neach %r1;\n" },
    { .name = "a trap", .end = EMU_FAULTED, .says = "trap", .body = "trap;" },
    { .name = "what does nothing here",
      .words = { 1 },
      .body =
          "brkpt; pmevent 3; griddepcontrol.wait; griddepcontrol.launch_dependents; nanosleep.u32 20;\nword 0, 1;\n" },
    /* ---- barriers ---- */
    { .name = "reductions of a barrier",
      .block = 64,
      .words = { 32, 0, 1, 1 },
      .body =
          "setp.lt.u32 %p1, %i, 32; setp.lt.u32 %p0, %i, 100;\n"
          "barrier.cta.red.popc.aligned.u32 %r1, 1, %p1; bar.red.and.pred %p2, 2, %p1; bar.red.or.pred %p3, 2, !%p0;\n"
          "selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 0, 1, %p3; bar.red.and.pred %p2, 3, 64, %p0; selp.u32 %r4, 1, 0, %p2;\nword 0, %r1;\nword 1, %r2;\nword 2, %r3;\nword 3, %r4;\n" },
    { .name = "one half arrives, the other waits",
      .block = 64,
      .words = { 9 },
      .top = ".shared .b32 sh;\n",
      .body = "setp.lt.u32 %p1, %i, 32; @%p1 bra A; bar.sync 4, 64; ld.shared.b32 %r1, [sh];\nword 0, %r1;\n"
              "bra E; A: st.shared.b32 [sh], 9; bar.arrive 4, 64; E:" },
    { .name = "a barrier that is not there",
      .end = EMU_FAULTED,
      .says = "barrier 16: a CTA has barriers 0 to 15",
      .body = "mov.u32 %r1, 16; bar.sync %r1;" },
    { .name = "a count that is no multiple of a warp",
      .end = EMU_FAULTED,
      .says = "a barrier count of 33",
      .body = "mov.u32 %r1, 33; bar.sync 1, %r1;" },
    { .name = "two arrivals at the cluster's barrier",
      .cluster = 2,
      .end = EMU_FAULTED,
      .says = "a second barrier.cluster.arrive without a wait in between",
      .body = "barrier.cluster.arrive; barrier.cluster.arrive; barrier.cluster.wait;" },
    { .name = "who arrives at the cluster's barrier and exits, and who comes later",
      .block = 33,
      .words = { 1, 5 },
      .body = "setp.eq.u32 %p1, %i, 32; @%p1 bra A; barrier.cluster.arrive.aligned; ret;\n"
              "A: mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 500; @%p2 bra L;\n"
              "word 0, 1;\nbarrier.cluster.arrive; barrier.cluster.wait;\nword 1, 5;\n" },
    { .name = "a wait at the cluster's barrier alone",
      .cluster = 2,
      .end = EMU_FAULTED,
      .says = "barrier.cluster.wait without an arrive",
      .body = "barrier.cluster.wait;" },
    { .name = "one half waits for ever",
      .block = 64,
      .end = EMU_DEADLOCK,
      .says = "deadlock",
      .more = "barrier 1, where 32 of 64 threads have arrived",
      .body = "setp.lt.u32 %p1, %i, 32; @%p1 bar.sync 1, 64;" },
    { .name = "a race between two clusters",
      .clusters = 2,
      .says = "nothing orders the two",
      .body = "mov.u32 %r1, %ctaid.x;\nword 0, %r1;\n" },
    /* ---- state spaces ---- */
    { .name = "generic addresses of every space",
      .words = { 0x11, 0x22, 0x33, 0x77, 1, 0, 1, 1 },
      .top = ".const .b32 c = 0x11; .shared .b32 sh; .global .b32 g;\n",
      .body =
          ".local .b32 l;\n"
          "st.shared.b32 [sh], 0x22; st.local.b32 [l], 0x33;\n"
          "mov.u64 %d1, c; cvta.const.u64 %d1, %d1; ld.b32 %r1, [%d1];\nword 0, %r1;\n"
          "mov.u64 %d2, sh; cvta.shared.u64 %d2, %d2; ld.b32 %r1, [%d2];\nword 1, %r1;\n"
          "mov.u64 %d3, l; cvta.local.u64 %d3, %d3; ld.b32 %r1, [%d3];\nword 2, %r1;\n"
          "mov.u64 %d4, s; cvta.param.u64 %d4, %d4; ld.b32 %r1, [%d4+4];\nword 3, %r1;\n"
          "isspacep.shared %p1, %d2; isspacep.shared %p2, %d1; isspacep.const %p3, %d1; isspacep.global %p0, %out;\n"
          "selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 1, 0, %p3; selp.u32 %r4, 1, 0, %p0;\nword 4, %r1;\nword 5, %r2;\nword 6, %r3;\nword 7, %r4;\n" },
    { .name = "and back again",
      .words = { 5, 6, 1, 0 },
      .top = ".shared .b32 sh; .shared .b32 sg;\n",
      .body =
          "st.shared.b32 [sh], 5; st.shared.b32 [sg], 6; mov.u64 %d1, sh; cvta.shared.u64 %d2, %d1;\n"
          "cvta.to.shared.u64 %d3, %d2; ld.shared.b32 %r1, [%d3];\nword 0, %r1;\n"
          "mov.u64 %d1, sg; cvta.shared.u64 %d2, %d1; ld.b32 %r1, [%d2];\nword 1, %r1;\n"
          "isspacep.shared::cluster %p1, %d2; isspacep.local %p2, %d2; selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2;\nword 2, %r1;\nword 3, %r2;\n" },
    { .name = "the other CTA's shared memory",
      .cluster = 2,
      .words = { 1, 0, 101, 100, 1, 0 },
      .top = ".shared .b32 sh;\n",
      .body =
          "mov.u32 %r1, %cluster_ctarank; add.u32 %r2, %r1, 100; st.shared.b32 [sh], %r2;\n"
          "barrier.cluster.arrive; barrier.cluster.wait; xor.b32 %r3, %r1, 1; mov.u32 %r4, sh;\n"
          "mapa.shared::cluster.u32 %r5, %r4, %r3; getctarank.shared::cluster.u32 %r6, %r5;\n"
          "ld.shared::cluster.b32 %r7, [%r5]; mov.u64 %d1, sh; cvta.shared.u64 %d1, %d1; mapa.u64 %d2, %d1, %r3;\n"
          "getctarank.u64 %r8, %d2; isspacep.shared::cta %p1, %d2; selp.u32 %r9, 100, 0, %p1; add.u32 %r8, %r8, %r9;\n"
          "mad.wide.u32 %d7, %r1, 4, %out; st.global.b32 [%d7], %r6; st.global.b32 [%d7+8], %r7; st.global.b32 [%d7+16], %r8;\n"
          "barrier.cluster.arrive; barrier.cluster.wait;" },
    { .name = "vectors and 16 bytes",
      .words = { 1, 2, 3, 4, 0xFFFFFF80, 0x80, 3, 1 },
      .top = ".global .align 16 .b32 g[4] = { 1, 2, 3, 4 }; .global .s8 b = -128; .shared .align 16 .b32 t[4];\n",
      .body =
          "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [g]; st.global.v2.b32 [%out], {%r1, %r2}; st.global.v2.b32 [%out+8], {%r3, %r4};\n"
          "ld.global.s8 %r5, [b]; ld.global.u8 %r6, [b];\nword 4, %r5;\nword 5, %r6;\n"
          "ld.global.b128 %q, [g]; st.shared.b128 [t], %q; ld.shared.b32 %r7, [t+8];\nword 6, %r7;\n"
          "ld.global.v2.b32 {_, %r8}, [g]; ld.global.v4.b32 {%r8, _, _, _}, [g];\nword 7, %r8;\n" },
    { .name = "dynamic shared memory and its sizes",
      .smem = 64,
      .words = { 64, 64, 77 },
      .top = ".extern .shared .align 16 .b8 dyn[];\n",
      .body = "mov.u32 %r1, %dynamic_smem_size;\nword 0, %r1;\n"
              "mov.u32 %r2, %total_smem_size; sub.u32 %r2, %r2, 0;\n"
              "min.u32 %r2, %r2, 64;\nword 1, %r2;\n"
              "st.shared.b32 [dyn+60], 77; ld.shared.b32 %r3, [dyn+60];\nword 2, %r3;\n" },
    { .name = "behind dynamic shared memory",
      .smem = 64,
      .end = EMU_FAULTED,
      .says = "of shared memory, which has",
      .top = ".extern .shared .align 16 .b8 dyn[];\n",
      .body = "ld.shared.b32 %r3, [dyn+64];" },
    { .name = "behind constants",
      .end = EMU_FAULTED,
      .says = "of constant memory, which has",
      .top = ".const .b32 c = 1;\n",
      .body = "mov.u64 %d1, c; ld.const.b32 %r1, [%d1+64];" },
    { .name = "behind local memory",
      .end = EMU_FAULTED,
      .says = "of local memory, which has",
      .body = ".local .b32 l; mov.u64 %d1, l; ld.local.b32 %r1, [%d1+1000000];" },
    { .name = "behind the kernel's parameters",
      .end = EMU_FAULTED,
      .says = "parameter",
      .body = "mov.u64 %d1, s; ld.param.b32 %r1, [%d1+4000];" },
    { .name = "an address of no allocation",
      .end = EMU_FAULTED,
      .says = "address 0x40 is in no allocation; a null pointer leads there",
      .body = "mov.u64 %d1, 64; ld.global.b32 %r1, [%d1];" },
    { .name = "just behind a buffer",
      .end = EMU_FAULTED,
      .says = "4 bytes at offset 32 of out, which has 32",
      .body = "ld.global.b32 %r1, [%out+32];" },
    { .name = "a misaligned access",
      .end = EMU_FAULTED,
      .says = "multiple of",
      .body = "ld.global.b32 %r1, [%out+2];" },
    /* ---- initialisers ---- */
    { .name = "addresses in initial values",
      .words = { 7, 7, 42, 7, 0, 9 },
      .top =
          ".global .b32 g = 7; .global .u64 pg = g; .global .u64 gg = generic(g); .const .u64 pc = g; .const .b32 c = 42;\n"
          ".const .u64 gc = generic(c); .shared .b32 sh;\n"
          ".func f() { st.shared.b32 [sh], 9; ret; }\n"
          ".global .u64 fn = f; .global .u8 part[2] = { 0xFF(g), 0xFF00(g) };\n",
      .body =
          "ld.global.b64 %d1, [pg]; ld.global.b32 %r1, [%d1];\nword 0, %r1;\n"
          "ld.global.b64 %d1, [gg]; ld.b32 %r1, [%d1];\nword 1, %r1;\n"
          "ld.const.b64 %d2, [gc]; ld.b32 %r1, [%d2];\nword 2, %r1;\n"
          "ld.const.b64 %d1, [pc]; ld.global.b32 %r1, [%d1];\nword 3, %r1;\n"
          ""
          "P: .callprototype _ (); ld.global.b64 %d1, [fn]; call %d1, P; ld.shared.b32 %r1, [sh];\nword 5, %r1;\n" },
    /* ---- special registers ---- */
    { .name = "who a thread is",
      .block = 40,
      .words = { 32, 40, 7, 1, 0x100, 0x1FF, 0xFF, 2 },
      .body =
          "setp.ne.u32 %p1, %i, 40; mov.u32 %r1, %laneid; mov.u32 %r2, %warpid; setp.eq.u32 %p2, %i, 39; @!%p2 exit;\n"
          "mov.u32 %r3, WARP_SZ;\nword 0, %r3;\n"
          "mov.u32 %r3, %ntid.x;\nword 1, %r3;\nword 2, %r1;\nword 3, %r2;\n"
          "mov.u32 %r4, %lanemask_gt; and.b32 %r4, %r4, 0x100;\nword 4, %r4;\n"
          "mov.u32 %r4, %lanemask_ge; mov.u32 %r5, %lanemask_lt; mov.u32 %r6, %lanemask_le; mov.u32 %r7, %lanemask_eq;\n"
          "and.b32 %r4, %r4, 0x100; or.b32 %r4, %r4, %r6;\nword 5, %r4;\n"
          "or.b32 %r5, %r5, %r7;\nword 6, %r5;\n"
          "mov.u32 %r8, %nwarpid; min.u32 %r8, %r8, 2;\nword 7, %r8;\n" },
    { .name = "where its CTA is",
      .cluster = 2,
      .words = { 2, 1, 2, 1, 1, 1, 1, 1 },
      .body =
          "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0; @%p1 exit; mov.u32 %r2, %cluster_nctarank;\nword 0, %r2;\n"
          "mov.u32 %r2, %cluster_ctaid.x;\nword 1, %r2;\n"
          "mov.u32 %r2, %cluster_nctaid.x;\nword 2, %r2;\n"
          "mov.u32 %r2, %nclusterid.x;\nword 3, %r2;\n"
          "mov.u32 %r2, %ctaid.x;\nword 4, %r2;\n"
          "mov.pred %p2, %is_explicit_cluster; selp.u32 %r2, 1, 0, %p2;\nword 5, %r2;\n"
          "mov.u32 %r2, %nctaid.y;\nword 6, %r2;\n"
          "mov.u32 %r2, %nsmid; min.u32 %r2, %r2, 1;\nword 7, %r2;\n" },
    { .name = "clocks go on",
      .words = { 1, 1, 0, 1 },
      .body =
          "mov.u64 %d1, %globaltimer; mov.u64 %d2, %globaltimer; setp.gt.u64 %p1, %d2, %d1; selp.u32 %r1, 1, 0, %p1;\nword 0, %r1;\n"
          "mov.u32 %r2, %clock; mov.u32 %r3, %clock; sub.u32 %r3, %r3, %r2; min.u32 %r3, %r3, 1;\nword 1, %r3;\n"
          "mov.u32 %r4, %clock_hi;\nword 2, %r4;\n"
          "mov.u64 %d1, %clock64; mov.u64 %d2, %clock64; sub.u64 %d1, %d2, %d1;\n"
          "cvt.u32.u64 %r4, %d1; min.u32 %r4, %r4, 1;\nword 3, %r4;\n" },
    { .name = "a wait of at most 1 ms beside one that sleeps 10 us",
      .block = 64,
      .words = { 1 },
      .top = ".shared .b32 sh;\n",
      .body =
          "setp.ne.u32 %p1, %i, 0; @%p1 bra B; st.shared.b32 [sh], 0; B: bar.sync 0; @%p1 bra W; mov.u32 %r1, 0;\n"
          "L: nanosleep.u32 1000; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 10; @%p2 bra L; st.release.cta.shared.b32 [sh], 1; ret;\n"
          "W: setp.ne.u32 %p1, %i, 32; @%p1 bra E; mov.u64 %d1, %globaltimer;\n"
          "G: ld.acquire.cta.shared.b32 %r2, [sh]; setp.ne.u32 %p1, %r2, 0; @%p1 bra T; mov.u64 %d2, %globaltimer;\n"
          "sub.u64 %d2, %d2, %d1; setp.lt.u64 %p1, %d2, 1000000; @%p1 bra G; T:\nword 0, %r2;\nE:" },
    { .name = "a wait of at most 1 ms beside one that looks at a clock for 30 us",
      .block = 64,
      .words = { 1 },
      .top = ".shared .b32 sh;\n",
      .body =
          "setp.ne.u32 %p1, %i, 0; @%p1 bra B; st.shared.b32 [sh], 0; B: bar.sync 0; @%p1 bra W; mov.u32 %r1, 0;\n"
          "L: mov.u64 %d3, %globaltimer; P: mov.u64 %d4, %globaltimer; sub.u64 %d4, %d4, %d3;\n"
          "setp.lt.u64 %p2, %d4, 3000; @%p2 bra P; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 10; @%p2 bra L; st.release.cta.shared.b32 [sh], 1; ret;\n"
          "W: setp.ne.u32 %p1, %i, 32; @%p1 bra E; mov.u64 %d1, %globaltimer;\n"
          "G: ld.acquire.cta.shared.b32 %r2, [sh]; setp.ne.u32 %p1, %r2, 0; @%p1 bra T; mov.u64 %d2, %globaltimer;\n"
          "sub.u64 %d2, %d2, %d1; setp.lt.u64 %p1, %d2, 1000000; @%p1 bra G; T:\nword 0, %r2;\nE:" },
    { .name = "a wait of at most 1 ms beside one that sleeps 1 s",
      .block = 64,
      .words = { 0 },
      .top = ".shared .b32 sh;\n",
      .body =
          "setp.ne.u32 %p1, %i, 0; @%p1 bra B; st.shared.b32 [sh], 0; B: bar.sync 0; @%p1 bra W; mov.u32 %r1, 0;\n"
          "L: nanosleep.u32 100000000; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 10; @%p2 bra L; st.release.cta.shared.b32 [sh], 1; ret;\n"
          "W: setp.ne.u32 %p1, %i, 32; @%p1 bra E; mov.u64 %d1, %globaltimer;\n"
          "G: ld.acquire.cta.shared.b32 %r2, [sh]; setp.ne.u32 %p1, %r2, 0; @%p1 bra T; mov.u64 %d2, %globaltimer;\n"
          "sub.u64 %d2, %d2, %d1; setp.lt.u64 %p1, %d2, 1000000; @%p1 bra G; T:\nword 0, %r2;\nE:" },
    /* ---- the ends of a launch ---- */
    { .name = "a loop without end", .end = EMU_DEADLOCK, .says = "goes round a loop for ever", .body = "L: bra L;" },
    { .name = "a loop that counts without end",
      .end = EMU_TOO_LONG,
      .says = "more than 100000 instructions",
      .body = "L: add.u32 %r1, %r1, 1; bra L;" },
    { .name = "an instruction that is not modelled",
      .end = EMU_UNSUPPORTED,
      .says = "unsupported: 9: tex",
      .top = ".global .texref t;\n",
      .body = "tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t, {%r1, %r1, %r1, %r1}];" },
    { .name = "too many threads", .block = 1025, .end = EMU_BAD_LAUNCH, .says = "more than 1024 threads" },
    { .name = "too large a cluster", .cluster = 17, .end = EMU_BAD_LAUNCH, .says = "more than 16 CTAs a cluster" },
    { .name = "too much local memory",
      .end = EMU_BAD_LAUNCH,
      .says = "more than 512 KiB of .local memory a thread",
      .body = ".local .b8 l[600000]; mov.u64 %d1, l;" },
    { .name = "too much shared memory",
      .smem = 1 << 24,
      .end = EMU_BAD_LAUNCH,
      .says = "more shared memory than an address of the cluster window reaches" },
    { .name = "more memory than --max-memory",
      .block = 1024,
      .end = EMU_NO_MEMORY,
      .says = "--max-memory leaves no room",
      .body = ".local .b8 l[20000]; mov.u64 %d1, l;" },
};

/* The body with its stores written out. */
static void expand(char *to, size_t size, const char *body)
{
    size_t n = 0;

    while (*body && n < size) {
        char value[64];
        int number, used = 0;
        if (sscanf(body, "word %d, %60[^;];%n", &number, value, &used) == 2 && used)
            n += (size_t)snprintf(to + n, size - n, "st.global.b32 [%%out+%d], %s;", 4 * number, value);
        else if (sscanf(body, "each %60[^;];%n", value, &used) == 1 && used)
            n += (size_t)snprintf(to + n, size - n, "mad.wide.u32 %%d7, %%i, 4, %%out; st.global.b32 [%%d7], %s;",
                                  value);
        else
            n += (size_t)snprintf(to + n, size - n, "%c", *body);
        body += used ? used : 1;
    }
}

static struct ptx_module *module_of(const char *top, const char *body)
{
    struct ptx_error error;
    struct ptx_module *m;
    char text[8192], code[4096] = "";

    expand(code, sizeof code, body ? body : "");
    snprintf(text, sizeof text, "%s%s%s%s\nret;\n}\n", head, top ? top : "", entry, code);
    m = ptx_read(text, strlen(text), NULL, &error);
    if (!m)
        fail_msg("line %d: %s\n%s", error.line, error.message, text);
    return m;
}

static void run(const struct program *p)
{
    const struct emu_options options = {
        .check_order = true, .check_init = true, .max_instructions = 100000, .max_memory = 16 << 20
    };
    const uint32_t cluster[3] = { p->cluster ? p->cluster : 1, 1, 1 }, block[3] = { p->block ? p->block : 1, 1, 1 };
    const uint32_t grid[3] = { cluster[0] * (p->clusters ? p->clusters : 1), 1, 1 };
    struct ptx_module *m = module_of(p->top, p->body);
    struct emu *e = emu_new(&options);
    uint32_t words[WORDS] = { 0 };
    struct emu_report report;
    struct {
        uint64_t out, pad;
        uint32_t s[8];
    } params = { .s = { 0, 0x77 } };
    char why[200];
    const char *said;

    assert_non_null(e);
    if (!emu_load(e, m, why, sizeof why))
        fail_msg("%s: %s", p->name, why);
    params.out = emu_alloc(e, sizeof words, 256, true, "out");
    assert_true(emu_write(e, params.out, words, sizeof words));
    emu_launch(e, "k", grid, block, p->cluster ? cluster : NULL, p->smem, &params, sizeof params, &report);
    said = report.count ? report.findings[0].message : report.message;
    if (report.end != p->end && !(p->end == EMU_FAULTED && report.count))
        fail_msg("%s: ended with %d, %s", p->name, report.end, said);
    if (p->says ? !strstr(said, p->says) : report.count || *report.message)
        fail_msg("%s: '%s' is said, not '%s'", p->name, said, p->says ? p->says : "");
    if (p->more && !(report.count && strstr(report.findings[0].table, p->more)) && !strstr(report.message, p->more))
        fail_msg("%s: no '%s' in '%s'", p->name, p->more, report.count ? report.findings[0].table : report.message);
    assert_true(emu_read(e, words, params.out, sizeof words));
    for (int i = 0; i < WORDS && !p->says; i++)
        if (words[i] != p->words[i])
            fail_msg("%s: word %d is 0x%x, not 0x%x", p->name, i, words[i], p->words[i]);
    emu_free(e);
    ptx_free(m);
}

static void small_kernels(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        run(&programs[i]);
}

/* ---- the machine's own interface ----------------------------------------------------------------------------------
 */

static void variables_from_outside(void **state)
{
    struct ptx_module *m =
        module_of(".const .b32 c; .global .b32 g; .shared .b32 sh;\n", "ld.const.b32 %r1, [c];\nword 0, %r1;\n"
                                                                       "ld.global.b32 %r1, [g];\nword 1, %r1;\n");
    struct emu *e = emu_new(&(struct emu_options){ 0 });
    const uint32_t one = 11, two = 22;
    uint32_t words[2] = { 0 }, dim[3] = { 1, 1, 1 };
    struct emu_report report;
    struct {
        uint64_t out, pad[5];
    } params = { 0 };
    char why[200];

    (void)state;
    assert_true(emu_load(e, m, why, sizeof why));
    assert_true(emu_set_variable(e, m, "c", &one, sizeof one));
    assert_true(emu_set_variable(e, m, "g", &two, sizeof two));
    assert_false(emu_set_variable(e, m, "c", words, sizeof words)); /* larger than it is */
    assert_false(emu_set_variable(e, m, "sh", &one, sizeof one));
    assert_false(emu_set_variable(e, m, "absent", &one, sizeof one));
    params.out = emu_alloc(e, sizeof words, 256, true, "out");
    assert_int_equal(emu_launch(e, "k", dim, dim, NULL, 0, &params, sizeof params, &report), EMU_DONE);
    assert_true(emu_read(e, words, params.out, sizeof words));
    assert_int_equal(words[0], 11);
    assert_int_equal(words[1], 22);
    /* what a launch asks for */
    assert_int_equal(emu_launch(e, "other", dim, dim, NULL, 0, &params, sizeof params, &report), EMU_BAD_LAUNCH);
    assert_string_equal(report.message, "no entry other");
    assert_int_equal(emu_launch(e, "k", dim, dim, NULL, 0, &params, 8, &report), EMU_BAD_LAUNCH);
    assert_non_null(strstr(report.message, "fewer parameter bytes than the kernel takes"));
    assert_int_equal(emu_launch(e, "k", dim, dim, (uint32_t[]){ 2, 1, 1 }, 0, &params, sizeof params, &report),
                     EMU_BAD_LAUNCH);
    assert_non_null(strstr(report.message, "the grid is no multiple of the cluster"));
    assert_int_equal(
        emu_launch(e, "k", dim, (uint32_t[]){ 1u << 22, 1u << 21, 1u << 21 }, NULL, 0, &params, sizeof params, &report),
        EMU_BAD_LAUNCH); /* 2^64 threads */
    /* memory has an end, and release takes all but variables */
    assert_false(emu_read(e, words, params.out + 4, sizeof words));
    assert_false(emu_write(e, params.out - 1, words, 1));
    emu_release_all(e);
    assert_false(emu_read(e, words, params.out, 4));
    assert_int_equal(emu_launch(e, "k", dim, dim, NULL, 0, &params, sizeof params, &report), EMU_FAULTED);
    emu_free(e);
    ptx_free(m);
}

static void no_memory(void **state)
{
    struct ptx_module *m = module_of(".global .b8 large[1000000];\n", "");
    struct emu *e = emu_new(&(struct emu_options){ .max_memory = 1 << 16 });
    char why[200];

    (void)state;
    assert_false(emu_load(e, m, why, sizeof why));
    assert_string_equal(why, "no memory for large of 1000000 bytes");
    assert_int_equal(emu_alloc(e, 1 << 17, 256, true, "buffer"), 0);
    assert_int_equal(emu_alloc(e, UINT64_MAX, 256, true, "buffer"), 0);
    assert_int_not_equal(emu_alloc(e, 1 << 15, 256, true, "buffer"), 0);
    assert_int_equal(emu_alloc(e, 1 << 16, 256, true, "buffer"), 0);
    emu_free(e);
    emu_free(NULL);
    ptx_free(m);
}

/* ---- what a module may have ---------------------------------------------------------------------------------------
 */

static void limits_of_a_module(void **state)
{
    static const struct {
        const char *text;
        int line;
        const char *says; /* NULL: accepted, as by ptxas */
    } rows[] = {
        { ".version 9.0 .target sm_90 .address_size 64\n.const .b8 c[65536];\n", 0, NULL },
        { ".version 9.0 .target sm_90 .address_size 64\n.const .b8 c[65535];\n.const .b8 d[2];\n", 3,
          "too much constant memory: 65537 bytes, the most is 65536" },
        { ".version 9.0 .target sm_90 .address_size 64\n.const .b8 c[1099511627776];\n", 2,
          "too much constant memory" },
        { ".version 8.1 .target sm_90 .address_size 64\n.entry k(.param .b8 p[32764]) { ret; }\n", 0, NULL },
        { ".version 8.1 .target sm_90 .address_size 64\n\n.entry k(.param .b8 p[32765]) { ret; }\n", 3,
          "too much parameter space: 32765 bytes, the most is 32764" },
        { ".version 8.0 .target sm_90 .address_size 64\n.entry k(.param .b8 p[4353]) { ret; }\n", 2,
          "too much parameter space: 4353 bytes, the most is 4352" },
        { ".version 9.0 .target sm_90 .address_size 64\n.shared .b8 s[49152];\n.entry k() { .reg .b64 d; mov.b64 d, s; ret; }\n",
          0, NULL },
        { ".version 9.0 .target sm_90 .address_size 64\n.shared .b8 s[49152];\n.shared .b8 t[1];\n"
          ".entry k() { .reg .b32 d; ld.shared.b32 d, [s]; ld.shared.b32 d, [s]; ret; }\n.entry l() { .reg .b32 d; ld.shared.u8 d, [t]; ret; }\n",
          0, NULL },
        { ".version 9.0 .target sm_90 .address_size 64\n.shared .b8 s[49152];\n.shared .b8 t[1];\n"
          ".entry k() { .reg .b32 d; ld.shared.b32 d, [s]; ld.shared.u8 d, [t]; ret; }\n",
          3, "too much static shared memory in one kernel: 49153 bytes, the most is 49152" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ptx_error error = { 0 };
        struct ptx_module *m = ptx_read(rows[i].text, strlen(rows[i].text), NULL, &error);
        if ((m == NULL) != (rows[i].says != NULL))
            fail_msg("row %zu: %s", i, rows[i].says ? "accepted" : error.message);
        if (rows[i].says && (!strstr(error.message, rows[i].says) || error.line != rows[i].line || !error.caret))
            fail_msg("row %zu: line %d, %s", i, error.line, error.message);
        ptx_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_kernels),
        cmocka_unit_test(variables_from_outside),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(limits_of_a_module),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
