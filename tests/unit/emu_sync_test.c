/* mbarriers from their making to their end, barriers, warp-wide operations, the shared memory of other CTAs, and
 * deadlocks: each obligation in a form that keeps it and in one that breaks it; the tables of waiters. */
#include "tests/unit/emu_obligation.h"

#define ONE             "@%p0 mbarrier.arrive.shared.b64 _, [%m];\n"
#define MAKE            "@%p0 mbarrier.init.shared.b64 [%m], 1;\n"
#define INVAL           "@%p0 mbarrier.inval.shared.b64 [%m];\n"
#define STATE           "@%p0 mbarrier.arrive.shared.b64 %d, [%m];\n"
#define TEST            "@%p0 mbarrier.test_wait.parity.shared.b64 %t, [%m], 0;\n"
#define ON_STATE(b)     "@%p0 mbarrier.test_wait.shared.b64 %t, [" b "], %d;\n"
#define LOOK(space, at) "{ L: ld.volatile." space ".u32 %z, [" at "]; setp.eq.u32 %t, %z, 0; @%t bra L; }\n"
#define REMOTE          "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n"
#define FIRST_CTA       "setp.eq.u32 %t, %r, 0; and.pred %t, %t, %p0;\n"

static const struct obligation obligations[] = {
    /* ---- an mbarrier's life ---- */
    { "mbarrier.init.live-object", MAKE SYNC INVAL MAKE SYNC, MAKE SYNC MAKE SYNC },
    { "mbarrier.init.required", INIT SYNC TEST, TEST },
    { "mbarrier.init.required", INIT SYNC ONE, ONE INIT SYNC },
    { "mbarrier.init.needs-sync", INIT SYNC "@%p1 mbarrier.test_wait.parity.shared.b64 %t, [%m], 0;\n",
      "@%p0 nanosleep.u32 20;\n" INIT "@%p1 mbarrier.test_wait.parity.shared.b64 %t, [%m], 0;\n" },
    { "mbarrier.inval.required", INIT SYNC INVAL "@%p0 st.shared.b64 [%m], %g; @%p0 ld.shared.b64 %d, [%m];\n",
      INIT SYNC "@%p0 st.shared.b64 [%m], %g; @%p0 ld.shared.b64 %d, [%m];\n" },
    { "mbarrier.inval.required", MAKE SYNC INVAL "@%p0 st.shared.b64 [%m], %g;\n" MAKE,
      MAKE SYNC "@%p0 st.shared.b64 [%m], %g;\n" MAKE },
    { "mbarrier.inval.then-use", INIT SYNC TEST INVAL, INIT SYNC INVAL TEST },
    { "mbarrier.inval.quiescent", INIT_ALL SYNC ARRIVE(".shared") WAIT SYNC INVAL,
      INIT_ALL SYNC ARRIVE(".shared") WAIT INVAL, .ordered = true },
    { "mbarrier.object.opaque-read", INIT SYNC TEST, INIT SYNC "@%p0 ld.shared.b64 %d, [%m];\n" TEST },
    { "mbarrier.object.opaque-write", INIT SYNC TEST, INIT SYNC "@%p0 atom.shared.add.u32 %z, [%m], 1;\n" TEST },
    { "mbarrier.object.opaque-write", INIT SYNC TEST,
      INIT SYNC "@%p0 cp.async.ca.shared.global [%m], [%g], 8; @%p0 cp.async.wait_all;\n" TEST },
    { "mbarrier.object.no-copy", INIT SYNC TEST,
      "@%p0 mbarrier.init.shared.b64 [%m], 1;\n" SYNC "@%p0 ld.shared.b64 %d, [%m]; @%p0 st.shared.b64 [%n], %d;\n"
      "@%p0 mbarrier.test_wait.parity.shared.b64 %t, [%n], 0;\n" },
    { "mbarrier.inval.quiescent", INIT SYNC BULK_LOAD WAIT SYNC INVAL, NULL },
    /* What is read of an object is told at its cluster's end, or where no thread can go on; not where a fault ends it.
     */
    { "mbarrier.object.opaque-read", INIT SYNC TEST,
      INIT SYNC "@%p0 ld.shared.b64 %d, [%m];\n" TEST SPIN(".shared", "%n", "0"), .hangs = true,
      .too = "mbarrier.phase.all-arrive" },
    { "bar.id-range", "mov.u32 %z, 15; bar.sync %z;\n",
      INIT SYNC "@%p0 ld.shared.b64 %d, [%m];\n" TEST SYNC "mov.u32 %z, 16; bar.sync %z;\n", .faults = true },
    /* ---- states ---- */
    { "mbarrier.phase.older-state", INIT SYNC STATE ON_STATE("%m") ONE,
      INIT SYNC STATE ON_STATE("%m") ONE "@%p0 mbarrier.test_wait.parity.shared.b64 %t, [%m], 1;\n" ON_STATE("%m") },
    { "mbarrier.arrive.state-other-object", INIT SYNC STATE ON_STATE("%m"), INIT SYNC STATE ON_STATE("%n") },
    { "mbarrier.arrive.state-other-object", INIT SYNC STATE ON_STATE("%m"), MAKE SYNC STATE INVAL MAKE ON_STATE("%m") },
    { "mbarrier.pending_count.source",
      INIT_ALL SYNC "@%p0 mbarrier.arrive.noComplete.shared.b64 %d, [%m], 2; @%p0 mbarrier.pending_count.b64 %z, %d;\n",
      INIT_ALL SYNC STATE "@%p0 mbarrier.pending_count.b64 %z, %d;\n" },
    /* ---- phases ---- */
    { "mbarrier.phase.observe-before-next", INIT SYNC ONE TEST ONE, INIT SYNC ONE ONE },
    { "mbarrier.phase.over-arrive", "@%p0 mbarrier.init.shared.b64 [%m], 32;\n" SYNC "@%w0 " ARRIVE(".shared"),
      "@%p0 mbarrier.init.shared.b64 [%m], 31;\n" SYNC "@%w0 " ARRIVE(".shared") },
    { "mbarrier.arrive_drop.nocomplete",
      INIT_ALL SYNC "@%p0 mbarrier.arrive_drop.noComplete.shared.b64 %d, [%m], 63;\n",
      INIT_ALL SYNC "@%p0 mbarrier.arrive_drop.noComplete.shared.b64 %d, [%m], 64;\n" },
    /* ---- windows ---- */
    { "mbarrier.arrive.generic-window", INIT SYNC ONE, "@%p0 mbarrier.arrive.b64 _, [%g];\n", .faults = true },
    { "mbarrier.wait.remote-generic", READY CLUSTER,
      READY "cvt.u64.u32 %d, %y; cvta.shared::cluster.u64 %d, %d; mbarrier.test_wait.parity.b64 %t, [%d], 0;\n" CLUSTER,
      .ctas = 2 },
    { "mbarrier.arrive.remote-generic-state", READY CLUSTER,
      READY
      "cvt.u64.u32 %d, %y; cvta.shared::cluster.u64 %d, %d; @%p0 mbarrier.arrive.release.cluster.b64 %d, [%d];\n" CLUSTER,
      .ctas = 2 },
    /* ---- other CTAs ---- */
    { "mbarrier.cluster.local-form", READY FIRST_CTA "@%t mbarrier.arrive.shared::cluster.b64 _, [%y];\n" CLUSTER,
      READY FIRST_CTA "@%t mbarrier.arrive.shared::cta.b64 %d, [%y];\n" CLUSTER, .ctas = 2, .faults = true },
    { "mbarrier.cluster.owner-alive",
      READY FIRST_CTA "@%t mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%y];\n" CLUSTER,
      READY FIRST_CTA "@%t mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%y];\n", .ordered = true,
      .ctas = 2 },
    { "dsmem.entry", CLUSTER PEER("%z", "%o") "st.shared::cluster.u32 [%z], %x;\n" CLUSTER,
      PEER("%z", "%o") "st.shared::cluster.u32 [%z], %x;\n" CLUSTER, .ordered = true, .ctas = 2 },
    { "dsmem.exit", CLUSTER PEER("%z", "%o") FIRST_CTA "@%t st.shared::cluster.u32 [%z], %x;\n" CLUSTER,
      CLUSTER PEER("%z", "%o") FIRST_CTA "@%t st.shared::cluster.u32 [%z], %x;\n", .ordered = true, .ctas = 2,
      .tells = "none of its threads waits for it" },
    { "dsmem.exit", CLUSTER PEER("%z", "%o") "st.shared::cluster.u32 [%z], %x; fence.acq_rel.cluster;\n" LOOSE_CLUSTER,
      CLUSTER PEER("%z", "%o") "st.shared::cluster.u32 [%z], %x;\n" LOOSE_CLUSTER, .ordered = true, .ctas = 2,
      .tells = "a relaxed arrive does not wait for the access" },
    { "dsmem.exit", CLUSTER PEER("%z", "%o") "atom.shared::cluster.add.u32 %y, [%z], %x;\n" LOOSE_CLUSTER,
      CLUSTER PEER("%z", "%o") "red.shared::cluster.add.u32 [%z], %x;\n" LOOSE_CLUSTER, .ordered = true, .ctas = 2 },
    { "dsmem.exit", CLUSTER PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER,
      CLUSTER PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" LOOSE_CLUSTER, .ordered = true, .ctas = 2 },
    { "dsmem.exit", CLUSTER PEER("%z", "%o") "st.shared::cluster.u32 [%z], %x;\n" CLUSTER,
      CLUSTER PEER("%z", "%o") "st.shared::cluster.u32 [%z], %x;\n", .ordered = true, .ctas = 2, .faults = true },
    { "dsmem.rank-range", CLUSTER PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER,
      CLUSTER "mov.u32 %z, 2; mapa.shared::cluster.u32 %z, %o, %z; ld.shared::cluster.u32 %y, [%z];\n" CLUSTER,
      .ctas = 2, .faults = true },
    { "cluster.barrier.between",
      CLUSTER PEER("%z", "%o") "@%p0 st.shared::cluster.u32 [%z], %x; barrier.cluster.arrive; barrier.cluster.wait;\n"
                               "@%p0 ld.shared.u32 %y, [%o];\n" CLUSTER,
      CLUSTER PEER("%z", "%o") "barrier.cluster.arrive; @%p0 st.shared::cluster.u32 [%z], %x; barrier.cluster.wait;\n"
                               "@%p0 ld.shared.u32 %y, [%o];\n" CLUSTER,
      .ordered = true, .ctas = 2 },
    /* ---- barriers ---- */
    { "bar.id-range", "mov.u32 %z, 15; bar.sync %z;\n", "mov.u32 %z, 16; bar.sync %z;\n", .faults = true },
    { "bar.count-multiple", "mov.u32 %z, 64; bar.sync 1, %z;\n", "mov.u32 %z, 33; bar.sync 1, %z;\n", .faults = true },
    { "bar.count-same", "@%w0 bar.sync 1, 64; @%w1 bar.arrive 1, 64;\n",
      "@%w0 bar.sync 1, 64; @%w1 bar.arrive 1, 32;\n" },
    { "bar.count-same", "@%w0 bar.sync 1; mov.u32 %z, 64; @%w1 barrier.sync 1, %z;\n",
      "mov.u32 %z, 64; @%w1 mov.u32 %z, 32; barrier.sync 1, %z;\n" },
    { "bar.aligned", "setp.lt.u32 %t, %i, 32; @%t bra A; bar.sync 0; bra E; A: bar.sync 0; E:\n",
      "setp.lt.u32 %t, %i, 16; @%t bra A; bar.sync 0; bra E; A: bar.sync 0; E:\n" },
    { "bar.aligned", "setp.lt.u32 %t, %i, 32; @%t bra A; barrier.sync 0; bra E; A: bar.sync 0; E:\n",
      "setp.lt.u32 %t, %i, 16; @%t bra A; barrier.sync 0; bra E; A: bar.sync 0; E:\n" },
    { "bar.aligned", "setp.lt.u32 %t, %i, 32; @%t bra A; bar.sync 0; bra E; A: barrier.sync 0; E:\n",
      "setp.lt.u32 %t, %i, 16; @%t bra A; bar.sync 0; bra E; A: barrier.sync 0; E:\n" },
    { "bar.aligned", "and.b32 %z, %i, 16; setp.eq.u32 %t, %z, 0; @%t barrier.sync 1, 32;\n",
      "and.b32 %z, %i, 16; setp.eq.u32 %t, %z, 0; @%t bar.sync 1, 32;\n" },
    { "bar.red-mix", "bar.red.popc.u32 %z, 0, %p0;\n", "@%w0 bar.sync 0; @%w1 bar.red.popc.u32 %z, 0, %p0;\n" },
    { "cluster.barrier.arrive-once", CLUSTER CLUSTER, "barrier.cluster.arrive; " CLUSTER, .faults = true },
    { "cluster.barrier.arrive-once", CLUSTER CLUSTER, "barrier.cluster.wait;\n", .faults = true },
    { "cluster.barrier.arrive-once", CLUSTER CLUSTER, CLUSTER "barrier.cluster.wait;\n", .faults = true },
    { "cluster.barrier.arrive-once", CLUSTER CLUSTER, "barrier.cluster.arrive; nanosleep.u32 1000; " CLUSTER,
      .faults = true },
    { "cluster.barrier.aligned",
      "setp.lt.u32 %t, %i, 16; @%t bra A; barrier.cluster.arrive; bra E; A: barrier.cluster.arrive; E:\n"
      "barrier.cluster.wait;\n",
      "setp.lt.u32 %t, %i, 16; @%t bra A; barrier.cluster.arrive.aligned; bra E; A: barrier.cluster.arrive.aligned; E:\n"
      "barrier.cluster.wait;\n" },
    { "cluster.barrier.aligned",
      "setp.lt.u32 %t, %i, 32; @%t bra A; barrier.cluster.arrive; bra E; A: barrier.cluster.arrive.aligned; E:\n"
      "barrier.cluster.wait;\n",
      "setp.lt.u32 %t, %i, 16; @%t bra A; barrier.cluster.arrive; bra E; A: barrier.cluster.arrive.aligned; E:\n"
      "barrier.cluster.wait;\n" },
    { "cluster.barrier.aligned",
      "barrier.cluster.arrive.aligned;\n"
      "setp.lt.u32 %t, %i, 16; @%t bra A; barrier.cluster.wait; bra E; A: barrier.cluster.wait; E:\n",
      "barrier.cluster.arrive.aligned;\n"
      "setp.lt.u32 %t, %i, 16; @%t bra A; barrier.cluster.wait; bra E; A: barrier.cluster.wait.aligned; E:\n" },
    { "cluster.barrier.aligned",
      "barrier.cluster.arrive;\n"
      "setp.lt.u32 %t, %i, 32; @%t bra A; barrier.cluster.wait.aligned; bra E; A: barrier.cluster.wait; E:\n",
      "barrier.cluster.arrive;\n"
      "setp.lt.u32 %t, %i, 16; @%t bra A; barrier.cluster.wait.aligned; bra E; A: barrier.cluster.wait.aligned; E:\n" },
    /* ---- warps ---- */
    { "warp.member", "shfl.sync.idx.b32 %y, %x, 0, 31, -1;\n", "shfl.sync.idx.b32 %y, %x, 0, 31, 2;\n",
      .faults = true },
    { "warp.member", "elect.sync %z|%t, -1;\n", "elect.sync %z|%t, 0;\n", .faults = true },
    { "warp.source", "setp.lt.u32 %t, %i, 16; @%t shfl.sync.idx.b32 %y, %x, 15, 31, 0xffff;\n",
      "setp.lt.u32 %t, %i, 16; @%t shfl.sync.idx.b32 %y, %x, 16, 31, 0xffff;\n" },
    { "warp.source", "setp.lt.u32 %t, %i, 16; @%t shfl.sync.down.b32 %y, %x, 16, 31, 0xffff;\n",
      "setp.lt.u32 %t, %i, 16; @!%t exit; shfl.sync.idx.b32 %y, %x, 20, 31, -1;\n" },
    { "warp.same-mask", "vote.sync.any.pred %t, %p0, -1;\n",
      "mov.u32 %z, -1; @%p0 mov.u32 %z, 0x7fffffff; vote.sync.any.pred %t, %p0, %z;\n" },
    { "warp.aligned", STORE SYNC "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%y}, [%o];\n",
      "setp.eq.u32 %t, %i, 5; " STORE SYNC "@%t exit; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%y}, [%o];\n",
      .faults = true },
    /* ---- deadlocks ---- */
    { "mbarrier.phase.all-arrive", INIT_ALL SYNC ARRIVE(".shared") WAIT, INIT_ALL SYNC ONE WAIT, .hangs = true,
      .table = "): phase 0 (parity 0) of the mbarrier at offset 5120 (bars + 0)\n"
               "mbarrier at offset 5120 (bars + 0) of CTA 0,0,0: phase 0, 63 of 64 arrivals pending\n"
               "  1 arrival at line " },
    { "mbarrier.phase.all-arrive",
      INIT_ALL SYNC "@%w0 mbarrier.arrive.shared.b64 _, [%m]; @%w1 mbarrier.arrive_drop.shared.b64 _, [%m];\n"
                    "@%w1 bra E;\n" WAIT ARRIVE(".shared") SPIN(".shared", "%m", "1") "E:\n",
      INIT_ALL SYNC ARRIVE(".shared") "@%w1 bra E;\n" WAIT ARRIVE(".shared") SPIN(".shared", "%m", "1") "E:\n",
      .hangs = true, .says = "let a thread that leaves arrive with mbarrier.arrive_drop" },
    { "mbarrier.tx.balance", TILE_LOAD("28, 30", "%s", "%m"),
      INIT SYNC "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 32;\n" TILE("cluster", "2d", "28, 30", "%s", "%m")
          WAIT,
      .hangs = true, .table = "; 992 of them are outside the tensor, and filled\n" },
    { "mbarrier.tx.balance", TILE_LOAD("0, 24", "%s", "%m"),
      INIT SYNC "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 32;\n" TILE("cluster", "2d", "0, 24", "%s", "%m")
          WAIT,
      .hangs = true, .lacks = "filled" },
    { "mbarrier.tx.balance", INIT SYNC BULK_LOAD WAIT, INIT SYNC EXPECT LOAD("%s", "%g", "512", "%m") WAIT,
      .hangs = true, .says = "expect as many bytes as the copies bring",
      .table = "0 of 1 arrivals pending, 1024 bytes expected and 512 delivered\n" },
    { "mbarrier.tx.balance", INIT SYNC BULK_LOAD WAIT,
      INIT SYNC "@%p0 mbarrier.expect_tx.shared.b64 [%m], 512;\n" LOAD_FROM(
          "%g") "@%p1 nanosleep.u32 20;\n"
                "@%p0 mbarrier.expect_tx.shared.b64 [%m], 1024; @%p0 mbarrier.arrive.shared.b64 _, [%m];\n" WAIT,
      .hangs = true, .table = "1536 bytes expected and 1024 delivered\n  512 bytes expected at line " },
    { "mbarrier.phase.older-parity", INIT SYNC ONE TEST ONE SYNC "@!%p1 bra E;\n" SPIN(".shared", "%m", "1") "E:\n",
      INIT SYNC ONE TEST ONE "@%p0 mbarrier.test_wait.parity.shared.b64 %t, [%m], 1;\n" SYNC "@!%p1 bra E;\n" WAIT
                             "E:\n",
      .hangs = true, .table = "): phase 2 (parity 0) of the mbarrier at offset 5120 (bars + 0)\n" },
    { "mbarrier.wait.own-arrive-order", INIT_ALL SYNC ARRIVE(".shared") WAIT,
      INIT_ALL SYNC "@!%p1 bra A;\n" WAIT "A:" ARRIVE(".shared") WAIT, .hangs = true,
      .table = "thread 32,0,0 of CTA 0,0,0" },
    { "deadlock.spin", "@%p0 st.shared.u32 [%s+2048], 1;\n" SYNC LOOK("shared", "%s+2048"),
      "@%p0 st.shared.u32 [%s+2048], 0;\n" SYNC LOOK("shared", "%s+2048"), .hangs = true,
      .table = "which reads 0 at offset 3072 (s + 2048) of shared memory of CTA 0,0,0\n" },
    { "deadlock.spin", "@%p0 st.global.u32 [%g+64], 1;\n" SYNC LOOK("global", "%g+64"), LOOK("global", "%g+64"),
      .hangs = true, .table = "the loop in line 14, which reads 0 at offset 64 of g\n" },
    { "deadlock.barrier", "bar.sync 1, 64;\n", "@%w0 bar.sync 1, 64;\n", .hangs = true,
      .table = "): barrier 1, where 32 of 64 threads have arrived\n" },
    { "bar.aligned", "bar.sync 0;\n", "@!%p0 bar.sync 0; @!%p0 bra E; bar.sync 1, 64; E:\n", .hangs = true },
    { "deadlock.cluster", CLUSTER, "setp.eq.u32 %t, %r, 0; @%t bra A; bar.sync 1, 96; bra E; A:" CLUSTER "E:\n",
      .ctas = 2, .hangs = true, .table = "): the cluster's barrier\n" },
    { "deadlock.warp", "shfl.sync.idx.b32 %y, %x, 0, 31, -1;\n",
      "setp.eq.u32 %t, %i, 3; @%t bra A; shfl.sync.idx.b32 %y, %x, 0, 31, -1; bra E; A: barrier.sync 2, 64; E:\n",
      .hangs = true, .table = "): the lanes 0xffffffff of the warp\n" },
};

int main(void)
{
    return test_obligations("emu_sync", obligations, sizeof obligations / sizeof *obligations, true);
}
// SPDX-License-Identifier: Apache-2.0
