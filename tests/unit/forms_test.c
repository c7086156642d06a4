/* The PTX checker: which instructions it takes, what it says of others, and the engine emu above it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/forms/form.h"
#include "harness/engines/emulator.h"

static struct ptx_error error;

/* The verdict on one statement in a module of this version and target. */
static bool takes(int version, const char *target, const char *statement)
{
    char text[2000];
    snprintf(text, sizeof text,
             ".version %d.%d\n.target %s\n.address_size 64\n.shared .align 128 .b8 sa[64];\n.global .b8 ga[64];\n"
             ".const .b8 ca[64];\n.entry k(.param .b64 p) {\n.local .b8 la[8];\n"
             ".reg .pred %%p<4>; .reg .b16 %%h<4>; .reg .b32 %%r<9>; .reg .b64 %%rd<5>; .reg .f32 %%f<9>;"
             ".reg .f64 %%fd<4>; .reg .u32 %%u<3>; .reg .s64 %%sd<3>; .reg .f16 %%hf<3>; .reg .v2 .b16 v;\n"
             "%s\nL: ret;\n}\n",
             version / 10, version % 10, target, statement);
    struct ptx_module *m = ptx_read(text, strlen(text), NULL, &error);
    const bool ok = m != NULL;
    if (ok) {
        assert_non_null(ptx_form(m->instructions[0].form));
        assert_int_equal(ptx_form(m->instructions[0].form)->op, m->instructions[0].op);
    }
    ptx_free(m);
    return ok;
}

static const char *const taken[] = {
    "ld.u32 %r1, [%rd1];",
    "ld.global.u16 %r1, [%rd1+4];",
    "ld.volatile.shared.v2.f32 {%f1, %f2}, [sa];",
    "ld.global.nc.L1::no_allocate.L2::128B.v4.b32 {%r1, %r2, %r3, %r4}, [ga];",
    "ld.acquire.gpu.global.b32 %r1, [%rd1];",
    "ld.local.b8 %r1, [4];",
    "st.relaxed.sys.global.u32 [%rd1], 4;",
    "st.shared.v2.f32 [sa], {1.0, %f1};",
    "atom.global.add.f32 %f1, [%rd1], 1.0;",
    "atom.acq_rel.cluster.shared::cluster.cas.b64 _, [%rd1], %rd2, 5;",
    "red.global.add.noftz.bf16x2 [%rd1], %r1;",
    "st.L2::cache_hint.u32 [ga], %r1, %rd1;",
    "add.f32 %f1, %f2, (0f3F800000) + 1.0;",
    "tex.2d.v4.f32.f32 {%f1, %f2, %f1, _}|%p1, [%rd1, {%f1, %f2}];",
    "tld4.r.2d.v4.f32.f32 {%f1, %f2, %f1, %f2}|%p1, [%rd1, {%f1, %f2}];",
    "vadd2.u32.u32.u32 %r1.h10, %r2.h03, %r3.h32, %r1;",
    "vmin4.s32.s32.s32 %r1.b310, %r2.b0123, %r3.b7654, %r1;",
    "mov.u32 %r1, %tid.x;",
    "mov.u64 %rd1, %clock64;",
    "mov.u64 %rd1, ga+4;",
    "mov.b64 %rd1, {%r1, %r2};",
    "mov.b32 {%h1, _}, %r1;",
    "mov.b32 %r1, v;",
    "mov.u64 %rd1, k;",
    "add.f32 %f1, 1.0, 0f3F800000;",
    "add.sat.s32 %r1, %r2, -1;",
    "add.f16 %h1, %hf1, %h2;",
    "and.pred %p1, %p2, !%p3;",
    "setp.geu.and.ftz.f32 %p1|%p2, %f1, %f2, !%p3;",
    "selp.b32 %r1, 1, %r2, %p1;",
    "cvt.rzi.u32.f32 %r1, %f1;",
    "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;",
    "cvt.u8.u32 %r1, %r2;",
    "cvt.s32.u16 %r1, %tid.x;",
    "shf.l.wrap.b32 %r1, %r2, %r3, 4;",
    "lop3.b32 %r1, %r2, %r3, %r4, 0x96;",
    "shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;",
    "elect.sync _|%p1, -1;",
    "bar.sync 0;",
    "barrier.cluster.arrive.relaxed.aligned;",
    "cp.async.cg.shared.global.L2::cache_hint.L2::128B [sa], [%rd1], 16, %rd2;",
    "cp.async.bulk.tensor.3d.im2col.shared::cluster.global.mbarrier::complete_tx::bytes [sa], [ga, {1, 2, 3}], [sa], {1};",
    "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r1], 16;",
    "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r5}, {%f1,%f2,%f3,%f4};",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %rd1, %rd2, %p1, 1, -1, 0, 1;",
    "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}];",
    "mapa.shared::cluster.u32 %r1, sa, %r2;",
    "isspacep.shared %p1, %rd1;",
    "bra L;",
    "selp.b32 %r1, 1, %r2, 0;",
    "setp.eq.u32 %p1|_, %r1, %r2;",
    "mov.b16 %h1, v.x;",
    "mov.v2.b16 v, {%h1, %h2};",
    "bar.sync %r1;",
    "bar.sync 4294967296;",
    "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;",
    "mapa.u32 %r1, 5, 1;",
    "ld.param.b64 %rd1, [p];",
    "mov.pred %p1, 1;",
    "mov.b64 %rd1, 0d3FF0000000000000;",
    "mov.b64 %rd1, 1.5;",
    "mov.b32 %r1, 0f3F800000;",
    "cvt.f64.f32 %fd1, %f1;",
    "cvt.rni.f32.f32 %f1, %f2;",
    "cvt.ftz.f32.f16 %f1, %h1;",
    "createpolicy.fractional.L2::evict_last.b64 %rd1, 0f3F000000;",
    "ld.shared.u32 %r1, [%rd1];",
    "ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, [%r2];",
    "st.v2.b32 [%rd1], {%r1, 0f3F800000};",
    "mov.b64 %rd1, {%f1, %r1};",
    "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1}];",
    "tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%f1,%f2,%f2}], {%r1,%r2}, %f3;",
    "tex.grad.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3,%f3}], {%f1,%f2,%f3,%f3}, {%f1,%f2,%f3,%f3};",
    "tex.level.cube.v4.u32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%f1,%f2,%f3,%f3}], %f4;",
    "tld4.g.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}];",
    "txq.width.b32 %r1, [%rd1];",
    "suld.b.a2d.v2.b64.clamp {%rd1,%rd2}, [%rd1, {%r1,%r2,%r3,%r3}];",
    "sust.p.1d.v4.b32.trap [%rd1, {%r1}], {%r1,%r2,%r3,%r4};",
    "sured.b.min.2d.s64.zero [%rd1, {%r1,%r2}], %rd2;",
    "wmma.store.d.sync.aligned.col.m8n32k16.shared.f32 [%r1], {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, 16;",
    "wmma.load.b.sync.aligned.col.m8n8k32.s4 {%r1}, [%rd1], %r2;",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
    "{%r5,%r6,%r7,%r8}, {%f1,%f2,%f3,%f4}, %r1, 1;",
    "vadd.s32.u32.s32.sat %r1, %r2.b3, 5;",
    "vmad.s32.s32.s32.shr7 %r1, -%r2.h1, %r3, %r4;",
    "vset4.u32.u32.ne.add %r1, %r2, %r3, %r4;",
    "bar.red.popc.u32 %r1, 0, %p1;",
};

static const struct {
    int version;
    const char *target, *statement, *says, *rule;
} refused[] = {
    { 90, "sm_90a", "mov.b64 %rd1, 0f3F800000;", "a register or constant for .b64", NULL },
    { 90, "sm_90a", "mov.b32 %r1, 1.5;", "a register or constant for .b32", NULL },
    { 90, "sm_90a", "ld.global.u32 %r1, [sa];", "'sa' is in .shared", NULL },
    { 90, "sm_90a", "ld.u32 %r1, [%f1];", "an integer or untyped register", NULL },
    { 90, "sm_90a", "ld.global.u32 %r1, [8];", "only .local addresses", NULL },
    { 90, "sm_90a", "ld.u32 %r1, %rd1;", "an address in brackets", NULL },
    { 90, "sm_90a", "ld.u32 %h1, [%rd1];", "operand 1 of 'ld' must be a register for .u32", NULL },
    { 90, "sm_90a", "ld.v4.u64 {%rd1, %rd2, %rd3, %rd4}, [%rd1];", "more than the 16", NULL },
    { 90, "sm_90a", "ld.v2.u32 {%r1, %r2, %r3}, [%rd1];", "a vector of 2 elements", NULL },
    { 90, "sm_90a", "ld.relaxed.u32 %r1, [%rd1];", "needs .cta", NULL },
    { 90, "sm_90a", "ld.global.global.u32 %r1, [%rd1];", "'.global' is not allowed", NULL },
    { 90, "sm_90a", "tex.2d.v4.f32.f32 {%f1, %f2, %f1, %f2}|%r1, [%rd1, {%f1, %f2}];", "a vector and a predicate",
      NULL },
    { 90, "sm_90a", "tex.2d.v4.f32.f32 {%f1, %f2, %f1, %f2}|_, [%rd1, {%f1, %f2}];", "expected a predicate", NULL },
    { 70, "sm_80", "tex.2d.v4.f32.f32 {%f1, %f2, %f1, %f2}|%p1, [%rd1, {%f1, %f2}];", "needs PTX ISA 7.1", NULL },
    { 90, "sm_90a", "suld.b.1d.v2.b32.trap {%r1, %r2}|%p1, [%rd1, {%r1}];", "expected ';'", NULL },
    { 90, "sm_90a", "vadd2.u32.u32.u32 %r1.h01, %r2, %r3, %r1;", "from the highest on", NULL },
    { 90, "sm_90a", "vadd2.u32.u32.u32 %r1, %r2.h0, %r3, %r1;", "h and 2 digits", NULL },
    { 90, "sm_90a", "vadd4.u32.u32.u32 %r1, %r2.b321, %r3, %r1;", "b and 4 digits", NULL },
    { 90, "sm_90a", "vadd4.u32.u32.u32 %r1.b4, %r2, %r3, %r1;", "is not a part of a register", NULL },
    { 90, "sm_90a", "vadd4.u32.u32.u32 %r1.h10, %r2, %r3, %r1;", "is a byte", NULL },
    { 90, "sm_90a", "vadd2.u32.u32.u32 %r1, %r2, %r3, %r1.h10;", "must be a 32-bit register", NULL },
    { 90, "sm_90a", "mov.b32 %r1, %r2.h10;", "a register or constant", NULL },
    { 90, "sm_90a", "vadd2.u32.u32.u32.sat.add %r1, %r2, %r3, %r1;", "not both", NULL },
    { 90, "sm_90a", "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {%r1}, %rd1, %rd2, %p1;", "has no shape", NULL },
    { 83, "sm_90a", "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 {%r1}, %rd1, %rd2, %p1;", "needs PTX ISA 8.4",
      NULL },
    { 90, "sm_90a", "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8 {%r1, %r1, %r1, %r1}, %rd1, %rd2, %r1, 1, %p1;",
      "must be one of 0", NULL },
    { 90, "sm_90a", "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r1, %r1, %r1, %r1}, %rd1, %fd2, %p1;",
      "must be a register for .u64", NULL },
    { 90, "sm_90a", "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8 {%r1, %r1, %r1, %r1}, %rd1, %rd2, 1, 0, %p1;",
      "must be a register for .b32", NULL },
    { 90, "sm_90a", "tex.1d.v2.f16x2.f32 {%r1, _}, [%rd1, {%f1}];", "must be a register for .f16x2", NULL },
    { 90, "sm_90a", "tex.grad.1d.v4.f32.f32 {%f1, %f2, %f1, %f2}, [%rd1, {%f1}], {%f1}, {%f1}, 1, %f1;",
      "a vector or register", NULL },
    { 90, "sm_90a", "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r1, %r1, %r1, %r1}, %rd1, %rd2, 2;",
      "must be a predicate, 0 or 1", NULL },
    { 90, "sm_90a",
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {_, %f1, %f1, %f1}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, "
      "{%f1, %f1, %f1, %f1};",
      "must be a register for .f32", NULL },
    { 90, "sm_90a", "tex.a1d.v4.f32.f32 {%f1, %f2, %f1, %f2}, [%rd1, %rd2, {%r1, %f1}];", "without a sampler", NULL },
    { 90, "sm_90a, texmode_independent", "tex.1d.v4.f32.f32 {%f1, %f2, %f1, %f2}, [%rd1, {%f1}];",
      "[texture, sampler, {coordinates}]", NULL },
    { 90, "sm_90a",
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [sa], [%rd1], 16, [sa], -1;",
      "must be 0..65535", NULL },
    { 90, "sm_90a", "atom.add.u32 %r1, [la], 1;", "'la' is in .local", NULL },
    { 90, "sm_90a", "mad.f32 %f1, %f2, %f3, %f1;", "needs .rn, .rz, .rm or .rp", NULL },
    { 90, "sm_90a", "cvt.s32.u32 %r1, %tid.x;", "a register or constant", NULL },
    { 90, "sm_90a", "cvt.s32.u16 %r1, %laneid;", "a register or constant", NULL },
    { 90, "sm_110a", "cvt.rs.f16x2.f32 %r1, %f1, %f2, %r2;", "needs the target sm_100a or sm_103a", NULL },
    { 90, "sm_90a", "st.L2::cache_hint.u32 [sa], %r1, %rd1;", "on .global addresses only", NULL },
    { 90, "sm_90a", "atom.add.L2::cache_hint.u32 %r1, [sa], 1, %rd1;", "on .global addresses only", NULL },
    { 90, "sm_90a", "st.param.u32 [%rd1], %r1;", "must name the parameter", NULL },
    { 90, "sm_90a", "ld.volatile.local.u32 %r1, [%rd1];", "needs PTX ISA 9.1", NULL },
    { 90, "sm_90a", "mov.b32 %r1, -(0f3F800000);", "a register or constant for .b32", NULL },
    { 85, "sm_90a", "fence.acquire.gpu;", "needs PTX ISA 8.6", NULL },
    { 90, "sm_89", "fence.release.gpu;", "needs the target sm_90", NULL },
    { 80, "sm_89", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;", "needs the target sm_90", NULL },
    { 80, "sm_90", "sured.p.min.b64.1d.trap [%rd1, {%r1}], %rd2;", "needs PTX ISA 8.1", NULL },
    { 77, "sm_80", "wmma.load.c.sync.aligned.row.m8n8k4.shared::cta.f64 {%fd1, %fd2}, [%r1];", "needs PTX ISA 7.8",
      NULL },
    { 90, "sm_110a", "redux.sync.min.f32 %f1, %f2, -1;", "needs the target sm_100a", NULL },
    { 90, "sm_100a", "ld.global.L2::evict_last.u32 %r1, [ga];", "vectors of 32 bytes only", NULL },
    { 90, "sm_100a", "ldu.global.v4.f64 {%fd1, %fd2, %fd1, %fd2}, [ga];", "more than the 16", NULL },
    { 90, "sm_100a", "red.async.release.gpu.global.and.b32 [ga], %f1;", "must be a register or constant", NULL },
    { 90, "sm_100a", "red.async.mmio.release.sys.global.or.b32 [ga], 0f3F800000;", "must be a register or constant",
      NULL },
    { 90, "sm_90a", "ld.global.f32 %f6, [%r5+64];", "address in a register of 64 bits", NULL },
    { 90, "sm_90a", "st.v4.b32 [%r0], {%r0, %r1, %r2, %r3};", "address in a register of 64 bits", NULL },
    { 90, "sm_90a", "mbarrier.arrive.b64 %rd0, [%r1];", "address in a register of 64 bits", NULL },
    { 90, "sm_90a", "cvta.to.shared.u32 %r1, %r2;", "needs .address_size 32", NULL },
    { 90, "sm_90a", "ld.v2.u16 {%h1, %r2}, [%rd1];", "must have one width", NULL },
    { 90, "sm_90a", "st.v4.b32 [%rd0], {%r0, %r1, %rd2, %r3};", "must have one width", NULL },
    { 90, "sm_90a", "st.v2.b32 [%rd1], {%f1, 1};", "must be of one kind", NULL },
    { 90, "sm_90a", "mov.b64 %rd1, {%f1, %u1};", "must be of one kind", NULL },
    { 90, "sm_90a", "mad.wide.u32 %rd1, %r1, %r2, %fd1;", "for .u64", NULL },
    { 90, "sm_90a", "mul.u32.wide %rd1, %r1, %r2;", "is not allowed", NULL },
    { 90, "sm_90a", "vabsdiff4.u32.u32.u32 %r1, %r2, %r3, %rd1;", "must be a 32-bit register", NULL },
    { 90, "sm_90a", "vadd2.u32.u32.u32 %r1, %r2, 3, %r4;", "must be a 32-bit register", NULL },
    { 90, "sm_90a", "vadd.s32.s32.s32.add %r1.h1, %r2, %r3, %r4;", "operand 1 of 'vadd'", NULL },
    { 90, "sm_90a", "vadd.s32.s32.s32.add %r1, %r2, %r3;", "takes 4 operands", NULL },
    { 90, "sm_90a", "ld.shared.L2::128B.u32 %r1, [%r2];", "on .global addresses only", NULL },
    { 90, "sm_90a", "red.shared.add.L2::cache_hint.u32 [%r1], %r2, %rd1;", "on .global addresses only", NULL },
    { 90, "sm_90a", "atom.cas.L2::cache_hint.b32 %r1, [%rd1], %r2, %r3, %rd2;", "is not allowed", NULL },
    { 90, "sm_90a", "ld.param::func.u64 %rd1, [p];", "not the space of a kernel's parameters", NULL },
    { 90, "sm_90a", "st.param.u64 [p], %rd1;", "cannot be written", NULL },
    { 90, "sm_90a", "ld.volatile.const.u32 %r1, [ca];", "is not allowed", NULL },
    { 90, "sm_90a", "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}];", "a vector of 2 elements", NULL },
    { 90, "sm_90a", "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%r1, {%f1,%f2}];", "a register of 64 bits", NULL },
    { 90, "sm_90a", "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [ga, {%f1,%f2}];", "must name a .texref", NULL },
    { 90, "sm_90a", "tex.2d.v2.f32.f32 {%f1,%f2}, [%rd1, {%f1,%f2}];", "tex", NULL },
    { 90, "sm_90a", "tex.cube.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2,%r3,%r4}];", "is not allowed", NULL },
    { 90, "sm_90a", "tex.a1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}];", "must be for .u32", NULL },
    { 90, "sm_90a", "tex.grad.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}], %f1, %f2;", "a vector", NULL },
    { 90, "sm_90a", "tex.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2,%f3,%f4}], %f1;", "tex", NULL },
    { 90, "sm_90a", "suld.b.2d.b32 %r1, [%rd1, {%r1,%r2}];", "needs .trap, .clamp or .zero", NULL },
    { 90, "sm_90a", "suld.b.2d.b32.trap %r1, [%rd1, {%f1,%f2}];", "must be for .s32", NULL },
    { 90, "sm_90a", "sust.b.cube.b32.trap [%rd1, {%r1,%r2,%r3,%r4}], %r1;", "is not allowed", NULL },
    { 90, "sm_90a", "suq.num_samples.b32 %r1, [%rd1];", "is not allowed", NULL },
    { 90, "sm_90a", "wmma.store.d.sync.aligned.row.m16n16k16.bulk_group.f16 [%rd1], {%r1,%r2,%r3,%r4};", "bulk_group",
      NULL },
    { 90, "sm_90a", "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4}, [%rd1];", "a vector of 8", NULL },
    { 90, "sm_90a",
      "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1,%r2}, {%r1,%r2}, {%r1,%r2}, {%r1,%r2}, "
      "%r1, 4;",
      "it must be one of 0..3", NULL },
    { 90, "sm_90a",
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2,%r3}, "
      "{%f0,%f1,%f2,%f3}, %r4, 0;",
      "is not allowed", NULL },
    { 90, "sm_90a",
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4}, {%f1,%f2}, {%r5}, "
      "{%f1,%f2,%f3,%f4};",
      "for .bf16x2", NULL },
    { 90, "sm_90a", "ld.v2.b32 {_, _}, [%rd1];", "an element beside _", NULL },
    { 90, "sm_90a", "mov.v2.u32 %r1, %r2;", "a vector of 2", NULL },
    { 90, "sm_100a", "tcgen05.ld.sync.aligned.16x128b.x2.b32 {%r1,%r2}, [%r3];", "a vector of 4", NULL },
    { 90, "sm_100a", "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%rd1];", "in a register of 32 bits", NULL },
    { 90, "sm_100a", "tcgen05.mma.cta_group::1.kind::i8 [%r1], %rd1, %rd2, %r2, %p1, 1;",
      "must be a vector of 4 elements", NULL },
    { 90, "sm_100a", "tcgen05.cp.cta_group::1.64x128b [%r1], %rd1;", "tcgen05.cp", NULL },
    { 90, "sm_100a", "tcgen05.alloc.cta_group::1.sync.aligned.b32 [%rd1], 96;", "it must be one of", NULL },
    { 90, "sm_100a", "st.bulk [%rd1], 12, 0;", "a multiple of 8", NULL },
    { 90, "sm_90a", "alloca.u64 %rd1, %rd2, 24;", "no power of two", NULL },
    { 90, "sm_90a", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {1};", "for .b32", NULL },
    { 90, "sm_90a", "mbarrier.init.shared.b64 [sa], 1048576;", "1..1048575", NULL },
    { 90, "sm_90a", "mbarrier.test_wait.b64 %p1, [sa], %fd1;", "for .u64", NULL },
    { 90, "sm_90a", "add.u32 %r1, %r2;", "takes 3 operands here, not 2", NULL },
    { 90, "sm_90a", "add.u32 %f1, %r2, %r3;", "for .u32", NULL },
    { 90, "sm_90a", "add.u32 %r1, %r2, %tid.x;", "for .u32", NULL },
    { 90, "sm_90a", "add.u32 _, %r2, %r3;", "for .u32", NULL },
    { 90, "sm_90a", "add.u32 %r1, -%r2, %r3;", "for .u32", NULL },
    { 90, "sm_90a", "add %r1, %r2, %r3;", "'add' needs", NULL },
    { 90, "sm_90a", "add.f32 %f1, %f2, 1;", "for .f32", NULL },
    { 90, "sm_90a", "and.b32 %r1, %r2, 1.0;", "for .b32", NULL },
    { 90, "sm_90a", "mov.u32 %r1, %tid;", "needs .x, .y or .z", NULL },
    { 90, "sm_90a", "mov.u32 %r1, %laneid.x;", "has no components", NULL },
    { 90, "sm_90a", "mov.u32 %r1, %clock64;", "is a .u64", NULL },
    { 80, "sm_90a", "mov.u32 %r1, %aggr_smem_size;", "needs PTX ISA 8.1", NULL },
    { 78, "sm_80", "mov.u32 %r1, %cluster_ctarank;", "needs the target sm_90", NULL },
    { 90, "sm_90a", "mov.f32 %f1, ga;", "not an address", NULL },
    { 90, "sm_90a", "mov.b64 %rd1, {%r1, %h1};", "each part must have 32 bits", NULL },
    { 90, "sm_90a", "mov.b64 {%r1, %r2}, {%r1, %r2};", "packs or unpacks", NULL },
    { 90, "sm_90a", "elect.sync %r1, -1;", "r|p", NULL },
    { 90, "sm_90a", "elect.sync %r1|_, -1;", "r|p", NULL },
    { 90, "sm_90a", "bar.sync 16;", "is 16", NULL },
    { 90, "sm_90a", "bar.arrive 1, 0;", "is 0", NULL },
    { 90, "sm_90a", "cvt.f32.f64 %f1, %fd1;", "needs a rounding", NULL },
    { 90, "sm_90a", "cvt.rn.f64.f32 %fd1, %f1;", "takes no rounding", NULL },
    { 90, "sm_90a", "cvt.u32.f32 %r1, %f1;", ".rzi", NULL },
    { 90, "sm_90a", "cvt.f32.u32 %f1, %r1;", ".rn", NULL },
    { 90, "sm_90a", "cvt.rn.u32.u16 %r1, %h1;", "between integers", NULL },
    { 90, "sm_90a", "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%f1,%f2}, %rd1, %rd2, %p1, 1, 1, 0, 0;",
      "a vector of 8 elements", NULL },
    { 90, "sm_90", "wgmma.fence.sync.aligned;", "needs the target sm_90a", NULL },
    { 90, "sm_90a", "multimem.st.gpu.f32 [%rd1], %f1;", "needs a memory order", NULL },
    { 90, "sm_90a", "selp.b32 %r1, 1, %r2, 0.5;", "a predicate", NULL },
    { 90, "sm_90a", "selp.b32 %r1, 1, %r2, %r3;", "a predicate", NULL },
    { 90, "sm_90a", "setp.eq.u32 %r1|%p1, %r1, %r2;", "p|q", NULL },
    { 90, "sm_90a", "shfl.sync.idx.b32 _|%p1, %r2, 0, 31, -1;", "r|p", NULL },
    { 90, "sm_90a", "shfl.idx.b32 %r1, %r2, 0, 31;", "needs .sync", NULL },
    { 90, "sm_90a", "mov.b16 %h1, %h2.x;", "for .b16", NULL },
    { 90, "sm_90a", "mov.b32 {%h1, 3}, %r1;", "a part must be", NULL },
    { 90, "sm_90a", "mov.b64 %rd1, {sa, sa};", "a part must be", NULL },
    { 90, "sm_90a", "mov.b64 {%r1, %r2}, %h1;", "a register of 64 bits", NULL },
    { 90, "sm_90a", "ld.v8.u16 {%h1,%h1,%h1,%h1,%h1,%h1,%h1,%h1}, [%rd1];", "32 bits", NULL },
    { 90, "sm_90a", "ld.shared.L2::cache_hint.u32 %r1, [sa], %rd1;", ".global addresses only", NULL },
    { 90, "sm_90a", "cvt.ftz.f16.f64 %h1, %fd1;", "needs a .f32", NULL },
    { 90, "sm_90a", "cvt.rn.f32.f32 %f1, %f2;", "integer rounding", NULL },
    { 90, "sm_90a", "cp.async.wait_group %r1;", "an integer constant", "group.wait.form" },
    { 90, "sm_90a", "mapa.u32 %r1, [sa], 1;", "an address in a register", NULL },
    { 90, "sm_90a", "mapa.u64 %rd1, %r1, 1;", "for .u64", NULL },
    { 90, "sm_90a", "bra %r1;", "a label", NULL },
    { 90, "sm_90a", "mov.u32 %r1, -%tid.x;", "a special register", NULL },
    { 90, "sm_90a", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%h1,%f2,%f3,%f4}, %rd1, %rd2, 1, 1, 1, 0, 0;",
      "registers for .f32", NULL },
    { 90, "sm_90a", "mbarrier.arrive.shared::cluster.b64 %rd1, [sa];", "must be _", "mbarrier.arrive.remote-sink" },
    { 90, "sm_90a", "cp.async.ca.shared.global [sa], [%rd1], 4, %p1, 3;", "", NULL },
    { 90, "sm_90a", "multimem.st.release.f32 [%rd1], %f1;", "needs a scope", NULL },
    { 90, "sm_90a", "mbarrier.foo.b64 [sa];", "'.foo'", NULL },
    { 90, "sm_90a", "cp.async.ca.shared.global [sa], [%rd1], 5;", "is 5", "cpasync.size.set" },
    { 90, "sm_90a", "cp.async.cg.shared.global [sa], [%rd1], 8;", "is 8", "cpasync.cg.size16" },
    { 90, "sm_90a", "cp.async.ca.shared.global [sa], [%rd1], 8, 9;", "larger than the copy size",
      "cpasync.srcsize.imm-range" },
    { 90, "sm_90a", "cp.async.shared.global [sa], [%rd1], 8;", "needs .ca", "cpasync.cacheop.required" },
    { 90, "sm_75", "cp.async.ca.shared.global [sa], [%rd1], 8;", "sm_80 or higher", "cpasync.target" },
    { 73, "sm_80", "cp.async.ca.shared.global.L2::64B [sa], [%rd1], 8;", "PTX ISA 7.4", "cpasync.isa.prefetch" },
    { 90, "sm_90a", "createpolicy.fractional.L2::evict_last.b64 %rd1, 1.5;", "outside (0.0, 1.0]",
      "cpasync.hint.fraction" },
    { 90, "sm_90a", "mbarrier.arrive.shared.b32 %r1, [sa];", "'.b32' is not allowed", "mbarrier.object.type" },
    { 90, "sm_90a", "mbarrier.arrive.release.shared.b64 %rd1, [sa];", "needs a scope",
      "mbarrier.arrive.sem-scope-pair" },
    { 90, "sm_90a", "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sa], [%rd1], 24, [%r1];",
      "is 24", "bulk.size.mult16-imm" },
    { 90, "sm_90a",
      "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [sa], [%rd1, {%r1}], [%r1];",
      "a vector of 2 elements", "tensor.form.coord-count" },
    { 90, "sm_90a", "cp.async.ca.shared.global.L2::32B [sa], [%rd1], 8;", ".L2::32B", "cpasync.prefetch.sizes" },
    { 90, "sm_90a", "cp.async.bulk.tensor.6d.shared::cta.global.mbarrier::complete_tx::bytes [sa], [%rd1, {1}], [sa];",
      ".6d", "tensor.form.rank" },
    { 90, "sm_90a",
      "cp.async.bulk.tensor.2d.tile::gather4.shared::cta.global.mbarrier::complete_tx::bytes [sa], "
      "[%rd1, {1, 2, 3, 4, 5}], [sa];",
      "sm_100 or higher", "tensor.arch.gather4-cta" },
    { 90, "sm_90", "tensormap.replace.tile.rank.global.b1024.b32 [%rd1], 2;", "sm_90a", "tmap.arch.replace" },
};

static void accepted_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!takes(90, "sm_90a", taken[i]))
            fail_msg("%s: %s", taken[i], error.message);
    assert_null(ptx_form(0));
    assert_null(ptx_form(UINT16_MAX));
}

static void refused_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (takes(refused[i].version, refused[i].target, refused[i].statement))
            fail_msg("accepted: %s", refused[i].statement);
        if (!strstr(error.message, refused[i].says))
            fail_msg("'%s' says '%s', not '%s'", refused[i].statement, error.message, refused[i].says);
        assert_int_equal(error.line, 10);
        assert_true(error.column >= 1 && error.caret >= 1);
        const char *rule = error.rule ? error.rule->id : "none";
        if (refused[i].rule && strcmp(rule, refused[i].rule))
            fail_msg("'%s' breaks '%s', not '%s'", refused[i].statement, rule, refused[i].rule);
    }
}

/* The order of modifiers is free, that of types and spaces is not; what comes first must be first. */
static void order_of_words(void **state)
{
    (void)state;
    assert_true(takes(90, "sm_90a", "cp.async.shared.global.ca [sa], [%rd1], 4;"));
    assert_true(takes(90, "sm_90a", "ld.u32.global %r1, [%rd1];"));
    assert_false(takes(90, "sm_90a", "cp.async.ca.global.shared [sa], [%rd1], 4;"));
    assert_false(takes(90, "sm_90a", "cvt.rn.u32.f32 %f1, %r1;"));
    assert_true(takes(90, "sm_90a", "mbarrier.try_wait.parity.acquire.cta.b64 %p1, [%rd1], 0;"));
    assert_false(takes(90, "sm_90a", "mbarrier.try_wait.acquire.parity.cta.b64 %p1, [%rd1], 0;"));
}

/* Calls and branches through tables, in a module of their own. */
static bool calls(const char *statement)
{
    char text[1500];
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90a\n.address_size 64\n"
             ".func (.param .b32 r) f(.param .b32 a, .param .b64 b) { ret; }\n.func g(.reg .b32 a) { ret; }\n"
             ".extern .func v(.param .b32 a, .param .b8 t[]);\n.entry e() { ret; }\n.entry k() {\n"
             ".reg .b32 %%r<4>; .reg .b64 %%rd<4>; .reg .pred %%p<2>;\n"
             ".param .b32 r; .param .b32 a; .param .b64 b; .param .align 8 .b8 s[8];\n%s\nret;\n}\n",
             statement);
    struct ptx_module *m = ptx_read(text, strlen(text), NULL, &error);
    const bool ok = m != NULL;
    ptx_free(m);
    return ok;
}

static void callees(void **state)
{
    (void)state;
    static const char *const good[] = {
        "call (r), f, (a, b);",
        "call.uni (%r1), f, (%r1, %rd1);",
        "call (_), f, (3, 4);",
        "call g, (%r1);",
        "call g, (a);",
        "call v, (a, s);",
        "call v, (a);",
        "P: .callprototype _ (.param .b32 _); call %rd1, (a), P;",
        "T: .calltargets g; call %rd1, (%r1), T;",
        "T: .branchtargets L; brx.idx %r1, T; L:",
    };
    static const char *const bad[][2] = {
        { "call f, (a, b);", "has 1 results" },
        { "ld.param.b32 %r1, [r]; call (r), f, (a, b);", "no call before" },
        { "call (r), f, (a, b); ld.param.b32 %r1, [a];", "no call before" },
        { "call (r), f, (a, b); @%p1 ld.param.b32 %r1, [r];", "no access of it has a predicate" },
        { "@%p1 st.param.b32 [a], %r1;", "no access of it has a predicate" },
        { "mov.u64 %rd1, a;", "has no address" },
        { "cvta.param.u64 %rd1, a;", "has no address" },
        { "call (r), f, (a);", "has 2 parameters" },
        { "call v;", "has 2 parameters" },
        { "call (r), f, (b, b);", "'b' does not match the parameter 'a'" },
        { "call (r), f, (a, s);", "does not match the parameter 'b'" },
        { "call (%r1), f, (%r1, %r1);", "of type .b64" },
        { "call (s), f, (a, b);", "the result 'r'" },
        { "call e;", "is an .entry" },
        { "call %rd1;", "needs a prototype" },
        { "call %p1;", "must be a .func" },
        { "L: call L;", "must be a .func" },
        { "P: .callprototype _ (.param .b32 _); call %rd1, (b), P;", "does not match" },
        { "P: .callprototype _ (.param .b32 _); call g, (a), P;", "calls through a register" },
        { "T: .branchtargets L; L: call %rd1, (a), T;", "must be functions" },
        { "T: .calltargets f; call %rd1, (%r1), T;", "has 1 results" },
        { "brx.idx %r1, L; L:", "the label of a .branchtargets" },
        { "T: .calltargets g; brx.idx %r1, T;", "must be labels" },
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!calls(good[i]))
            fail_msg("%s: %s", good[i], error.message);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (calls(bad[i][0]))
            fail_msg("accepted: %s", bad[i][0]);
        if (!strstr(error.message, bad[i][1]))
            fail_msg("'%s' says '%s', not '%s'", bad[i][0], error.message, bad[i][1]);
    }
}

static void engine(void **state)
{
    (void)state;
    static const char good[] = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() { ret; }\n";
    static const char bad[] = ".version 9.0\n.target sm_90\n.address_size 64\n.shared .b8 s[16];\n.entry k() {\n"
                              ".reg .b64 %g;\ncp.async.ca.shared.global [s], [%g], 3;\nret; }\n";
    struct ck_engine e;
    struct ck_outcome out;
    assert_true(ck_emu_engine(&e, "build/kernels"));
    assert_string_equal(e.name, "emu");
    assert_true(e.ops->open(&e, &out));
    e.ops->assemble(&e, &(struct ck_ptx){ good, sizeof good - 1, "sm_90", 90 }, &out);
    assert_int_equal(out.kind, CK_O_DONE);
    e.ops->assemble(&e, &(struct ck_ptx){ bad, sizeof bad - 1, "sm_90", 90 }, &out);
    assert_int_equal(out.kind, CK_O_REFUSED);
    assert_int_equal(out.line, 7);
    assert_string_equal(out.rule, "cpasync.size.set");
    e.ops->assemble(&e, &(struct ck_ptx){ "nonsense", 8, "sm_90", 90 }, &out);
    assert_int_equal(out.kind, CK_O_REFUSED);
    e.ops->close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_forms), cmocka_unit_test(refused_forms), cmocka_unit_test(order_of_words),
        cmocka_unit_test(callees),        cmocka_unit_test(engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
