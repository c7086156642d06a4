/* wgmma: each obligation in a form that keeps it and in one that breaks it. */
#include "tests/unit/emu_story.h"

/* db is the descriptor of B: 8 columns of 16 halves at s, not swizzled; da of an A there. */
#define BEGIN                                                                                                          \
    ".reg .f32 f<8>; .reg .b64 da, db; .reg .b32 a<4>; .reg .pred yes; setp.eq.u32 yes, 0, 0;\n"                       \
    "mov.f32 f0, 0f00000000; mov.f32 f1, f0; mov.f32 f2, f0; mov.f32 f3, f0; mov.f32 f4, f0; mov.f32 f5, f0;\n"        \
    "mov.f32 f6, f0; mov.f32 f7, f0; mov.b32 a0, %x; mov.b32 a1, %x; mov.b32 a2, %x; mov.b32 a3, %x;\n"                \
    "shr.u32 %z, %s, 4; cvt.u64.u32 da, %z; or.b64 db, da, 0x1000080000; or.b64 da, da, 0x1000080000;\n"
#define FILL       STORE FENCE SYNC
#define READY_MADE BEGIN FILL
#define ORDER      "wgmma.fence.sync.aligned;\n"
#define WGMMA      "wgmma.mma_async.sync.aligned."
#define PRODUCT    WGMMA "m64n8k16.f32.f16.f16 {f0, f1, f2, f3}, {a0, a1, a2, a3}, db, yes, 1, 1, 0;\n"
#define WIDER      WGMMA "m64n16k16.f32.f16.f16 {f0, f1, f2, f3, f4, f5, f6, f7}, {a0, a1, a2, a3}, db, yes, 1, 1, 0;\n"
#define OTHER      WGMMA "m64n8k16.f32.f16.f16 {f4, f5, f6, f7}, {a0, a1, a2, a3}, db, yes, 1, 1, 0;\n"
#define SPARSE                                                                                                         \
    "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {f0, f1, f2, f3}, {a0, a1, a2, a3}, db, %z, 0, yes, 1, 1, "  \
    "0;\n"
#define SPARSE_TF32                                                                                                    \
    "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 {f0, f1, f2, f3}, {a0, a1, a2, a3}, db, %z, 0, yes, 1, "   \
    "1;\n"
/* B of 16 columns, whose 2 x 2 pieces of 128 bytes lie where its descriptor's steps lead; a store while it is read. */
#define OF_WIDE_B(steps, at)                                                                                           \
    BEGIN FILL "shr.u32 %z, %s, 4; cvt.u64.u32 db, %z; or.b64 db, db, " steps ";\n" ORDER WIDER END_GROUP SYNC         \
               "@%p0 st.shared.u32 [%s+" at "], %x;\n" AWAIT("0")
/* Two products of one group, the second one's B so many bytes behind the first one's; a store while they are read. */
#define OF_TWO(first, second, at)                                                                                      \
    BEGIN FILL "add.s64 db, db, " first ";\n" ORDER PRODUCT "add.s64 db, db, " second ";\n" OTHER END_GROUP SYNC       \
               "@%p0 st.shared.u32 [%s+" at "], %x;\n" AWAIT("0")
/* B of 16 columns of which not all lie in shared memory. */
#define OF_CUT_B(at)                                                                                                   \
    BEGIN FILL "add.u32 %z, %s, 3840; shr.u32 %z, %z, 4; cvt.u64.u32 db, %z; or.b64 db, db, " NEAR                     \
               ";\n" ORDER WIDER END_GROUP SYNC "@%p0 st.shared.u32 [%s+" at "], %x;\n" AWAIT("0")
#define NEAR         "0x1000080000"
#define BEYOND       "0x300000080000"
#define FAR          "0x4000080000"
#define APART        "0x8000400000"
#define OF_SHARED    WGMMA "m64n8k16.f32.f16.f16 {f0, f1, f2, f3}, da, db, yes, 1, 1, 0, 0;\n"
#define END_GROUP    "wgmma.commit_group.sync.aligned;\n"
#define AWAIT(n)     "wgmma.wait_group.sync.aligned " n ";\n"
#define DONE         END_GROUP AWAIT("0")
#define USE          "st.global.f32 [%b], f1;\n"
#define FIRST_WARP   "setp.lt.u32 %t, %i, 32;\n"
#define FILLED_BY(x) INIT SYNC EXPECT x WAIT
#define TILE_OF_S    TILE("cluster", "2d", "0, 0", "%s", "%m")
#define SWIZZLED     "or.b64 db, db, 0x4000000000000000;\n"

static const struct obligation obligations[] = {
    /* ---- who executes it ---- */
    { "wgmma.warpgroup", READY_MADE ORDER PRODUCT DONE, NULL, .threads = 128 },
    { "wgmma.warpgroup", "", READY_MADE ORDER PRODUCT DONE, .threads = 96, .faults = true },
    { "wgmma.aligned", READY_MADE ORDER PRODUCT PRODUCT DONE,
      READY_MADE ORDER PRODUCT FIRST_WARP "@%t bra L;\n" PRODUCT "L:\n" DONE, .threads = 128, .ordered = true },
    { "wgmma.uniform", READY_MADE ORDER PRODUCT DONE, READY_MADE "@%p0 add.s64 db, db, 8;\n" ORDER PRODUCT DONE,
      .threads = 128 },
    { "wgmma.uniform", READY_MADE ORDER PRODUCT DONE,
      READY_MADE FIRST_WARP "@%t add.s64 db, db, 8;\n" ORDER PRODUCT DONE, .threads = 128, .ordered = true,
      .tells = "different descriptors of B" },
    { "wgmma.uniform.scale-d", READY_MADE ORDER PRODUCT DONE,
      READY_MADE "@%p0 setp.ne.u32 yes, 0, 0;\n" ORDER PRODUCT DONE, .threads = 128 },
    { "wgmma.sp.pairs", READY_MADE "mov.b32 %z, 0x4444e4e4;\n" ORDER SPARSE DONE,
      READY_MADE "mov.b32 %z, 0x4444e454;\n" ORDER SPARSE DONE, .threads = 128, .tells = "bits 4 to 7" },
    { "wgmma.sp.pairs", READY_MADE "mov.b32 %z, 0x444444ee;\n" ORDER SPARSE_TF32 DONE,
      READY_MADE "mov.b32 %z, 0x444444e9;\n" ORDER SPARSE_TF32 DONE, .threads = 128, .tells = "bits 0 to 3" },
    /* ---- registers ---- */
    { "wgmma.fence.first", READY_MADE ORDER PRODUCT DONE USE, READY_MADE PRODUCT DONE USE, .threads = 128,
      .ordered = true },
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "mov.b32 a2, %i;\n" ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE "mov.b32 a2, %i;\n" PRODUCT DONE, .threads = 128, .ordered = true },
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "add.f32 f2, f2, f3;\n" ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE "add.f32 f2, f2, f3;\n" PRODUCT DONE, .threads = 128, .ordered = true },
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE USE ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE USE PRODUCT DONE, .threads = 128, .ordered = true },
    /* What a compiler puts before the wgmma as it prepares its operands: it has the same line as that. */
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "mov.b32 a2, %i;\n" ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE ORDER ".loc 1 7 1\nmov.b32 a2, %i;\n" PRODUCT DONE, .threads = 128, .ordered = true,
      .remark = true, .says = "an empty asm volatile" },
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "mov.b32 a2, %i;\n" ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE ORDER ".loc 1 7 1\nmov.b32 a2, %i;\n.loc 1 8 1\n" PRODUCT DONE, .threads = 128,
      .ordered = true, .says = "wgmma.fence.sync.aligned" },
    /* What the program has before the fence, the compiler behind it. */
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "add.u32 a2, a2, %i;\n" ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE ".loc 1 7 1\n" ORDER ".loc 1 6 1\nadd.u32 a2, a2, %i;\n.loc 1 8 1\n" PRODUCT DONE,
      .threads = 128, .ordered = true, .remark = true, .says = "an empty asm volatile" },
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "add.u32 a2, a2, %i;\n" ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE ".loc 1 7 5\n" ORDER ".loc 1 7 9\nadd.u32 a2, a2, %i;\n.loc 1 8 1\n" PRODUCT DONE,
      .threads = 128, .ordered = true, .says = "wgmma.fence.sync.aligned" },
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "add.u32 a2, a2, %i;\n" ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE ".loc 1 7 1\n" ORDER ".loc 2 6 1\nadd.u32 a2, a2, %i;\n.loc 1 8 1\n" PRODUCT DONE,
      .threads = 128, .ordered = true, .says = "wgmma.fence.sync.aligned" },
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "add.u32 a2, a2, %i;\n" ORDER PRODUCT DONE,
      READY_MADE ".loc 1 7 1\n" ORDER PRODUCT DONE ".loc 1 6 1\nadd.u32 a2, a2, %i;\n.loc 1 8 1\n" PRODUCT DONE,
      .threads = 128, .ordered = true, .says = "wgmma.fence.sync.aligned" },
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "add.u32 a2, a2, %i;\n" ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE ".loc 1 7 1\n" ORDER
                                    ".loc 1 6 1\nadd.u32 a2, a2, %i;\nadd.u32 a2, a2, %i;\n.loc 1 8 1\n" PRODUCT DONE,
      .threads = 128, .ordered = true, .remark = true, .says = "an empty asm volatile" },
    { "wgmma.fence.missing", READY_MADE ORDER PRODUCT DONE "add.u32 a2, a2, %i;\n" ORDER PRODUCT DONE,
      READY_MADE ORDER PRODUCT DONE ORDER ".loc 1 7 1\nadd.u32 a2, a2, %i;\n" PRODUCT DONE, .threads = 128,
      .ordered = true },
    { "wgmma.fence.shape", READY_MADE ORDER PRODUCT ORDER WIDER DONE, READY_MADE ORDER PRODUCT WIDER DONE,
      .threads = 128, .ordered = true },
    { "wgmma.fence.shape", READY_MADE ORDER PRODUCT PRODUCT OTHER DONE, NULL, .threads = 128 },
    { "wgmma.regs.in-flight", READY_MADE ORDER PRODUCT DONE USE, READY_MADE ORDER PRODUCT END_GROUP USE AWAIT("0"),
      .threads = 128, .ordered = true },
    { "wgmma.regs.in-flight", READY_MADE ORDER PRODUCT DONE "mov.b32 a1, 0;\n",
      READY_MADE ORDER PRODUCT END_GROUP "mov.b32 a1, 0;\n" AWAIT("0"), .threads = 128, .ordered = true,
      .tells = "a register of A" },
    { "wgmma.regs.in-flight", READY_MADE ORDER PRODUCT END_GROUP OTHER END_GROUP AWAIT("1") USE AWAIT("0"),
      READY_MADE ORDER OTHER END_GROUP PRODUCT END_GROUP AWAIT("1") USE AWAIT("0"), .threads = 128, .ordered = true,
      .says = "wgmma.wait_group 0 at line " },
    { "wgmma.regs.in-flight", READY_MADE ORDER PRODUCT DONE USE, READY_MADE ORDER PRODUCT AWAIT("0") USE DONE,
      .threads = 128, .ordered = true, .also = "wgmma.regs.uncommitted" },
    /* ---- shared memory ---- */
    { "wgmma.proxy", READY_MADE ORDER PRODUCT DONE, BEGIN STORE SYNC ORDER PRODUCT DONE, .threads = 128,
      .ordered = true, .says = "fence.proxy.async" },
    { "wgmma.proxy", BEGIN STORE SYNC FENCE ORDER PRODUCT DONE, BEGIN STORE SYNC ORDER OF_SHARED DONE, .threads = 128,
      .ordered = true },
    { "wgmma.proxy", BEGIN COPY WAIT_ALL FENCE SYNC ORDER PRODUCT DONE, BEGIN COPY WAIT_ALL SYNC ORDER PRODUCT DONE,
      .threads = 128, .ordered = true, .also = "cpasync.proxy.to-async" },
    { "wgmma.smem.written", READY_MADE ORDER PRODUCT DONE, BEGIN STORE FENCE ORDER PRODUCT DONE, .threads = 128,
      .ordered = true },
    { "wgmma.smem.written", BEGIN FILLED_BY(TILE_OF_S) ORDER PRODUCT DONE,
      BEGIN INIT SYNC EXPECT TILE_OF_S ORDER PRODUCT DONE WAIT, .threads = 128, .ordered = true,
      .also = "bulk.dst.no-early-read" },
    { "wgmma.smem.overwritten", READY_MADE ORDER PRODUCT DONE SYNC STORE,
      READY_MADE ORDER PRODUCT END_GROUP SYNC STORE AWAIT("0"), .threads = 128, .ordered = true,
      .lacks = "not committed" },
    { "wgmma.smem.overwritten", READY_MADE INIT ORDER PRODUCT DONE SYNC EXPECT TILE_OF_S WAIT,
      READY_MADE INIT ORDER PRODUCT END_GROUP SYNC EXPECT TILE_OF_S WAIT AWAIT("0"), .threads = 128, .ordered = true,
      .tells = "read by a wgmma of thread 0,0,0" },
    /* The copy's mbarrier is waited for by a relaxed wait. */
    { "mbarrier.wait.relaxed-no-order", BEGIN FILLED_BY(TILE_OF_S) ORDER PRODUCT DONE,
      BEGIN INIT SYNC EXPECT TILE_OF_S SPIN(".relaxed.cta.shared::cta", "%m", "0") ORDER PRODUCT DONE, .threads = 128,
      .ordered = true, .also = "wgmma.smem.written" },
    { "wgmma.smem.overwritten", READY_MADE ORDER PRODUCT END_GROUP OTHER END_GROUP AWAIT("0") SYNC STORE,
      READY_MADE ORDER PRODUCT END_GROUP OTHER END_GROUP AWAIT("1") SYNC STORE AWAIT("0"), .threads = 128,
      .ordered = true },
    { "wgmma.smem.overwritten", OF_WIDE_B(NEAR, "512"), OF_WIDE_B(NEAR, "256"), .threads = 128, .ordered = true },
    { "wgmma.smem.overwritten", OF_WIDE_B(FAR, "256"), OF_WIDE_B(FAR, "0"), .threads = 128, .ordered = true },
    { "wgmma.smem.overwritten", OF_WIDE_B(FAR, "1280"), OF_WIDE_B(FAR, "1024"), .threads = 128, .ordered = true },
    { "wgmma.smem.overwritten", OF_WIDE_B(APART, "128"), OF_WIDE_B(APART, "0"), .threads = 128, .ordered = true },
    { "wgmma.smem.overwritten", OF_WIDE_B(APART, "3200"), OF_WIDE_B(APART, "3184"), .threads = 128, .ordered = true },
    { "wgmma.smem.overwritten", OF_TWO("0", "64", "512"), OF_TWO("0", "64", "0"), .threads = 128, .ordered = true },
    { "wgmma.smem.overwritten", OF_TWO("0", "64", "512"), OF_TWO("0", "64", "1024"), .threads = 128, .ordered = true },
    { "wgmma.smem.overwritten", OF_TWO("64", "-64", "512"), OF_TWO("64", "-64", "1024"), .threads = 128,
      .ordered = true },
    { "wgmma.smem.overwritten", OF_WIDE_B(NEAR, "512"), OF_CUT_B("3856"), .threads = 128, .ordered = true,
      .faults = true, .too = "access.bounds" },
    { "wgmma.smem.overwritten", OF_WIDE_B(NEAR, "512"), OF_WIDE_B(BEYOND, "0"), .threads = 128, .ordered = true,
      .faults = true, .too = "access.bounds" },
    { "wgmma.smem.overwritten", OF_TWO("0", "64", "512"), OF_TWO("0", "0x3000", "0"), .threads = 128, .ordered = true,
      .faults = true, .too = "access.bounds" },
    { "swz.reader-as-writer", BEGIN SWIZZLED FILLED_BY(TILE_OF_S) ORDER PRODUCT DONE,
      BEGIN FILLED_BY(TILE_OF_S) ORDER PRODUCT DONE, .threads = 128, .ordered = true, .maps = { "swizzle=128B" },
      .tells = "wgmma with swizzle" },
    { "swz.reader-as-writer", BEGIN SWIZZLED FILLED_BY(TILE_OF_S) ORDER PRODUCT DONE,
      BEGIN "add.s64 db, db, 32;\n" FILLED_BY(TILE_OF_S) ORDER PRODUCT DONE, .threads = 128, .ordered = true,
      .maps = { "swizzle=128B" }, .tells = "bytes 1536 to 1791" },
};

#define OF_128(text) "{ setp.lt.u32 %t, %i, 128; @!%t bra N;\n" text "N: }\n" /* by the first warpgroup */
#define HALVES(d, a) WGMMA "m64n8k16.f16.f16.f16 {" d "}, {" a "}, db, yes, 1, 1, 0;\n"
/* A product with 64 registers in D. */
#define TEN(n)  "r" #n "0, r" #n "1, r" #n "2, r" #n "3, r" #n "4, r" #n "5, r" #n "6, r" #n "7, r" #n "8, r" #n "9, "
#define MANY(d) WGMMA "m64n128k16.f32.f16.f16 {" d "}, {a0, a1, a2, a3}, db, yes, 1, 1, 0;\n"
/* B of 64 columns: 2048 bytes in one piece. */
#define LONG                                                                                                           \
    ".reg .b32 h<16>;\n" WGMMA "m64n64k16.f16.f16.f16 {h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, h10, h11, h12, h13, "   \
    "h14, h15}, {a0, a1, a2, a3}, db, yes, 1, 1, 0;\n"
/* A function that uses its own registers, which have the numbers of those of the kernel. */
#define FUNCTION                                                                                                       \
    ".func f()\n{\n.reg .f32 f<8>; .reg .b64 db; .reg .b32 a<4>; .reg .pred yes; setp.eq.u32 yes, 0, 0;\n"             \
    "mov.f32 f0, 0f00000000; mov.f32 f1, f0; mov.f32 f2, f0; mov.f32 f3, f0; mov.b32 a0, 0; mov.b32 a1, 0;\n"          \
    "mov.b32 a2, 0; mov.b32 a3, 0; mov.b64 db, 0x1000080000;\n" ORDER PRODUCT END_GROUP "ret;\n}\n"

static const struct story stories[] = {
    { "a warp of another way",
      READY_MADE ORDER FIRST_WARP "@%t bra L;\n" PRODUCT "bra M; L:\n" OTHER "M:\n" DONE,
      "wgmma.aligned@32:0",
      { "warp 1 of CTA 0,0,0 executes the wgmma on line 24, and warp 0 of its warpgroup the one on line 26 instead" },
      .threads = 128 },
    { "a warp that ends",
      READY_MADE ORDER FIRST_WARP "@%t bra L;\n" PRODUCT "L:\n",
      "wgmma.aligned@32:-",
      { "warp 1 of CTA 0,0,0 executes the wgmma on line 24, and warp 0 of its warpgroup ends without it" },
      .threads = 128 },
    { "A elsewhere for one warp",
      READY_MADE FIRST_WARP "@%t add.s64 da, da, 8;\n" ORDER OF_SHARED DONE,
      "wgmma.uniform@32:-",
      { "warps 1 and 0 of a warpgroup have different descriptors of A" },
      .threads = 128 },
    { "registers of a committed group", READY_MADE ORDER PRODUCT END_GROUP USE AWAIT("0"), "wgmma.regs.in-flight@0:0",
      .also = "", .threads = 128 },
    { "a wait for fewer groups than there are", READY_MADE ORDER PRODUCT END_GROUP AWAIT("2") USE AWAIT("0"),
      "wgmma.regs.in-flight@0:0", .threads = 128 },
    { "a wait that leaves the group in flight",
      READY_MADE ORDER PRODUCT END_GROUP OTHER END_GROUP AWAIT("2") SYNC STORE AWAIT("0"),
      "wgmma.smem.overwritten@0:0",
      { "wgmma.wait_group 1 at line " },
      .threads = 128 },
    { "a product that is not committed",
      READY_MADE ORDER PRODUCT AWAIT("0") SYNC STORE DONE,
      "wgmma.smem.overwritten@0:0",
      { "the product is not committed" },
      .threads = 128 },
    { "a wait behind the one that was needed", READY_MADE ORDER PRODUCT DONE AWAIT("1") USE, "", .threads = 128 },
    { "D in flight is A of the next product",
      ".reg .b32 h<2>;\n" READY_MADE ORDER HALVES("h0, h1", "a0, a1, a2, a3") HALVES("a0, a1", "h0, h1, a2, a3") DONE,
      "wgmma.regs.in-flight@0:0",
      { "a register of D" },
      .threads = 128 },
    { "many registers",
      ".reg .f32 r<200>;\n" READY_MADE ORDER MANY(TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) "r70, r71, r72, r73")
          MANY(TEN(8) TEN(9) TEN(10) TEN(11) TEN(12) TEN(13) "r140, r141, r142, r143") PRODUCT END_GROUP USE AWAIT("0"),
      "wgmma.regs.in-flight@0:0", .threads = 128 },
    { "registers of another function", READY_MADE ORDER PRODUCT END_GROUP "call f;\n" AWAIT("0"), "", .threads = 128,
      .functions = FUNCTION },
    { "A is overwritten",
      READY_MADE "add.s64 da, da, 64;\n" ORDER OF_SHARED END_GROUP SYNC
                 "@%p0 st.shared.u32 [%s+1280], %x;\n" AWAIT("0"),
      "wgmma.smem.overwritten@0:0",
      { "read by a wgmma of thread 0,0,0" },
      .threads = 128 },
    { "a long B",
      BEGIN STORE SYNC ORDER LONG DONE,
      "wgmma.proxy@0:0",
      { "with no proxy fence for this memory between the two" },
      .threads = 128,
      .bytes = 2048 },
    { "a relaxed signal behind the wait",
      READY_MADE "@%p0 st.shared.u32 [%s+3072], 0;\n" SYNC OF_128(ORDER PRODUCT DONE)
          BY("0", UP(".relaxed.cta", "3072", "1")) BY("128", AT(".relaxed.cta", "3072", "1") PUT),
      "fence.mp@128:0", .also = "wgmma.smem.overwritten", .threads = 160 },
    { "a wait for the phase before the copy's",
      BEGIN INIT SYNC BULK_LOAD WAIT SYNC BULK_LOAD WAIT ORDER PRODUCT DONE SPIN(".shared", "%m", "1"),
      "mbarrier.phase.parity-alternates@0:0", .also = "wgmma.smem.written", .threads = 128 },
    { "what a warp that ends knows of no group",
      READY_MADE "@%p0 st.shared.u32 [%s+3072], 1; setp.ge.u32 %t, %i, 96; @%t bra Z;\n" ORDER PRODUCT END_GROUP PRODUCT
          END_GROUP PRODUCT END_GROUP PRODUCT DONE "setp.eq.u32 %t, %i, 1; @%t ld.shared.u32 %y, [%s+3072]; Z:\n",
      "order.data-race@1:0 wgmma.aligned@0:-", .threads = 128 },
};

int main(void)
{
    const int failed = test_stories("emu_wgmma_stories", stories, sizeof stories / sizeof *stories);

    return test_obligations("emu_wgmma", obligations, sizeof obligations / sizeof *obligations, true) + failed;
}
// SPDX-License-Identifier: Apache-2.0
