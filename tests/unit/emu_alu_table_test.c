/* Floating-point instructions, conversions and atomics of the emulator, by table: an instruction, its operands, and the
 * bits that must come. */
#include "tests/unit/emu_alu_float.h"

static const struct row modifier_rows[] = {
    { "add.ftz.f32 %d, %a, %b", 4, 4, 0x00000001, 0x80000001, 0, 0x00000000 },
    { "add.f32 %d, %a, %b", 4, 4, 0x00000001, 0x00000001, 0, 0x00000002 },
    { "add.ftz.f32 %d, %a, %b", 4, 4, 0x80000001, 0x80000001, 0, 0x80000000 },
    { "mul.ftz.f32 %d, %a, %b", 4, 4, 0x80800000, 0x3f000000, 0, 0x80000000 },
    { "mul.f32 %d, %a, %b", 4, 4, 0x80800000, 0x3f000000, 0, 0x80400000 },
    { "add.sat.f32 %d, %a, %b", 4, 4, 0x3f800000, 0x3f800000, 0, 0x3f800000 },
    { "add.sat.f32 %d, %a, %b", 4, 4, 0x3f800000, 0xc0000000, 0, 0 },
    { "add.sat.f32 %d, %a, %b", 4, 4, 0x7f800000, 0xff800000, 0, 0 },
    { "add.sat.f32 %d, %a, %b", 4, 4, 0x3e800000, 0x3e800000, 0, 0x3f000000 },
    { "mul.rn.sat.f16x2 %d, %a, %b", 4, 4, 0x3c004000, 0xbc003c00, 0, 0x00003c00 },
    { "fma.rn.relu.f16 %d, %a, %b, %c", 2, 2, 0x3c00, 0xbc00, 0, 0 },
    { "fma.rn.relu.f16 %d, %a, %b, %c", 2, 2, 0x3c00, 0x7e00, 0, 0x7fff },
    { "fma.rn.relu.bf16 %d, %a, %b, %c", 2, 2, 0x3f80, 0x3f80, 0x3f80, 0x4000 },
    { "fma.rn.oob.f16 %d, %a, %b, %c", 2, 2, 0x7ff7, 0x3c00, 0x3c00, 0 },
    { "fma.rn.oob.f16 %d, %a, %b, %c", 2, 2, 0x7e00, 0x3c00, 0x3c00, 0x7fff },
    { "fma.rn.oob.bf16x2 %d, %a, %b, %c", 4, 4, 0x3f807ff7, 0x3f803f80, 0x3f803f80, 0x40000000 },
    { "fma.rn.ftz.f16 %d, %a, %b, %c", 2, 2, 0x0001, 0x3c00, 0x8000, 0 },
    { "abs.f32 %d, %a", 4, 4, 0xbf800000, 0, 0, 0x3f800000 },
    { "abs.ftz.f32 %d, %a", 4, 4, 0x80000001, 0, 0, 0 },
    { "abs.f64 %d, %a", 8, 8, 0xbff0000000000000, 0, 0, 0x3ff0000000000000 },
    { "abs.f16x2 %d, %a", 4, 4, 0x8000bc00, 0, 0, 0x00003c00 },
    { "neg.f32 %d, %a", 4, 4, 0, 0, 0, 0x80000000 },
    { "neg.bf16x2 %d, %a", 4, 4, 0x3f80bf80, 0, 0, 0xbf803f80 },
    { "neg.f64 %d, %a", 8, 8, 0x7ff0000000000000, 0, 0, 0xfff0000000000000 },
    { "copysign.f32 %d, %a, %b", 4, 4, 0x80000000, 0x3f800000, 0, 0xbf800000 },
    { "copysign.f64 %d, %a, %b", 8, 8, 0, 0xbff0000000000000, 0, 0x3ff0000000000000 },
    { "min.f32 %d, %a, %b", 4, 4, 0, 0x80000000, 0, 0x80000000 },
    { "max.f32 %d, %a, %b", 4, 4, 0x80000000, 0, 0, 0 },
    { "min.f32 %d, %a, %b", 4, 4, 0x7fc00000, 0x3f800000, 0, 0x3f800000 },
    { "min.NaN.f32 %d, %a, %b", 4, 4, 0x7fc00000, 0x3f800000, 0, 0x7fffffff },
    { "max.f32 %d, %a, %b", 4, 4, 0x7fc00000, 0xffc00001, 0, 0x7fffffff },
    { "max.f32 %d, %a, %b", 4, 4, 0xc0000000, 0xbf800000, 0, 0xbf800000 },
    { "max.ftz.f32 %d, %a, %b", 4, 4, 0x00000001, 0x80000000, 0, 0 },
    { "min.xorsign.abs.f32 %d, %a, %b", 4, 4, 0xc0000000, 0x3f800000, 0, 0xbf800000 },
    { "max.NaN.xorsign.abs.f16x2 %d, %a, %b", 4, 4, 0xc000bc00, 0xbc007e00, 0, 0x40007fff },
    { "min.f64 %d, %a, %b", 8, 8, 0x7ff8000000000000, 0x3ff0000000000000, 0, 0x3ff0000000000000 },
    { "max.bf16 %d, %a, %b", 2, 2, 0xff80, 0xbf80, 0, 0xbf80 },
    { "div.approx.f32 %d, %a, %b", 4, 4, 0x3f800000, 0x7f000000, 0, 0 },
    { "div.approx.f32 %d, %a, %b", 4, 4, 0xff800000, 0x7f000000, 0, 0x7fffffff },
    { "div.approx.f32 %d, %a, %b", 4, 4, 0x40c00000, 0x40000000, 0, 0x40400000 },
    { "div.full.f32 %d, %a, %b", 4, 4, 0x7f000000, 0x7f000000, 0, 0x3f800000 },
    { "rcp.approx.ftz.f64 %d, %a", 8, 8, 0x4000000000000000, 0, 0, 0x3fe0000000000000 },
    { "rcp.approx.ftz.f64 %d, %a", 8, 8, 0x8000000000000001, 0, 0, 0xfff0000000000000 },
    { "rcp.approx.f32 %d, %a", 4, 4, 0x80000000, 0, 0, 0xff800000 },
    { "rcp.approx.ftz.f32 %d, %a", 4, 4, 0x00000001, 0, 0, 0x7f800000 },
    { "sqrt.approx.f32 %d, %a", 4, 4, 0x80000000, 0, 0, 0x80000000 },
    { "sqrt.approx.f32 %d, %a", 4, 4, 0xbf800000, 0, 0, 0x7fffffff },
    { "rsqrt.approx.f32 %d, %a", 4, 4, 0x80000000, 0, 0, 0xff800000 },
    { "rsqrt.approx.f32 %d, %a", 4, 4, 0x40800000, 0, 0, 0x3f000000 },
    { "rsqrt.approx.f64 %d, %a", 8, 8, 0x7ff0000000000000, 0, 0, 0 },
    { "sin.approx.f32 %d, %a", 4, 4, 0x80000000, 0, 0, 0x80000000 },
    { "sin.approx.f32 %d, %a", 4, 4, 0x7f800000, 0, 0, 0x7fffffff },
    { "cos.approx.ftz.f32 %d, %a", 4, 4, 0x00000001, 0, 0, 0x3f800000 },
    { "lg2.approx.f32 %d, %a", 4, 4, 0x00000000, 0, 0, 0xff800000 },
    { "lg2.approx.f32 %d, %a", 4, 4, 0xbf800000, 0, 0, 0x7fffffff },
    { "lg2.approx.f32 %d, %a", 4, 4, 0x41000000, 0, 0, 0x40400000 },
    { "ex2.approx.f32 %d, %a", 4, 4, 0x40400000, 0, 0, 0x41000000 },
    { "ex2.approx.f32 %d, %a", 4, 4, 0xff800000, 0, 0, 0 },
    { "ex2.approx.f16x2 %d, %a", 4, 4, 0x3c004000, 0, 0, 0x40004400 },
    { "tanh.approx.f32 %d, %a", 4, 4, 0x7f800000, 0, 0, 0x3f800000 },
    { "tanh.approx.f32 %d, %a", 4, 4, 0xffc00000, 0, 0, 0x7fffffff },
    { "tanh.approx.bf16 %d, %a", 2, 2, 0xff80, 0, 0, 0xbf80 },
};

static void modifiers(void **unused)
{
    (void)unused;
    HOLD(modifier_rows);
}

static const struct row conversion_rows[] = {
    /* integers */
    { "cvt.s32.s8 %d, %a", 4, 4, 0xff, 0, 0, 0xffffffff },
    { "cvt.u32.u8 %d, %a", 4, 4, 0x1ff, 0, 0, 0xff },
    { "cvt.s64.s32 %d, %a", 4, 8, 0x80000000, 0, 0, 0xffffffff80000000 },
    { "cvt.u64.s32 %d, %a", 4, 8, 0x80000000, 0, 0, 0xffffffff80000000 },
    { "cvt.u64.u32 %d, %a", 4, 8, 0x80000000, 0, 0, 0x80000000 },
    { "cvt.u16.u32 %d, %a", 4, 2, 0x12345678, 0, 0, 0x5678 },
    { "cvt.u32.s16 %d, %a", 2, 4, 0x8000, 0, 0, 0xffff8000 },
    { "cvt.s8.s32 %d, %a", 4, 4, 0x180, 0, 0, 0xffffff80 },
    { "cvt.u8.s32 %d, %a", 4, 4, 0x180, 0, 0, 0x80 },
    { "cvt.sat.s8.s32 %d, %a", 4, 4, 0x180, 0, 0, 0x7f },
    { "cvt.sat.s8.s32 %d, %a", 4, 4, 0x80000000, 0, 0, 0xffffff80 },
    { "cvt.sat.u8.s32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0 },
    { "cvt.sat.s32.u32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0x7fffffff },
    { "cvt.sat.u32.s64 %d, %a", 8, 4, 0x100000000, 0, 0, 0xffffffff },
    { "cvt.sat.s16.u64 %d, %a", 8, 2, ~0ull, 0, 0, 0x7fff },
    /* to integers */
    { "cvt.rzi.s32.f32 %d, %a", 4, 4, 0xbfc00000, 0, 0, 0xffffffff },
    { "cvt.rni.s32.f32 %d, %a", 4, 4, 0x40200000, 0, 0, 2 },
    { "cvt.rmi.s32.f32 %d, %a", 4, 4, 0xbfc00000, 0, 0, 0xfffffffe },
    { "cvt.rpi.s32.f32 %d, %a", 4, 4, 0x3fc00000, 0, 0, 2 },
    { "cvt.rzi.s32.f32 %d, %a", 4, 4, 0x7fc00000, 0, 0, 0 },
    { "cvt.rzi.s32.f32 %d, %a", 4, 4, 0x4f000000, 0, 0, 0x7fffffff },
    { "cvt.rzi.s32.f32 %d, %a", 4, 4, 0xff800000, 0, 0, 0x80000000 },
    { "cvt.rzi.u32.f32 %d, %a", 4, 4, 0xbf800000, 0, 0, 0 },
    { "cvt.rzi.u64.f32 %d, %a", 4, 8, 0x5f800000, 0, 0, ~0ull },
    { "cvt.rzi.u64.f32 %d, %a", 4, 8, 0x5f7fffff, 0, 0, 0xffffff0000000000 },
    { "cvt.rzi.s64.f32 %d, %a", 4, 8, 0x7fc00000, 0, 0, 1ull << 63 },
    { "cvt.rzi.s32.f64 %d, %a", 8, 4, 0x7ff8000000000000, 0, 0, 0x80000000 },
    { "cvt.rzi.s64.f64 %d, %a", 8, 8, 0xc3e0000000000000, 0, 0, 1ull << 63 },
    { "cvt.rni.u16.f16 %d, %a", 2, 2, 0x7bff, 0, 0, 65504 },
    { "cvt.rzi.s8.f32 %d, %a", 4, 4, 0xc3800000, 0, 0, 0xffffff80 },
    /* from integers */
    { "cvt.rn.f32.s32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0xbf800000 },
    { "cvt.rn.f32.u32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0x4f800000 },
    { "cvt.rz.f32.u32 %d, %a", 4, 4, 0xffffffff, 0, 0, 0x4f7fffff },
    { "cvt.rn.f64.u64 %d, %a", 8, 8, ~0ull, 0, 0, 0x43f0000000000000 },
    { "cvt.rm.f64.u64 %d, %a", 8, 8, ~0ull, 0, 0, 0x43efffffffffffff },
    { "cvt.rn.f64.s64 %d, %a", 8, 8, 1ull << 63, 0, 0, 0xc3e0000000000000 },
    { "cvt.rn.f16.u16 %d, %a", 2, 2, 0xffff, 0, 0, 0x7c00 },
    { "cvt.rz.f16.u16 %d, %a", 2, 2, 0xffff, 0, 0, 0x7bff },
    { "cvt.rn.f32.u8 %d, %a", 4, 4, 0x101, 0, 0, 0x3f800000 },
    { "cvt.rn.sat.f32.s32 %d, %a", 4, 4, 7, 0, 0, 0x3f800000 },
    /* between floating types */
    { "cvt.f64.f32 %d, %a", 4, 8, 0x00000001, 0, 0, 0x36a0000000000000 },
    { "cvt.ftz.f64.f32 %d, %a", 4, 8, 0x80000001, 0, 0, 1ull << 63 },
    { "cvt.f32.f16 %d, %a", 2, 4, 0x7e00, 0, 0, 0x7fffffff },
    { "cvt.f32.f16 %d, %a", 2, 4, 0x0001, 0, 0, 0x33800000 },
    { "cvt.f32.bf16 %d, %a", 2, 4, 0x3f81, 0, 0, 0x3f810000 },
    { "cvt.f32.bf16 %d, %a", 2, 4, 0xff81, 0, 0, 0xff810000 },
    { "cvt.rn.f16.f32 %d, %a", 4, 2, 0x477ff000, 0, 0, 0x7c00 },
    { "cvt.rz.f16.f32 %d, %a", 4, 2, 0x477ff000, 0, 0, 0x7bff },
    { "cvt.rn.f16.f32 %d, %a", 4, 2, 0x33000000, 0, 0, 0 },
    { "cvt.rn.f16.f32 %d, %a", 4, 2, 0x33000001, 0, 0, 1 },
    { "cvt.rn.bf16.f32 %d, %a", 4, 2, 0x3f808000, 0, 0, 0x3f80 },
    { "cvt.rn.bf16.f32 %d, %a", 4, 2, 0xffc12345, 0, 0, 0x7fff },
    { "cvt.rn.relu.bf16.f32 %d, %a", 4, 2, 0xbf800000, 0, 0, 0 },
    { "cvt.rn.satfinite.f16.f32 %d, %a", 4, 2, 0xff800000, 0, 0, 0xfbff },
    { "cvt.rna.tf32.f32 %d, %a", 4, 4, 0x3f801000, 0, 0, 0x3f802000 },
    { "cvt.rna.tf32.f32 %d, %a", 4, 4, 0xbf800fff, 0, 0, 0xbf800000 },
    { "cvt.rn.tf32.f32 %d, %a", 4, 4, 0x3f801000, 0, 0, 0x3f800000 },
    { "cvt.rn.tf32.f32 %d, %a", 4, 4, 0x7f7fffff, 0, 0, 0x7f800000 },
    { "cvt.rni.f32.f32 %d, %a", 4, 4, 0x40200000, 0, 0, 0x40000000 },
    { "cvt.rpi.f32.f32 %d, %a", 4, 4, 0xbf000000, 0, 0, 0x80000000 },
    { "cvt.sat.f32.f32 %d, %a", 4, 4, 0xff800000, 0, 0, 0 },
    { "cvt.rm.f32.f64 %d, %a", 8, 4, 0xbff0000000000001, 0, 0, 0xbf800001 },
    { "cvt.rn.ftz.f32.f64 %d, %a", 8, 4, 0xb800000000000000, 0, 0, 0x80000000 },
    { "cvt.rn.f16x2.f32 %d, %a, %b", 4, 4, 0x3f800000, 0x40000000, 0, 0x3c004000 },
    { "cvt.rn.relu.bf16x2.f32 %d, %a, %b", 4, 4, 0xbf800000, 0x40000000, 0, 0x00004000 },
    { "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b", 4, 2, 0x3f800000, 0x7f800000, 0, 0x387e },
    { "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b", 4, 2, 0x7fc00000, 0xc3f00000, 0, 0x7ffe },
    { "cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b", 4, 2, 0x3f800000, 0x7f800000, 0, 0x3c7b },
    { "cvt.rn.satfinite.e5m2x2.f16x2 %d, %a", 4, 2, 0x3c00c000, 0, 0, 0x3cc0 },
    { "cvt.rn.f16x2.e4m3x2 %d, %a", 2, 4, 0x387f, 0, 0, 0x3c007fff },
    { "cvt.rn.f16x2.e5m2x2 %d, %a", 2, 4, 0x3c7c, 0, 0, 0x3c007c00 },
    { "cvt.rn.relu.f16x2.e4m3x2 %d, %a", 2, 4, 0xb801, 0, 0, 0x00001800 },
    /* packing */
    { "cvt.pack.sat.s16.s32 %d, %a, %b", 4, 4, 0x12345, 0xffff0000, 0, 0x7fff8000 },
    { "cvt.pack.sat.u16.s32 %d, %a, %b", 4, 4, 0x12345, 0xffff0000, 0, 0xffff0000 },
    { "cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c", 4, 4, 0x100, 0xffffffff, 0xaabbccdd, 0xccddff00 },
    { "cvt.pack.sat.s4.s32.b32 %d, %a, %b, %c", 4, 4, 0x7, 0xfffffff8, 0xaabbccdd, 0xbbccdd78 },
    { "cvt.pack.sat.u2.s32.b32 %d, %a, %b, %c", 4, 4, 9, 1, 0xaabbccdd, 0xabbccddd },
};

static void conversions(void **unused)
{
    (void)unused;
    HOLD(conversion_rows);
}

/* On the tuple itself: `a` in memory, `b` the operand, `d` what was there; then `a` is what there is now. */
static void atomics(void **unused)
{
    static const struct {
        const char *ptx;
        unsigned bytes;
        uint64_t a, b, c, now;
    } rows[] = {
        { "atom.global.add.f32 %d, [%at], %b", 4, 0x3f800000, 0x40000000, 0, 0x40400000 },
        { "atom.global.add.f32 %d, [%at], %b", 4, 1, 1, 0, 0 }, /* global memory flushes */
        { "atom.global.add.f32 %d, [%at], %b", 4, 0x7f800000, 0xff800000, 0, 0x7fffffff },
        { "atom.global.add.f64 %d, [%at], %b", 8, 1, 1, 0, 2 },
        { "atom.global.add.noftz.f16 %d, [%at], %b", 2, 0x3c00, 0x0001, 0, 0x3c00 },
        { "atom.global.add.noftz.bf16 %d, [%at], %b", 2, 0x3f80, 0x4000, 0, 0x4040 },
        { "atom.global.add.noftz.f16x2 %d, [%at], %b", 4, 0x3c007bff, 0x3c007bff, 0, 0x40007c00 },
        { "atom.global.add.noftz.bf16x2 %d, [%at], %b", 4, 0x00013f80, 0x00013f80, 0, 0x00024000 },
        { "atom.global.add.u32 %d, [%at], %b", 4, 0xffffffff, 2, 0, 1 },
        { "atom.global.min.s32 %d, [%at], %b", 4, 1, 0xffffffff, 0, 0xffffffff },
        { "atom.global.max.s64 %d, [%at], %b", 8, 1, ~0ull, 0, 1 },
        { "atom.global.max.u32 %d, [%at], %b", 4, 1, 0xffffffff, 0, 0xffffffff },
        { "atom.global.inc.u32 %d, [%at], %b", 4, 7, 7, 0, 0 },
        { "atom.global.inc.u32 %d, [%at], %b", 4, 6, 7, 0, 7 },
        { "atom.global.dec.u32 %d, [%at], %b", 4, 0, 7, 0, 7 },
        { "atom.global.dec.u32 %d, [%at], %b", 4, 7, 7, 0, 6 },
        { "atom.global.dec.u32 %d, [%at], %b", 4, 8, 7, 0, 7 },
        { "atom.global.and.b32 %d, [%at], %b", 4, 12, 10, 0, 8 },
        { "atom.global.or.b32 %d, [%at], %b", 4, 12, 10, 0, 14 },
        { "atom.global.xor.b64 %d, [%at], %b", 8, 12, 10, 0, 6 },
        { "atom.global.exch.b32 %d, [%at], %b", 4, 12, 10, 0, 10 },
        { "atom.global.cas.b16 %d, [%at], %b, %c", 2, 12, 12, 9, 9 },
        { "atom.global.cas.b32 %d, [%at], %b, %c", 4, 12, 13, 9, 12 },
        { "atom.global.cas.b64 %d, [%at], %b, %c", 8, 1ull << 40, 1ull << 40, 9, 9 },
        { "mov.b32 %d, %a; red.global.add.f32 [%at], %b", 4, 0x3f800000, 0x40000000, 0, 0x40400000 },
        { "mov.b32 %d, %a; red.global.add.noftz.bf16x2 [%at], %b", 4, 0x3f803f80, 0x40004000, 0, 0x40404040 },
        { ".reg .f32 %e; atom.global.add.v2.f32 {%d, %e}, [%at], {%b, %c}", 4, 0x3f800000, 0x40000000, 0, 0x40400000 },
        { ".reg .b16 %e; atom.global.v2.f16.max.noftz {%d, %e}, [%at], {%b, %c}", 2, 0x7e00, 0xbc00, 0, 0xbc00 },
        { ".reg .b16 %e; atom.global.v2.bf16.min.noftz {%d, _}, [%at], {%b, %c}", 2, 0x3f80, 0xbf80, 0, 0xbf80 },
        { ".reg .b128 %u, %v, %w; mov.b128 %u, {%b, %b}; mov.b128 %v, {%c, %c}; "
          "atom.global.exch.b128 %w, [%at], %v; atom.global.cas.b128 %w, [%at], %v, %u; mov.b64 %d, %a",
          8, 12, 13, 14, 13 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tuple t = { rows[i].a, rows[i].b, rows[i].c, 0 };
        run(rows[i].ptx, rows[i].bytes, rows[i].bytes, &t, 1);
        if (t.d != rows[i].a || (t.a & (rows[i].bytes == 8 ? ~0ull : (1ull << 8 * rows[i].bytes) - 1)) != rows[i].now)
            fail_msg("row %zu: %s: was %#llx, is %#llx", i, rows[i].ptx, (unsigned long long)t.d,
                     (unsigned long long)t.a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modifiers),
        cmocka_unit_test(conversions),
        cmocka_unit_test(atomics),
    };

    return cmocka_run_group_tests_name("emu_alu_table", tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
