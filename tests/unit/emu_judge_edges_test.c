/* Edges and checks of the judge that the other tables leave open: found by tools/judge-mutants, which breaks the judge
 * in one place at a time. Each row holds at least one such place. */
#include "tests/unit/emu_obligation.h"

/* What one thread does. */
#define OF_CTA(cta, text)  "{ setp.eq.u32 %t, %r, " cta "; and.pred %t, %t, %p0; @!%t bra N;\n" text "N: }\n"
#define RELEASE_S          "fence.release.sync_restrict::shared::cta.cluster;\n"
#define ACQUIRE_S          "fence.acquire.sync_restrict::shared::cluster.cluster;\n"
#define RAISE(q, flag)     "st" q ".global.u32 [%g+" flag "], 1;\n"
#define ADD(q, flag)       "red" q ".global.add.u32 [%g+" flag "], 1;\n"
#define SEE_UP(q, flag, n) "{ L: ld" q ".global.u32 %z, [%g+" flag "]; setp.lt.u32 %t, %z, " n "; @%t bra L; }\n"
#define SEE(q, flag)       SEE_UP(q, flag, "1")
/* An atomic whose result is used. */
#define TAKE       "atom.release.cta.shared.add.u32 %z, [%s+2048], 1; add.u32 %y, %z, %z;\n"
#define PUT_GLOBAL "st.global.v4.u32 [%g], {%x, %x, %x, %x};\n"
#define GET_GLOBAL "ld.global.u32 %y, [%g];\n"
#define SEND_OUT   "cp.async.bulk.global.shared::cta.bulk_group [%h], [%s], 16;\n"
#define GROUP_DONE "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
#define PASS(before, behind)                                                                                           \
    BY("0", before RAISE(".relaxed.cluster", "2048")) BY("32", SEE(".relaxed.cluster", "2048") behind)

/* Thread 32 loads 16 bytes from global memory with an mbarrier of its own. */
#define LOAD_IN                                                                                                        \
    "mbarrier.init.shared.b64 [%m], 1; fence.proxy.async.shared::cta;\n"                                               \
    "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;\n"                                                              \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s+1024], [%g], 16, [%m];\n" WAIT

/* One arrival of a thread. */
#define MINE(q)    "mbarrier.arrive" q ".b64 _, [%m];\n"
#define EXPECT_TX  "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%m], 1024;\n"
#define EXPECT_ONE "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n"
#define DELIVER    "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%m], 1024;\n"
#define LOAD_IT    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g], 1024, [%m];\n"
#define COPY_2     "cp.async.ca.shared.global [%o+2048], [%a], 16;\n"
#define LOAD_2     "ld.shared.u32 %y, [%o+2048];\n"
#define TWO        "@%p0 mbarrier.init.shared.b64 [%m], 2;\n"

/* One thread's copy with an mbarrier of a count of one. */
#define IN(to, size, bar)                                                                                              \
    "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [" bar "], " size ";\n" LOAD(to, "%g", size, bar)
#define REDUCE_OUT(size) "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g], [%s], " size ";\n"
/* Accesses of eight threads that lie apart in a line: so many that it is taken apart into cells. */
#define APART(from, what)                                                                                              \
    "{ sub.u32 %z, %i, " from "; setp.gt.u32 %t, %z, 7; @%t bra N; shl.b32 %z, %z, 4; cvt.u64.u32 %d, %z;\n"           \
    "add.u64 %d, %d, %g; add.u32 %z, %z, %s;\n" what "N: }\n"

/* A page of shared memory; thread 0 sends it out. */
#define PAGE                                                                                                           \
    "{ .shared .align 128 .b8 page[8192]; mov.u32 %s, page; add.u32 %s, %s, 4095; and.b32 %s, %s, -4096; @!%p0 bra "   \
    "E;\n"
#define PAGE_OUT                                                                                                       \
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%h], [%s], 4096; cp.async.bulk.commit_group;\n"

/* Threads 0 to 3 store neighbouring words. */
#define FOUR_STORE                                                                                                     \
    "{ setp.gt.u32 %t, %i, 3; @%t bra N; shl.b32 %z, %i, 2; add.u32 %z, %z, %s; st.shared.u32 [%z], %x; N: }\n"
/* Reads of one word by single threads, each by an instruction of its own. */
#define ONE_READS(thread) "setp.eq.u32 %t, %i, " thread "; @%t ld.global.u32 %y, [%g];\n"
#define SIX_READ(ten)                                                                                                  \
    ONE_READS(ten "0") ONE_READS(ten "1") ONE_READS(ten "2") ONE_READS(ten "3") ONE_READS(ten "4") ONE_READS(ten "5")

/* Eight threads read the second row of a tile, or what lies there, at what `turn` makes of their own 16 bytes. */
#define ROW_1(turn)                                                                                                    \
    "{ sub.u32 %z, %i, 8; setp.gt.u32 %t, %z, 7; @%t bra N;\n" turn "ld.shared.v4.u32 {%x, %y, %z, %r}, [%o]; N: }\n"
/* Eight lanes read pieces of a row in no order, the next eight those of the next row: four rows. */
#define FOUR_ROWS(turn)                                                                                                \
    "and.b32 %y, %i, 7; shl.b32 %y, %y, 2; mov.u32 %z, 0x63507241; shr.u32 %z, %z, %y; and.b32 %z, %z, 7;\n"           \
    "shr.u32 %y, %i, 3; and.b32 %y, %y, 3;\n" turn "shl.b32 %z, %z, 4; shl.b32 %y, %y, 7; add.u32 %o, %s, %z;\n"       \
    "add.u32 %o, %o, %y; ld.shared.v4.u32 {%x, %y, %z, %r}, [%o];\n"
/* Thread 0 reads eight elements of that row and some behind it, in order where `turn` undoes the pattern. */
#define TURNS(turn)                                                                                                    \
    BY("0", "add.u32 %o, %s, 128; mov.u32 %z, 0; L: " turn "ld.shared.u32 %y, [%r]; add.u32 %o, %o, 16;\n"             \
            "add.u32 %z, %z, 1; shl.b32 %r, %z, 2; setp.ge.u32 %t, %z, 8; @%t add.u32 %o, %o, %r;\n"                   \
            "setp.lt.u32 %t, %z, 12; @%t bra L;\n")

static const struct obligation obligations[] = {
    /* ---- fences restricted to shared memory ---- */
    { "fence.mp",
      PASS(PUT RELEASE_S, ACQUIRE_S RELEASE_S RAISE(".relaxed.cluster", "2052"))
          BY("64", SEE(".relaxed.cluster", "2052") ACQUIRE_S GET),
      PASS(PUT RELEASE_S, ACQUIRE_S RAISE(".relaxed.cluster", "2052"))
          BY("64", SEE(".relaxed.cluster", "2052") ACQUIRE_S GET),
      .threads = 96 },
    { "fence.sync_restrict.limited", PASS(PUT "fence.acq_rel.cluster;\n", ACQUIRE_S GET),
      PASS(PUT_GLOBAL "fence.acq_rel.cluster;\n", ACQUIRE_S GET_GLOBAL) },
    { "fence.sync_restrict.limited", PASS(PUT_GLOBAL "fence.acq_rel.cluster;\n", "fence.acq_rel.cluster;\n" GET_GLOBAL),
      PASS(PUT_GLOBAL RELEASE_S, "fence.acq_rel.cluster;\n" GET_GLOBAL) },
    { "bulk.proxy.s2g-needs-fence", PASS(PUT FENCE RELEASE_S, ACQUIRE_S SEND_OUT GROUP_DONE),
      PASS(PUT RELEASE_S, ACQUIRE_S SEND_OUT GROUP_DONE) },
    { "bulk.proxy.s2g-needs-fence", PASS(PUT RELEASE_S, ACQUIRE_S FENCE SEND_OUT GROUP_DONE),
      PASS(PUT RELEASE_S, ACQUIRE_S SEND_OUT GROUP_DONE) },
    { "fence.sync_restrict.limited",
      PASS(PUT_GLOBAL "fence.acq_rel.cluster;\n", "fence.acq_rel.cluster;\n" FENCE LOAD_IN),
      PASS(PUT_GLOBAL RELEASE_S, ACQUIRE_S FENCE LOAD_IN) },
    /* ---- fences and flags ---- */
    { "fence.mp",
      BY("0", PUT "fence.acq_rel.gpu;\n" RAISE(".relaxed.cta", "2048"))
          BY("32", SEE(".relaxed.cta", "2048") "fence.acq_rel.gpu;\n" GET),
      BY("0", PUT RAISE(".relaxed.cta", "2048")) BY("32", SEE(".relaxed.cta", "2048") "fence.acq_rel.gpu;\n" GET) },
    { "fence.mp", PASS(PUT "fence.release.cluster;\n", "fence.acquire.cluster;\n" GET),
      PASS(PUT "fence.acquire.cluster;\n", "fence.acquire.cluster;\n" GET) },
    { "fence.mp", PASS(PUT "fence.release.cluster;\n", "fence.acquire.cluster;\n" GET),
      PASS(PUT "fence.release.cluster;\n", "fence.release.cluster;\n" GET) },
    { "fence.mp",
      BY("0", PUT "atom.acq_rel.gpu.global.add.u32 %z, [%g+2048], 1;\n")
          BY("32", "{ L: atom.acq_rel.gpu.global.add.u32 %z, [%g+2048], 0; setp.eq.u32 %t, %z, 0; @%t bra L; }\n" GET),
      BY("0", PUT "atom.acquire.gpu.global.add.u32 %z, [%g+2048], 1;\n") BY(
          "32", "{ L: atom.acq_rel.gpu.global.add.u32 %z, [%g+2048], 0; setp.eq.u32 %t, %z, 0; @%t bra L; }\n" GET) },
    /* A read releases nothing, whatever fence comes before it. */
    { "order.data-race",
      BY("0", PUT "fence.acq_rel.gpu;\n" RAISE(".relaxed.gpu", "2048")) BY("32", SEE(".acquire.gpu", "2048") GET),
      RAISE(".release.gpu", "2048") SYNC BY("0", PUT "fence.acq_rel.gpu; ld.relaxed.gpu.global.u32 %z, [%g+2048];\n")
          BY("32", SLEEP SEE(".acquire.gpu", "2048") GET) },
    /* What is released between two acquires of one location counts for the second, also in a thread that knows as
     * little as the first one did. */
    { "fence.mp",
      FLAGS BY("0", UP(".release.cta", "2048", "1"))
          BY("32", AT(".acquire.cta", "2048", "1") PUT UP(".release.cta", "2048", "2"))
              BY("64", AT(".relaxed.cta", "2048", "2") "ld.acquire.cta.shared.u32 %z, [%s+2048];\n" GET),
      FLAGS BY("0", UP(".release.cta", "2048", "1"))
          BY("32", AT(".acquire.cta", "2048", "1") PUT UP(".relaxed.cta", "2048", "2"))
              BY("64", AT(".relaxed.cta", "2048", "2") "ld.acquire.cta.shared.u32 %z, [%s+2048];\n" GET),
      .threads = 96 },
    { "fence.mp",
      FLAGS BY("0", UP(".relaxed.cta", "2048", "1"))
          BY("32", AT(".relaxed.cta", "2048", "1") PUT UP(".release.cta", "2048", "2"))
              BY("64", SLEEP AT(".acquire.cta", "2048", "2") GET),
      FLAGS BY("0", UP(".relaxed.cta", "2048", "1"))
          BY("32", AT(".relaxed.cta", "2048", "1") PUT UP(".relaxed.cta", "2048", "2"))
              BY("64", SLEEP AT(".relaxed.cta", "2048", "2") GET),
      .threads = 96 },
    /* What a relaxed read saw is acquired with a later acquire of the location, whatever was stored there since; what
     * it saw elsewhere is not. */
    { "fence.mp",
      FLAGS BY("0", PUT UP(".release.cta", "2048", "1"))
          BY("32", AT(".relaxed.cta", "2048", "1") UP(".relaxed.cta", "2052", "1") SLEEP AT(".acquire.cta", "2048", "2")
                       GET) BY("64", AT(".relaxed.cta", "2052", "1") UP(".relaxed.cta", "2048", "2")),
      FLAGS BY("0", PUT UP(".release.cta", "2048", "1")) BY("32", SLEEP AT(".acquire.cta", "2048", "2") GET)
          BY("64", AT(".relaxed.cta", "2048", "1") UP(".relaxed.cta", "2048", "2")),
      .threads = 96 },
    { "fence.mp",
      FLAGS BY("0", UP(".release.cta", "2048", "1") PUT UP(".release.cta", "2052", "1"))
          BY("32", AT(".relaxed.cta", "2052", "1") SLEEP AT(".acquire.cta", "2052", "1") GET)
              BY("64", AT(".relaxed.cta", "2048", "1") UP(".relaxed.cta", "2048", "2")),
      FLAGS BY("0", UP(".release.cta", "2048", "1") PUT UP(".release.cta", "2052", "1"))
          BY("32", AT(".relaxed.cta", "2052", "1") SLEEP AT(".acquire.cta", "2048", "2") GET)
              BY("64", AT(".relaxed.cta", "2048", "1") UP(".relaxed.cta", "2048", "2")),
      .threads = 96 },
    /* A thread's later store carries on its release of what it knew, though another thread has stored between them and
     * it has released to another location. */
    { "fence.mp",
      BY("96", PUT RAISE(".release.gpu", "2056"))
          BY("0", SEE(".acquire.gpu", "2056") RAISE(".release.gpu", "2048") RAISE(".release.gpu", "2052")
                      SEE_UP(".relaxed.gpu", "2048",
                             "2") "st.relaxed.gpu.global.u32 [%g+2048], 3;\n" RAISE(".relaxed.gpu", "2060"))
              BY("64", SEE(".relaxed.gpu", "2048") "st.relaxed.gpu.global.u32 [%g+2048], 2;\n")
                  BY("32", SEE(".relaxed.gpu", "2060") SEE(".acquire.gpu", "2048") GET),
      BY("96", PUT RAISE(".release.gpu", "2056"))
          BY("0", SEE(".acquire.gpu", "2056") RAISE(".release.gpu", "2048") RAISE(".release.gpu", "2052")
                      SEE_UP(".relaxed.gpu", "2048", "2") RAISE(".relaxed.gpu", "2060"))
              BY("64", SEE(".relaxed.gpu", "2048") "st.relaxed.gpu.global.u32 [%g+2048], 2;\n")
                  BY("32", SEE(".relaxed.gpu", "2060") SEE(".acquire.gpu", "2048") GET),
      .threads = 128 },
    /* A thread that acquires after another one does not know what that one knew besides. */
    { "order.data-race",
      BY("0", PUT RAISE(".release.gpu", "2048")) BY("32", SEE(".acquire.gpu", "2048") SEE(".acquire.gpu", "2052"))
          BY("64", SLEEP SEE(".acquire.gpu", "2048") SEE(".acquire.gpu", "2052") GET)
              BY("96", RAISE(".release.gpu", "2052")),
      BY("0", PUT RAISE(".release.gpu", "2048")) BY("32", SEE(".acquire.gpu", "2048") SEE(".acquire.gpu", "2052"))
          BY("64", SLEEP SEE(".acquire.gpu", "2052") GET) BY("96", RAISE(".release.gpu", "2052")),
      .threads = 128 },
    { "fence.mp", PASS(PUT "fence.acq_rel.cluster;\n", "fence.acq_rel.cluster;\n" GET),
      PASS("fence.acq_rel.cluster;\n" PUT, "fence.acq_rel.cluster;\n" GET) },
    { "fence.mp",
      OF_CTA("0", PUT_GLOBAL "fence.acq_rel.gpu; fence.acq_rel.cta;\n" RAISE(".relaxed.gpu", "2048"))
          OF_CTA("1", SEE(".relaxed.gpu", "2048") "fence.acq_rel.gpu;\n" GET_GLOBAL),
      OF_CTA("0", PUT_GLOBAL "fence.acq_rel.cta;\n" RAISE(".relaxed.gpu", "2048"))
          OF_CTA("1", SEE(".relaxed.gpu", "2048") "fence.acq_rel.gpu;\n" GET_GLOBAL),
      .ctas = 2 },
    /* The same between clusters, each of which has its own home. */
    { "fence.mp",
      "mov.u32 %z, %ctaid.x; shl.b32 %z, %z, 4; cvt.u64.u32 %d, %z; add.u64 %d, %d, %g;\n" BY(
          "0", "st.global.u32 [%d], %x;\n" ADD(".release.gpu", "2048"))
          BY("32", SEE_UP(".relaxed.gpu", "2048", "3") "ld.acquire.gpu.global.u32 %z, [%g+2048];\n" GET_GLOBAL
                                                       "ld.global.u32 %y, [%g+16]; ld.global.u32 %y, [%g+32];\n"),
      "mov.u32 %z, %ctaid.x; shl.b32 %z, %z, 4; cvt.u64.u32 %d, %z; add.u64 %d, %d, %g;\n" BY(
          "0", "st.global.u32 [%d], %x;\n" ADD(".release.gpu", "2048"))
          BY("32", SEE_UP(".relaxed.gpu", "2048", "3") GET_GLOBAL),
      .clusters = 3 },
    { "order.data-race",
      "mov.u32 %z, %ctaid.x; shl.b32 %z, %z, 4; cvt.u64.u32 %d, %z; add.u64 %d, %d, %g;\n" BY(
          "0", "st.global.u32 [%d], %x;\n" ADD(".release.gpu", "2048"))
          BY("32",
             SEE_UP(".relaxed.gpu", "2048", "2") "ld.acquire.gpu.global.u32 %z, [%g+2048]; ld.global.u32 %y, [%d];\n"),
      "mov.u32 %z, %ctaid.x; setp.eq.u32 %p1, %z, 0; shl.b32 %z, %z, 4; cvt.u64.u32 %d, %z; add.u64 %d, %d, %g;\n" BY(
          "0", "st.global.u32 [%d], %x;\n@%p1 " ADD(".release.gpu", "2048"))
          BY("32", SEE_UP(".relaxed.gpu", "2048",
                          "1") "@!%p1 " SLEEP "ld.acquire.gpu.global.u32 %z, [%g+2048]; ld.global.u32 %y, [%d];\n"),
      .clusters = 2 },
    /* More locations than the first table holds, and more than are followed for messages alone. */
    { "fence.mp",
      BY("0", PUT "mov.u32 %z, 0; mov.b64 %d, %h; { L: st.release.gpu.global.u32 [%d], %x; add.u64 %d, %d, 4;\n"
                  "add.u32 %z, %z, 1; setp.lt.u32 %t, %z, 200; @%t bra L; }\n" RAISE(".release.gpu", "2048"))
          BY("32", SEE(".relaxed.gpu", "2048") "ld.acquire.gpu.global.u32 %z, [%h];\n" GET),
      BY("0", PUT RAISE(".release.gpu", "2048")) BY("32", SEE(".relaxed.gpu", "2048") GET) },
    { "order.data-race",
      "mov.u32 %z, 0; mov.b64 %d, %b; { L: st.relaxed.gpu.global.u8 [%d], %x; ld.relaxed.gpu.global.u8 %y, [%d];\n"
      "add.u64 %d, %d, 1; add.u32 %z, %z, 1; setp.lt.u32 %t, %z, 32; @%t bra L; }\n",
      "st.relaxed.cta.global.u32 [%g], %x; ld.relaxed.cta.global.u32 %y, [%g];\n", .clusters = 2 },
    { "order.data-race", "st.relaxed.cluster.global.u32 [%g], %x; ld.relaxed.cluster.global.u32 %y, [%g];\n",
      "st.relaxed.cta.global.u32 [%g], %x; ld.relaxed.cta.global.u32 %y, [%g];\n", .ctas = 2 },
    { "bulk.proxy.s2g-needs-fence", BY("0", PUT FENCE SEND_OUT GROUP_DONE),
      BY("0", PUT "fence.proxy.alias;\n" SEND_OUT GROUP_DONE) },
    { "fence.mbarrier_init.publishes",
      "@%p0 mbarrier.init.shared.b64 [%m], 64; @%p0 fence.mbarrier_init.release.cluster;\n" LOOSE_CLUSTER PEER(
          "%z", "%m") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      "@%p0 fence.mbarrier_init.release.cluster; @%p0 mbarrier.init.shared.b64 [%m], 64;\n" LOOSE_CLUSTER PEER(
          "%z", "%m") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      .ctas = 2, .also = "mbarrier.cluster.remote-init-sync" },
    /* ---- fence.sc ---- */
    /* A fence of .cta scope is ordered with those of its own CTA only. */
    { "fence.mp",
      "setp.eq.u32 %p1, %r, 0; @!%p1 bra A;\n" BY(
          "0", PUT_GLOBAL "fence.sc.cluster;\n" RAISE(
                   ".release.cluster", "2048")) "bra E; A:\n" BY("0", SEE(".acquire.cluster", "2048")
                                                                          RAISE(".relaxed.cluster", "2052"))
          BY("32", SEE(".relaxed.cluster", "2052") "fence.sc.cluster;\n" GET_GLOBAL) "E:\n",
      "setp.eq.u32 %p1, %r, 0; @!%p1 bra A;\n" BY(
          "0", PUT_GLOBAL "fence.sc.cta;\n" RAISE(".release.cluster",
                                                  "2048")) "bra E; A:\n" BY("0", SEE(".acquire.cluster", "2048")
                                                                                     RAISE(".relaxed.cluster", "2052"))
          BY("32", SEE(".relaxed.cluster", "2052") "fence.sc.cluster;\n" GET_GLOBAL) "E:\n",
      .ctas = 2 },
    /* One thread fences for those that it met, another one raises the flag; on the other side too. */
    { "order.data-race",
      "setp.ge.u32 %t, %i, 64; @%t bra A;\n @%p0 st.shared.u32 [%s], %x; barrier.sync 1, 64; @%p1 membar.gl;\n"
      "barrier.sync 2, 64;\n" BY("33", RAISE(".relaxed.gpu", "2048")) "bra E; A:\n" BY(
          "64", SEE(".relaxed.gpu", "2048")) "barrier.sync 3, 32;\n" BY("65", "membar.gl;\n" GET) "E:\n",
      "setp.ge.u32 %t, %i, 64; @%t bra A;\n @%p0 st.shared.u32 [%s], %x; barrier.sync 1, 64;\n"
      "barrier.sync 2, 64;\n" BY("33", RAISE(".relaxed.gpu", "2048")) "bra E; A:\n" BY(
          "64", SEE(".relaxed.gpu", "2048")) "barrier.sync 3, 32;\n" BY("65", "membar.gl;\n" GET) "E:\n",
      .threads = 96 },
    { "order.data-race",
      "@%w1 bra A;\n" BY("0", PUT "membar.gl;\n" RAISE(".relaxed.gpu", "2048")) "bra E; A:\n" BY(
          "32", SEE(".relaxed.gpu", "2048")) "barrier.sync 3, 32;\n" BY("33", "membar.gl;\n" GET) "E:\n",
      "@%w1 bra A;\n" BY("0", PUT "membar.gl;\n" RAISE(".relaxed.gpu", "2048")) "bra E; A:\n" BY(
          "32", SEE(".relaxed.gpu", "2048")) "barrier.sync 3, 32;\n" BY("33", GET) "E:\n" },
    /* ---- barriers ---- */
    /* The uses of a barrier for one warp say nothing of others. */
    { "order.data-race",
      "@%p0 st.shared.u32 [%s], %x;\n" SYNC "@%w1 barrier.sync 1, 32; @%p1 ld.shared.u32 %y, [%s];\n",
      "@%p0 st.shared.u32 [%s], %x; @%w0 bra E; barrier.sync 1, 32; barrier.sync 1, 32; barrier.sync 1, 32;\n" BY(
          "32", SLEEP GET) "E:\n" },
    /* ---- why a release did not count ---- */
    { "mbarrier.arrive.relaxed-no-order", TWO SYNC BY("0", PUT MINE(".shared")) BY("32", MINE(".shared") WAIT GET),
      TWO SYNC BY("0", PUT MINE(".relaxed.cta.shared::cta")) BY("32", SLEEP MINE(".shared") WAIT GET) },
    { "mbarrier.arrive.relaxed-no-order",
      INIT SYNC BY("0", PUT MINE(".shared")) BY("33", WAIT MINE(".shared"))
          BY("32", SLEEP SPIN(".shared", "%m", "1") GET),
      INIT SYNC BY("0", PUT MINE(".relaxed.cta.shared::cta")) BY("33", WAIT MINE(".shared"))
          BY("32", SLEEP SPIN(".shared", "%m", "1") GET) },
    { "mbarrier.wait.relaxed-no-order", INIT SYNC BY("0", PUT MINE(".shared")) BY("32", WAIT "bar.warp.sync 1;\n" GET),
      INIT SYNC BY("0", PUT MINE(".shared"))
          BY("32", SPIN(".relaxed.cta.shared::cta", "%m", "0") "bar.warp.sync 1;\n" GET) },
    /* ---- mbarriers ---- */
    { "mbarrier.init.needs-sync", INIT SYNC "@%p1 mbarrier.test_wait.parity.shared.b64 %t, [%m], 0;\n",
      INIT "@%p1 nanosleep.u32 5000; @%p1 mbarrier.test_wait.parity.shared.b64 %t, [%m], 0;\n", .there = 5120 },
    /* Bytes that complete_tx delivers may stand for those of an expect_tx to which nothing orders it. */
    { "mbarrier.tx.wrong-phase",
      INIT SYNC BY("0", EXPECT_TX LOAD_IT) SYNC BY("33", DELIVER) BY("32", SLEEP EXPECT_ONE) WAIT,
      INIT SYNC BY("0", EXPECT_TX LOAD_IT) BY("33", SLEEP DELIVER) BY("32", SLEEP SLEEP EXPECT_ONE) WAIT,
      .there = 5120 },
    /* Not where they come after it, as all does that could complete the phase. */
    { "mbarrier.tx.wrong-phase", INIT SYNC BY("0", EXPECT_TX DELIVER LOAD_IT) BY("32", SLEEP EXPECT_ONE) WAIT, NULL },
    /* An mbarrier beyond those that are followed: what it completes counts as known. */
    { "bulk.dst.no-early-read",
      "{ .shared .align 8 .b64 many[1040]; mov.u32 %m, many; mov.u32 %z, 0; @!%p0 bra E;\n"
      "L: mbarrier.init.shared.b64 [%m], 1; mbarrier.arrive.shared.b64 _, [%m]; add.u32 %m, %m, 8; add.u32 %z, %z, 1;\n"
      "setp.lt.u32 %t, %z, 1039; @%t bra L; mbarrier.init.shared.b64 [%m], 1; fence.proxy.async;\n" EXPECT_ONE LOAD_IT
          WAIT GET "E: }\n",
      NULL },
    /* A wait on the mbarrier of another CTA than the one that the copy signals. */
    { "mbarrier.wait.async-not-covered",
      READY "setp.eq.u32 %t, %r, 0; @!%t bra A;\n" BULK_LOAD WAIT "A:" CLUSTER
            "setp.eq.u32 %t, %r, 1; and.pred %t, %t, %p0; @%t ld.shared::cluster.u32 %x, [%z];\n" CLUSTER,
      READY "setp.eq.u32 %t, %r, 0; @!%t bra A;\n" BULK_LOAD "bra B; A:" BY(
          "0", MINE(".shared") WAIT "ld.shared::cluster.u32 %x, [%z];\n") "B: setp.eq.u32 %t, %r, 0; @!%t bra C;\n" WAIT
                                                                          "C:" CLUSTER,
      .ctas = 2 },
    /* ---- cp.async ---- */
    { "mbarrier.wait.async-not-covered",
      INIT_ALL SYNC COPY "cp.async.ca.shared.global [%o+2048], [%a], 16;\n"
                         "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" WAIT
                         "ld.shared.u32 %y, [%o+2048];\n" WAIT_ALL,
      INIT_ALL SYNC COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n"
                         "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" WAIT
                         "ld.shared.u32 %y, [%o+2048];\n" WAIT_ALL },
    { "group.wait.n",
      COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("0")
          WAIT_GROUP("1") "ld.shared.u32 %y, [%o+2048];\n",
      COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP(
          "1") "ld.shared.u32 %y, [%o+2048];\n" WAIT_ALL,
      .says = "wait_group 0 at line", .lacks = "commit before each wait" },
    { "mbarrier.wait.async-not-covered",
      INIT SYNC BY("1", COPY WAIT_ALL COPY WAIT_ALL COPY WAIT_ALL)
          SYNC BY("33", COPY COPY_2 "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" WAIT LOAD_2) WAIT_ALL,
      INIT SYNC BY("1", COPY WAIT_ALL COPY WAIT_ALL COPY WAIT_ALL)
          SYNC BY("33", COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" COPY_2 WAIT LOAD_2) WAIT_ALL },
    { "group.wait.n", BY("33", COPY COMMIT COPY_2 COMMIT WAIT_GROUP("1")) SYNC BY("1", SLEEP LOAD_OTHER) WAIT_ALL,
      BY("33", COPY COMMIT COPY_2 COMMIT WAIT_GROUP("2")) SYNC BY("33", WAIT_GROUP("2")) BY("1", SLEEP LOAD_OTHER)
          WAIT_ALL,
      .says = "wait_group 1 or less", .lacks = "commit before each wait" },
    { "group.wait.n", COPY COMMIT WAIT_GROUP("0") COPY_2 COMMIT WAIT_GROUP("0") LOAD_2,
      COPY COMMIT WAIT_GROUP("1") COPY_2 COMMIT WAIT_GROUP("1") LOAD_2 WAIT_ALL, .lacks = "commit before each wait" },
    /* ---- groups and their tables ---- */
    { "group.wait.n", COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("0") LOAD_OWN,
      COPY COMMIT "\ncp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("2") LOAD_OWN WAIT_ALL,
      .table = "group 0   in flight     1 copy, line ", .lacks = "not committed" },
    { "group.wait.n", COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("0") LOAD_OWN,
      COPY COMMIT "\ncp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("2") LOAD_OWN WAIT_ALL,
      .lacks = ", lines" },
    { "group.wait.n", COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("0") LOAD_OWN,
      COPY COMMIT COMMIT COMMIT COMMIT COMMIT COMMIT COMMIT COMMIT COMMIT COMMIT WAIT_GROUP("10") LOAD_OWN WAIT_ALL,
      .table = "this copy is in group 0, of 10\n" },
    { "group.wait.n", COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("0") LOAD_OWN,
      COPY COMMIT WAIT_GROUP("1") LOAD_OWN WAIT_ALL, .lacks = "this copy is in group" },
    { "group.wait.n", COPY COMMIT WAIT_GROUP("0") LOAD_OWN, COPY COMMIT WAIT_GROUP("1") LOAD_OWN WAIT_ALL,
      .lacks = " knows them" },
    { "group.wait.uncommitted", COPY COMMIT WAIT_GROUP("0") LOAD_OWN, COPY WAIT_GROUP("0") LOAD_OWN WAIT_ALL,
      .table = "\nno group  not committed 1 copy, line " },
    { "group.wait.n", BY("33", COPY COMMIT WAIT_GROUP("0")) SYNC BY("1", LOAD_OTHER),
      BY("33", COPY COMMIT WAIT_GROUP("1")) SYNC BY("1", LOAD_OTHER) WAIT_ALL,
      .table =
          "cp.async groups of thread 33,0,0 of CTA 0,0,0, oldest first, as thread 1,0,0 of CTA 0,0,0 knows them\n" },
    { "bulk.exit.dst-alive", INIT SYNC BULK_LOAD WAIT, INIT SYNC BULK_LOAD, .lacks = "groups of thread" },
    /* ---- tiles ---- */
    /* A tile is more than its last row. */
    { "bulkgrp.wait.visible-issuer-only", STORE FENCE SYNC TILE_STORE("0, 0") SYNC "@%p1 ld.global.u32 %y, [%h];\n",
      STORE FENCE SYNC "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%w, {0, 0}], [%s];\n"
                       "@%p1 ld.global.u32 %y, [%h];\n" STORED,
      .maps = { NULL, "box=16x8" } },
    { "swz.reader-as-writer",
      TILE_LOAD(
          "0, 0", "%s",
          "%m") "shr.b32 %z, %o, 3; and.b32 %z, %z, 112; xor.b32 %o, %o, %z; ld.shared.v4.u32 {%x, %y, %z, %r}, [%o];\n",
      TILE_LOAD("0, 0", "%s", "%m") "ld.shared.v4.u32 {%x, %y, %z, %r}, [%o];\n", .maps = { "swizzle=128B" },
      .tiles = true, .tells = "equal steps, and the tile there was loaded with swizzle 128B" },
    { "swz.reader-as-writer", TILE_LOAD("0, 0", "%s", "%m") ROW_1("xor.b32 %o, %o, 16;\n"),
      TILE_LOAD("0, 0", "%s", "%m") ROW_1(""), .maps = { "swizzle=128B" }, .tiles = true, .there = 1152,
      .tells = "8 lanes of the warp", .says = "a ^ (a >> 3 & 0x70)", .table = "16-byte pieces of each line" },
    { "swz.reader-as-writer", TILE_LOAD("0, 0", "%s", "%m") FOUR_ROWS("xor.b32 %z, %z, %y;\n"),
      TILE_LOAD("0, 0", "%s", "%m") FOUR_ROWS(""), .maps = { "swizzle=128B" }, .tiles = true,
      .tells = "4 lanes of the warp" },
    { "swz.reader-as-writer", TILE_LOAD("0, 0", "%s", "%m") TURNS("xor.b32 %r, %o, 16;\n"),
      TILE_LOAD("0, 0", "%s", "%m") TURNS("mov.b32 %r, %o;\n"), .maps = { "swizzle=128B" }, .tiles = true,
      .tells = "8 turns of a lane" },
    { "swz.reader-as-writer",
      "add.u32 %s, %s, 128; add.u32 %o, %o, 128;\n" TILE_LOAD("0, 0", "%s", "%m") ROW_1("xor.b32 %o, %o, 32;\n"),
      "add.u32 %s, %s, 128; add.u32 %o, %o, 128;\n" TILE_LOAD("0, 0", "%s", "%m") ROW_1("xor.b32 %o, %o, 16;\n"),
      .maps = { "swizzle=128B" }, .tiles = true, .also = "swz.absolute-address", .says = "align the tile to 1024 bytes",
      .lacks = "16-byte pieces of each line" },
    { "swz.reader-as-writer", TILE_LOAD("0, 0", "%s", "%m") ROW_1("xor.b32 %o, %o, 32;\n"),
      TILE_LOAD("0, 0", "%s", "%m") ROW_1(""), .maps = { "swizzle=128B-atom-32B" }, .tiles = true,
      .says = "at its place in the pattern" },
    /* Elements of a row in another order, each by an instruction of its own. */
    { "swz.reader-as-writer",
      TILE_LOAD("0, 0", "%s", "%m") "@%p0 ld.shared.u32 %x, [%s+128]; @%p0 ld.shared.u32 %x, [%s+144];\n"
                                    "@%p0 ld.shared.u32 %x, [%s+160]; @%p0 ld.shared.u32 %x, [%s+176];\n",
      NULL, .maps = { "swizzle=128B" }, .tiles = true },
    /* Other bytes, another CTA's, and what has taken the tile's place: stores, and a copy without swizzle. */
    { "swz.reader-as-writer",
      TILE_LOAD("0, 0", "%s", "%m") "add.u32 %o, %o, 1024;\n" ROW_1("") "sub.u32 %o, %o, 2048;\n" ROW_1(""), NULL,
      .maps = { "swizzle=128B" }, .tiles = true },
    { "swz.reader-as-writer",
      "setp.eq.u32 %t, %r, 0; @!%t bra A;\n" TILE_LOAD("0, 0", "%s", "%m") "bra E; A:\n" SLEEP ROW_1("") "E:\n", NULL,
      .maps = { "swizzle=128B" }, .tiles = true, .ctas = 2 },
    { "swz.reader-as-writer", TILE_LOAD("0, 0", "%s", "%m") SYNC "st.shared.v4.u32 [%o], {%x, %x, %x, %x};\n" ROW_1(""),
      NULL, .maps = { "swizzle=128B" }, .tiles = true },
    { "swz.reader-as-writer",
      TILE_LOAD("0, 0", "%s", "%m") SYNC IN("%s", "1024", "%n") SPIN(".shared", "%n", "0") ROW_1(""), NULL,
      .maps = { "swizzle=128B" }, .tiles = true },
    /* Too few lanes for a row. */
    { "swz.reader-as-writer", TILE_LOAD("0, 0", "%s", "%m") ROW_1("setp.gt.u32 %t, %z, 2; @%t bra N;\n"), NULL,
      .maps = { "swizzle=128B" }, .tiles = true },
    /* A tile that takes another one's place is not read by that. */
    { "swz.reader-as-writer",
      TILE_LOAD("0, 0", "%s", "%m") SYNC
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%n], 1024;\n"
      "@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%w, {0, 0}], [%n];\n" SPIN(
          ".shared", "%n", "0"),
      NULL, .maps = { "swizzle=128B" } },
    /* Strong loads read a tile too. */
    { "swz.reader-as-writer",
      TILE_LOAD("0, 0", "%s", "%m") "shr.b32 %z, %o, 3; and.b32 %z, %z, 112; xor.b32 %o, %o, %z;\n"
                                    "ld.relaxed.cta.shared.v4.u32 {%x, %y, %z, %r}, [%o];\n",
      TILE_LOAD("0, 0", "%s", "%m") "ld.relaxed.cta.shared.v4.u32 {%x, %y, %z, %r}, [%o];\n",
      .maps = { "swizzle=128B" }, .tiles = true },
    /* Nothing is to be undone where the patterns do not differ yet: in the first row. */
    { "swz.reader-as-writer",
      INIT SYNC "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 128;\n" TILE("cluster", "2d", "0, 0", "%s", "%m")
          WAIT TILE_STORE("0, 0"),
      "add.u32 %s, %s, 128;\n" INIT SYNC "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 128;\n" TILE(
          "cluster", "2d", "0, 0", "%s", "%m") WAIT TILE_STORE("0, 0"),
      .maps = { "box=32x1 swizzle=128B", "box=32x1" }, .there = 1152 },
    /* A row of this tile overlaps the next one: a copy is in no conflict with itself. */
    { "tensor.order.none", STORE FENCE SYNC TILE_STORE("0, 0"), NULL, .maps = { NULL, "strides=112" } },
    /* ---- the shadow of a line ---- */
    /* What was copied to other bytes of the line says nothing of these. */
    { "bulk.dst.no-early-read",
      INIT SYNC IN("%s", "16", "%m") WAIT SYNC IN("%s+16", "16", "%n") SPIN(".shared", "%n", "0")
          BY("32", "ld.shared.u32 %y, [%s+16];\n"),
      INIT SYNC IN("%s", "16", "%m") WAIT SYNC IN("%s+16", "16", "%n") BY("32", SLEEP "ld.shared.u32 %y, [%s+16];\n")
          SPIN(".shared", "%n", "0") },
    /* Nor does what a thread wrote to the whole line, whatever copy has the thread's number. */
    { "bulk.dst.no-early-read",
      INIT SYNC BY("1", "add.u32 %z, %s, 0; { L: st.shared.u32 [%z], %x; add.u32 %z, %z, 4; sub.u32 %r, %z, %s;\n"
                        "setp.lt.u32 %t, %r, 128; @%t bra L; }\n" FENCE) IN("%s+1024", "16", "%m")
          IN("%s+2048", "16", "%n") WAIT SPIN(".shared", "%n", "0") SYNC IN("%s", "128", "%m")
              SPIN(".shared", "%m", "1") BY("32", GET),
      INIT SYNC BY("1", "add.u32 %z, %s, 0; { L: st.shared.u32 [%z], %x; add.u32 %z, %z, 4; sub.u32 %r, %z, %s;\n"
                        "setp.lt.u32 %t, %r, 128; @%t bra L; }\n" FENCE) IN("%s+1024", "16", "%m")
          IN("%s+2048", "16", "%n") WAIT SPIN(".shared", "%n", "0") SYNC IN("%s", "128", "%m") BY("32", SLEEP GET)
              SPIN(".shared", "%m", "1") },
    /* A reduction of a whole line is strong: reductions of others that nothing orders before it stay beside it. */
    { "order.data-race",
      APART("0", "red.relaxed.gpu.global.add.u32 [%d], %x;\n")
          SYNC BY("0", FENCE REDUCE_OUT("128") GROUP_DONE "ld.global.u32 %y, [%g+112];\n"),
      APART("0", "red.relaxed.gpu.global.add.u32 [%d], %x;\n")
          BY("0", SLEEP FENCE REDUCE_OUT("128") GROUP_DONE "ld.global.u32 %y, [%g+112];\n") },
    /* One lane of the other warp is known, the rest is not. */
    { "order.same-value", FLAGS "@%w0 st.shared.u32 [%s], %x;\n" SYNC "@%p1 st.shared.u32 [%s], %x;\n",
      "@%p0 st.shared.u32 [%s], %x;\n" FLAGS "@%w0 bra S; @!%p1 bra E;\n" AT(
          ".acquire.cta", "2048",
          "1") "S: st.shared.u32 [%s], %x; setp.ne.u32 %t, %i, 31; @%t bra E;\n" UP(".release.cta", "2048",
                                                                                    "1") "E:\n" },
    /* A thread's store does not hide behind its own read of the same bytes. */
    { "order.data-race", BY("0", GET "st.shared.u32 [%s], %x;\n") SYNC BY("32", GET),
      BY("0", GET "st.shared.u32 [%s], %x;\n") BY("32", SLEEP GET) },
    /* A store that takes the place of the thread's own comes after the barrier between them; so does a read. */
    { "order.data-race",
      BY("0", GET "st.shared.u32 [%s], %x;\n") SYNC BY("0", "st.shared.u32 [%s], %i;\n") SYNC BY("32", GET),
      BY("0", "st.shared.u32 [%s], %x;\n") SYNC BY("0", "st.shared.u32 [%s], %i;\n") BY("32", SLEEP GET) },
    { "order.data-race", BY("0", GET) SYNC BY("0", GET) SYNC BY("32", PUT),
      BY("0", GET) SYNC BY("0", GET) BY("32", SLEEP PUT) },
    /* A store behind a pattern with which it does not go on, of a thread alone or of four. */
    { "order.data-race",
      BY("0", "st.shared.u32 [%s], %x; st.shared.u32 [%s+64], %x;\n") SYNC BY("32", "ld.shared.u32 %y, [%s+64];\n"),
      BY("0", "st.shared.u32 [%s], %x; st.shared.u32 [%s+64], %x;\n") BY("32", SLEEP "ld.shared.u32 %y, [%s+64];\n") },
    { "order.data-race",
      FOUR_STORE BY("5", SLEEP "st.shared.u32 [%s+64], %x;\n") SYNC BY("32", "ld.shared.u32 %y, [%s+64];\n"),
      FOUR_STORE BY("5", SLEEP "st.shared.u32 [%s+64], %x;\n") BY("32", SLEEP SLEEP "ld.shared.u32 %y, [%s+64];\n") },
    /* Many weak reads, and a store of one byte that is ordered behind them. */
    { "order.data-race",
      SIX_READ("1") SIX_READ("2") SIX_READ("3") SIX_READ("4") SYNC BY("40", "st.global.u8 [%g], %x;\n")
          SYNC BY("33", GET_GLOBAL),
      SIX_READ("1") SIX_READ("2") SIX_READ("3") SIX_READ("4") SYNC BY("40", "st.global.u8 [%g], %x;\n")
          BY("1", SLEEP GET_GLOBAL) },
    /* What is strong stays beside a strong write of the whole line, and a copy that reads the line meets it. */
    { "order.data-race",
      BY("0", REDUCE_OUT("128") GROUP_DONE RAISE(".relaxed.gpu", "2048") SEE(".acquire.gpu", "2052") FENCE)
          BY("33", SEE(".relaxed.gpu", "2048") "red.relaxed.gpu.global.add.u32 [%g+16], %x;\n" RAISE(
                       ".release.gpu", "2052")) INIT SYNC IN("%s+1024", "128", "%m") WAIT,
      INIT SYNC BY("0", REDUCE_OUT("128") GROUP_DONE RAISE(".relaxed.gpu", "2048") SEE(".relaxed.gpu", "2052") FENCE)
          BY("33", SEE(".relaxed.gpu", "2048") "red.relaxed.gpu.global.add.u32 [%g+16], %x;\n" RAISE(
                       ".relaxed.gpu", "2052")) IN("%s+1024", "128", "%m") WAIT },
    /* A thread that wrote most of a line and read the rest. */
    { "order.data-race",
      APART("32", "st.shared.u32 [%z+4], %x;\n") SYNC BY(
          "0", GET "add.u32 %z, %s, 124; { L: st.shared.u32 [%z], %x; sub.u32 %z, %z, 4; setp.gt.u32 %t, %z, %s;\n"
                   "@%t bra L; }\n") SYNC BY("33", "ld.shared.u32 %y, [%s+8];\n"),
      APART("32", "st.shared.u32 [%z+4], %x;\n") SYNC BY(
          "0", GET "add.u32 %z, %s, 124; { L: st.shared.u32 [%z], %x; sub.u32 %z, %z, 4; setp.gt.u32 %t, %z, %s;\n"
                   "@%t bra L; }\n") BY("33", SLEEP "ld.shared.u32 %y, [%s+8];\n") },
    /* A relaxed read that sees what a copy reduced does not tell that it is complete. */
    { "bulkgrp.wait.visible-issuer-only",
      BY("0", PUT FENCE REDUCE_OUT("16") GROUP_DONE RAISE(".release.gpu", "2048"))
          BY("32", SEE(".acquire.gpu", "2048") SEE(".relaxed.gpu", "0") GET_GLOBAL),
      BY("0", PUT FENCE REDUCE_OUT("16") GROUP_DONE) BY("32", SEE(".relaxed.gpu", "0") GET_GLOBAL) },
    /* Strong accesses keep their order, also where one of them goes on with the pattern of another before: thread 1's
     * atomic sees what thread 33 stored. */
    { "order.data-race",
      "setp.eq.u32 %t, %i, 0; @%t bra I; setp.ne.u32 %t, %i, 1; @%t bra B;\n" SEE(".relaxed.gpu", "2052")
          SEE(".acquire.gpu", "2048") "I: atom.relaxed.gpu.global.add.u32 %z, [%g], 1; @!%p0 bra A;\n" RAISE(
              ".release.gpu",
              "2048") "bra E; A:\n" RAISE(".release.gpu",
                                          "2056") "bra E; B:\n" BY("33", SEE(".acquire.gpu", "2048")
                                                                             RAISE(".relaxed.gpu", "0")
                                                                                 RAISE(".relaxed.gpu", "2052"))
              BY("32", SEE(".acquire.gpu", "2056") GET_GLOBAL) "E:\n",
      "setp.eq.u32 %t, %i, 0; @%t bra I; setp.ne.u32 %t, %i, 1; @%t bra B;\n" SEE(".relaxed.gpu", "2052")
          SEE(".acquire.gpu", "2048") "I: atom.relaxed.gpu.global.add.u32 %z, [%g], 1; @!%p0 bra A;\n" RAISE(
              ".release.gpu",
              "2048") "bra E; A:\n" RAISE(".relaxed.gpu",
                                          "2056") "bra E; B:\n" BY("33", SEE(".acquire.gpu", "2048")
                                                                             RAISE(".relaxed.gpu", "0")
                                                                                 RAISE(".relaxed.gpu", "2052"))
              BY("32", SEE(".acquire.gpu", "2056") GET_GLOBAL) "E:\n" },
    /* A store acquires nothing of what it takes the place of, with a fence behind it either; an exchange does. */
    { "order.data-race",
      BY("0", PUT RAISE(".release.gpu", "2048"))
          BY("32", SLEEP SEE(".relaxed.gpu", "2048") "atom.relaxed.gpu.global.exch.b32 %z, [%g+2048], 2;\n"
                                                     "fence.acq_rel.gpu;\n" GET),
      BY("0", PUT RAISE(".release.gpu", "2048"))
          BY("32", SLEEP "st.relaxed.gpu.global.u32 [%g+2048], 2; fence.acq_rel.gpu;\n" GET) },
    /* Of a warp only the lanes that arrive release: not those between them. */
    { "order.data-race",
      "@%p0 mbarrier.init.shared.b64 [%m], 32;\n" SYNC "@%w1 bra A;\n" STORE
      "mbarrier.arrive.shared.b64 _, [%m]; bra E;\n"
      "A:" WAIT LOAD_OTHER "E:\n",
      "@%p0 mbarrier.init.shared.b64 [%m], 16;\n" SYNC "@%w1 bra A; and.b32 %z, %i, 1; setp.eq.u32 %t, %z, 0;\n" STORE
      "@%t mbarrier.arrive.shared.b64 _, [%m]; bra E;\n"
      "A:" WAIT LOAD_OTHER "E:\n" },
    /* What another thread's store took the place of is not acquired any more, though another one has acquired it. */
    { "fence.mp",
      BY("0", PUT RAISE(".release.gpu", "2048")) BY("32", SEE(".acquire.gpu", "2048") GET)
          BY("64", SLEEP SEE(".acquire.gpu", "2048") GET)
              BY("96", SLEEP SLEEP "st.relaxed.gpu.global.u32 [%g+2048], 2;\n"),
      BY("0", PUT RAISE(".release.gpu", "2048")) BY("32", SEE(".acquire.gpu", "2048") GET)
          BY("64", SLEEP SLEEP SLEEP SEE(".acquire.gpu", "2048") GET)
              BY("96", SLEEP "st.relaxed.gpu.global.u32 [%g+2048], 2;\n"),
      .threads = 128 },
    /* A thread that acquires in each round of a loop learns what is carried on meanwhile, and what is added. */
    { "fence.mp",
      BY("0", PUT RAISE(".release.gpu", "2048") SEE(".relaxed.gpu", "2052") SLEEP
         "st.relaxed.gpu.global.u32 [%g+2048], 3;\n")
          BY("64",
             SEE(".relaxed.gpu", "2048") "st.relaxed.gpu.global.u32 [%g+2048], 2;\n" RAISE(".relaxed.gpu", "2052"))
              BY("32", SEE(".relaxed.gpu", "2052") SEE_UP(".acquire.gpu", "2048", "3") GET),
      BY("0", PUT RAISE(".release.gpu", "2048"))
          BY("64", SEE(".relaxed.gpu", "2048") "st.relaxed.gpu.global.u32 [%g+2048], 2;\n" RAISE(".relaxed.gpu", "2052")
                       SLEEP "st.relaxed.gpu.global.u32 [%g+2048], 3;\n")
              BY("32", SEE(".relaxed.gpu", "2052") SEE_UP(".acquire.gpu", "2048", "3") GET),
      .threads = 96 },
    { "fence.mp",
      BY("0", ADD(".release.gpu", "2048")) BY("64", SLEEP PUT SLEEP ADD(".release.gpu", "2048"))
          BY("32", SEE_UP(".acquire.gpu", "2048", "2") GET),
      BY("0", ADD(".release.gpu", "2048")) BY("64", SLEEP PUT SLEEP ADD(".relaxed.gpu", "2048"))
          BY("32", SEE_UP(".acquire.gpu", "2048", "2") GET),
      .threads = 96 },
    /* The second of two threads that know the same and release to one place has fenced as well. */
    { "bulk.proxy.s2g-needs-fence",
      FLAGS BY("0", TAKE) BY("32", SLEEP PUT FENCE TAKE) BY("64", AT(".acquire.cta", "2048", "2") SEND_OUT GROUP_DONE),
      FLAGS BY("0", TAKE) BY("32", SLEEP PUT TAKE) BY("64", AT(".acquire.cta", "2048", "2") SEND_OUT GROUP_DONE),
      .threads = 96 },
    /* Many strong reads, and a strong store behind them: it is no read. */
    { "order.data-race",
      "{ and.b32 %z, %i, 1; setp.ne.u32 %t, %z, 0; @%t bra N; ld.relaxed.gpu.global.u32 %y, [%g]; N: }\n" BY(
          "1", SLEEP RAISE(".relaxed.gpu", "0")) SYNC BY("33", GET_GLOBAL),
      "{ and.b32 %z, %i, 1; setp.ne.u32 %t, %z, 0; @%t bra N; ld.relaxed.gpu.global.u32 %y, [%g]; N: }\n" BY(
          "1", SLEEP RAISE(".relaxed.gpu", "0")) BY("33", SLEEP SLEEP GET_GLOBAL) },
    /* A read after many others of one word is kept too. */
    { "order.data-race",
      SIX_READ("1") SIX_READ("2") SIX_READ("3") SIX_READ("4") SYNC BY("1", GET_GLOBAL)
          SYNC BY("40", "st.global.u32 [%g], %x;\n"),
      SIX_READ("1") SIX_READ("2") SIX_READ("3") SIX_READ("4") SYNC BY("1", GET_GLOBAL)
          BY("40", SLEEP "st.global.u32 [%g], %x;\n") },
    /* A lane that reads its word again stands no more for the row that the warp read: the others still do. */
    { "order.data-race",
      "@%w1 bra A; shl.b32 %z, %i, 2; add.u32 %z, %z, %s; ld.shared.u32 %y, [%z];\n" BY(
          "0", ADD(".release.gpu", "2048") GET) "A:" SYNC BY("32", "st.shared.u32 [%s+124], %x;\n"),
      "@%w1 bra A; shl.b32 %z, %i, 2; add.u32 %z, %z, %s; ld.shared.u32 %y, [%z];\n" BY(
          "0", ADD(".release.gpu", "2048") GET) "A:" BY("32", SLEEP SLEEP "st.shared.u32 [%s+124], %x;\n") SYNC },
    /* Halves of a word keep their readers where a line is taken apart into words. */
    { "order.data-race",
      "@%w1 bra A; shl.b32 %z, %i, 1; cvt.u64.u32 %d, %z; add.u64 %d, %d, %g; ld.global.u16 %k, [%d];\n"
      "A:" APART("0", "st.shared.u32 [%z], %x; ld.global.u32 %y, [%d];\n") APART("8", "ld.global.u32 %y, [%d];\n")
          APART("16", "ld.global.u32 %y, [%d];\n") SYNC BY("2", "st.global.u16 [%g+6], %k;\n"),
      "@%w1 bra A; shl.b32 %z, %i, 1; cvt.u64.u32 %d, %z; add.u64 %d, %d, %g; ld.global.u16 %k, [%d];\n"
      "A:" APART("0", "st.shared.u32 [%z], %x; ld.global.u32 %y, [%d];\n") APART("8", "ld.global.u32 %y, [%d];\n")
          APART("16", "ld.global.u32 %y, [%d];\n") BY("2", SLEEP "st.global.u16 [%g+6], %k;\n") },
    /* A copy gives all of its lines a value, and one that reads them does not. */
    { "order.unwritten", BULK_STORE STORED INIT SYNC BULK_LOAD WAIT LOAD_OWN,
      BULK_STORE STORED INIT SYNC BULK_LOAD WAIT "ld.shared.u32 %y, [%o+1024];\n" },
    { "order.unwritten", STORE FENCE SYNC BULK_STORE STORED SYNC BY("20", LOAD_OWN),
      BULK_STORE STORED BULK_STORE STORED SYNC BY("20", LOAD_OWN) },
    /* Copies of whole pages: the last of several that read one has read each of its lines. */
    { "bulkgrp.wait.n",
      PAGE PAGE_OUT PAGE_OUT PAGE_OUT PAGE_OUT
      "cp.async.bulk.wait_group.read 0; E:" SYNC BY("32", "st.shared.u32 [%s+1300], %x;\n") STORED "}\n",
      PAGE PAGE_OUT PAGE_OUT PAGE_OUT PAGE_OUT
      "cp.async.bulk.wait_group.read 1; E:" SYNC BY("32", "st.shared.u32 [%s+1300], %x;\n") STORED "}\n" },
    { "bulkgrp.wait.n", /* the one that makes the page's lines differ, in a line that is not the first */
      PAGE PAGE_OUT PAGE_OUT PAGE_OUT
      "cp.async.bulk.wait_group.read 0; E:" SYNC BY("32", "st.shared.u32 [%s+1300], %x;\n") STORED "}\n",
      PAGE PAGE_OUT PAGE_OUT PAGE_OUT
      "cp.async.bulk.wait_group.read 1; E:" SYNC BY("32", "st.shared.u32 [%s+1300], %x;\n") STORED "}\n" },
    { "order.data-race", STORE SYNC LOAD_OTHER, STORE LOAD_OTHER, .tells = "of CTA rank 0's shared memory (s + " },
    { "order.data-race", "st.global.u32 [%a], %x;\n", "st.global.u32 [%h], %i;\n", .tells = "bytes 0 to 3 of h: " },
};

int main(void)
{
    return test_obligations("emu_judge_edges", obligations, sizeof obligations / sizeof *obligations, false);
}
// SPDX-License-Identifier: Apache-2.0
