/* What assemblers make of the barriers of a CTA, of elect.sync and of griddepcontrol. */
#include "harness/ck.h"

#define OLD "sm_75|sm_80|sm_86|sm_89"

static const struct ck_case cases[] = {
    /* ---- barriers ---- */
    { CK_RULE(bar_id_range), .target = "sm_80", .version = "7.8", .assemble = "bar.sync $;", .accept = "0|1|2|7|8|15|n",
      .refuse = "16|17|31|255|-1" },
    { CK_RULE(bar_id_range), .name = "arrive", .target = "sm_80", .version = "7.8", .assemble = "bar.arrive $, 64;",
      .accept = "0|1|15|n", .refuse = "16|17|-1" },
    { CK_RULE(bar_id_range), .name = "red", .target = "sm_80", .version = "7.8",
      .assemble = "bar.red.popc.u32 n, $, p;", .accept = "0|1|15|m", .refuse = "16|17|-1" },
    { CK_RULE(bar_id_range), .name = "barrier", .target = "sm_80", .version = "7.8", .assemble = "barrier.sync $;",
      .accept = "0|1|15|n", .refuse = "16|17|-1" },
    { CK_RULE(bar_count_multiple), .target = "sm_80", .version = "7.8", .assemble = "bar.sync 1, $;",
      .accept = "32|64|96|1024|n", .refuse = "1|2|16|31|33|48|63|65|100|1000" },
    { CK_RULE(bar_count_multiple), .name = "arrive", .target = "sm_80", .version = "7.8",
      .assemble = "bar.arrive 1, $;", .accept = "32|64|96|1024|n", .refuse = "1|16|31|33|63|100" },
    { CK_RULE(bar_count_multiple), .name = "red", .target = "sm_80", .version = "7.8",
      .assemble = "bar.red.or.pred q, 1, $, p;", .accept = "32|64|1024|n", .refuse = "1|16|31|33|63|100" },
    { CK_RULE(bar_count_multiple), .name = "barrier", .target = "sm_80", .version = "7.8",
      .assemble = "barrier.sync 1, $;", .accept = "32|64|1024|n", .refuse = "1|16|31|33|63|100" },
    { CK_RULE(bar_arrive_count), .target = "sm_80", .version = "7.8", .assemble = "bar.arrive 1$;",
      .accept = ", 32|, 64|, n", .refuse = "|, 0" },
    { CK_RULE(bar_arrive_count), .name = "barrier", .target = "sm_80", .version = "7.8",
      .assemble = "barrier.arrive 1$;", .accept = ", 32|, 64|, n", .refuse = "|, 0" },
    { CK_RULE(bar_arrive_count), .name = "aligned", .target = "sm_80", .version = "7.8",
      .assemble = "barrier.arrive.aligned 1$;", .accept = ", 32|, 64|, n", .refuse = "|, 0" },
    { CK_RULE(bar_aligned_spelling), .target = "sm_80", .version = "7.8", .assemble = "$ 0;",
      .accept = "bar.sync|barrier.sync|barrier.sync.aligned",
      .refuse = "bar.sync.aligned|bar.aligned.sync|barrier.aligned" },
    { CK_RULE(bar_aligned_spelling), .name = "arrive", .target = "sm_80", .version = "7.8", .assemble = "$ 0, 64;",
      .accept = "bar.arrive|barrier.arrive|barrier.arrive.aligned", .refuse = "bar.arrive.aligned" },
    { CK_RULE(bar_aligned_spelling), .name = "red", .target = "sm_80", .version = "7.8", .assemble = "$.u32 n, 0, p;",
      .accept = "bar.red.popc|barrier.red.popc|barrier.red.popc.aligned", .refuse = "bar.red.popc.aligned" },
    { CK_RULE(bar_cta_isa), .target = "sm_80", .version = "$", .assemble = "barrier.cta.sync 0;",
      .accept = "7.8|8.0|8.6|9.0", .refuse = "7.0|7.4|7.7" },
    { CK_RULE(bar_cta_isa), .name = "bar", .target = "sm_80", .version = "$", .assemble = "bar.cta.sync 0;",
      .accept = "7.8|8.0|8.6|9.0", .refuse = "7.0|7.4|7.7" },
    { CK_RULE(bar_cta_isa), .name = "without", .target = "sm_80", .version = "8.0", .assemble = "barrier$.sync 0;",
      .accept = "|.cta", .refuse = ".cluster|.gpu|.warp" },

    /* ---- elect.sync ---- */
    { CK_RULE(elect_form), .name = "sync", .assemble = "elect$ n|p, 0xffffffff;", .accept = ".sync",
      .refuse = "|.async|.sync.aligned" },
    { CK_RULE(elect_form), .name = "lane", .assemble = "elect.sync $|p, m;", .accept = "n|_|r0", .refuse = "d0|h|q" },
    { CK_RULE(elect_form), .name = "predicate", .assemble = "elect.sync n|$, m;", .accept = "p|q", .refuse = "_|n|d0" },
    { CK_RULE(elect_form), .name = "mask", .assemble = "elect.sync n|p$;", .accept = ", m|, -1|, 0xffffffff",
      .refuse = "|, d0|, p|, m, m" },
    { CK_RULE(elect_target), .version = "8.0", .target = "$", .assemble = "elect.sync n|p, -1;",
      .accept = "sm_90|sm_90a", .refuse = OLD },
    { CK_RULE(elect_target), .name = "version", .target = "sm_90", .version = "$", .assemble = "elect.sync n|p, -1;",
      .accept = "8.0|8.3|8.6|9.0", .refuse = "7.8|7.7" },
    { CK_RULE(elect_member_unchecked), .assemble = "elect.sync n|p, $;", .seen = "0|1|0x80000000|m" },

    /* ---- griddepcontrol ---- */
    { CK_RULE(pdl_form), .assemble = "griddepcontrol$;", .accept = ".wait|.launch_dependents",
      .refuse = "|.sync|.wait 0|.launch_dependents 0|.wait n|.wait.launch_dependents|.arrive" },
    { CK_RULE(pdl_target), .version = "8.0", .target = "$", .assemble = "griddepcontrol.wait;",
      .accept = "sm_90|sm_90a", .refuse = OLD },
    { CK_RULE(pdl_target), .name = "launch", .version = "8.0", .target = "$",
      .assemble = "griddepcontrol.launch_dependents;", .accept = "sm_90|sm_90a", .refuse = OLD },
    { CK_RULE(pdl_target), .name = "version", .target = "sm_90", .version = "$", .assemble = "griddepcontrol.wait;",
      .accept = "7.8|8.0|8.6|9.0", .refuse = "7.7" },
    { 0 },
};

const struct ck_suite sync_assemble = { "sync/assemble", cases };
// SPDX-License-Identifier: Apache-2.0
