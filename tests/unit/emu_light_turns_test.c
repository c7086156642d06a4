/* The light judge where CTAs meet in global memory and take turns (judge/light_turns.c): what orders their accesses. */
#include "tests/unit/emu_light.h"

/* %k is the CTA, %p thread 0, %e where the memory of all begins, %f a word behind that of the CTAs, which all have; the
 * word of this thread in the CTA behind this one is at %d. */
#define ALL_OF                                                                                                         \
    ".reg .b64 %e, %f; ld.param.u64 %e, [p]; mov.u32 %k, %ctaid.x; setp.eq.u32 %p, %t, 0; add.u64 %f, %e, 16384;\n"    \
    "add.u32 %a, %k, 1; rem.u32 %a, %a, 20; mul.wide.u32 %d, %a, 512; add.u64 %d, %d, %e; mul.wide.u32 %g, %t, 4;\n"   \
    "add.u64 %d, %d, %g; add.u64 %g, %g, %c;\n"
#define ROOM .pages = 40

/* The word of each thread; thread 0 says so, and looks whether all have. */
#define WRITE   "st.global.u32 [%g], %t;\n"
#define TICKET  "@%p atom.global.inc.u32 %x, [%f], 19;\n"
#define IF_LAST "@%p st.shared.u32 [s], %x;\n" BAR "ld.shared.u32 %x, [s]; setp.ne.u32 %q, %x, 19; @%q bra E;\n"
#define FENCE   "@%p membar.gl;\n"
#define READ    "ld.global.u32 %y, [%d];\n"

/* All CTAs wait for one another. */
#define COME(n, how, look)                                                                                             \
    "@%p " how " [%f], 1;\nG" #n ": @%p " look " %x, [%f]; setp.lt.and.u32 %q, %x, 20 * " #n ", %p; @%q bra G" #n ";\n"
#define MEET(n)           BAR COME(n, "red.release.gpu.global.add.u32", "ld.acquire.gpu.global.u32") BAR
#define MEET_BY_FENCES(n) BAR FENCE COME(n, "red.global.add.u32", "ld.volatile.global.u32") FENCE BAR

/* From CTA 0 to all others, by its flag, where it is there. */
#define SEND(how) "setp.eq.and.u32 %q, %k, 0, %p; @%q " how " [%f], 1; setp.eq.u32 %q, %k, 0; @%q bra E;\n"
#define HEARD(how)                                                                                                     \
    "mov.u32 %x, 0; @%p " how " %x, [%f]; @%p st.shared.u32 [s], %x;\n" BAR "ld.shared.u32 %x, [s];\n"                 \
    "setp.eq.u32 %q, %x, 0; @%q bra E; mul.wide.u32 %d, %t, 4; add.u64 %d, %d, %e;\n"

static const struct program programs[] = {
    { "a word of all, by strong stores", ALL_OF "@%p st.volatile.global.u32 [%f], %k;\n", ROOM },
    { "by weak ones", ALL_OF "@%p st.global.u32 [%f], %k;\n", "order.data-race", ROOM },
    { "by strong ones, and read by a weak load",
      ALL_OF "@%p st.volatile.global.u32 [%f], %k; setp.eq.u32 %q, %k, 7; @%q ld.global.u32 %x, [%f];\n",
      "order.data-race", ROOM },
    { "by strong ones for the CTA", ALL_OF "@%p st.relaxed.cta.global.u32 [%f], %k;\n", "order.data-race", ROOM },
    { "by strong ones for the cluster", ALL_OF "@%p st.relaxed.cluster.global.u32 [%f], %k;\n", "order.data-race",
      ROOM },
    { "read by all, and written by none", ALL_OF "ld.global.u32 %x, [%f]; st.volatile.global.u32 [%f+4], %x;\n", ROOM },
    { "read by all, and written by one at last",
      ALL_OF "@%p ld.global.u32 %x, [%f]; @%p st.volatile.global.u32 [%f+4], %x; setp.eq.u32 %q, %k, 19;\n"
             "@%q st.global.u32 [%f], 1;\n",
      "order.data-race", ROOM },
    { "written by one, and read by all",
      ALL_OF "setp.eq.and.u32 %q, %k, 0, %p; @%q st.global.u32 [%f], 1; ld.volatile.global.u32 %x, [%f];\n",
      "order.data-race", ROOM },
    { "read as what nobody writes, and written by one",
      ALL_OF "@%p st.volatile.global.u32 [%f+4], 1; ld.global.nc.u32 %x, [%f]; setp.eq.and.u32 %q, %k, 19, %p;\n"
             "@%q st.volatile.global.u32 [%f], 1;\n",
      "access.nc-written", ROOM },
    { "written by one, and read as what nobody writes",
      ALL_OF "setp.eq.and.u32 %q, %k, 0, %p; @%q st.volatile.global.u32 [%f], 1;\n"
             "setp.eq.and.u32 %q, %k, 5, %p; @%q ld.global.nc.u32 %x, [%f];\n",
      "access.nc-written", ROOM },
    { "a weak store and behind a barrier a strong one, read by others",
      ALL_OF "setp.eq.and.u32 %q, %k, 0, %p; @%q st.global.u32 [%f], 1;\n" BAR "@%q st.volatile.global.u32 [%f], 1;\n"
             "setp.eq.and.u32 %q, %k, 5, %p; @%q ld.volatile.global.u32 %x, [%f];\n",
      "order.data-race", ROOM },
    { "a weak store and behind a barrier of the warp a strong one, read by others",
      ALL_OF "setp.eq.and.u32 %q, %k, 0, %p; @%q st.global.u32 [%f], 1;\n" WARP "@%q st.volatile.global.u32 [%f], 1;\n"
             "setp.eq.and.u32 %q, %k, 5, %p; @%q ld.volatile.global.u32 %x, [%f];\n",
      "order.data-race", ROOM },
    { "a weak load and behind a barrier a strong one, written by others",
      ALL_OF "setp.eq.and.u32 %q, %k, 0, %p; @%q ld.global.u32 %x, [%f];\n" BAR "@%q ld.volatile.global.u32 %x, [%f];\n"
             "setp.eq.and.u32 %q, %k, 5, %p; @%q st.volatile.global.u32 [%f], 1;\n",
      "order.data-race", ROOM },
    { "weak stores and behind a barrier of the warp sums by its lanes",
      ALL BAR "st.shared.u32 [%b], 0;\n" WARP "and.b32 %a, %t, 96; mad.lo.u32 %a, %a, 4, 0; mov.u32 %x, s;\n"
              "add.u32 %a, %a, %x; atom.shared.add.u32 %y, [%a], 1;\n" WARP "ld.shared.u32 %x, [%b];\n" },
    { "weak stores and behind a barrier of the warp sums by lanes of another one",
      ALL BAR "st.shared.u32 [%b], 0;\n" WARP "xor.b32 %a, %t, 32; rem.u32 %a, %a, 96; mad.lo.u32 %a, %a, 4, 0;\n"
              "mov.u32 %x, s; add.u32 %a, %a, %x; atom.shared.add.u32 %y, [%a], 1;\n",
      "order.data-race" },
    { "bytes of a word, by two CTAs",
      ALL_OF
      "setp.lt.and.u32 %p, %k, 2, %p; cvt.u64.u32 %d, %k; add.u64 %d, %d, %f; @%p st.volatile.global.u8 [%d], %h;\n"
      "@%p st.volatile.global.u32 [%f+4], 1;\n",
      .doubts = true, ROOM },
    { "weak bytes of a word, by two CTAs",
      ALL_OF "setp.lt.and.u32 %p, %k, 2, %p; cvt.u64.u32 %d, %k; add.u64 %d, %d, %f; @%p st.global.u8 [%d], %h;\n",
      ROOM },
    { "bytes of a word that one CTA keeps apart, and another's",
      ALL_OF "setp.lt.and.u32 %p, %k, 2, %p; cvt.u64.u32 %d, %k; add.u64 %d, %d, %f; @%p st.global.u8 [%d], %h;\n"
             "@%p ld.global.u8 %h, [%d]; setp.eq.u32 %q, %k, 2; @%q st.volatile.global.u32 [%f+4], 1;\n",
      ROOM },

    { "the last one reads all", ALL_OF WRITE BAR FENCE TICKET FENCE IF_LAST READ, ROOM },
    { "the last one reads all, each thread has a fence", ALL_OF WRITE "membar.gl;\n" BAR TICKET FENCE IF_LAST READ,
      ROOM },
    { "the last one reads all, by atomics that release and acquire",
      ALL_OF WRITE BAR "@%p atom.inc.acq_rel.gpu.global.u32 %x, [%f], 19;\n" IF_LAST READ, ROOM },
    { "by atomics that release alone",
      ALL_OF WRITE BAR "@%p atom.inc.release.gpu.global.u32 %x, [%f], 19;\n" IF_LAST READ, "fence.mp", ROOM },
    { "by atomics that acquire alone",
      ALL_OF WRITE BAR "@%p atom.inc.acquire.gpu.global.u32 %x, [%f], 19;\n" IF_LAST READ, "fence.mp", ROOM },
    { "by atomics for the CTA", ALL_OF WRITE BAR "@%p atom.inc.acq_rel.cta.global.u32 %x, [%f], 19;\n" IF_LAST READ,
      "order.data-race", ROOM },
    { "without a fence before", ALL_OF WRITE BAR TICKET FENCE IF_LAST READ, "fence.mp", ROOM },
    { "without a fence behind", ALL_OF WRITE BAR FENCE TICKET IF_LAST READ, "fence.mp", ROOM },
    { "with a fence for the CTA", ALL_OF WRITE BAR "@%p membar.cta;\n" TICKET FENCE IF_LAST READ, "fence.mp", ROOM },
    { "with a fence of one thread before the barrier", ALL_OF WRITE "@%p membar.gl;\n" BAR TICKET FENCE IF_LAST READ,
      "fence.mp", ROOM },
    { "the count begins again, by one whose ticket was not the last",
      ALL_OF TICKET "@%p red.global.add.u32 [%f+4], 1; setp.eq.and.u32 %q, %k, 5, %p;\n"
                    "L: @%q ld.volatile.global.u32 %x, [%f+4]; setp.lt.and.u32 %q, %x, 20, %q; @%q bra L;\n"
                    "setp.eq.and.u32 %q, %k, 5, %p; @%q st.global.u32 [%f], 0;\n",
      "order.data-race", ROOM },
    { "without a barrier before", ALL_OF WRITE FENCE TICKET FENCE IF_LAST READ, "order.data-race", ROOM },
    { "words of thread 0, without a barrier",
      ALL_OF "@%p st.global.u32 [%g], 1;\n" FENCE TICKET FENCE IF_LAST "@%p ld.global.u32 %y, [%d];\n", ROOM },
    { "words of thread 0, one of them behind the fence",
      ALL_OF "@%p st.global.u32 [%g], 1;\n" FENCE "@%p st.global.u32 [%g+4], 1;\n" TICKET FENCE IF_LAST
             "@%p ld.global.u32 %y, [%d+4];\n",
      "fence.mp", ROOM },
    { "words of thread 0, read without a barrier behind the ticket",
      ALL_OF "@%p st.global.u32 [%g], 1;\n" FENCE TICKET FENCE
             "setp.eq.and.u32 %q, %x, 19, %p; @%q ld.global.u32 %y, [%d];\n",
      ROOM },
    { "words of thread 0, read by another thread without a barrier",
      ALL_OF "setp.eq.u32 %q, %k, 18; @%q bra M; @%p st.global.u32 [%g], 1; bra E;\n"
             "M: @%p st.volatile.global.u32 [%f], 1;\n" FENCE TICKET FENCE
             "setp.eq.u32 %q, %t, 1; @%q ld.global.u32 %y, [%e];\n",
      "order.data-race", ROOM },
    { "what the last one reads, it writes", ALL_OF WRITE BAR FENCE TICKET FENCE IF_LAST READ "st.global.u32 [%d], 1;\n",
      ROOM },
    { "the count begins again, by the thread of the last ticket",
      ALL_OF WRITE BAR FENCE TICKET FENCE IF_LAST "@%p st.global.u32 [%f], 0;\n", ROOM },
    { "the count begins again, and no fence is behind",
      ALL_OF TICKET "setp.eq.and.u32 %q, %x, 19, %p; @%q st.global.u32 [%f], 0;\n", ROOM },
    { "the count begins again, by another thread behind a barrier",
      ALL_OF WRITE BAR FENCE TICKET IF_LAST "setp.eq.u32 %q, %t, 40; @%q st.global.u32 [%f], 0;\n", ROOM },
    { "the count begins again, by another thread without one",
      ALL_OF TICKET "setp.eq.u32 %q, %t, 1; setp.eq.and.u32 %q, %k, 19, %q; @%q st.global.u32 [%f], 0;\n",
      "order.data-race", ROOM },
    { "a byte of another CTA's word, by the thread of the same number",
      ALL_OF WRITE "setp.eq.u32 %q, %k, 19; @%q ld.global.u8 %h, [%d];\n", "order.data-race", ROOM },
    { "the count begins again, of tickets of which nobody looks at the first",
      ALL_OF "setp.eq.and.u32 %q, %k, 0, %p; @%q red.global.inc.u32 [%f], 19; setp.ne.and.u32 %q, %k, 0, %p;\n"
             "@%q atom.global.inc.u32 %x, [%f], 19; setp.eq.and.u32 %q, %k, 19, %p; @%q st.global.u32 [%f], 0;\n",
      "order.data-race", ROOM },
    { "the count begins again, of tickets that nobody looks at",
      ALL_OF "@%p red.global.inc.u32 [%f], 19; @%p st.volatile.global.u32 [%f+4], 1;\n" BAR
             "setp.eq.and.u32 %q, %k, 19, %p; @%q st.global.u32 [%f], 0;\n",
      "order.data-race", ROOM },
    { "the count begins again, and one has looked at it",
      ALL_OF "setp.eq.and.u32 %q, %k, 3, %p; @%q ld.volatile.global.u32 %x, [%f];\n" TICKET
             "setp.eq.and.u32 %q, %x, 19, %p; @%q st.global.u32 [%f], 0;\n",
      "order.data-race", ROOM },
    { "the count begins again, and one has stored to it",
      ALL_OF "setp.eq.and.u32 %q, %k, 3, %p; @%q st.volatile.global.u32 [%f], 3;\n" TICKET
             "setp.eq.and.u32 %q, %x, 19, %p; @%q st.global.u32 [%f], 0;\n",
      ROOM },
    { "the count is read, by the thread of the last ticket",
      ALL_OF TICKET "setp.eq.and.u32 %q, %x, 19, %p; @%q ld.global.u32 %x, [%f];\n", ROOM },

    { "all wait for one another", ALL_OF WRITE MEET(1) READ, ROOM },
    { "all wait for one another, by fences", ALL_OF WRITE MEET_BY_FENCES(1) READ, ROOM },
    { "again and again, and write where others have read",
      ALL_OF WRITE MEET(1) READ MEET(2) WRITE MEET(3) READ "ld.global.u32 %y, [%e];\n" MEET(4) WRITE, ROOM },
    { "they write where others have read, without a wait", ALL_OF WRITE MEET(1) READ WRITE, "order.data-race", ROOM },
    { "they write where many have read, without a wait", ALL_OF WRITE MEET(1) "ld.global.u32 %y, [%e];\n" WRITE,
      "order.data-race", ROOM },
    { "they write where many have read, some of them behind the wait",
      ALL_OF WRITE MEET(1) "ld.global.u32 %y, [%e];\n" MEET(
          2) "setp.eq.u32 %q, %k, 9; @%q ld.global.u32 %y, [%e];\n"
             "setp.eq.u32 %q, %k, 12; @%q ld.global.u32 %y, [%e]; setp.eq.u32 %q, %k, 3; @%q st.global.u32 [%e], 1;\n",
      "order.data-race", ROOM },
    { "words that thread 0 writes behind the barrier, before it says so",
      ALL_OF BAR "@%p st.global.u32 [%g], 1;\n" COME(1, "red.release.gpu.global.add.u32", "ld.acquire.gpu.global.u32")
          BAR "@%p ld.global.u32 %y, [%d];\n",
      ROOM },
    { "words that another thread writes behind the barrier",
      ALL_OF BAR "setp.eq.u32 %q, %t, 5; @%q st.global.u32 [%g], 1;\n" COME(
          1, "red.release.gpu.global.add.u32", "ld.acquire.gpu.global.u32") BAR "setp.eq.u32 %q, %t, 5;\n"
                                                                                "@%q ld.global.u32 %y, [%d];\n",
      "order.data-race", ROOM },
    { "all wait, and no barrier is behind",
      ALL_OF WRITE BAR COME(1, "red.release.gpu.global.add.u32", "ld.acquire.gpu.global.u32") READ, "order.data-race",
      ROOM },
    { "one CTA has more barriers than the others",
      ALL_OF "setp.ne.u32 %q, %k, 4; @%q bra M;\n" BAR BAR BAR BAR BAR BAR "M:\n" WRITE MEET(
          1) "ld.global.u32 %y, [%e+4];\n" MEET(2) "setp.eq.u32 %q, %k, 0; @%q st.global.u32 [%g], 1;\n",
      .doubts = true, ROOM },

    { "a message",
      ALL_OF WRITE BAR FENCE SEND("st.volatile.global.u32") HEARD("ld.volatile.global.u32") "membar.gl;\n" BAR READ,
      ROOM },
    { "a message, and a fence of all behind the barrier",
      ALL_OF WRITE BAR FENCE SEND("st.volatile.global.u32") HEARD("ld.volatile.global.u32") "membar.gl;\n" READ, ROOM },
    { "a message behind a fence that is no fence.sc, and one of all behind the barrier",
      ALL_OF WRITE BAR "@%p fence.acq_rel.gpu;\n" SEND("st.volatile.global.u32")
          HEARD("ld.volatile.global.u32") "membar.gl;\n" READ,
      "fence.mp", ROOM },
    { "a message over which another CTA has stored",
      ALL_OF WRITE BAR FENCE SEND(
          "st.volatile.global.u32") "setp.eq.and.u32 %q, %k, 1, %p;\n"
                                    "@%q st.volatile.global.u32 [%f], 2; setp.eq.u32 %q, %k, 1; @%q bra E;\n" HEARD(
                                        "ld.volatile.global.u32") "membar.gl;\n" READ,
      "fence.mp", ROOM },
    { "a message, and words that another thread writes behind the barrier",
      ALL_OF BAR "setp.eq.u32 %q, %t, 5; @%q st.global.u32 [%g], 1;\n" SEND("st.release.gpu.global.u32")
          HEARD("ld.acquire.gpu.global.u32") "setp.eq.u32 %q, %t, 5; @%q ld.global.u32 %y, [%d];\n",
      "order.data-race", ROOM },
    { "a message, and a load of what nobody is to write",
      ALL_OF WRITE BAR SEND("st.release.gpu.global.u32")
          HEARD("ld.acquire.gpu.global.u32") "ld.global.nc.u32 %y, [%d];\n",
      "access.nc-written", ROOM },
    { "a load of what nobody is to write, a message, and a store",
      ALL_OF "setp.eq.u32 %q, %k, 0; @%q ld.global.nc.u32 %y, [%g];\n" BAR SEND("st.release.gpu.global.u32")
          HEARD("ld.acquire.gpu.global.u32") "setp.eq.u32 %q, %k, 1; @%q st.global.u32 [%d], 1;\n",
      "access.nc-written", ROOM },
    { "bytes that are kept apart, and a message",
      ALL_OF "add.u64 %c, %c, 400; @%p st.global.u8 [%c], %h;\n" BAR SEND("st.release.gpu.global.u32")
          HEARD("ld.acquire.gpu.global.u32") "@%p ld.global.u8 %h, [%e+400];\n",
      .doubts = true, ROOM },
    { "a message, by release and acquire",
      ALL_OF WRITE BAR SEND("st.release.gpu.global.u32") HEARD("ld.acquire.gpu.global.u32") READ, ROOM },
    { "a message, acquired for the CTA",
      ALL_OF WRITE BAR SEND("st.release.gpu.global.u32") HEARD("ld.acquire.cta.global.u32") READ, "order.data-race",
      ROOM },
    { "a message, released for the CTA",
      ALL_OF WRITE BAR SEND("st.release.cta.global.u32") HEARD("ld.acquire.gpu.global.u32") READ, "order.data-race",
      ROOM },
    { "a message by a weak store", ALL_OF WRITE BAR FENCE SEND("st.global.u32") HEARD("ld.acquire.gpu.global.u32") READ,
      "order.data-race", ROOM },
    { "a message by an atomic that changes nothing",
      ALL_OF WRITE "@%p st.volatile.global.u32 [%f], 1;\n" BAR SEND("atom.or.release.gpu.global.b32 %y,")
          HEARD("ld.acquire.gpu.global.u32") READ,
      "order.data-race", ROOM },
    { "a message of which half is written",
      ALL_OF WRITE BAR SEND("st.release.gpu.global.u16") HEARD("ld.acquire.gpu.global.u32") READ, .doubts = true,
      ROOM },
    { "a message in two words",
      ALL_OF WRITE BAR "mov.u64 %c, 1; setp.eq.and.u32 %q, %k, 0, %p;\n"
                       "@%q st.release.gpu.global.u64 [%f], %c; setp.eq.u32 %q, %k, 0; @%q bra E;\n" HEARD(
                           "ld.acquire.gpu.global.u32") READ,
      ROOM },
    { "a message behind one that was released, which is no fence",
      ALL_OF WRITE BAR "setp.eq.and.u32 %q, %k, 0, %p; @%q red.release.gpu.global.add.u32 [%f+4], 1;\n" SEND(
          "st.relaxed.gpu.global.u32") HEARD("ld.acquire.gpu.global.u32") READ,
      "fence.mp", ROOM },
    { "the same behind a fence",
      ALL_OF WRITE BAR
      "setp.eq.and.u32 %q, %k, 0, %p; @%q fence.acq_rel.gpu; @%q red.release.gpu.global.add.u32 [%f+4], 1;\n" SEND(
          "st.relaxed.gpu.global.u32") HEARD("ld.acquire.gpu.global.u32") READ,
      ROOM },
    { "a message that an atomic changes and nobody looks at",
      ALL_OF WRITE BAR SEND(
          "st.release.gpu.global.u32") "@%p red.relaxed.gpu.global.add.u32 [%f], 1; @!%p bra E;\n"
                                       "fence.acq_rel.gpu; mul.wide.u32 %d, %t, 4; add.u64 %d, %d, %e;\n" READ,
      "fence.mp", ROOM },
    { "a message that is looked at before a fence",
      ALL_OF WRITE BAR SEND("st.release.gpu.global.u32")
          HEARD("ld.relaxed.gpu.global.u32") "@%p fence.acq_rel.gpu; @!%p bra E;\n" READ,
      ROOM },
    { "a message that is looked at before a fence that acquires nothing",
      ALL_OF WRITE BAR SEND("st.release.gpu.global.u32")
          HEARD("ld.relaxed.gpu.global.u32") "@%p fence.release.gpu; @!%p bra E;\n" READ,
      "fence.mp", ROOM },
    { "read by all, and written by the first behind a look at the count of those that have",
      ALL_OF
      "@!%p bra E; ld.global.u32 %x, [%f]; red.relaxed.gpu.global.add.u32 [%f+4], 1;\n"
      "setp.ne.u32 %q, %k, 0; @%q bra E;\nW: ld.relaxed.gpu.global.u32 %x, [%f+4]; setp.lt.u32 %q, %x, 20; @%q bra W;\n"
      "st.global.u32 [%f], 1;\n",
      "fence.mp", ROOM },
    { "a byte of all, by weak stores", ALL_OF "cvt.u16.u32 %h, %k; @%p st.global.u8 [%f+1], %h;\n", "order.data-race",
      ROOM },
    { "a byte, stored by one and read by the others",
      ALL_OF "setp.eq.and.u32 %q, %k, 0, %p; @%q st.global.u8 [%f+1], %h; @%q bra E; ld.global.u8 %h, [%f+1];\n",
      "order.data-race", ROOM },
    { "a message over which another has stored",
      ALL_OF WRITE BAR
      "setp.eq.and.u32 %q, %k, 0, %p; @%q st.release.gpu.global.u32 [%f], 1; setp.eq.and.u32 %q, %k, 1, %p;\n"
      "@%q st.volatile.global.u32 [%f], 2; setp.lt.u32 %q, %k, 2; @%q bra E;\n" HEARD("ld.acquire.gpu.global.u32") READ,
      "fence.mp", ROOM },
    { "a message over which another has stored two words",
      ALL_OF WRITE BAR
      "mov.u64 %c, 4294967297; setp.eq.and.u32 %q, %k, 0, %p; @%q st.release.gpu.global.u32 [%f+4], 1;\n"
      "setp.eq.and.u32 %q, %k, 1, %p; @%q st.volatile.global.u64 [%f], %c; setp.lt.u32 %q, %k, 2; @%q bra E;\n"
      "add.u64 %f, %f, 4;\n" HEARD("ld.acquire.gpu.global.u32") READ,
      "fence.mp", ROOM },
    { "a message to which another has added",
      ALL_OF WRITE BAR
      "setp.eq.and.u32 %q, %k, 0, %p; @%q st.release.gpu.global.u32 [%f], 1; setp.eq.and.u32 %q, %k, 1, %p;\n"
      "@%q atom.global.add.u32 %x, [%f], 2; setp.lt.u32 %q, %k, 2; @%q bra E;\n" HEARD("ld.acquire.gpu.global.u32")
          READ,
      ROOM },
    { "what one has heard, it hands on",
      ALL_OF WRITE BAR
      "setp.eq.and.u32 %q, %k, 0, %p; @%q st.release.gpu.global.u32 [%f], 1;\n"
      "setp.eq.and.u32 %q, %k, 1, %p; @%q ld.acquire.gpu.global.u32 %x, [%f]; @%q st.release.gpu.global.u32 [%f+4], %x;\n"
      "setp.lt.u32 %q, %k, 2; @%q bra E; add.u64 %f, %f, 4;\n" HEARD("ld.acquire.gpu.global.u32") READ,
      ROOM },
    { "what one has heard without acquiring it, it cannot hand on",
      ALL_OF WRITE BAR
      "setp.eq.and.u32 %q, %k, 0, %p; @%q st.release.gpu.global.u32 [%f], 1;\n"
      "setp.eq.and.u32 %q, %k, 1, %p; @%q ld.relaxed.gpu.global.u32 %x, [%f]; @%q st.release.gpu.global.u32 [%f+4], %x;\n"
      "setp.lt.u32 %q, %k, 2; @%q bra E; add.u64 %f, %f, 4;\n" HEARD("ld.acquire.gpu.global.u32") READ,
      "fence.mp", ROOM },
    { "memory of nobody that another CTA has written",
      ALL_OF WRITE BAR SEND("st.release.gpu.global.u32") "setp.ne.u32 %q, %k, 1; @%q bra E;\n" HEARD(
          "ld.acquire.gpu.global.u32") READ,
      .luck = true, .blank = true, ROOM },
    { "memory of nobody beside it",
      ALL_OF WRITE BAR SEND("st.release.gpu.global.u32") "setp.ne.u32 %q, %k, 1; @%q bra E;\n" HEARD(
          "ld.acquire.gpu.global.u32") "ld.global.u32 %x, [%e+400];\n",
      "order.unwritten", .blank = true, ROOM },
    { "memory of nobody that CTAs have written that took turns",
      ALL_OF "@%p st.volatile.global.u32 [%f], 1; setp.eq.u32 %q, %n, 0; @%q st.global.u32 [%g], 1;\n"
             "@!%q ld.global.u32 %x, [%g];\n",
      .blank = true, .launches = 2, ROOM },
    { "memory of nobody beside what they have written",
      ALL_OF "@%p st.volatile.global.u32 [%f], 1; setp.eq.u32 %q, %n, 0; @%q st.global.u32 [%g], 1;\n"
             "@!%q ld.global.u32 %x, [%c+400];\n",
      "order.unwritten", .blank = true, .launches = 2, ROOM },
    { "all wait for one another, launch after launch",
      ALL_OF WRITE BAR
      "add.u32 %a, %n, 1; mul.lo.u32 %a, %a, 20; @%p red.release.gpu.global.add.u32 [%f], 1;\n"
      "G: @%p ld.acquire.gpu.global.u32 %x, [%f]; setp.lt.and.u32 %q, %x, %a, %p; @%q bra G;\n" BAR READ,
      .launches = 5, ROOM },
    { "the same, and in the last launch a neighbour's words before the wait",
      ALL_OF WRITE BAR
      "setp.eq.u32 %q, %n, 4; @%q ld.global.u32 %y, [%d];\n"
      "add.u32 %a, %n, 1; mul.lo.u32 %a, %a, 20; @%p red.release.gpu.global.add.u32 [%f], 1;\n"
      "G: @%p ld.acquire.gpu.global.u32 %x, [%f]; setp.lt.and.u32 %q, %x, %a, %p; @%q bra G;\n" BAR READ,
      "order.data-race", .launches = 5, ROOM },
    { "more CTAs than it knows the clocks of",
      ALL_OF "setp.ge.u32 %q, %k, 2; @%q bra E;\n" WRITE BAR SEND("st.release.gpu.global.u32")
          HEARD("ld.acquire.gpu.global.u32") READ,
      .doubts = true, .ctas = 1100, .threads = 32, .pages = 200 },
    { "nobody says anything, and one waits",
      ALL_OF "@%p st.volatile.global.u32 [%f], 0; setp.eq.and.u32 %q, %k, 3, %p;\n"
             "L: @%q ld.volatile.global.u32 %x, [%f]; setp.eq.and.u32 %q, %x, 0, %q; @%q bra L;\n",
      "deadlock.spin", ROOM },
};

static void as_without(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (unsigned jobs = 1; jobs <= 2; jobs++)
            as_said(&programs[i], jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_without) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
