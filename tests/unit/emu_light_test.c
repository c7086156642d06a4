/* The light judge (judge/light_state.h): what it goes by. Each program here has many CTAs, which run ahead. */
#include "tests/unit/emu_light.h"

#define COPY "cp.async.ca.shared.global [%b], [%g], 4;\n"

/* To the end of a turn, where what lanes have done together ends well. */
#define TURN_ENDS(label) "mov.u32 %y, 0;\n" label ": add.u32 %y, %y, 1; setp.lt.u32 %q, %y, 100; @%q bra " label ";\n"

/* A CTA has 80 pages, from %c on, once FAR is done. */
enum { PAGES = 80 * CTAS };
#define FAR "mov.u32 %a, %ctaid.x; mul.wide.u32 %d, %a, 327168; add.u64 %c, %c, %d;\n" /* 80 * PAGE - BYTES */
#define EACH(label, what)                                                                                              \
    "mov.u64 %d, %c; mov.u32 %k, 0;\n" label ": " what                                                                 \
    " add.u64 %d, %d, 4096; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 80; @%q bra " label ";\n"

static const struct program programs[] = {
    { "a word each", OWN "ld.shared.u32 %x, [%b];\n", .rule = NULL },
    { "a neighbour's, behind a barrier", OWN BAR "xor.b32 %a, %t, 1; mad.lo.u32 %a, %a, 4, 0; mov.u32 %x, s;\n"
                                                 "add.u32 %a, %a, %x; ld.shared.u32 %x, [%a];\n" },
    { "a neighbour's, without one",
      ALL "xor.b32 %a, %t, 1; mad.lo.u32 %a, %a, 4, 0; mov.u32 %x, s;\n"
          "add.u32 %a, %a, %x; ld.shared.u32 %x, [%a];\n",
      "order.data-race" },
    { "a neighbour's, behind a barrier of the warp",
      OWN WARP "xor.b32 %a, %t, 1; mad.lo.u32 %a, %a, 4, 0;\n"
               "mov.u32 %x, s; add.u32 %a, %a, %x; ld.shared.u32 %x, [%a];\n" },
    { "another warp's, behind a barrier of the warp",
      ALL WARP "xor.b32 %a, %t, 32; rem.u32 %a, %a, 96;\n"
               "mad.lo.u32 %a, %a, 4, 0; mov.u32 %x, s; add.u32 %a, %a, %x; ld.shared.u32 %x, [%a];\n",
      "order.data-race" },
    { "read by all, then written", OWN BAR "ld.shared.u32 %x, [s+8];\n" BAR "setp.eq.u32 %p, %t, 40; "
                                           "@%p st.shared.u32 [s+8], 1;\n" },
    { "read by all, and written",
      ALL BAR "ld.shared.u32 %x, [s+8]; setp.eq.u32 %p, %t, 40; @%p st.shared.u32 [s+8], 1;\n", "order.data-race" },
    { "sums", "setp.lt.u32 %p, %t, 8; @%p st.shared.u32 [%b], 0;\n" BAR "and.b32 %a, %t, 7; mov.u32 %x, s;\n"
              "mad.lo.u32 %a, %a, 4, %x; atom.shared.add.u32 %y, [%a], 1; red.shared.add.u32 [%a], 2;\n" },
    { "sums, and a word of them read",
      "setp.lt.u32 %p, %t, 8; @%p st.shared.u32 [%b], 0;\n" BAR "and.b32 %a, %t, 7;\n"
      "mov.u32 %x, s; mad.lo.u32 %a, %a, 4, %x; atom.shared.add.u32 %y, [%a], 1; ld.shared.u32 %y, [%a];\n",
      "order.data-race" },
    { "read by a plain load and a strong one, and added to",
      ALL BAR
      "setp.eq.u32 %p, %t, 0; @%p ld.shared.u32 %x, [s]; setp.eq.u32 %p, %t, 40; @%p ld.volatile.shared.u32 %x, [s];\n"
      "setp.eq.u32 %p, %t, 70; @%p red.shared.add.u32 [s], 1;\n",
      "order.data-race" },
    { "bytes of a word", "mov.u32 %a, s; add.u32 %a, %a, %t; st.shared.u8 [%a], %h;\n" BAR "ld.shared.u32 %x, [s];\n" },
    { "bytes of a word, read as one",
      ALL "mov.u32 %a, s; add.u32 %a, %a, %t; st.shared.u8 [%a], %h; ld.shared.u32 %x, [s];\n", "order.data-race" },
    { "one value by a warp", "setp.lt.u32 %p, %t, 32; @%p st.shared.u32 [s], 7;\n" BAR "ld.shared.u32 %x, [s];\n" },
    { "one value by a warp, and another between",
      "setp.lt.u32 %p, %t, 32; setp.eq.u32 %q, %t, 0; @%p st.shared.u32 [s], 7; @%q st.volatile.shared.u32 [s], 7;\n",
      "order.data-race" },
    { "one value by two instructions of a warp",
      "setp.lt.u32 %p, %t, 16; setp.lt.u32 %q, %t, 32; @%p st.shared.u32 [s], 7; @%p bra E; @%q st.shared.u32 [s], 7;\n",
      "order.data-race" },
    { "one value by one instruction of two lanes, and by another one in between",
      ALL BAR "mov.u32 %k, 0;\nL: mul.lo.u32 %a, %k, 5; setp.eq.u32 %p, %t, %a; membar.cta; @%p st.shared.u32 [s], 7;\n"
              "setp.eq.u32 %q, %k, 1; @%q bra E;\n" TURN_ENDS("M") "st.shared.u32 [%b], 7; mov.u32 %k, 1;\n" TURN_ENDS(
                  "N") "bra L;\n",
      "order.data-race", .threads = 32 },
    { "some have left, and accessed nothing",
      "setp.gt.u32 %p, %t, 70; @%p bra E;\n" OWN BAR "ld.shared.u32 %x, [s];\n" },
    { "some have left, and written", ALL "setp.gt.u32 %p, %t, 70; @%p bra E;\n" BAR "ld.shared.u32 %x, [s+300];\n",
      "order.data-race" },
    { "one has stored, and left",
      ALL BAR "setp.eq.u32 %p, %t, 80; @%p st.shared.u32 [s], 1; @%p bra E;\n" BAR "ld.shared.u32 %x, [s];\n",
      "order.data-race" },
    { "one has read, and left",
      ALL BAR "setp.eq.u32 %p, %t, 80; @%p ld.shared.u32 %x, [s]; @%p bra E;\n" BAR
              "setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [s], 1;\n",
      "order.data-race" },
    { "one has stored in its own turn, and left",
      ALL BAR "setp.eq.u32 %p, %t, 80; membar.cta; @%p st.shared.u32 [s], 1; @%p bra E;\n" BAR
              "ld.shared.u32 %x, [s];\n",
      "order.data-race" },
    { "one has read in its own turn, and left",
      ALL BAR "setp.eq.u32 %p, %t, 80; membar.cta; @%p ld.shared.u32 %x, [s]; @%p bra E;\n" BAR
              "setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [s], 1;\n",
      "order.data-race" },
    { "one has added, and left",
      ALL BAR "setp.eq.u32 %p, %t, 80; @%p red.shared.add.u32 [s], 1; @%p bra E;\n" BAR "ld.shared.u32 %x, [s];\n",
      "order.data-race" },
    { "one has stored, and left, and the others see to their own words",
      ALL BAR "setp.eq.u32 %p, %t, 80; @%p st.shared.u32 [%b], 1; @%p bra E;\n" BAR "ld.shared.u32 %x, [%b];\n" },
    { "nobody has written it", "ld.shared.u32 %x, [%b]; st.global.u32 [%g], %x;\n", "order.unwritten" },
    { "half of it", "setp.lt.u32 %p, %t, 48; @%p st.shared.u32 [%b], 1;\n" BAR "ld.shared.u32 %x, [s+200];\n",
      "order.unwritten" },
    { "global memory of nobody", "ld.global.u32 %x, [%g];\n", "order.unwritten", .blank = true },
    { "many pages, behind a barrier",
      FAR "setp.eq.u32 %p, %t, 0;\n" EACH("L", "@%p st.global.u32 [%d], 1;") BAR EACH("M", "ld.global.u32 %x, [%d];"),
      .blank = true, .pages = PAGES },
    { "many pages, without one",
      FAR "setp.eq.u32 %p, %t, 0;\n" EACH(
          "L", "@%p st.global.u32 [%d], 1;") "setp.eq.u32 %p, %t, 40; @%p ld.global.u32 %x, [%c];\n",
      "order.data-race", .pages = PAGES },
    { "words that some lanes have written, read by all of them",
      "setp.lt.u32 %p, %t, 48; @%p st.global.u32 [%g], %t; ld.global.u32 %x, [%g];\n", "order.unwritten",
      .blank = true },
    { "a vector of which a word has a value, and another word of it",
      "setp.eq.u32 %p, %t, 0; @%p st.global.u32 [%c], 1; @%p ld.global.v4.u32 {%x, %y, %a, %k}, [%c]; @%p ld.global.u32 %x, "
      "[%c+8];\n",
      "order.unwritten", .blank = true },
    { "global memory that it writes itself", "st.global.u32 [%g], %t; ld.global.u32 %x, [%g];\n", .blank = true },
    { "global memory, another's word", "st.global.u32 [%g], %t; ld.global.u32 %x, [%c+12];\n", "order.data-race" },
    { "a loop with many barriers", "mov.u32 %k, 0;\nL: " OWN BAR "ld.shared.u32 %x, [s+4];\n" BAR
                                   "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 300; @%p bra L;\n" },
    { "a table", OWN BAR "mov.u32 %k, 0;\nL: mul.lo.u32 %a, %t, %t; add.u32 %a, %a, %k; rem.u32 %a, %a, 96;\n"
                         "mov.u32 %x, s; mad.lo.u32 %a, %a, 4, %x; ld.shared.u32 %x, [%a]; add.u32 %y, %y, %x;\n"
                         "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 9; @%p bra L;\n" },
    { "what another tells by a flag",
      "setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [s], 0;\n" BAR "@%p st.global.u32 [%g], 1; membar.cta;\n"
      "@%p atom.shared.exch.b32 %x, [s], 1; setp.eq.u32 %q, %t, 40;\nL: @%q ld.volatile.shared.u32 %x, [s];\n"
      "setp.eq.and.u32 %p, %x, 0, %q; @%p bra L; membar.cta; @%q ld.global.u32 %x, [%c];\n",
      .doubts = true },
    { "one value by several warps", OWN BAR "st.shared.u32 [s], 7;\n", .doubts = true },
    { "a barrier of two warps",
      "setp.ge.u32 %p, %t, 64; @%p bra E;\n" OWN "bar.sync 1, 64; ld.shared.u32 %x, [s+4];\n" },
    { "an mbarrier", "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s], 1;\n" },
    { "an arrival at none", OWN BAR "setp.eq.u32 %p, %t, 0; @%p mbarrier.arrive.shared.b64 %d, [s];\n",
      "mbarrier.init.required" },
    { "a copy", COPY "cp.async.wait_all; ld.shared.u32 %x, [%b]; st.shared.u32 [%b], 1;\n" },
    { "a copy, and another's behind a barrier", COPY "cp.async.wait_all;\n" BAR "ld.shared.u32 %x, [s+4];\n" },
    { "a copy, and another's without one", ALL BAR COPY "cp.async.wait_all; ld.shared.u32 %x, [s+4];\n",
      "cpasync.visibility.others" },
    { "a copy, and another's behind a barrier without a wait", COPY BAR "ld.shared.u32 %x, [s+4]; cp.async.wait_all;\n",
      "cpasync.visibility.nothing-else" },
    { "a copy that its thread reads too early", COPY "ld.shared.u32 %x, [%b]; cp.async.wait_all;\n",
      "cpasync.order.read-early" },
    { "a copy that its thread stores over", COPY "st.shared.u32 [%b], 1; cp.async.wait_all;\n",
      "cpasync.order.write-dst-early" },
    { "a copy whose source is stored to",
      "setp.eq.u32 %p, %t, 3; @%p cp.async.ca.shared.global [s], [%c], 4; @%p st.global.u32 [%c], 1; @%p "
      "cp.async.wait_all;\n",
      "cpasync.order.write-src-early" },
    { "a copy whose source another stores to, behind a barrier",
      "setp.eq.u32 %p, %t, 3; @%p cp.async.ca.shared.global [s], [%c], 4;\n" BAR
      "setp.eq.u32 %p, %t, 40; @%p st.global.u32 [%c], 1; cp.async.wait_all;\n",
      "cpasync.order.write-src-early" },
    { "a copy of what another is storing",
      "setp.eq.u32 %p, %t, 40; @%p st.global.u32 [%c], 1; setp.eq.u32 %p, %t, 3; @%p cp.async.ca.shared.global [s], [%c], "
      "4;\ncp.async.wait_all;\n",
      "cpasync.order.write-src-early" },
    { "a copy of what nobody has written", COPY "cp.async.wait_all;\n", "order.unwritten", .blank = true },
    { "two copies into one place", COPY COPY "cp.async.wait_all;\n", "group.order.within-none" },
    { "two copies into one place, with a wait", COPY "cp.async.wait_all;\n" COPY "cp.async.wait_all;\n" },
    { "a copy into what another has read", ALL BAR "ld.shared.u32 %x, [s+4];\n" COPY "cp.async.wait_all;\n",
      "cpasync.visibility.others" },
    { "a copy in the first of two groups, the other one left",
      COPY "cp.async.commit_group; cp.async.ca.shared.global [%b+384], [%g], 4; cp.async.commit_group;\n"
           "cp.async.wait_group 1; ld.shared.u32 %x, [%b]; cp.async.wait_all;\n",
      .threads = 32 },
    { "a copy in the second of two groups, which is left",
      COPY "cp.async.commit_group; cp.async.ca.shared.global [%b+384], [%g], 4; cp.async.commit_group;\n"
           "cp.async.wait_group 1; ld.shared.u32 %x, [%b+384]; cp.async.wait_all;\n",
      "group.wait.n", .threads = 32 },
    { "a copy in no group", COPY "cp.async.wait_group 0; ld.shared.u32 %x, [%b]; cp.async.wait_all;\n",
      "group.wait.uncommitted" },
    { "copies of many groups, in a ring",
      "mov.u32 %k, 0;\nL: and.b32 %a, %k, 3; mad.lo.u32 %a, %a, 128, %b; cp.async.ca.shared.global [%a], [%g], 4;\n"
      "cp.async.commit_group; setp.lt.u32 %p, %k, 3; @%p bra N; cp.async.wait_group 3;\n" BAR
      "add.u32 %a, %k, 1; and.b32 %a, %a, 3; mad.lo.u32 %a, %a, 128, %b; ld.shared.u32 %x, [%a];\n" BAR
      "N: add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 50; @%p bra L; cp.async.wait_all;\n",
      .threads = 32 },
    { "a copy that is waited for, of a thread that leaves",
      ALL BAR "setp.eq.u32 %p, %t, 80; @%p cp.async.ca.shared.global [%b], [%g], 4;\n" BAR
              "@%p cp.async.wait_all; @%p bra E;\n" BAR "ld.shared.u32 %x, [s+320];\n",
      "cpasync.visibility.others" },
    { "one value by two lanes, and a copy in between",
      ALL BAR "mov.u32 %k, 0;\nL: setp.eq.u32 %p, %t, %k; membar.cta; @%p st.shared.u32 [s], 7;\n"
              "setp.eq.u32 %q, %k, 1; @%q bra E; setp.eq.u32 %p, %t, 5;\n"
              "@%p cp.async.ca.shared.global [s], [%c], 4; @%p cp.async.wait_all; mov.u32 %k, 1; bra L;\n",
      "cpasync.order.write-dst-early", .threads = 32 },
    { "a copy into bytes that are kept apart", "mov.u32 %a, s; add.u32 %a, %a, %t; st.shared.u8 [%a], %h;\n" BAR COPY
                                               "cp.async.wait_all;\n" BAR "ld.shared.u8 %h, [%a];\n" },
    { "a copy into bytes that are kept apart, read too early",
      "mov.u32 %a, s; add.u32 %a, %a, %t; st.shared.u8 [%a], %h;\n" BAR COPY
      "ld.shared.u8 %h, [%b]; cp.async.wait_all;\n",
      "cpasync.order.read-early" },
    { "a copy to a barrier in memory",
      "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [s+504], 1; @%p cp.async.mbarrier.arrive.shared.b64 [s+504];\n" },
    { "a bulk copy", "setp.eq.u32 %p, %t, 0; @%p cp.async.bulk.global.shared::cta.bulk_group [%c], [%b], 16;\n",
      "bulk.exit.source-alive" },
    { "a group of bulk copies", "cp.async.bulk.commit_group;\n", .doubts = true },
    { "a wait for bulk copies", "cp.async.bulk.wait_group 0;\n", .doubts = true },
    { "a group without a copy", "cp.async.commit_group;\n" },
    { "a wait for groups", "cp.async.wait_group 0;\n" },
    { "a proxy fence", "fence.proxy.async;\n", .doubts = true },
    { "registers that are given up", "setmaxnreg.dec.sync.aligned.u32 24;\n", .doubts = true, .threads = 128 },
    { "a fence behind inits", "fence.mbarrier_init.release.cluster;\n" },
    { "a wait for the grid before", "griddepcontrol.wait;\n" },
    { "bytes that are given up", "setp.eq.u32 %p, %t, 0; @%p discard.global.L2 [%c], 128;\n", .doubts = true },
    { "read as what nobody writes, and written", "ld.global.nc.u32 %x, [%g]; st.global.u32 [%g], 1;\n",
      "access.nc-written" },
    { "a copy that nobody waits for", "cp.async.ca.shared.global [%b], [%g], 4;\n", "cpasync.exit-pending" },
    { "a map that is fetched ahead", "prefetch.tensormap [%c];\n", .doubts = true },
    { "a fence of products", "wgmma.fence.sync.aligned;\n", .doubts = true },
    { "the grid behind may begin", "griddepcontrol.launch_dependents;\n" },
    { "a barrier of two warps, and nothing to order", "setp.ge.u32 %p, %t, 64; @!%p bar.sync 1, 64;\n" },
    { "a barrier of two warps, used again by others",
      "setp.lt.u32 %p, %t, 64; @%p bar.sync 1, 64; setp.ge.u32 %q, %t, 32; @%q bar.sync 1, 64;\n", "bar.next-use" },
    { "a barrier with the count of all", OWN "bar.sync 1, 96; ld.shared.u32 %x, [s+4];\n" },
    { "a barrier with the count of all, to which one warp comes without a wait",
      ALL BAR "setp.lt.u32 %p, %t, 32; st.shared.u32 [%b], 1; @%p bar.arrive 1, 96; @!%p bar.sync 1, 96; @%p "
              "ld.shared.u32 %x, [s+300];\n",
      "order.data-race" },
    { "a barrier with the count of all, by some of them",
      ALL BAR "setp.lt.u32 %p, %t, 64; @!%p bra E; setp.lt.u32 %q, %t, 32; @%q bar.arrive 1, 96;\n"
              "bar.sync 1, 96; ld.shared.u32 %x, [s+128];\n" },
    { "a barrier with the count of all of one warp", OWN "bar.sync 1, 32; ld.shared.u32 %x, [s+4];\n", .threads = 32 },
    { "a barrier of one warp, and nothing to order", "setp.lt.u32 %p, %t, 32; @%p bar.sync 1, 32;\n" },
    { "its own word, by strong loads, and written",
      ALL BAR "ld.volatile.shared.u32 %x, [%b]; ld.volatile.shared.u32 %y, [%b]; st.shared.u32 [%b], %x;\n" },
    { "its own bytes, read twice, and written", ALL BAR
      "mov.u32 %a, s; add.u32 %a, %a, %t; ld.shared.u8 %h, [%a]; ld.shared.u8 %h, [%a]; st.shared.u8 [%a], %h;\n" },
    { "read by two, of whom the last writes",
      ALL BAR "setp.eq.u32 %p, %t, 0; @%p ld.shared.u32 %x, [s]; setp.eq.u32 %p, %t, 40; @%p ld.shared.u32 %x, [s];\n"
              "@%p st.shared.u32 [s], 1;\n",
      "order.data-race" },
    { "read as what nobody writes, and once more, and written",
      "ld.global.nc.u32 %x, [%g]; ld.global.u32 %x, [%g]; st.global.u32 [%g], 1;\n", "access.nc-written" },
    { "read as what nobody writes, and behind a barrier once more, and written",
      "ld.global.nc.u32 %x, [%g];\n" BAR "ld.global.u32 %x, [%g]; st.global.u32 [%g], 1;\n", "access.nc-written" },
    { "a row of words of which one has no value",
      "setp.ne.u32 %p, %t, 5; @%p st.global.u32 [%g], %t;\n" BAR "mov.u32 %k, 0;\nL: ld.global.u32 %x, [%g];\n"
      "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 3; @%p bra L;\n",
      "order.unwritten", .blank = true },
    { "further in shared memory than it keeps pages of",
      "mov.u32 %k, 0;\nL: setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [big+299000], 1;\n"
      "add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 2; @%q bra L;\n",
      .doubts = true, .ctas = 1, .shared = 300000 },
    { "further in shared memory than it keeps pages of, without a barrier",
      "setp.eq.u32 %p, %t, 0; @%p st.shared.u32 [big+299000], 1; setp.eq.u32 %p, %t, 40; @%p ld.shared.u32 %x, [big+299000];\n",
      "order.data-race", .shared = 300000 },
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
