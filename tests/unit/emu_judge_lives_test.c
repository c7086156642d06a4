/* Small programs and exactly what the judge says of them: the lives of mbarriers to the end, who is named beside whom,
 * what a deadlock's message and table say, and what clocks know over several CTAs. What tools/judge-mutants found that
 * no other test holds. */
#include "tests/unit/emu_story.h"

#define ONE     "@%p0 mbarrier.arrive.shared.b64 _, [%m];\n"
#define MAKE(n) "@%p0 mbarrier.init.shared.b64 [%m], " n ";\n"
#define INVAL   "@%p0 mbarrier.inval.shared.b64 [%m];\n"
#define TEST    "@%p0 mbarrier.test_wait.parity.shared.b64 %t, [%m], 0;\n"
#define DREW(who)                                                                                                      \
    "atom.shared.add.u32 %z, [%s], 1; setp.eq.u32 %t, %i, " who "; add.u32 %y, %z, 1; @%t ld.shared.u32 %y, [%s];\n"
#define ARRIVE_AT(bar)  "mbarrier.arrive.shared.b64 _, [" bar "];\n"
#define ON(bar, parity) SPIN(".shared", bar, parity)
#define NOINC(bar)      "cp.async.mbarrier.arrive.noinc.shared.b64 [" bar "];\n"
#define WRITE_1         "@%p1 st.shared.u32 [%s], %x;\n"
#define SEND_OUT        "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%h], [%s], 16;\n" STORED
#define RANK_0          "setp.eq.u32 %t, %r, 0; "
/* A flag of global memory, raised and waited for: a word of %h. */
#define RAISE(at) "st.release.gpu.global.u32 [%h+" at "], 1;\n"
#define SEE(at)   "{ L: ld.acquire.gpu.global.u32 %z, [%h+" at "]; setp.eq.u32 %t, %z, 0; @%t bra L; }\n"
/* 1100 mbarriers: more than those of which the judge follows each thread's part. */
#define MANY                                                                                                            \
    ".shared .align 8 .b64 many[1100]; mov.u32 %z, many; mov.u32 %y, 0; @!%p0 bra D;\n"                                 \
    "I: mbarrier.init.shared.b64 [%z], 1; add.u32 %z, %z, 8; add.u32 %y, %y, 1; setp.lt.u32 %t, %y, 1100; @%t bra I;\n" \
    "sub.u32 %z, %z, 8; " ARRIVE_AT("%z") ON("%z", "0") ARRIVE_AT("%z")                                                 \
        ON("%z", "1") "mbarrier.inval.shared.b64 [%z];\nD:\n"

static const struct story stories[] = {
    /* ---- mbarriers ---- */
    { "made too late for two",
      TEST SYNC "@%p1 mbarrier.test_wait.parity.shared.b64 %t, [%m], 0; @%p1 mbarrier.init.shared.b64 [%m], 1;\n",
      "mbarrier.init.needs-sync@0:32" },
    { "made again alive", MAKE("1") SYNC "@%p1 mbarrier.init.shared.b64 [%m], 1;\n", "mbarrier.init.live-object@32:0" },
    { "a copy used twice",
      MAKE("1") SYNC
      "@%p0 ld.shared.b64 %d, [%m]; @%p0 st.shared.b64 [%n], %d;\n"
      "@%p0 mbarrier.test_wait.parity.shared.b64 %t, [%n], 0; @%p0 mbarrier.test_wait.parity.shared.b64 %t, [%n], 0;\n",
      "mbarrier.object.no-copy@0:0" },
    { "used twice after its end",
      INIT SYNC INVAL SYNC "@%p1 mbarrier.test_wait.parity.shared.b64 %t, [%m], 0;\n" SYNC TEST,
      "mbarrier.inval.then-use@32:0" },
    { "what threads did in an earlier life",
      MAKE("32") SYNC "@%w1 bra A;\n" ARRIVE_AT("%m") WAIT "A:" SYNC INVAL MAKE("1") ONE SYNC
      "setp.eq.u32 %t, %i, 1; @%t " ARRIVE_AT("%m"),
      "mbarrier.phase.over-arrive@1:-" },
    { "ended by another than its maker", MAKE("1") "@%p1 mbarrier.inval.shared.b64 [%m];\n",
      "mbarrier.inval.quiescent@32:-" },
    { "read while alive, then ended", MAKE("1") SYNC "@%p1 ld.shared.b64 %d, [%m];\n" SYNC INVAL,
      "mbarrier.object.opaque-read@32:0" },
    { "ended with a copy in flight",
      INIT SYNC LOAD_FROM("%g") INVAL,
      "mbarrier.inval.quiescent@0:- mbarrier.inval.then-use@0:0 bulk.exit.dst-alive@0:-",
      { "1 copies in flight" } },
    { "ended when the copy has landed", INIT SYNC BULK_LOAD WAIT SYNC INVAL, "" },
    { "an arrival behind a stale wait",
      MAKE("1") SYNC "@!%p0 bra E;\n" ARRIVE_AT("%m") WAIT WAIT ARRIVE_AT("%m") ARRIVE_AT("%m") "E:\n",
      "mbarrier.phase.parity-alternates@0:0" },
    { "bytes that nobody announced",
      INIT SYNC EXPECT LOAD("%s", "%g", "1024", "%m") "@%p1 " ARRIVE_AT(
          "%n") "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s+2048], [%g], 512, [%n];\n" WAIT,
      "", .unordered = true },
    { "a phase that ends under a copy",
      "@%p0 mbarrier.init.shared.b64 [%m], 1; @%p0 mbarrier.init.shared.b64 [%n], 1;\n" SYNC EXPECT LOAD(
          "%s", "%g", "1024",
          "%m") "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s+2048], [%g], 512, [%n];\n" SYNC
                "@%p0 " ARRIVE_AT("%n") WAIT,
      "mbarrier.tx.wrong-phase@0:32",
      { "a copy of 512 bytes" },
      .unordered = true },
    { "bytes stored where an object was",
      INIT SYNC INVAL "@%p0 st.shared.b64 [%m], %g; @%p0 ld.shared.b64 %d, [%m];\n" TEST,
      "mbarrier.inval.then-use@0:0" },
    { "written twice, then used",
      INIT SYNC "@%p1 st.shared.b64 [%m], %g;\n" SYNC "@%p0 st.shared.b64 [%m], %g;\n" SYNC TEST,
      "mbarrier.object.opaque-write@0:32" },
    { "written as it was, before all that is near it",
      "@%p1 st.shared.u32 [%s+1024], %x; @%p0 mbarrier.init.shared.b64 [%s], 1;\n" SYNC
      "@%p1 st.shared.u8 [%s+7], 0;\n" SYNC "@%p0 mbarrier.test_wait.parity.shared.b64 %t, [%s], 0;\n",
      "mbarrier.object.opaque-write@0:32" },
    { "between two objects",
      "@%p0 mbarrier.init.shared.b64 [%s], 1; @%p0 mbarrier.init.shared.b64 [%s+64], 1;\n" SYNC
      "@%p0 st.shared.b64 [%s+32], %g; @%p0 ld.shared.b64 %d, [%s+32];\n",
      "" },
    { "a copy that reads an object",
      MAKE("1") FENCE SYNC "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%h], [%m], 16;\n" STORED,
      "mbarrier.object.opaque-read@0:0" },
    { "a multicast to both", READY EXPECT MULTICAST("3") WAIT CLUSTER INVAL, "", .ctas = 2 },
    { "a multicast to one", READY RANK_0 "@!%t bra A;\n" EXPECT MULTICAST("1") WAIT "A:" CLUSTER INVAL, "", .ctas = 2 },
    { "a multicast that nobody announced",
      READY MULTICAST("2") CLUSTER "setp.eq.u32 %t, %r, 1; and.pred %t, %t, %p0; @%t " ARRIVE_AT("%m") CLUSTER
      "@%p1 mbarrier.test_wait.parity.shared.b64 %t, [%m], 1;\n" CLUSTER,
      "mbarrier.tx.wrong-phase@0:0", .ctas = 2, .unordered = true },
    { "objects beyond those followed", MANY, "" },
    { "read as what was written there, then used",
      MAKE("1") SYNC "@%p0 st.shared.b64 [%m], %g; @%p0 ld.shared.b64 %d, [%m];\n" TEST,
      "mbarrier.inval.required@0:0 mbarrier.init.required@0:-" },
    /* ---- deadlocks ---- */
    { "arrivals are summed by line",
      INIT_ALL SYNC "@%w0 " ARRIVE_AT("%m") WAIT,
      "mbarrier.phase.all-arrive@0:-",
      { "threads 0,0,0 to 63,0,0 of CTA", "  32 arrivals at line ", ", 32 times, first by thread 0,0,0" },
      .hangs = true },
    { "a parity two phases on",
      MAKE("1") SYNC ONE SYNC "@%w0 bra A;\n" WAIT "A:" SYNC "@!%p0 bra B;\n" WAIT ARRIVE_AT("%m") ON("%m", "1")
          ARRIVE_AT("%m") ON("%m", "0") "B:" SYNC "@!%p1 bra E;\n" ON("%m", "1") "E:\n",
      "mbarrier.phase.older-parity@32:-",
      { "which it has not seen complete is phase 1" },
      .hangs = true },
    { "who is missing has not gone",
      INIT_ALL SYNC ARRIVE_AT("%m") WAIT "@%w1 bra B;\n" ARRIVE_AT("%m") ON("%m", "1") "bra E; B: bar.sync 1, 96; E:\n",
      "mbarrier.phase.all-arrive@0:-",
      { "32 of 64 arrivals" },
      "has exited",
      .hangs = true },
    { "a barrier that waits for one that waits", INIT_ALL SYNC "@%w0 bar.sync 1, 64; @%w0 bra E;\n" WAIT "E:\n",
      "mbarrier.phase.all-arrive@32:-", .hangs = true },
    { "a barrier and a loop",
      RANK_0 "@!%t bra A; @%w0 bar.sync 1, 64; bra E;\n"
             "A: ld.volatile.global.u32 %z, [%g]; setp.eq.u32 %t, %z, 0; @%t bra A;\nE:\n",
      "deadlock.barrier@0:-",
      { "32 of 64 threads have come to barrier 1" },
      .ctas = 2,
      .hangs = true },
    { "a loop over shared memory",
      "@%p0 st.shared.u32 [%s], 0;\n" SYNC "A: ld.volatile.shared.u32 %z, [%s];\nsetp.eq.u32 %t, %z, 0; @%t bra A;\n",
      "deadlock.spin@0:-",
      { "reads 0 at offset 1024 (s + 0) of shared memory of CTA 0,0,0 again", "(line 16)",
        "the loop of lines 16 to 17, which reads 0 at offset 1024 (s + 0) of shared memory" },
      .bytes = 4,
      .hangs = true },
    { "a loop over global memory",
      "A: ld.volatile.global.u16 %k, [%g];\nsetp.eq.u16 %t, %k, 0; @%t bra A;\n",
      "deadlock.spin@0:-",
      { "reads 0 at offset 0 of g again", ", which reads 0 at offset 0 of g" },
      .bytes = 2,
      .hangs = true },
    { "a wait for what has ended",
      INIT SYNC INVAL "@!%p0 bra E;\n" WAIT "E:\n",
      "mbarrier.inval.then-use@0:0 mbarrier.inval.then-use@0:-",
      { "there is no mbarrier at offset 5120" },
      .hangs = true },
    { "a wait for what is not there",
      "@!%p0 bra E;\n" WAIT "E:\n",
      "mbarrier.init.required@0:-",
      { "there is no mbarrier at offset 5120" },
      .hangs = true },
    { "two clusters that hang alike",
      "@%w0 bar.sync 1, 64;\n",
      "deadlock.barrier@0:-",
      { "deadlock: 32 threads wait", "of CTA 0,0,0", "further clusters wait too" },
      "of CTA 1,0,0",
      .clusters = 2,
      .hangs = true },
    { "more waiters than the table has room for",
      "shl.b32 %z, %i, 3; add.u32 %z, %z, %s; mbarrier.init.shared.b64 [%z], 1;\n" SYNC ON("%z", "0"),
      "mbarrier.phase.all-arrive@0:-", .hangs = true },
    /* ---- arrivals of .noinc ---- */
    { "the one that others overtook, beside a copy and an arrival elsewhere",
      MAKE("2") "@%p0 mbarrier.init.shared.b64 [%n], 2;\n" SYNC BY("0", COPY) SYNC BY("33", COPY NOINC("%n"))
          SYNC BY("34", COPY NOINC("%m")) SYNC BY("1", ARRIVE_AT("%m")) BY("32", ARRIVE_AT("%m")) WAIT SYNC WAIT_ALL,
      "mbarrier.phase.over-arrive@32:34",
      { "waits for its copies" } },
    { "the same when bytes have come to the mbarrier",
      MAKE("3") SYNC BY("0", "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;\n") LOAD("%s", "%g", "16", "%m")
          SYNC BY("34", COPY NOINC("%m")) SYNC BY("1", ARRIVE_AT("%m")) BY("32", ARRIVE_AT("%m")) WAIT SYNC WAIT_ALL,
      "mbarrier.phase.over-arrive@0:34",
      { "waits for its copies" } },
    { "those that come in time",
      MAKE("3") SYNC BY("33", COPY NOINC("%m")) BY("34", COPY NOINC("%m")) SYNC ONE WAIT SYNC WAIT_ALL, "" },
    /* ---- circles ---- */
    { "a circle in a later phase",
      INIT SYNC "@%p1 bra C; @!%p0 bra E;\n" ARRIVE_AT("%m") ON("%n", "0") ON("%n", "1")
          ARRIVE_AT("%m") "bra E; C:\n" WAIT ARRIVE_AT("%n") ON("%m", "1") ARRIVE_AT("%n") "E:\n",
      "mbarrier.phase.all-arrive@0:-",
      { "a circle of 2 waits: thread 0,0,0 of CTA 0,0,0 at line ", "waits for what thread 32,0,0 of CTA 0,0,0 at line ",
        "what comes behind the wait of thread 32,0,0 of CTA 0,0,0 at line " },
      " and 0 more",
      .hangs = true },
    { "others arrived in the phase before",
      INIT SYNC "setp.eq.u32 %t, %i, 1; @%t " ARRIVE_AT("%m") "setp.eq.u32 %t, %i, 33; @%t " ARRIVE_AT(
          "%n") "@%p1 bra C; @!%p0 bra E;\n" ON("%n", "0") ON("%n", "1")
          ARRIVE_AT("%m") "bra E; C:\n" WAIT ON("%m", "1") ARRIVE_AT("%n") "E:\n",
      "mbarrier.phase.all-arrive@0:-",
      { "deadlock: 2 threads" },
      "circle",
      .hangs = true },
    { "they arrive no more",
      INIT SYNC ONE "@%p1 " ARRIVE_AT("%n") "@%p1 bra C; @!%p0 bra E;\n" ON("%n", "0")
          ON("%n", "1") "bra E; C:\n" WAIT ON("%m", "1") "E:\n",
      "mbarrier.phase.all-arrive@0:-",
      { "deadlock: 2 threads" },
      "circle",
      .hangs = true },
    { "one barrier from two places",
      "@%w1 bra A; bar.sync 1, 96; bar.sync 1, 96; bra E; A: bar.sync 1, 96; bar.sync 1, 96; E:\n",
      "deadlock.barrier@0:-",
      { "64 of 96" },
      "circle",
      .hangs = true },
    { "more are missing than wait",
      "@%p0 mbarrier.init.shared.b64 [%m], 2; @%p0 mbarrier.init.shared.b64 [%n], 2;\n" SYNC
      "@%p1 bra C; @!%p0 bra E;\n" ON("%n", "0") ARRIVE_AT("%m") "bra E; C:" WAIT ARRIVE_AT("%n") "E:\n",
      "mbarrier.phase.all-arrive@0:-",
      { "2 of 2 arrivals" },
      "circle",
      .hangs = true },
    { "one comes to no barrier",
      MAKE("32") SYNC "@%w1 bra B; barrier.sync 1, 64;\n" ARRIVE_AT("%m") "bra E; B:" WAIT "E:\n",
      "deadlock.barrier@0:-", /* the arrivals that are missing come behind it */
      { "32 of 64 threads have come to barrier 1" },
      "circle",
      .hangs = true },
    { "a circle of a warp and an mbarrier",
      MAKE("31") SYNC "setp.eq.u32 %t, %i, 31; @%t bra A; shfl.sync.idx.b32 %y, %x, 0, 31, -1;\n" ARRIVE_AT(
          "%m") "bra E; A:" WAIT "shfl.sync.idx.b32 %y, %x, 0, 31, -1; E:\n",
      "mbarrier.phase.all-arrive@31:-",
      { "a circle of 2 waits", "circle: thread 0,0,0 of CTA 0,0,0 and 30 more" },
      .threads = 32,
      .hangs = true },
    { "a lane outside the mask",
      MAKE("16") SYNC
      "@%w1 bra B; setp.ge.u32 %t, %i, 16; @%t bra A; shfl.sync.idx.b32 %y, %x, 0, 31, 0x1ffff;\n" ARRIVE_AT(
          "%m") "bra E; A: setp.ne.u32 %t, %i, 16; @%t bra E; barrier.sync 3, 64; bra E; B:" WAIT "E:\n",
      "deadlock.warp@0:-",
      { "waits for lane 16" },
      "circle",
      .hangs = true },
    { "a circle over the cluster's barrier",
      "@%p0 mbarrier.init.shared.b64 [%m], 64; @%p0 fence.mbarrier_init.release.cluster;\n" CLUSTER PEER("%y", "%m")
          RANK_0 "@!%t bra A;\n" CLUSTER "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%y]; bra E;\n"
                 "A:" SPIN(".acquire.cluster.shared::cta", "%m", "0") CLUSTER "E:\n",
      "mbarrier.phase.all-arrive@0:-",
      { "a circle of 2 waits" },
      .ctas = 2,
      .hangs = true },
    { "the cluster's barrier from two places",
      "setp.ge.u32 %t, %i, 64; @%t bra B; barrier.cluster.arrive; @%w1 bra A; barrier.cluster.wait; bra E;\n"
      "A: barrier.cluster.wait; bra E; B: barrier.sync 1, 128; E:\n",
      "deadlock.cluster@0:-",
      { "deadlock: 96" },
      "circle",
      .threads = 96,
      .hangs = true },
    /* ---- which of several waits is named ---- */
    { "arrivals behind a barrier to which another one comes round its loop",
      MAKE("32") SYNC "@%w1 bra B; barrier.sync 1, 64;\n" ARRIVE_AT("%m") "bra E; L: barrier.sync 1, 64; B:" WAIT
                                                                          "bra L; E:\n",
      "mbarrier.phase.all-arrive@32:-", .hangs = true },
    { "arrivals behind a barrier, and a loop without one",
      MAKE("32") SYNC "@%w1 bra B; barrier.sync 1, 64;\n" ARRIVE_AT("%m") "bra E; L: add.u32 %x, %x, 1; B:" WAIT
                                                                          "bra L; E:\n",
      "deadlock.barrier@0:-", .hangs = true },
    { "bytes are missing, and another CTA waits for something else",
      READY "setp.eq.u32 %t, %r, 0; @!%t bra A; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;\n" WAIT
            "bra E; A:" SPIN(".shared", "%n", "0") "E:\n",
      "mbarrier.tx.balance@0:-",
      { "all arrivals are in and the bytes do not balance" },
      "yet to issue",
      .ctas = 2,
      .hangs = true },
    { "bytes are missing, and another CTA is at its end",
      READY "setp.eq.u32 %t, %r, 0; @!%t bra E; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;\n" WAIT "E:\n",
      "mbarrier.tx.balance@0:-",
      { "all arrivals are in and the bytes do not balance" },
      "yet to issue",
      .ctas = 2,
      .hangs = true },
    { "each of two CTAs waits for the other one's copy",
      READY "setp.eq.u32 %t, %r, 0; @!%t mov.u32 %m, %n; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;\n" WAIT
            "@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%z], [%s], 16, [%y];\n",
      "mbarrier.tx.balance@0:-",
      { "bytes of a copy are missing that another CTA has yet to issue" },
      .ctas = 2,
      .hangs = true },
    { "arrivals are missing, and none of copies came", MAKE("3") SYNC ONE WAIT, "mbarrier.phase.all-arrive@0:-",
      .never = "noinc", .also = "", .hangs = true },
    /* ---- accesses ---- */
    { "read twice, and written by nobody", "@%p0 ld.shared.u32 %y, [%s]; @%p1 ld.shared.u32 %y, [%s];\n",
      "order.unwritten@0:- order.unwritten@32:-", .init = true },
    { "what is left of a write",
      "mov.u32 %y, %ctaid.x; setp.eq.u32 %t, %y, 1; @%t bra A; @%p0 st.global.v4.u32 [%g], {%x, %x, %x, %x};\n" SYNC
      "@%p1 st.global.u32 [%g+4], %i; bra E; A: @%p0 ld.global.u32 %y, [%g+12]; E:\n",
      "order.data-race@0:0",
      { "bytes 12 to 15" },
      .clusters = 2 },
    { "what is left of a thread's own write",
      "@%p0 st.shared.v4.u32 [%s], {%x, %x, %x, %x}; @%p0 st.shared.u32 [%s+4], %i; @%p1 ld.shared.u32 %y, [%s+12];\n",
      "order.data-race@32:0" },
    { "what a thread wrote beside what it read, in a line that others began",
      "sub.u32 %z, %i, 32; setp.lt.u32 %t, %z, 8; shl.b32 %z, %z, 4; add.u32 %z, %z, %s; @%t st.shared.u32 [%z+4], %x;\n" SYNC
          BY("0",
             SLEEP GET "add.u32 %z, %s, 124; { L: st.shared.u32 [%z], %x; sub.u32 %z, %z, 4; setp.gt.u32 %t, %z, %s;\n"
                       "@%t bra L; }\n") BY("33", SLEEP SLEEP "ld.shared.u32 %y, [%s+8];\n"),
      "order.data-race@33:0" },
    { "one of a row reads again, then writes",
      "@%p0 st.shared.u32 [%s], 0;\n" SYNC "@%w1 bra E; ld.global.u32 %y, [%g]; membar.cta;\n"
      "setp.eq.u32 %t, %i, 31; @%t st.volatile.shared.u32 [%s], 1; @!%p0 bra E;\n"
      "L: ld.volatile.shared.u32 %z, [%s]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"
      "ld.global.u32 %y, [%g]; st.global.u32 [%g], %x; E:\n",
      "order.data-race@0:1" },
    /* ---- fences that do not help ---- */
    { "a proxy fence of the copying thread, too early",
      WRITE_1 "@%p0 " FENCE_SHARED SYNC SEND_OUT,
      "bulk.proxy.s2g-needs-fence@0:32",
      { "thread 0,0,0 of CTA 0,0,0 executes fence.proxy.async.shared::cta (line ",
        "when it does not know of the write yet" },
      "but not between" },
    { "a proxy fence of the writer, too early",
      "@%p1 " FENCE WRITE_1 "@%p1 membar.cta;\n" SYNC SEND_OUT,
      "bulk.proxy.s2g-needs-fence@0:32",
      { "thread 32,0,0 of CTA 0,0,0 executes fence.proxy.async (line ", "but not between the write and" },
      "membar" },
    { "a proxy fence of the thread that writes and copies, too early",
      "@%p0 " FENCE "@%p0 st.shared.u32 [%s], %x;\n" SEND_OUT,
      "bulk.proxy.s2g-needs-fence@0:0",
      { "but not between the write and" },
      "when it does not know" },
    { "a memory fence in place of a proxy fence",
      WRITE_1 "@%p1 membar.cta;\n" SYNC "@%p0 fence.acq_rel.cta;\n" SEND_OUT,
      "bulk.proxy.s2g-needs-fence@0:32",
      { "thread 32,0,0 of CTA 0,0,0 executes membar.cta (line ", "which does not reach the async proxy" } },
    { "no fence at all", WRITE_1 SYNC SEND_OUT, "bulk.proxy.s2g-needs-fence@0:32", .never = "executes" },
    { "a proxy fence, and another write unordered",
      "@%p0 " FENCE "@%p1 st.shared.u32 [%s], %x; @%p0 ld.shared.u32 %y, [%s];\n", "order.data-race@32:0",
      .never = "executes" },
    /* ---- what CTAs know ---- */
    { "known through two others",
      "@!%p0 bra E; mov.u32 %y, %ctaid.x; setp.eq.u32 %t, %y, 1; @%t bra B; setp.eq.u32 %t, %y, 2; @%t bra C;\n"
      "setp.eq.u32 %t, %y, 3; @%t bra D; st.global.u32 [%g], %x;" RAISE(
          "0") "bra E;\n"
               "B: st.global.u32 [%g+4], %x;" RAISE(
                   "4") "bra E;\n"
                        "C:" SEE("4") RAISE("8") "bra E;\n"
                                                 "D:" SEE("0")
                                                     SEE("8") "ld.global.u32 %x, [%g]; ld.global.u32 %x, [%g+4];\nE:\n",
      "", .clusters = 4 },
};

/* Strong accesses of which a later one knows only some. */
static const struct obligation rows[] = {
    { "order.data-race",
      "setp.ge.u32 %t, %i, 64; @%t bra C; @%w1 bra B; @%p0 st.volatile.shared.u32 [%s], %x; bar.sync 1, 64; bar.sync 2, 96; bra E;\n"
      "B: bar.sync 1, 64; @%p1 ld.volatile.shared.u32 %z, [%s]; bar.sync 2, 96; bra E;\n"
      "C: bar.sync 2, 96; ld.shared.u32 %y, [%s]; E:\n",
      "@%p0 st.shared.u32 [%s+64], 0;\n" SYNC
      "setp.ge.u32 %t, %i, 64; @%t bra C; @%w1 bra B; @%p0 st.volatile.shared.u32 [%s], %x; bar.sync 1, 64; bra E;\n"
      "B: bar.sync 1, 64; @%p1 ld.volatile.shared.u32 %z, [%s]; @%p1 st.volatile.shared.u32 [%s+64], 1; bra E;\n"
      "C: ld.volatile.shared.u32 %z, [%s+64]; setp.eq.u32 %t, %z, 0; @%t bra C; ld.shared.u32 %y, [%s]; E:\n",
      .threads = 96 },
    { "order.data-race", "st.volatile.shared.u32 [%s], %i;\n" SYNC "ld.shared.u32 %y, [%s];\n",
      "st.volatile.shared.u32 [%s], %i; setp.eq.u32 %t, %i, 63; @%t ld.shared.u32 %y, [%s];\n" },
    { "order.data-race",
      "@%p0 st.volatile.shared.u32 [%s], 0; @%p0 st.volatile.shared.u32 [%s+4], 0;\n" SYNC
      "@%p0 st.volatile.shared.u32 [%s], 1; @%p0 st.volatile.shared.u32 [%s+4], 1; @!%p1 bra E;\n"
      "L: ld.volatile.shared.u32 %z, [%s+4]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"
      "ld.volatile.shared.u32 %z, [%s]; ld.shared.u32 %z, [%s]; E:\n",
      "@%p0 st.volatile.shared.u32 [%s], 0; @%p0 st.volatile.shared.u32 [%s+4], 0;\n" SYNC
      "@%p0 st.volatile.shared.u32 [%s], 1; @%p0 st.volatile.shared.u32 [%s+4], 1; @!%p1 bra E;\n"
      "L: ld.volatile.shared.u32 %z, [%s+4]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"
      "ld.shared.u32 %z, [%s]; E:\n" },
    { "order.data-race",
      "@%p0 st.volatile.shared.u64 [%s], %g;\n" SYNC
      "@%p1 ld.volatile.shared.u32 %z, [%s+4]; @%p1 ld.shared.u64 %d, [%s];\n",
      "@%p0 st.volatile.shared.u64 [%s], 0;\n" SYNC "@%p0 st.volatile.shared.u64 [%s], %g; @!%p1 bra E;\n"
      "L: ld.volatile.shared.u32 %z, [%s+4]; setp.eq.u32 %t, %z, 0; @%t bra L; ld.shared.u64 %d, [%s]; E:\n" },
    { "order.data-race",
      "@%p0 mbarrier.init.shared.b64 [%s], 1; @%p0 mbarrier.init.shared.b64 [%s+64], 1;\n" SYNC
      "@%p0 st.shared.u32 [%s+32], %x;\n" SYNC "@%p1 ld.shared.u32 %y, [%s+32];\n",
      "@%p0 mbarrier.init.shared.b64 [%s], 1; @%p0 mbarrier.init.shared.b64 [%s+64], 1;\n" SYNC
      "@%p0 st.shared.u32 [%s+32], %x; @%p1 ld.shared.u32 %y, [%s+32];\n" },
    { "access.nc-written", "ld.global.nc.u32 %y, [%b]; ld.global.u32 %y, [%a];\n" SYNC "st.global.u32 [%a], %y;\n",
      "ld.global.u32 %y, [%a]; ld.global.nc.u32 %y, [%a];\n" SYNC "st.global.u32 [%a], %y;\n" },
    { "access.nc-written", "ld.global.u32 %y, [%a]; ld.global.nc.u32 %y, [%b];\n" SYNC "st.global.u32 [%a], %y;\n",
      "ld.global.nc.u32 %y, [%a]; ld.global.nc.u32 %y, [%b];\n" SYNC "st.global.u32 [%a], %y;\n" },
    { "order.data-race", "@%p0 ld.volatile.shared.u32 %y, [%s]; @%p1 st.volatile.shared.u32 [%s], %x;\n",
      "@%p0 ld.volatile.shared.u32 %y, [%s]; @%p0 ld.shared.u32 %y, [%s]; @%p1 st.volatile.shared.u32 [%s], %x;\n" },
    { "order.data-race", "@%p0 ld.volatile.shared.u32 %y, [%s]; membar.cta; @%p1 st.volatile.shared.u32 [%s], %x;\n",
      "@%p0 ld.shared.u32 %y, [%s]; membar.cta; @%p0 ld.volatile.shared.u32 %y, [%s]; @%p1 st.volatile.shared.u32 [%s], %x;\n" },
    { "order.data-race",
      "@%p0 st.volatile.shared.u32 [%s], 0;\n" SYNC "@%p0 st.volatile.shared.u32 [%s], 1; @!%p1 bra E;\n"
      "L: ld.volatile.shared.u32 %z, [%s]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"
      "ld.shared.u32 %z, [%s]; membar.cta; ld.shared.u32 %z, [%s]; membar.cta; ld.shared.u32 %z, [%s]; E:\n",
      NULL },
    { "order.data-race",
      "@%p0 st.volatile.shared.u32 [%s], 0;\n" SYNC
      "setp.eq.u32 %t, %i, 64; @%t st.volatile.shared.u32 [%s], 2; @!%p1 bra E;\n"
      "L: ld.volatile.shared.u32 %z, [%s]; setp.ne.u32 %t, %z, 2; @%t bra L; ld.shared.u32 %z, [%s]; E:\n",
      "@%p0 st.volatile.shared.u32 [%s], 0;\n" SYNC "@%p0 st.volatile.shared.u32 [%s], 1;\n"
      "setp.eq.u32 %t, %i, 64; @%t st.volatile.shared.u32 [%s], 2; @!%p1 bra E;\n"
      "L: ld.volatile.shared.u32 %z, [%s]; setp.ne.u32 %t, %z, 2; @%t bra L; ld.shared.u32 %z, [%s]; E:\n",
      .threads = 96 },
    { "order.data-race", DREW("63"), DREW("40") },
    /* Who gets nothing back cannot tell that it was last. */
    { "order.data-race", DREW("63"),
      "red.shared.add.u32 [%s], 1; setp.eq.u32 %t, %i, 63; @%t ld.shared.u32 %y, [%s];\n" },
    { "order.data-race", DREW("63"),
      "atom.shared.add.u32 %z, [%s], 1; setp.eq.u32 %t, %i, 63; @%t ld.shared.u32 %y, [%s];\n" },
    { "order.data-race", DREW("63"),
      "atom.shared.add.u32 _, [%s], 1; setp.eq.u32 %t, %i, 63; @%t ld.shared.u32 %y, [%s];\n" },
    { "order.data-race",
      "@%w0 red.shared.add.u32 [%s], 1; @%p1 atom.shared.add.u32 %z, [%s], 1; @%p1 setp.eq.u32 %t, %z, 32; "
      "@%p1 ld.shared.u32 %y, [%s];\n",
      "@%w0 red.shared.add.u32 [%s], 1; @%p1 red.shared.add.u32 [%s], 1; @%p1 ld.shared.u32 %y, [%s];\n" },
    /* sums of a copy beside those of threads, in a line of many patterns: the copy does not stand for them */
    { "order.data-race",
      "mul.lo.u32 %z, %i, 7; and.b32 %z, %z, 31; shl.b32 %z, %z, 2; cvt.u64.u32 %d, %z; add.u64 %d, %d, %h;\n"
      "@%w1 red.relaxed.gpu.global.add.u32 [%d], 1;\n" FENCE SYNC
      "@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%h], [%s], 128;\n" STORED
      "@%p0 ld.global.u32 %y, [%h+64];\n",
      "mul.lo.u32 %z, %i, 7; and.b32 %z, %z, 31; shl.b32 %z, %z, 2; cvt.u64.u32 %d, %z; add.u64 %d, %d, %h; @%w0 bra A;\n"
      "@!%p1 red.relaxed.gpu.global.add.u32 [%d], 1; setp.eq.u32 %t, %i, 63; @%t st.volatile.shared.u32 [%s+256], 1; bra E;\n"
      "A: @!%p0 bra E; L: ld.volatile.shared.u32 %z, [%s+256]; setp.eq.u32 %t, %z, 0; @%t bra L;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%h], [%s], 128;\n" STORED
      "ld.global.u32 %y, [%h+64]; E:\n" },
};

int main(void)
{
    const int failed = test_stories("emu_judge_lives", stories, sizeof stories / sizeof *stories);

    return test_obligations("emu_judge_rows", rows, sizeof rows / sizeof *rows, false) + failed;
}
// SPDX-License-Identifier: Apache-2.0
