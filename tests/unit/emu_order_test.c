/* The order checker: each obligation in a form that keeps it, which must be clean, and in one that breaks it, which
 * must give exactly its rule. Small PTX texts on the emulator; with every manner of delivery. */
#include "tests/unit/emu_obligation.h"

/* The second warp writes, fences and meets, then one of its threads raises a flag; one of the first warp sees it, and
 * all of them meet, fence and read. */
#define CTA_FENCE(before, behind)                                                                                      \
    "@%p0 st.shared.u32 [%s+2048], 0;\n" SYNC "@%w0 bra A;\n" STORE before "; barrier.sync 1, 32;\n"                   \
    "@%p1 st.volatile.shared.u32 [%s+2048], 1; bra E; A: @!%p0 bra B;\n"                                               \
    "L: ld.volatile.shared.u32 %z, [%s+2048]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"                                     \
    "B: barrier.sync 2, 32;\n" behind ";\n" LOAD_OTHER "E:\n"

#define EXPECT_ONLY(who) "@" who " mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%m], 1024;\n"
/* Each warp waits for a parity of its own. */
#define WARPS_WAIT(first, second)                                                                                      \
    "@%w1 bra A;\n" SPIN(".shared", "%m", first) "bra B; A:\n" SPIN(".shared", "%m", second) "B:\n"
#define ONE(who)   "@" who " mbarrier.arrive.shared.b64 _, [%m];\n"
#define LOAD_BY_P1 "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g], 1024, [%m];\n"
/* Two warps produce and two consume, of six: through barriers 1 and 2, twice. */
#define PIPE(produce, consume)                                                                                         \
    "setp.ge.u32 %t, %i, 128; @%t bra E; setp.ge.u32 %t, %i, 64; @%t bra C;\n" produce produce                         \
    "bra E; C:\n" consume consume "E:\n"

/* By one instruction, the first lanes of three warps store to one word: `a`, 7, 7. The second one knows of the first by
 * a barrier of n threads, which the third one may join; the third one comes after the second by a flag. */
#define ST "st.shared.u32 [%s]"
#define IN_TURN(st, a, n, join, set, get)                                                                              \
    "@%p0 st.shared.u32 [%s+2048], 0;\n" SYNC "and.b32 %z, %i, 31; setp.ne.u32 %t, %z, 0; @%t bra E;\n"                \
    "@%p0 mov.u32 %x, " a "; @%p0 bra S; @%p1 bra A; " join "\n"                                                       \
    "L: ld." get ".cta.shared.u32 %z, [%s+2048]; setp.eq.u32 %t, %z, 0; @%t bra L; bra S;\n"                           \
    "A: barrier.sync 1, " n ";\nS: " st ", %x; @%p0 barrier.sync 1, " n ";\n"                                          \
    "@%p1 st." set ".cta.shared.u32 [%s+2048], 1; E:\n"

/* Of threads 0 and 32, another store behind it. */
#define BESIDE ST ", %x; setp.lt.u32 %t, %i, 64; @%t st.shared.u32 [%s+64]"

/* Both CTAs of a cluster store, arrive at both mbarriers, wait at their own, and read what the other one stored. */
#define EXCHANGE(arrive, wait)                                                                                         \
    "@%p0 mbarrier.init.shared.b64 [%m], 128;\n" CLUSTER STORE "mbarrier.arrive" arrive                                \
    ".shared::cta.b64 _, [%m];\n" PEER("%z", "%m") "mbarrier.arrive" arrive ".shared::cluster.b64 _, [%z];\n" SPIN(    \
        wait ".shared::cta", "%m", "0") PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER

static const struct obligation obligations[] = {
    /* ---- plain accesses ---- */
    { "order.data-race", STORE SYNC LOAD_OTHER, STORE LOAD_OTHER },
    { "order.data-race", STORE SYNC LOAD_OTHER SYNC STORE, STORE SYNC LOAD_OTHER STORE },
    { "order.data-race",
      "@%w0 st.shared.u32 [%o], %x; bar.warp.sync -1; xor.b32 %z, %o, 16; @%w0 ld.shared.u32 %y, [%z];\n",
      "@%w0 st.shared.u32 [%o], %x; xor.b32 %z, %o, 16; @%w0 ld.shared.u32 %y, [%z];\n" },
    { "order.data-race",
      "st.global.u32 [%a], %x;\n" SYNC "xor.b64 %d, %d, 512; add.u64 %d, %d, %g; ld.global.u32 %y, [%d];\n",
      "st.global.u32 [%a], %x; xor.b64 %d, %d, 512; add.u64 %d, %d, %g; ld.global.u32 %y, [%d];\n" },
    { "order.data-race", "@%p0 st.shared.u8 [%s], %x; @%p1 st.shared.u8 [%s+1], %x;\n",
      "@%p0 st.shared.u16 [%s], %x; @%p1 st.shared.u8 [%s+1], %x;\n" },
    { "order.data-race", "atom.shared.add.u32 %y, [%s], 1;\n",
      "atom.shared.add.u32 %y, [%s+4], 1; @%p1 st.shared.u32 [%s+4], %x;\n" },
    { "order.data-race",
      "@%w0 bar.sync 1, 64; @%w1 st.shared.u32 [%o], %x; @%w1 bar.arrive 1, 64; @%w0 ld.shared.u32 %y, [%q];\n",
      "@%w0 bar.sync 1, 64; @%w1 bar.arrive 1, 64; @%w1 st.shared.u32 [%o], %x; @%w0 ld.shared.u32 %y, [%q];\n" },
    /* ---- what nobody writes ---- */
    { "access.nc-written", "ld.global.nc.u32 %y, [%a]; st.global.u32 [%a+4], %y;\n",
      "ld.global.nc.u32 %y, [%a]; st.global.u32 [%a], %y;\n" },
    { "access.nc-written", "st.global.u32 [%a], %x;\n" SYNC "ld.global.u32 %y, [%a];\n",
      "st.global.u32 [%a], %x;\n" SYNC "ld.global.nc.u32 %y, [%a];\n" },
    { "access.nc-written",
      "ld.global.nc.v2.u32 {%y, %z}, [%a]; ld.global.u32 %y, [%a];\n" SYNC "st.global.u8 [%a+8], %x;\n",
      "ld.global.nc.v2.u32 {%y, %z}, [%a]; ld.global.u32 %y, [%a];\n" SYNC "st.global.u8 [%a+7], %x;\n" },
    { "access.nc-written", STORE FENCE SYNC BULK_STORE STORED SYNC "ld.global.u32 %y, [%b];\n",
      STORE FENCE SYNC BULK_STORE STORED SYNC "ldu.global.u32 %y, [%b];\n" },
    { "access.nc-written", "ld.global.nc.u32 %y, [%g]; atom.global.add.u32 %y, [%h], 1;\n",
      "ld.global.nc.u32 %y, [%g];\n" SYNC "atom.global.add.u32 %y, [%g], 1;\n" },
    /* ---- the same value ---- */
    { "order.same-value", "@%p0 st.global.u32 [%g], %x; @%w1 st.global.u32 [%g+4], %x;\n",
      "st.global.u32 [%g], %x;\n" },
    { "order.same-value", "@%w1 st.shared.u32 [%s], %x;\n" SYNC "@%w0 st.shared.u32 [%s], %x;\n",
      "st.shared.v2.u32 [%s], {%x, %x};\n" },
    { "order.data-race", "@%w1 st.global.u32 [%g], %x;\n", "st.global.u32 [%g], %i;\n" },
    { "order.data-race", "@%w1 st.global.u32 [%g], %x;\n" SYNC "@%w0 st.global.u32 [%g], %x;\n",
      "@%w1 st.global.u32 [%g], %x; @%w0 st.global.u32 [%g], %x;\n" },
    { "order.data-race", "@%p0 st.shared.u32 [%s], %x;\n" SYNC "ld.shared.u32 %y, [%s];\n",
      "@%p0 st.shared.u32 [%s], %x;\n" SYNC
      "ld.shared.u32 %y, [%s]; add.u32 %y, %y, 1; @%p1 st.shared.u32 [%s], %y;\n" },
    { "fence.mp", IN_TURN(ST, "1", "64", "", "release", "acquire"), IN_TURN(ST, "1", "64", "", "relaxed", "relaxed"),
      .threads = 96, .tells = "written by thread 0,0,0 of CTA 0,0,0 (line ", .too = "order.same-value" },
    { "fence.mp", IN_TURN("st.global.u8 [%g+127]", "1", "64", "", "release", "acquire"),
      IN_TURN("st.global.u8 [%g+127]", "1", "64", "", "relaxed", "relaxed"), .threads = 96,
      .tells = "written by thread 0,0,0 of CTA 0,0,0 (line ", .too = "order.same-value" },
    { "fence.mp", IN_TURN(BESIDE, "1", "64", "", "release", "acquire"),
      IN_TURN(BESIDE, "1", "64", "", "relaxed", "relaxed"), .threads = 96,
      .tells = "written by thread 0,0,0 of CTA 0,0,0 (line ", .too = "order.same-value" },
    { "order.same-value", IN_TURN(ST, "1", "64", "", "release", "acquire"),
      IN_TURN(ST, "1", "96", "barrier.sync 1, 96;", "relaxed", "relaxed"), .threads = 96 },
    { "order.same-value", IN_TURN(ST, "7", "96", "barrier.sync 1, 96;", "release", "acquire"),
      IN_TURN(ST, "7", "64", "", "relaxed", "relaxed"), .threads = 96 },
    { "order.unwritten", STORE LOAD_OWN, LOAD_OWN STORE, .tells = "bytes 1024 to 1027 of" },
    /* ---- flags ---- */
    { "fence.mp",
      "@%p0 st.shared.u32 [%s+1024], 0;\n" SYNC "@%p1 st.shared.u32 [%o], %x; @%p1 fence.acq_rel.cta;\n"
      "@%p1 st.relaxed.cta.shared.u32 [%s+1024], 1; @!%p0 bra E;\n"
      "L: ld.relaxed.cta.shared.u32 %z, [%s+1024]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"
      "fence.acq_rel.cta; ld.shared.u32 %y, [%q]; E:\n",
      "@%p0 st.shared.u32 [%s+1024], 0;\n" SYNC "@%p1 st.shared.u32 [%o], %x;\n"
      "@%p1 st.relaxed.cta.shared.u32 [%s+1024], 1; @!%p0 bra E;\n"
      "L: ld.relaxed.cta.shared.u32 %z, [%s+1024]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"
      "fence.acq_rel.cta; ld.shared.u32 %y, [%q]; E:\n" },
    { "fence.mp",
      "@%p0 st.shared.u32 [%s+1024], 0;\n" SYNC "@%p1 st.global.u32 [%a], %x;\n"
      "@%p1 st.release.gpu.shared.u32 [%s+1024], 1; @!%p0 bra E;\n"
      "L: ld.acquire.gpu.shared.u32 %z, [%s+1024]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"
      "ld.global.u32 %y, [%g+512]; E:\n",
      "@%p0 st.shared.u32 [%s+1024], 0;\n" SYNC "@%p1 st.global.u32 [%a], %x;\n"
      "@%p1 st.volatile.shared.u32 [%s+1024], 1; @!%p0 bra E;\n"
      "L: ld.volatile.shared.u32 %z, [%s+1024]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"
      "ld.global.u32 %y, [%g+512]; E:\n" },
    { "order.data-race", CTA_FENCE("membar.cta", "fence.sc.gpu"), CTA_FENCE("membar.cta", "fence.acq_rel.gpu") },
    { "order.data-race", CTA_FENCE("membar.gl", "membar.cta"), CTA_FENCE("fence.acq_rel.cta", "membar.cta") },
    /* ---- barriers with a count ---- */
    { "bar.next-use", "setp.ge.u32 %t, %i, 64; selp.u32 %z, 2, 1, %t; barrier.sync %z, 64; barrier.sync %z, 64;\n",
      "barrier.sync 1, 64; barrier.sync 1, 64;\n", .threads = 128 },
    { "bar.next-use", "setp.lt.u32 %t, %i, 64; @%t bar.sync 1, 64;\n" SYNC "@!%t bar.sync 1, 64;\n",
      "setp.lt.u32 %t, %i, 64; @%t bar.sync 1, 64; @!%t bar.sync 1, 64;\n", .threads = 128 },
    { "bar.next-use", PIPE("bar.arrive 1, 128; bar.sync 2, 128;\n", "bar.sync 1, 128; bar.arrive 2, 128;\n"),
      PIPE("bar.arrive 1, 128; nanosleep.u32 1000;\n", "bar.sync 1, 128;\n"), .threads = 192 },
    { "bar.next-use", "bar.arrive 1, 96; bar.warp.sync 0xffffffff; @%w0 bar.sync 1, 96;\n",
      "barrier.arrive 1, 96; bar.warp.sync 0xffffffff; @%w0 barrier.arrive 1, 96;\n", .threads = 64 },
    /* ---- setmaxnreg ---- */
    { "setmaxnreg.warpgroup", "setmaxnreg.dec.sync.aligned.u32 40;\n", "@%w1 setmaxnreg.dec.sync.aligned.u32 40;\n",
      .tells = "ends without it" },
    { "setmaxnreg.warpgroup", "setmaxnreg.inc.sync.aligned.u32 240;\n",
      "@%w0 bra A; setmaxnreg.inc.sync.aligned.u32 240; bra E; A: setmaxnreg.dec.sync.aligned.u32 24; E:\n",
      .tells = "executes the one on line" },
    { "setmaxnreg.warpgroup",
      "setp.lt.u32 %t, %i, 128; @%t bra A; setmaxnreg.inc.sync.aligned.u32 240; bra E;\n"
      "A: setmaxnreg.dec.sync.aligned.u32 24; E:\n",
      "setp.lt.u32 %t, %i, 96; @%t bra A; setmaxnreg.inc.sync.aligned.u32 240; bra E;\n"
      "A: setmaxnreg.dec.sync.aligned.u32 24; E:\n",
      .threads = 256 },
    { "setmaxnreg.sync", "setmaxnreg.dec.sync.aligned.u32 40;\n" SYNC "setmaxnreg.inc.sync.aligned.u32 80;\n",
      "setmaxnreg.dec.sync.aligned.u32 40; bar.warp.sync -1; setmaxnreg.inc.sync.aligned.u32 80;\n" },
    /* A warp needs no meeting with itself, whichever lane is first. */
    { "setmaxnreg.sync",
      "setmaxnreg.dec.sync.aligned.u32 40; @%p0 nanosleep.u32 1000; setmaxnreg.inc.sync.aligned.u32 80;\n", NULL,
      .threads = 32 },
    /* ---- bytes that expect_tx announces ---- */
    { "mbarrier.tx.wrong-phase", INIT SYNC EXPECT_ONLY("%p0") LOAD_FROM("%g") SYNC ONE("%p1") WAIT,
      INIT SYNC EXPECT_ONLY("%p0") LOAD_FROM("%g") ONE("%p1") WAIT },
    { "mbarrier.tx.wrong-phase", INIT SYNC EXPECT_ONLY("%p0") LOAD_FROM("%g") ONE("%p0") WAIT,
      INIT SYNC LOAD_FROM("%g") EXPECT_ONLY("%p0") "@%p1 nanosleep.u32 1000;\n" ONE("%p1") WAIT },
    { "mbarrier.tx.wrong-phase",
      INIT SYNC EXPECT EXPECT_ONLY("%p0") LOAD_FROM("%g") LOAD("%s+2048", "%g", "1024", "%m") WAIT,
      INIT SYNC EXPECT LOAD_FROM("%g") EXPECT_ONLY("%p0") LOAD("%s+2048", "%g", "1024", "%m") WAIT, .late = true },
    { "mbarrier.tx.wrong-phase",
      INIT SYNC ONE("%p0") "@!%p0 bra A;\n" WAIT "A:" SYNC EXPECT_ONLY("%p1") LOAD_BY_P1 ONE("%p1")
          SPIN(".shared", "%m", "1"),
      INIT SYNC ONE("%p0") "@!%p0 bra A;\n" WAIT "A: @%p1 nanosleep.u32 1000;\n" EXPECT_ONLY("%p1")
          LOAD_BY_P1 ONE("%p1") "@!%p1 bra E;\n" SPIN(".shared", "%m", "1") "E:\n" },
    /* ---- mbarriers ---- */
    { "mbarrier.init.needs-sync", INIT_ALL SYNC ARRIVE(".shared") WAIT, INIT_ALL ARRIVE(".shared") WAIT },
    { "mbarrier.arrive.relaxed-no-order", INIT_ALL SYNC STORE ARRIVE(".shared") WAIT LOAD_OTHER,
      INIT_ALL SYNC STORE ARRIVE(".relaxed.cta.shared::cta") WAIT LOAD_OTHER },
    { "mbarrier.wait.relaxed-no-order",
      INIT_ALL SYNC STORE ARRIVE(".shared")
          SPIN(".relaxed.cta.shared::cta", "%m", "0") "fence.acquire.cta;\n" LOAD_OTHER,
      INIT_ALL SYNC STORE ARRIVE(".shared") SPIN(".relaxed.cta.shared::cta", "%m", "0") LOAD_OTHER },
    { "mbarrier.arrive.after-unordered", INIT_ALL SYNC STORE ARRIVE(".shared") WAIT "@%w0 ld.shared.u32 %y, [%q];\n",
      INIT_ALL SYNC ARRIVE(".shared") STORE WAIT "@%w0 ld.shared.u32 %y, [%q];\n" },
    { "mbarrier.arrive.after-unordered",
      INIT_ALL STORE SYNC STORE ARRIVE(".shared") WAIT "@%w1 ld.shared.u32 %y, [%q];\n",
      INIT_ALL STORE SYNC ARRIVE(".shared") "@%w1 bra A; nanosleep.u32 1000;\n" STORE "bra E; A:" WAIT LOAD_OTHER
                                            "E:\n" },
    /* One warp arrives for both. */
    { "order.data-race", INIT_ALL STORE SYNC STORE ARRIVE(".shared") WAIT "@%w0 ld.shared.u32 %y, [%q];\n",
      "@%p0 mbarrier.init.shared.b64 [%m], 32;\n" STORE SYNC STORE "@%w0 mbarrier.arrive.shared.b64 _, [%m];\n" WAIT
      "@%w0 ld.shared.u32 %y, [%q];\n",
      .says = "complete without the other's" },
    /* A warp runs ahead: it waits for a phase that was over before the one in which it has arrived. */
    { "mbarrier.phase.parity-alternates",
      INIT_ALL STORE SYNC ARRIVE(".shared") WAIT STORE ARRIVE(".shared") SPIN(".shared", "%m", "1") LOAD_OTHER,
      INIT_ALL STORE SYNC ARRIVE(".shared") WAIT STORE ARRIVE(".shared") WARPS_WAIT("0", "1") LOAD_OTHER,
      .also = "order.data-race" },
    { "mbarrier.phase.parity-alternates",
      INIT_ALL STORE SYNC ARRIVE(".shared") WAIT LOAD_OTHER ARRIVE(".shared") SPIN(".shared", "%m", "1") STORE,
      INIT_ALL STORE SYNC ARRIVE(".shared") WAIT LOAD_OTHER ARRIVE(".shared") WARPS_WAIT("0", "1") STORE,
      .also = "order.data-race" },
    { "mbarrier.phase.parity-alternates", STORE SYNC LOAD_OTHER,
      "@%p0 mbarrier.init.shared.b64 [%m], 128;\n" STORE SYNC "@%w1 bra A;\n" ARRIVE(".shared")
          SPIN(".shared", "%m", "1") STORE ARRIVE(".shared") SPIN(".shared", "%m", "1") "bra E; A:" LOAD_OTHER "E:\n",
      .also = "order.data-race" },
    /* It did, but the access came before that, or after a later barrier. */
    { "order.data-race", INIT_ALL STORE SYNC STORE SYNC LOAD_OTHER,
      INIT_ALL STORE SYNC "@%w1 bra A;\n" STORE ARRIVE(".shared") SPIN(".shared", "%m", "1") "bra E; A:" LOAD_OTHER
                                                                                             "E:\n" },
    { "order.data-race",
      INIT_ALL STORE SYNC "@%w0 mbarrier.arrive.shared.b64 _, [%m];\n" SPIN(".shared", "%m", "1")
          SYNC LOAD_OTHER SYNC STORE,
      INIT_ALL STORE SYNC "@%w0 mbarrier.arrive.shared.b64 _, [%m];\n" SPIN(".shared", "%m", "1")
          SYNC LOAD_OTHER STORE },
    /* Such a wait where they have not arrived, as a producer's first one, is not to blame. */
    { "order.data-race", INIT_ALL STORE SYNC SPIN(".shared", "%m", "1") LOAD_OTHER SYNC STORE,
      INIT_ALL STORE SYNC SPIN(".shared", "%m", "1") LOAD_OTHER STORE },
    { "order.data-race",
      INIT_ALL STORE SYNC "mbarrier.arrive.shared.b64 _, [%n];\n" SPIN(".shared", "%m", "1") LOAD_OTHER SYNC STORE,
      INIT_ALL STORE SYNC "mbarrier.arrive.shared.b64 _, [%n];\n" SPIN(".shared", "%m", "1") LOAD_OTHER STORE,
      .says = "a barrier, or a release and an acquire" },
    { "mbarrier.arrive_drop.release", INIT_ALL SYNC STORE "mbarrier.arrive_drop.shared.b64 _, [%m];\n" WAIT LOAD_OTHER,
      INIT_ALL SYNC STORE "mbarrier.arrive_drop.relaxed.cta.shared::cta.b64 _, [%m];\n" WAIT LOAD_OTHER },
    { "mbarrier.wait.scope-too-small", EXCHANGE(".release.cluster", ".acquire.cluster"),
      EXCHANGE(".release.cta", ".acquire.cta"), .ctas = 2 },
    /* Where no scope is written, it is a remark; with the option the text counts. */
    { "mbarrier.wait.scope-too-small", EXCHANGE(".release.cluster", ".acquire.cluster"), EXCHANGE("", ""), .ctas = 2,
      .remark = true, .tells = "neither names a scope" },
    { "mbarrier.wait.scope-too-small", EXCHANGE(".release.cluster", ".acquire.cluster"),
      EXCHANGE("", ".acquire.cluster"), .ctas = 2, .remark = true, .tells = "the arrival names no scope" },
    { "mbarrier.wait.scope-too-small", EXCHANGE(".release.cluster", ".acquire.cluster"),
      EXCHANGE(".release.cluster", ""), .ctas = 2, .remark = true, .tells = "the wait names no scope" },
    { "mbarrier.wait.scope-too-small", EXCHANGE(".release.cluster", ".acquire.cluster"), EXCHANGE("", ""), .ctas = 2,
      .scopes = true, .no_remark = true },
    { "mbarrier.wait.scope-too-small", EXCHANGE(".release.cluster", ".acquire.cluster"), EXCHANGE("", ".acquire.cta"),
      .ctas = 2, .no_remark = true },
    { "mbarrier.wait.scope-too-small", EXCHANGE(".release.cluster", ".acquire.cluster"), EXCHANGE(".release.cta", ""),
      .ctas = 2, .no_remark = true },
    /* ---- clusters ---- */
    { "fence.mbarrier_init.only-inits", STORE CLUSTER PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER,
      STORE "fence.mbarrier_init.release.cluster;\n" LOOSE_CLUSTER PEER(
          "%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER,
      .ctas = 2 },
    { "cluster.barrier.exited", STORE CLUSTER PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER,
      STORE CLUSTER PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z]; setp.eq.u32 %t, %r, 1; @%t bra E;\n" CLUSTER
                                     "E:\n",
      .ctas = 2, .says = "each barrier of the cluster" },
    { "cluster.barrier.relaxed", STORE CLUSTER PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER,
      STORE LOOSE_CLUSTER PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER, .ctas = 2 },
    { "fence.mbarrier_init.publishes",
      "@%p0 mbarrier.init.shared.b64 [%m], 64; @%p0 fence.mbarrier_init.release.cluster;\n" LOOSE_CLUSTER PEER(
          "%z", "%m") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      "@%p0 mbarrier.init.shared.b64 [%m], 64;\n" SYNC LOOSE_CLUSTER PEER(
          "%z", "%m") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      .ctas = 2, .also = "mbarrier.cluster.remote-init-sync" },
    { "mbarrier.cluster.remote-init-sync",
      "@%p0 mbarrier.init.shared.b64 [%m], 64;\n" CLUSTER PEER(
          "%z", "%m") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      "setp.eq.u32 %t, %r, 0; @!%t bra A;\n"
      "@%p0 mbarrier.init.shared.b64 [%m], 64;\n" SYNC
      "A:" PEER("%z", "%m") "@!%t mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      .ctas = 2 },
    { "fence.mbarrier_init.publishes",
      "@%p0 mbarrier.init.shared.b64 [%m], 64;\n" SYNC "@%p1 fence.acq_rel.cluster;\n" LOOSE_CLUSTER PEER(
          "%z", "%m") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      "@%p0 mbarrier.init.shared.b64 [%m], 64;\n" SYNC "@%p1 fence.mbarrier_init.release.cluster;\n" LOOSE_CLUSTER PEER(
          "%z", "%m") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      .ctas = 2 },
    /* ---- cp.async ---- */
    { "cpasync.order.read-early", COPY WAIT_ALL LOAD_OWN, COPY LOAD_OWN WAIT_ALL },
    { "group.wait.n",
      COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("1") LOAD_OWN WAIT_ALL,
      COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("2") LOAD_OWN WAIT_ALL,
      .also = "cpasync.order.read-early", .says = "wait_group 1 or less", .table = "group 0   in flight     1 copy" },
    /* A neighbour reads behind a barrier: the wait of the copy's own thread is at fault, also where that thread waits
     * once more later, and where the other has waited for nothing. */
    { "group.wait.n",
      COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("1") SYNC LOAD_OTHER WAIT_ALL,
      COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("2") SYNC LOAD_OTHER WAIT_ALL,
      .also = "cpasync.visibility.others", .says = "wait_group 1 or less" },
    { "group.wait.n",
      "@%w1 cp.async.ca.shared.global [%o], [%a], 16; @%w1 cp.async.commit_group; @%w1 cp.async.wait_group 0;\n" SYNC
      "@%w0 ld.shared.u32 %y, [%q];\n",
      "@%w1 cp.async.ca.shared.global [%o], [%a], 16; @%w1 cp.async.commit_group; @%w1 cp.async.wait_group 1;\n" SYNC
      "@%w0 ld.shared.u32 %y, [%q];\n" WAIT_ALL,
      .also = "cpasync.visibility.others", .says = "wait_group 0 at line" },
    /* The tail of a pipeline: the second wait counts on an empty group. */
    { "group.wait.n",
      COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("1")
          SYNC LOAD_OTHER COMMIT WAIT_GROUP("1") SYNC "ld.shared.u32 %y, [%o+2048];\n",
      COPY COMMIT "cp.async.ca.shared.global [%o+2048], [%a], 16;\n" COMMIT WAIT_GROUP("1")
          SYNC LOAD_OTHER WAIT_GROUP("1") SYNC "ld.shared.u32 %y, [%o+2048];\n" WAIT_ALL,
      .also = "cpasync.order.read-early", .says = "or an (empty) commit before each wait" },
    /* All wait enough, and nobody comes after the others' waits: a barrier is missing, not a smaller N. */
    { "cpasync.visibility.others", COPY COMMIT SYNC WAIT_GROUP("0") SYNC LOAD_OTHER,
      COPY COMMIT WAIT_GROUP("1") SYNC WAIT_GROUP("0") LOAD_OTHER },
    { "cpasync.order.write-src-early", COPY WAIT_ALL "st.global.u32 [%a], %x;\n",
      COPY "st.global.u32 [%a], %x;\n" WAIT_ALL },
    { "cpasync.order.write-dst-early", COPY WAIT_ALL STORE, COPY STORE WAIT_ALL },
    { "cpasync.order.pair-unordered", COPY COMMIT WAIT_GROUP("0") COPY WAIT_ALL, COPY COMMIT COPY WAIT_ALL },
    /* Lanes of a warp copy to one place: the same bytes, and others. Two warps. */
    { "cpasync.order.pair-unordered", "@%w0 cp.async.ca.shared.global [%s], [%g], 16;\n" WAIT_ALL,
      "@%w0 cp.async.ca.shared.global [%s], [%a], 16;\n" WAIT_ALL },
    { "cpasync.order.pair-unordered", "@%w0 cp.async.cg.shared.global [%s], [%g], 16;\n" WAIT_ALL,
      "@%w0 cp.async.cg.shared.global [%s], [%g], 16, 8;\n" WAIT_ALL },
    { "cpasync.order.pair-unordered", "@%p0 cp.async.ca.shared.global [%s], [%g], 16;\n" WAIT_ALL,
      "cp.async.ca.shared.global [%s], [%g], 16;\n" WAIT_ALL },
    { "group.order.within-none", COPY COMMIT WAIT_GROUP("0") COPY COMMIT WAIT_ALL, COPY COPY COMMIT WAIT_ALL },
    { "group.wait.uncommitted", COPY COMMIT WAIT_GROUP("0") LOAD_OWN, COPY WAIT_GROUP("0") LOAD_OWN WAIT_ALL },
    { "group.commit.not-later", COPY COMMIT WAIT_GROUP("0") LOAD_OWN, COMMIT COPY WAIT_GROUP("0") LOAD_OWN WAIT_ALL },
    { "group.bulk.separate", COPY COMMIT WAIT_GROUP("0") LOAD_OWN,
      COPY COMMIT "cp.async.bulk.wait_group 0;\n" LOAD_OWN WAIT_ALL },
    { "cpasync.visibility.others", COPY WAIT_ALL SYNC LOAD_OTHER,
      "@%w0 bra A;\n" COPY WAIT_ALL "bra E; A:" LOAD_OTHER "E:\n" },
    /* What is missing: the barrier, the order of the two, the wait. */
    { "cpasync.visibility.others", COPY WAIT_ALL SYNC LOAD_OTHER,
      "@%w1 bra A;\n" COPY WAIT_ALL "bra E; A:" LOAD_OTHER "E:\n", .says = "between the wait and the read" },
    { "cpasync.visibility.others", COPY WAIT_ALL SYNC LOAD_OTHER,
      "@%w1 bra A;\n" COPY "bra E; A:" LOAD_OTHER "E:\n" SYNC WAIT_ALL, .says = "the copier waits, then" },
    { "cpasync.visibility.others", COPY WAIT_ALL SYNC LOAD_OTHER, COPY SYNC WAIT_ALL LOAD_OTHER,
      .says = "the wait before the synchronisation" },
    { "cpasync.visibility.others",
      INIT_ALL SYNC COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" WAIT LOAD_OTHER WAIT_ALL,
      INIT_ALL SYNC COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" SYNC LOAD_OTHER SYNC WAIT_ALL,
      .also = "cpmb.async" },
    { "cpasync.visibility.nothing-else", COPY WAIT_ALL SYNC LOAD_OTHER, COPY SYNC LOAD_OTHER SYNC WAIT_ALL,
      .also = "cpasync.visibility.others", .says = "before the barrier" },
    { "cpasync.visibility.nothing-else", COPY WAIT_ALL SYNC LOAD_OWN, COPY SYNC LOAD_OWN WAIT_ALL },
    { "group.per-thread",
      "@%w1 cp.async.ca.shared.global [%o], [%a], 16; @%w1 cp.async.wait_all;\n" SYNC "@%w0 ld.shared.u32 %y, [%q];\n",
      "@%w1 cp.async.ca.shared.global [%o], [%a], 16; @%w0 cp.async.wait_all;\n" SYNC
      "@%w0 ld.shared.u32 %y, [%q];\n" WAIT_ALL },
    { "cpasync.order.war-dst", COPY WAIT_ALL SYNC LOAD_OTHER SYNC COPY WAIT_ALL,
      COPY WAIT_ALL SYNC LOAD_OTHER COPY WAIT_ALL },
    { "mbarrier.wait.async-not-covered",
      INIT_ALL SYNC COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" WAIT LOAD_OTHER WAIT_ALL,
      INIT_ALL SYNC COPY ARRIVE(".shared") WAIT LOAD_OWN WAIT_ALL },
    { "cpasync.proxy.to-async", COPY WAIT_ALL FENCE SYNC BULK_STORE STORED, COPY WAIT_ALL SYNC BULK_STORE STORED },
    /* ---- the proxy fence ---- */
    { "bulk.proxy.s2g-needs-fence", "st.shared.v4.u32 [%o], {%x, %x, %x, %x};\n" FENCE_SHARED SYNC BULK_STORE STORED,
      "st.shared.v4.u32 [%o], {%x, %x, %x, %x};\n" SYNC BULK_STORE STORED },
    { "bulk.proxy.s2g-needs-fence", STORE SYNC "@%p0 fence.proxy.async;\n" BULK_STORE STORED,
      STORE FENCE STORE SYNC BULK_STORE STORED },
    { "bulk.proxy.fence-space", STORE FENCE SYNC BULK_STORE STORED, STORE FENCE_GLOBAL SYNC BULK_STORE STORED },
    { "bulk.proxy.g2s-needs-fence", "st.global.u32 [%a], %x;\n" FENCE_GLOBAL INIT SYNC BULK_LOAD WAIT,
      "st.global.u32 [%a], %x;\n" INIT SYNC BULK_LOAD WAIT },
    { "bulk.proxy.fence-space", "st.global.u32 [%a], %x;\n" FENCE INIT SYNC BULK_LOAD WAIT,
      "st.global.u32 [%a], %x;\n" FENCE_SHARED INIT SYNC BULK_LOAD WAIT },
    { "fence.proxy_async.g2a", STORE FENCE INIT SYNC BULK_LOAD WAIT, STORE INIT SYNC BULK_LOAD WAIT },
    { "fence.proxy_async.a2g-war",
      INIT SYNC BULK_LOAD WAIT LOAD_OWN FENCE SYNC
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n" LOAD_FROM("%g") SPIN(".shared", "%m", "1"),
      INIT SYNC BULK_LOAD WAIT LOAD_OWN SYNC
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n" LOAD_FROM("%g") SPIN(".shared", "%m", "1"),
      .reads = true },
    { "fence.proxy_async.a2g-war", /* not asked for */
      INIT SYNC BULK_LOAD WAIT LOAD_OWN SYNC
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n" LOAD_FROM("%g") SPIN(".shared", "%m", "1"),
      NULL },
    /* ---- bulk copies and an mbarrier ---- */
    /* A wait for the parity of the phase before: it comes true at once. */
    { "mbarrier.phase.parity-alternates", INIT SYNC BULK_LOAD WAIT LOAD_OWN,
      INIT SYNC BULK_LOAD SPIN(".shared", "%m", "1") LOAD_OWN WAIT, .also = "bulk.dst.no-early-read", .late = true },
    { "mbarrier.phase.parity-alternates", INIT SYNC BULK_LOAD WAIT SYNC BULK_LOAD SPIN(".shared", "%m", "1") LOAD_OWN,
      INIT SYNC BULK_LOAD WAIT SYNC BULK_LOAD WAIT LOAD_OWN SPIN(".shared", "%m", "1"),
      .also = "bulk.dst.no-early-read", .late = true },
    { "mbarrier.wait.relaxed-no-order",
      INIT SYNC BULK_LOAD SPIN(".shared", "%m", "0") SYNC BULK_LOAD SPIN(".shared", "%m", "1"),
      INIT SYNC BULK_LOAD SPIN(".relaxed.cta.shared::cta", "%m", "0") BULK_LOAD SPIN(".shared", "%m", "1"),
      .also = "bulk.order.none-between", .late = true },
    { "bulk.dst.no-early-read", INIT SYNC BULK_LOAD WAIT LOAD_OWN, INIT SYNC BULK_LOAD LOAD_OWN WAIT },
    { "bulk.src.stable", INIT SYNC BULK_LOAD WAIT "st.global.u32 [%a], %x;\n",
      INIT SYNC BULK_LOAD "st.global.u32 [%a], %x;\n" WAIT },
    { "bulk.weak", INIT SYNC BULK_LOAD WAIT STORE, INIT SYNC BULK_LOAD STORE WAIT },
    { "bulk.order.none-between", INIT SYNC BULK_LOAD WAIT BULK_STORE STORED,
      INIT SYNC BULK_LOAD BULK_STORE STORED WAIT },
    { "mbarrier.wait.async-not-covered",
      INIT SYNC "@%p0 mbarrier.arrive.shared.b64 _, [%n];\n" BULK_LOAD SPIN(".shared", "%n", "0") WAIT LOAD_OWN,
      INIT SYNC "@%p0 mbarrier.arrive.shared.b64 _, [%n];\n" BULK_LOAD SPIN(".shared", "%n", "0") LOAD_OWN WAIT },
    { "mbarrier.wait.relaxed-no-order",
      INIT SYNC BULK_LOAD SPIN(".relaxed.cta.shared::cta", "%m", "0") "fence.acq_rel.cta;\n" LOAD_OWN,
      INIT SYNC BULK_LOAD SPIN(".relaxed.cta.shared::cta", "%m", "0") LOAD_OWN },
    { "bulk.complete.not-transitive",
      INIT SYNC "@%p0 st.shared.u32 [%s+2048], %x;\n" BULK_LOAD WAIT "@%p1 ld.shared.u32 %y, [%s+2048];\n",
      INIT SYNC EXPECT "@%p0 st.shared.u32 [%s+2048], %x;\n" LOAD_FROM("%g") WAIT
      "@%p1 ld.shared.u32 %y, [%s+2048];\n" },
    /* ---- bulk groups ---- */
    { "bulk.src.stable", STORE FENCE SYNC BULK_STORE BULK_COMMIT BULK_READ SYNC STORE BULK_WAIT,
      STORE FENCE SYNC BULK_STORE BULK_COMMIT SYNC STORE BULK_WAIT },
    { "bulk.wait.store-issuer-only", STORE FENCE SYNC BULK_STORE BULK_COMMIT BULK_READ SYNC STORE BULK_WAIT,
      STORE FENCE SYNC BULK_STORE BULK_COMMIT "@%p1 cp.async.bulk.wait_group.read 0;\n" SYNC
                                              "@%p0 st.shared.u32 [%s+16], %x;\n" BULK_WAIT },
    { "bulkgrp.uncommitted", STORE FENCE SYNC BULK_STORE STORED "@%p0 ld.global.u32 %y, [%h];\n",
      STORE FENCE SYNC BULK_STORE BULK_WAIT "@%p0 ld.global.u32 %y, [%h];\n" STORED },
    { "bulkgrp.separate-nonbulk", STORE FENCE SYNC BULK_STORE STORED "@%p0 ld.global.u32 %y, [%h];\n",
      STORE FENCE SYNC BULK_STORE BULK_COMMIT WAIT_ALL "@%p0 ld.global.u32 %y, [%h];\n" BULK_WAIT },
    { "bulkgrp.read.not-visible", STORE FENCE SYNC BULK_STORE STORED "@%p0 ld.global.u32 %y, [%h];\n",
      STORE FENCE SYNC BULK_STORE BULK_COMMIT BULK_READ "@%p0 ld.global.u32 %y, [%h];\n" BULK_WAIT },
    { "bulkgrp.per-thread", STORE FENCE SYNC BULK_STORE STORED SYNC "@%p1 ld.global.u32 %y, [%h];\n",
      STORE FENCE SYNC BULK_STORE BULK_COMMIT SYNC
      "@%p1 cp.async.bulk.wait_group 0; @%p1 ld.global.u32 %y, [%h];\n" SYNC BULK_WAIT },
    { "bulkgrp.wait.visible-issuer-only", STORE FENCE SYNC BULK_STORE STORED SYNC "@%p1 ld.global.u32 %y, [%h];\n",
      STORE FENCE SYNC BULK_STORE STORED "@%p1 ld.global.u32 %y, [%h];\n" },
    { "bulkgrp.unordered-inside", STORE FENCE SYNC BULK_STORE STORED BULK_STORE STORED,
      STORE FENCE SYNC BULK_STORE BULK_STORE STORED },
    { "bulkgrp.wait.n", STORE FENCE SYNC BULK_STORE STORED "@%p0 ld.global.u32 %y, [%h];\n",
      STORE FENCE SYNC BULK_STORE BULK_COMMIT
      "@%p0 cp.async.bulk.wait_group 1; @%p0 ld.global.u32 %y, [%h];\n" BULK_WAIT,
      .also = "bulk.dst.no-early-read", .says = "wait_group 0 at line", .table = "it leaves 1 in flight" },
    { "bulkgrp.wait.n", STORE FENCE SYNC BULK_STORE STORED SYNC "@%p1 ld.global.u32 %y, [%h];\n",
      STORE FENCE SYNC BULK_STORE BULK_COMMIT "@%p0 cp.async.bulk.wait_group 1;\n" SYNC
                                              "@%p1 ld.global.u32 %y, [%h];\n" BULK_WAIT,
      .also = "bulk.dst.no-early-read", .says = "wait_group 0 at line" },
    /* ---- copies that nobody waited for ---- */
    { "bulk.exit.source-alive", STORE FENCE SYNC BULK_STORE BULK_COMMIT BULK_READ,
      STORE FENCE SYNC BULK_STORE BULK_COMMIT, .table = "no wait yet" },
    { "bulk.exit.source-alive", SEND("%z", "%y") WAIT CLUSTER, SEND("%z", "%y") WAIT, .ctas = 2 },
    { "bulk.exit.dst-alive", INIT SYNC BULK_LOAD WAIT, INIT SYNC BULK_LOAD },
    { "cpasync.exit-pending", COPY COMMIT WAIT_GROUP("0"), COPY COMMIT, .table = "no wait yet" },
    { "cpasync.exit-pending", INIT_ALL SYNC COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" WAIT,
      INIT_ALL SYNC COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" },
    /* ---- whose shared memory ---- */
    { "bulk.s2cluster.other-cta", SEND("%z", "%y") WAIT CLUSTER, SEND("%s", "%m") WAIT CLUSTER, .ctas = 2 },
    { "bulk.mbar.remote-s2cluster", SEND("%z", "%y") WAIT CLUSTER, SEND("%z", "%m") WAIT CLUSTER, .ctas = 2 },
    { "bulk.cta-dst.own",
      READY EXPECT
      "@%p0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%s], [%g], 1024, [%m];\n" WAIT CLUSTER,
      READY EXPECT
      "@%p0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%z], [%g], 1024, [%m];\n" WAIT CLUSTER,
      .ctas = 2 },
    { "bulk.mc.rank-exists", READY EXPECT MULTICAST("3") WAIT CLUSTER, READY EXPECT MULTICAST("5") WAIT CLUSTER,
      .ctas = 2, .faults = true },
    { "bulk.mc.rank-exists", READY EXPECT MULTICAST("3") WAIT CLUSTER,
      READY "setp.eq.u32 %t, %r, 1; @%t ret;\nnanosleep.u32 1000;\n" EXPECT MULTICAST("3") WAIT, .ctas = 2,
      .faults = true },
    /* ---- operands ---- */
    { "bulk.align.shared16", INIT SYNC EXPECT LOAD("%s+16", "%g", "1024", "%m") WAIT,
      INIT SYNC EXPECT LOAD("%s+8", "%g", "1024", "%m") WAIT, .faults = true },
    { "bulk.align.global16", INIT SYNC EXPECT LOAD("%s", "%g+16", "1024", "%m") WAIT,
      INIT SYNC EXPECT LOAD("%s", "%g+8", "1024", "%m") WAIT, .faults = true },
    { "bulk.mbar.align8", INIT SYNC EXPECT LOAD("%s", "%g", "1024", "%m") WAIT,
      INIT SYNC EXPECT LOAD("%s", "%g", "1024", "%m+4") WAIT, .faults = true },
    { "bulk.size.mult16-reg", "mov.u32 %x, 1024;\n" INIT SYNC EXPECT LOAD("%s", "%g", "%x", "%m") WAIT,
      "mov.u32 %x, 1025;\n" INIT SYNC EXPECT LOAD("%s", "%g", "%x", "%m") WAIT, .faults = true },
    { "bulk.range.src", INIT SYNC EXPECT LOAD("%s", "%g+3072", "1024", "%m") WAIT,
      INIT SYNC EXPECT LOAD("%s", "%g+3088", "1024", "%m") WAIT, .faults = true },
    { "bulk.range.dst", INIT SYNC EXPECT LOAD("%s+3072", "%g", "1024", "%m") WAIT,
      INIT SYNC EXPECT LOAD("%s+4096", "%g", "1024", "%m") WAIT, .faults = true },
    { "bulkpf.align16", "cp.async.bulk.prefetch.L2.global [%g+16], 64;\n",
      "cp.async.bulk.prefetch.L2.global [%g+8], 64;\n", .faults = true },
    { "bulkpf.size", "mov.u32 %x, 48; cp.async.bulk.prefetch.L2.global [%g], %x;\n",
      "mov.u32 %x, 40; cp.async.bulk.prefetch.L2.global [%g], %x;\n" },
    { "cpasync.align.dst", COPY WAIT_ALL, "cp.async.ca.shared.global [%o+4], [%a], 16;\n" WAIT_ALL, .faults = true },
    { "cpasync.align.src", COPY WAIT_ALL, "cp.async.ca.shared.global [%o], [%a+4], 16;\n" WAIT_ALL, .faults = true },
    { "cpasync.oob.dst", COPY WAIT_ALL, "cp.async.ca.shared.global [%o+8192], [%a], 16;\n" WAIT_ALL, .faults = true },
    { "cpasync.oob.src", COPY WAIT_ALL, "cp.async.ca.shared.global [%o], [%a+4096], 16;\n" WAIT_ALL, .faults = true },
    { "cpasync.oob.src", "cp.async.ca.shared.global [%o], [%a+4096], 16, 0;\n" WAIT_ALL,
      "cp.async.ca.shared.global [%o], [%a+4096], 16, 4;\n" WAIT_ALL, .faults = true,
      .also = "cpasync.srcsize.zero-no-fetch" },
    /* ---- tiles ---- */
    { "tensor.tile.rank-match", TILE_LOAD("0, 0", "%s", "%m"),
      INIT SYNC EXPECT TILE("cluster", "1d", "0", "%s", "%m") WAIT, .faults = true },
    { "tensor.tile.rank-match", "cp.async.bulk.prefetch.tensor.2d.L2.global [%v, {0, 0}];\n",
      "cp.async.bulk.prefetch.tensor.3d.L2.global [%v, {0, 0, 0}];\n", .faults = true },
    { "tensor.tile.coord0.align16", TILE_LOAD("4, 0", "%s", "%m"), TILE_LOAD("3, 0", "%s", "%m"), .faults = true },
    { "tensor.smem.align128", TILE_LOAD("0, 0", "%s+128", "%m"), TILE_LOAD("0, 0", "%s+64", "%m"), .faults = true },
    { "tensor.mbar.align8", TILE_LOAD("0, 0", "%s", "%m"), TILE_LOAD("0, 0", "%s", "%m+4"), .faults = true },
    { "bulk.range.dst", TILE_LOAD("0, 0", "%s+3072", "%m"), TILE_LOAD("0, 0", "%s+3200", "%m"), .faults = true },
    { "bulk.range.src", TILE_LOAD("0, 24", "%s", "%m"), TILE_LOAD("0, 32", "%s", "%m"), .maps = { "dims=32x64" },
      .faults = true },
    { "tensor.tile.oob.store-negative", TILE_STORE("0, 28"), TILE_STORE("0, -1"), .faults = true },
    { "tensor.dst.cta-own", READY EXPECT TILE("cta", "2d", "0, 0", "%s", "%m") WAIT CLUSTER,
      READY EXPECT TILE("cta", "2d", "0, 0", "%z", "%m") WAIT CLUSTER, .ctas = 2 },
    { "tensor.mbar.cta-dst-remote", READY EXPECT TILE("cta", "2d", "0, 0", "%s", "%m") WAIT CLUSTER,
      READY EXPECT TILE("cta", "2d", "0, 0", "%s", "%y") WAIT CLUSTER, .ctas = 2 },
    { "tensor.mbar.same-cta-as-dst", READY EXPECT TILE("cluster", "2d", "0, 0", "%z", "%y") WAIT CLUSTER,
      READY EXPECT TILE("cluster", "2d", "0, 0", "%z", "%m") WAIT CLUSTER, .ctas = 2 },
    { "bulk.mc.rank-exists", READY EXPECT TILES("3") WAIT CLUSTER, READY EXPECT TILES("4") WAIT CLUSTER, .ctas = 2,
      .faults = true },
    { "bulk.exit.dst-alive", TILE_LOAD("0, 0", "%s", "%m"),
      INIT SYNC EXPECT TILE("cluster", "2d", "0, 0", "%s", "%m") },
    { "tensor.store.fence", STORE FENCE SYNC TILE_STORE("0, 0"), STORE SYNC TILE_STORE("0, 0") },
    { "tensor.order.none", TILE_STORE("0, 0") TILE_STORE("0, 0"),
      "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%w, {0, 0}], [%s];\n" TILE_STORE("0, 0") },
    { "swz.reader-as-writer",
      TILE_LOAD("0, 0", "%s", "%m") SYNC "st.shared.v4.u32 [%o], {%x, %x, %x, %x};\n" FENCE SYNC TILE_STORE("0, 0"),
      TILE_LOAD("0, 0", "%s", "%m") TILE_STORE("0, 0"), .maps = { "swizzle=128B" }, .says = "same swizzle",
      .table = "offset 1152   | 1  0  3  2  5  4  7  6    | 0* 1* 2* 3* 4* 5* 6* 7*" },
    { "swz.reader-as-writer", TILE_LOAD("0, 0", "%s", "%m") TILE_STORE("0, 0"), NULL,
      .maps = { "swizzle=128B", "swizzle=128B" } },
    { "swz.flip.load-only", TILE_LOAD("0, 0", "%s", "%m"), TILE_STORE("0, 0"),
      .maps = { "swizzle=128B-atom-32B-flip-8B", "swizzle=128B-atom-32B-flip-8B" } },
    { "cpasync.srcsize.reg-over", "mov.u32 %x, 16; cp.async.ca.shared.global [%o], [%a], 16, %x;\n" WAIT_ALL,
      "mov.u32 %x, 17; cp.async.ca.shared.global [%o], [%a], 16, %x;\n" WAIT_ALL },
};

int main(void)
{
    return test_obligations("emu_order", obligations, sizeof obligations / sizeof *obligations, false);
}
// SPDX-License-Identifier: Apache-2.0
