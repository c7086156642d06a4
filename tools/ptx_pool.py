"""The module in which tools/ptx-forms asks about instructions, and what it puts into them: operands, modifiers, guards,
targets, declarations."""
# The registers of the module that an instruction stands in: 8 of each type, 256 where accumulators need them.
REGISTERS = {
    "pred": "%p", "b8": "%b", "u8": "%ub", "s8": "%sb", "b16": "%h", "u16": "%uh", "s16": "%sh", "f16": "%hf",
    "b32": "%r", "u32": "%u", "s32": "%s", "f32": "%f", "f16x2": "%hx", "b64": "%rd", "u64": "%ud", "s64": "%sd",
    "f64": "%fd", "b128": "%q",
}
MANY = {"b32": 260, "f32": 260, "s32": 136, "b64": 40, "f64": 40}
VECTORS = {("v2", "b32"): "%v2r", ("v4", "f32"): "%v4f", ("v2", "b16"): "%v2h"}
HEAD = """.version VERSION
.target TARGET
.address_size 64
.shared .align 128 .b8 sa[1024];
.global .align 128 .b8 ga[1024];
.const .align 128 .b8 ca[1024];
.global .texref tx;
.global .surfref sf;
.global .samplerref sp;
.func (.reg .b32 x) fn (.reg .b32 y) { mov.b32 x, y; ret; }
.visible .entry k(.param .u64 p, .param .align 64 .b8 tm[128])
{
.local .align 16 .b8 la[64];
""" + "".join(".reg .%s %s<%d>; " % (t, n, MANY.get(t, 8)) for t, n in REGISTERS.items()) + "".join(
    ".reg .%s .%s %s<2>; " % (v, t, n) for (v, t), n in VECTORS.items()) + """
bt: .branchtargets L0, L1;
ct: .calltargets fn;
pt: .callprototype (.reg .b32 x) _ (.reg .b32 y);
L0: mov.u32 %r0, 0;
"""
TAIL = "L1: ret;\n}\n"

# What one operand is replaced by: the register of each type first.
POOL = [n + "1" for n in REGISTERS.values()] + [n + "1" for n in VECTORS.values()] + """
!%p1 -%r1 -%f1 !%r1 0 1 -1 2 5 16 31 64 128 65536 4294967295 4294967296 9223372036854775807 18446744073709551615 1.0 -0.5
0f3F800000 0d3FF0000000000000 1.5e3 0x10U WARP_SZ _ sa ga ca la p tm k fn tx sf L0 L1 bt ct pt sa+4 ga+8 la+4 ca+8 p+4
%tid %tid.x %laneid %clock64 %r1.x %v2r1.x %v4f1.w %h1.b0 %r1.b1 %r1.h0
[%r1] [%rd1] [%h1] [%b1] [%f1] [%fd1] [%q1] [%p1] [%hx1] [%s1] [%u1] [%sd1] [%ud1] [%uh1] [%hf1] [%v2r1] [%v2r1.x]
[%r1+4] [%rd1+8] [%rd1+-8] [%rd1+16] [%r1+-4] [%rd1+4294967296] [%rd1+%r1] [%rd1+1.0] [sa] [ga] [ca] [la] [p] [tm] [tx] [sf]
[fn] [L0] [k] [sa+4] [ga+8] [la+8] [ca+8] [tm+8] [p+4] [sa+%r1] [0] [16] [-4] [_] []
{%r1} {%f1} {%rd1} {%h1} {%q1} {%p1} {%r1,%r2} {%f1,%f2} {%h1,%h2} {%rd1,%rd2} {%b1,%b2} {%q1,%q2} {%p1,%p2} {%r1,%rd2}
{%r1,%f2} {%f1,%r2} {%fd1,%fd2} {%r1,_} {_,_} {1,2} {%r1,%r2,%r3} {%f1,%f2,%f3} {%r1,%r2,%r3,%r4} {%f1,%f2,%f3,%f4}
{%h1,%h2,%h3,%h4} {%rd1,%rd2,%rd3,%rd4} {%r1,%r2,%q2,%r3} {%b1,%b2,%b3,%b4} {%s1,%s2,%u3,%r4} {%r1,%r2,%r3,%r4,%r5}
{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8} {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8} {}
%r1|%p1 %r1|%r2 %p1|%p2 _|%p1 %p1|_ %rd1|%p1 %r1|_ %f1|%p1 %h1|%p1
[%rd1,{%r1}] [%rd1,{%r1,%r2}] [%rd1,{%r1,%r2,%r3}] [%rd1,{%r1,%r2,%r3,%r4}] [%rd1,{%f1,%f2}] [%rd1,{%rd1,%rd2}]
[%rd1,{%h1,%h2}] [%rd1,%r1] [tm,{%r1,%r2}] [tx,{%f1,%f2}] [tx,{%r1,%r2}] [sf,{%r1,%r2}] [sf,%r1]
[%r1,{%r1,%r2}] [%rd1+8,{%r1,%r2}] [%rd1,%rd2,{%f1,%f2}] (%r1)
1+2 (1+2)*3 1<<4 -(1) ~0 !0 --1 1?2:3 5/0 5%3 (.u64)1 (.s64)1.0 1.0+2.0 1.0+2 2.0/0.0 1.0<2.0 1?1.0:2.0 1e308 1e309 1e-310 1. .5 1.0f
-0f3F800000 (0f3F800000) -(0f3F800000) 0f3F800000+1.0 -0d3FF0000000000000 0F3F800000 0f3F8 0x 0xFFU 017 018 0b11 0b2 1U 1L
WARP_SZ+1 -WARP_SZ sa+4+4 sa-4 sa+1.0 4+sa ga[4] generic(ga) +%r1 ~%r1 !%r1 --%r1 %r1+1 %r1-1 %nosuch nosuch %r9999
[%rd1-8] [%rd1+8-4] [%rd1+4*2] [%rd1+(4+4)] [%rd1+2147483648] [%rd1+-2147483649] [8+%rd1] [-%rd1] [ga-4] [ga+1] [%rd1]+4 [[%rd1]]
%tid.w %tid.r %tid.x+1 -%laneid !%laneid %nctaid %clusterid.x %cluster_ctarank %is_explicit_cluster %globaltimer %gridid %envreg3
%dynamic_smem_size %lanemask_lt %pm0 %clock %reserved_smem_offset_0 %r1.h10 %r1.h32 %r1.b3210 %r1.b7531 %r1.b310 %r1.h01 %r1.b4
{%r1,%h2} {%h1,%r2} {%rd1,%r2} {%f1,%fd2} {%r1,%p2} {%r1,%b2} {%h1,%hf2} {%hx1,%hx2} {%r1,1.0} {%f1,1} {%r1,sa} {%r1,[%r2]} {%r1,,%r2}
{%f1,%f2,%f3,%f4}|%p1 {%r1,%r2,%r3,%r4}|%p1 {%hx1,%hx2}|%p1 {%f1,%f2,%f3,%f4}|%r1 {%f1,%f2,%f3,%f4}|_ {%r1,%r2}|%p1
%p1|!%p2 !%p1|%p2 %r1|%f1 %r1|1 1|%p1 %r1|%p1|%p2 _|_ %v4f1|%p1
-2 -16 -128 -2147483648 -2147483649 -9223372036854775808 -9223372036854775809 8 15 17 24 32 33 63 127 255 256 257 1024 1048575
1048576 2147483647 2147483648 0x7fffffff 0xffffffff 0x100000000 0xffffffffffffffff 0x10000000000000000 99999999999999999999
340282366920938463463374607431768211456 0.0 -0.0 1e38 1e39 0f7F800000 0f7FC00000 0d7FF0000000000000 1.0e400 0xFFFFFFFFFFFFFFFFU -0x1
sp sp+4 [sp] generic(sa) generic(p) generic(tm) generic(la) generic(fn) generic(ga)+4 generic(ga+4) [generic(ga)] p+0 tm+64 tm+-8
fn+4 k+4 L0+4 L1+4 -L0 !fn -sa !sa ~sa [L1] [bt] [L0+4] [fn+4] [pt] [ct] %nosuch.x [%nosuch] [nosuch]
%p1.x !1 !0 ~1 !p !_ -_ -%p1 ~%p1 !%p1.x !%rd1 !%h1 -%rd1 -%h1 -%fd1 -%q1 -%b1 !!%p1 %p9 %p7
[%rd1+%rd2] [%rd1+sa] [sa+sa] [%rd1*2] [%rd1,1] [%rd1,] [,%rd1] [%rd1+4,{%r1}] [tm+8,{%r1}] [%q1+16] [%h1+2] [%p1+1] [%f1+4] [%ub1+1]
[tx,sp,{%f1,%f2}] [%rd1,%rd2,{%f1}] [%rd1,sp,{%f1,%f2}] [tx,%rd2,{%f1,%f2}] [%rd1,%r2,{%f1,%f2}] [tx,{%f1,%f2,%f3,%f4}] [tx,%f1]
[sf,{%r1,%r2,%r3,%r4}] [sf,{%f1,%f2}] [sf,sp,{%r1,%r2}] [tx,tx,{%f1,%f2}] [%rd1,{}] [%rd1,{_,%r2}] [%rd1,{%r1,_}] [%rd1,{1,2}]
[%rd1,{%r1,%r2,%r3,%r4,%r5}] [%rd1,{%h1}] [%rd1,{%h1,%h2,%h3}] [%rd1,{%p1}] [%rd1,{sa}] [%rd1,{L0}] [%rd1,%v2r1]
{%h1,%h2,%h3,%h4,%h5,%h6,%h7,%h0} {%rd1,%rd2,%rd3,%rd4,%rd5,%rd6,%rd7,%rd8} {%b1,%b2,%b3,%b4,%b5,%b6,%b7,%b0} {1,2,3,4,5,6,7,8}
{%hx1,%hx2,%hx3,%hx4,%hx5,%hx6,%hx7,%hx0} {%fd1,%fd2,%fd3,%fd4,%fd5,%fd6,%fd7,%fd8} {_,%f2,%f3,%f4,%f5,%f6,%f7,%f8} {_,_,_,_}
{%r1,%r2,%r3,%r4,%r5,%r6,%r7} {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%rd8} {%r1,_,%r3,_} {_,%r1} {%v2r1,%v2r0} {%v2r1} {%f1,%f1} {%r1,%r1,%r1,%r1}
{%hf1,%hf2,%hf3,%hf4} {%u1,%u2,%u3,%u4} {%s1,%s2,%s3,%s4} {L0,L1} {fn,fn} {bt} {%q1,%q2,%q3,%q4} {{%r1,%r2},{%r3,%r4}} {!%p1,%p2}""".split()
BASES = """%r1 %rd1 %h1 %b1 %f1 %fd1 %q1 %p1 %hx1 %s1 %u1 %sd1 %ud1 %uh1 %hf1 %ub1 sa ga ca la p tm sa+8 ga+8 ca+8 la+8 p+4 tx sf k fn L0 0 4 128 -4
1.0 %tid.x %v2r1 %v2r1.x _ {%r1} [%rd1] L1 bt pt sp generic(ga) %nosuch -%rd1 !%p1 WARP_SZ""".split()
OFFSETS = """+4 +-4 +0 -4 +4294967296 +%r1 +1.0 +sa +16 +1 +8 +2 +-16 +-1 +2147483647 +2147483648 +-2147483648 +-2147483649 +1048576 +0x10 +017
+9223372036854775807 +9223372036854775808 +18446744073709551615 +18446744073709551616 +%rd1 +4+4 +4-4 +(4) +4*4 +WARP_SZ +-WARP_SZ +4U +!0
+~0 +1?4:8 +_ +L0 +{4} +.5 -%r1 *4 |%p1 .x""".split()
ELEMENTS = [n + "3" for n in REGISTERS.values()] + """1 -1 1.0 0f3F800000 _ sa ga %tid.x !%p1 -%r1 {%r1} [%rd1] %r1|%p1 %v2r1
%v2r1.x 65536 4294967296 L0 fn bt k p -1 0 -2147483649 18446744073709551616 !%r1 -%f1 _|%p1 sp tx 1.5 %clock64 %nosuch""".split()
GUARDS = """@%p1 @!%p1 @%r1 @0 @!0 @p @-%p1 @%b1 @_ @%tid.x @%v2r1 @%p1.x @%p1|%p2 @{%p1} @!!%p1 @%p1@%p2 @%nosuch @h:
M1: M1:@%p1 @%p1,""".split()
STRAY = """bulk_group sync aligned ftz sat rn rz rzi hi lo wide cc v2 v4 v8 b8 b16 b32 b64 b128 u32 s32 u8 f16 f16x2 bf16 bf16x2 f32
f64 pred global shared shared::cta shared::cluster local const param param::func generic ca cg nc lu wb volatile relaxed acquire
release acq_rel sc weak mmio cta cluster gpu sys L1::no_allocate L1::evict_last L2::evict_first L2::cache_hint L2::64B L2::128B L2::256B
1d 2d 3d a2d cube 2dms tile im2col row col trans x1 x2 x4 m8n8 m16n8k16 m16n16k16 mbarrier::complete_tx::bytes multicast::cluster
cta_group::1 read noinc noComplete expect_tx parity elemtype box_dim rank global_stride swizzle_mode fill_mode tensormap uni to all any
ballot up idx and or xor add min max inc cas exch popc eq lt equ num relu satfinite abs xorsign NaN noftz approx full clamp wrap zero
trap b p base level grad r g shiftamt po shr7 f4e abs override ignore_oob cp_mask async noincr unified width L2 L1 mask nosuch""".split()

# The first PTX ISA, times ten, that knows a target.
NEEDS = {"sm_75": 63, "sm_80": 70, "sm_86": 71, "sm_89": 78, "sm_90": 78, "sm_90a": 80, "sm_100": 86, "sm_100a": 86,
         "sm_100f": 88, "sm_103": 88, "sm_103a": 88, "sm_110": 90, "sm_110a": 90, "sm_120": 87, "sm_120a": 87, "sm_121a": 88}
RELEASED = [63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90, 91, 92, 93, 94, 95]

TARGETS = {"": "sm_90a", "90a": "sm_90a", "9xa": "sm_90a", "100": "sm_100a", "100x": "sm_100a", "1xx": "sm_100a",
           "120x": "sm_120a", "103a": "sm_103a"}

# What a constant of an operand is exchanged for: each stands in a text in which {} is the constant.
NUDGES = """{}+1 {}-1 {}*2 {}+8 {}+16 -{} ~{} !{} {}U {}.0 {}+4294967296 {}-4294967296 {}+18446744073709551616 {}<<1 0x{} 0{} -{}-1 ({})""".split()
PREFIXES = ["!", "-", "~", "+", "!!", "--", "generic", "*", "&"]

# Statements of a function that are no instructions, in pieces: one of each place is chosen. $T is a type.
PLACES = [
    [[".reg "], ["", "", ".v2 ", ".v4 ", ".v8 ", ".align 8 ", ".b32 "], ["$T "],
     """x %x $x _x x1 _ %_ x<4> %x<4> x<0> x<1> x<-1> x<4.0> x<1048577> x<9999999999> x<4U> x<2+2> x,y x,x x<2>,x1 x1,x<2> x<2>,x<3> x<2>,x
     x,x<2> %r1 %r %r9 %r<4> %r300 %r<400> %rr<4> %v2r %v2r<2> p tm sa ga fn k L0 L1 bt x<4 x> x<> x<4><4> x[4] x=1 %tid %tid<4> %tid.x
     %clock WARP_SZ 1x x.y %p0 %h7 %h8 mov add x<%r1> x<sa> %r01 %r1<2> %x1<2>,%x<12>""".split(), [";", ";", ";", "", ";;", ","]],
    [[".local ", ".shared ", ".const ", ".global ", ".param ", ".tex ", ".sreg "],
     ["", "", ".align 8 ", ".align 3 ", ".align 0 ", ".align 256 ", ".align -8 ", ".v2 ", ".v4 ", ".align 16 .v4 ", ".v8 ", ".v2 .align 8 "],
     ["$T "],
     """x x[4] x[0] x[-1] x[] x[2][3] x[][3] x[3][] x[4.0] x[99999999999] x<4> x[%r1] x[WARP_SZ] x[2+2] x,y x,x sa %x _ x=1 x[2]={1,2}
     x[2]={1,2,3} x={1} x=1.0 x=sa x[1]={ga} x[1]={fn} x=fn p %r1 %r L0 fn x[2]={1} x[2][2]={{1},{2}} x[]={1,2}""".split(),
     [";", ";", ";", ""]],
    [[".reg .b32 x; ", "{ .reg .b32 x; ", "{ .reg .b32 %r1; ", ".reg .b32 x<4>; ", "{ .reg .f32 %r<4>; ", ".reg .b32 x; .reg .b32 x; ",
      "{ .reg .b32 sa; ", "{ .reg .pred %r1; ", ".local .b32 x; ", "{ .local .b64 ga; ", ".param .b32 x; ", "x: ", "{ x: "],
     "mov.b32^x,1; mov.b32^x0,1; mov.b32^x4,x3; mov.b32^%r1,1; mov.f32^%r1,1.0; mov.b32^%r5,1; mov.b32^sa,1; ld.global.b32^x,[%rd1]; "
     "st.local.b32^[x],%r1; mov.u64^%rd1,x; @%r1^bra^L1; @x^bra^L1; bra^x; bra^L1; st.param.b32^[x],%r1; ld.param.b32^%r1,[x]; "
     "ld.shared.b32^%r1,[sa]; call^(x),fn,(x); x:^ret; .reg^.b32^x; .reg^.b32^%r1;".split(), ["", "", "}", "} mov.b32 x, 2;", "} bra x;"]],
    [[".pragma ", ".loc ", ".file ", ".maxntid ", ".branchtargets ", "x: .branchtargets ", "x: .calltargets ", "x: .callprototype ", ".align ",
      ".noreturn", ".abi_preserve ", ".callprototype ", "call ", "call.uni ", "brx.idx ", "bra ", "bra.uni ", "ret", "exit", "{", "}",
      "x: ", "x: x: ", "%r1: ", "L0: ", "sa: ", "1: ", ".extern ", ".visible ", ".weak "],
     """"nounroll" nounroll 1 1^1^1 2^1^1 1^"x" L0 L1,L0 L0,sa fn fn,fn fn,k k (.reg^.b32^x)_(.reg^.b32^y) _ (.param^.b32^x)_ ()_ _() 8 -1
     (%r1),fn,(%r2) (%r1),fn,(%rd2) (%r1),fn (%r1),fn,() fn,(%r2) (%r1),k,(%r2) (%r1),%rd1,(%r2),pt (%r1),%rd1,(%r2),ct (%r1),%r1,(%r2),pt
     (%r1),%rd1,(%r2),bt (%r1),%rd1,(%r2) (_),fn,(%r2) (%r1),fn,(_) (%r1),fn,(1) (%r1),fn,(1.0) (%r1),fn,(-%r2) (%f1),fn,(%f2) (%h1),fn,(%h2)
     (%r1,%r2),fn,(%r2) (%r1),fn,(%r2,%r3) (%r1),fn,([sa]) (%r1),fn,(sa) (%r1),fn,(p) ({%r1}),fn,(%r2) (%r1),fn,(%tid.x) (%r1),L0,(%r2)
     %r1,bt %r1,ct %rd1,bt 1,bt %r1,L0 %r1,x %r1 bt L0+4 %rd1 !L0 [L0] {L0} nosuch _ .b32^x .global^.b32^x .func^x""".split(),
     [";", ";", ";", "", " L0;"]],
]

SPACES = {"shared": "sa", "global": "ga", "const": "ca", "local": "la", "param": "p"}
ASM_TYPES = {"r": "b32", "l": "b64", "f": "f32", "d": "f64", "h": "b16", "q": "b128", "C": "b64", "n": "b32"}
# SPDX-License-Identifier: Apache-2.0
