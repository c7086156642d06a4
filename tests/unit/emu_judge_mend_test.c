/* What a finding says would mend the program: judge/mend.c looks at the text between the two accesses, and at what
 * their threads did at mbarriers. */
#include "tests/unit/emu_obligation.h"

#define AGAIN      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%n], 1024;\n" LOAD("%s", "%g", "1024", "%n")
#define AGAIN_DONE SPIN(".shared", "%n", "0") LOAD_OWN
#define ROUND      INIT SYNC BULK_LOAD WAIT LOAD_OWN
#define BEHIND     "a barrier between the reads and the next copy: the one at line "
#define FREE_INIT  "@%p0 mbarrier.init.shared.b64 [%s+2048], 64;\n" INIT SYNC
#define FREE       "mbarrier.arrive.shared.b64 _, [%s+2048];\n"
#define FREED      SPIN(".shared", "%s+2048", "0")
#define FILL       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g], 1024, [%m];\n"
#define WARP_MEETS "bar.warp.sync 0xffffffff;\n"
#define LATER      BY("63", SLEEP) STORE
#define IN_TURN(text)                                                                                                  \
    FREE_INIT EXPECT BY("32", WAIT LOAD_OWN FREE FREED "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 1024;\n")        \
        BY_LANES FILL "N: }\n{ setp.eq.u32 %t, %i, 32; @%t bra N;\n" WAIT LOAD_OWN text                                \
                      "N: }\n" SPIN(".shared", "%m", "1")
#define BY_LANES "{ and.b32 %z, %i, 31; setp.ne.u32 %t, %z, 0; @%t bra N;\n"
#define ALONE    "bar.warp.sync 0x80000000;\n"

static const struct obligation obligations[] = {
    /* A copy over what others still read: the barrier that is there comes behind it, ... */
    { "bulk.dst.reuse-war", ROUND SYNC AGAIN AGAIN_DONE, ROUND AGAIN "mov.u32 %z, 0;\n" SYNC AGAIN_DONE,
      .says = BEHIND },
    { "bulk.dst.reuse-war", ROUND SYNC AGAIN AGAIN_DONE, ROUND AGAIN "bra L; L: mov.u32 %z, 0;\n" SYNC AGAIN_DONE,
      .says = BEHIND },
    /* ... or there is none, or none in the same round of the loop, */
    { "bulk.dst.reuse-war", ROUND SYNC AGAIN AGAIN_DONE, ROUND AGAIN AGAIN_DONE, .lacks = BEHIND },
    { "bulk.dst.reuse-war", ROUND SYNC AGAIN AGAIN_DONE,
      ROUND "mov.u32 %z, 0;\nL:\n" AGAIN "add.u32 %z, %z, 1; setp.lt.u32 %t, %z, 1; @%t bra L;\n" SYNC AGAIN_DONE,
      .lacks = BEHIND },
    /* or it is one that a warp waits at. */
    { "bulk.dst.reuse-war", ROUND SYNC AGAIN AGAIN_DONE, ROUND WARP_MEETS AGAIN SYNC AGAIN_DONE,
      .says = "bar.warp.sync (line " },
    { "bulk.dst.reuse-war", ROUND SYNC AGAIN AGAIN_DONE, INIT SYNC BULK_LOAD WAIT "@%w1 " LOAD_OWN AGAIN AGAIN_DONE,
      .lacks = "bar.warp.sync (line " },
    /* The copy's issuer waits for arrivals, which come before the reads. */
    { "bulk.dst.reuse-war", FREE_INIT BULK_LOAD WAIT LOAD_OWN FREE FREED AGAIN AGAIN_DONE,
      FREE_INIT BULK_LOAD WAIT FREE LOAD_OWN FREED AGAIN AGAIN_DONE,
      .says = "arrive at the mbarrier behind the reads" },
    /* Two threads issue what one is to. */
    { "bulk.dst.reuse-war", INIT SYNC EXPECT BY("0", FILL) WAIT BY("5", SLEEP LOAD_OWN),
      INIT SYNC EXPECT BY("32", WAIT) BY_LANES FILL "N: }\n" WAIT BY("5", SLEEP LOAD_OWN),
      .says = "let one thread issue the copy: two have issued it at line ",
      .too = "mbarrier.tx.wrong-phase bulk.exit.dst-alive" },
    /* Two issue it in turn, the second one when all have said that they have read. */
    { "bulk.dst.reuse-war", IN_TURN(BY("5", SLEEP LOAD_OWN) FREE), IN_TURN(FREE BY("5", SLEEP LOAD_OWN)),
      .lacks = "let one thread issue the copy" },
    /* ---- threads that race ---- */
    /* Thread 31 arrives for thread 63 too, whose word it reads. */
    { "order.data-race", INIT_ALL SYNC LATER ARRIVE(".shared") WAIT BY("31", ALONE LOAD_OTHER),
      INIT_ALL SYNC BY("31", ARRIVE(".shared")) LATER ARRIVE(".shared") WAIT BY("31", ALONE LOAD_OTHER),
      .says = "let each thread arrive once in a phase" },
    { "order.data-race", INIT_ALL SYNC LATER ARRIVE(".shared") WAIT BY("31", ALONE LOAD_OTHER),
      INIT_ALL SYNC BY("30", ARRIVE(".shared")) LATER ARRIVE(".shared") WAIT BY("31", ALONE LOAD_OTHER),
      .lacks = "let each thread arrive once in a phase" },
    { "order.data-race", INIT_ALL SYNC STORE ARRIVE(".shared") WAIT LOAD_OTHER,
      INIT_ALL SYNC STORE ARRIVE(".shared") "@%w0 bra N;\n" WAIT "bra E; N:\n" LOAD_OTHER "E:\n",
      .says = "let both threads wait at the mbarrier" },
    /* Barriers of a CTA, and a place in another one's shared memory. */
    { "order.data-race", CLUSTER STORE CLUSTER PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER,
      CLUSTER STORE SYNC PEER("%z", "%o") "ld.shared::cluster.u32 %y, [%z];\n" CLUSTER, .ctas = 2,
      .says = "a barrier of the cluster" },
    { "order.data-race", STORE SYNC LOAD_OTHER, STORE LOAD_OTHER, .lacks = "cluster" },
    /* ---- the init of an mbarrier ---- */
    { "mbarrier.cluster.remote-init-sync",
      INIT CLUSTER PEER("%z", "%m") "@%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      CLUSTER INIT SYNC PEER("%z", "%m") "@%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%z];\n" CLUSTER,
      .ctas = 2, .table = "executes bar.sync 0 (line " },
};

int main(void)
{
    return test_obligations("emu_judge_mend", obligations, sizeof obligations / sizeof *obligations, false);
}
// SPDX-License-Identifier: Apache-2.0
