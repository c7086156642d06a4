/* What assemblers make of cp.async.mbarrier.arrive. */
#include "harness/ck.h"

#define ARRIVE "cp.async.mbarrier.arrive"

static const struct ck_case cases[] = {
    { CK_RULE(cpmb_form), .name = "operands", .assemble = ARRIVE ".shared.b64 $;", .accept = "[ma]|[mb]|[mb+0]",
      .refuse = "[ma], 1|[ma], n|st, [ma]|_, [ma]|[ma], [mb]|ma|[n], p|" },
    { CK_RULE(cpmb_form), .name = "noinc", .assemble = ARRIVE ".noinc.shared.b64 $;", .accept = "[ma]|[mb]",
      .refuse = "[ma], 1|[ma], n|st, [ma]|_, [ma]|[ma], [mb]|ma|" },
    { CK_RULE(cpmb_form), .name = "type", .assemble = ARRIVE ".shared$ [ma];", .accept = ".b64",
      .refuse = "|.b32|.u64|.s64|.b128|.b16" },
    { CK_RULE(cpmb_form), .name = "order", .version = "8.0", .target = "sm_90", .assemble = ARRIVE "$.shared.b64 [ma];",
      .accept = "|.noinc",
      .refuse =
          ".release|.release.cta|.release.cluster|.relaxed.cta|.acquire.cta|.cta|.noComplete|.expect_tx|.noinc.noinc" },
    { CK_RULE(cpmb_form), .name = "guard", .assemble = "$" ARRIVE ".noinc.shared.b64 [ma];", .accept = "|@p |@!p ",
      .refuse = "@n |@ " },
    { CK_RULE(cpmb_space), .version = "7.8", .target = "sm_90", .assemble = ARRIVE "$.b64 [ma];",
      .accept = ".shared|.shared::cta|.noinc.shared|.noinc.shared::cta",
      .refuse = ".shared::cluster|.global|.local|.const|.param|.noinc.shared::cluster|.noinc.global" },
    { CK_RULE(cpmb_space), .name = "generic", .version = "7.8", .target = "sm_90", .assemble = ARRIVE "$ [g];",
      .accept = ".b64|.noinc.b64", .refuse = ".shared::cluster.b64|.global.b64|.noinc.global.b64" },
    { CK_RULE(cpmb_isa_cta), .version = "$", .assemble = ARRIVE ".shared::cta.b64 [ma];",
      .accept = "7.8|8.0|8.3|8.6|9.0", .refuse = "7.0|7.1|7.4|7.7" },
    { CK_RULE(cpmb_isa_cta), .name = "noinc", .version = "$", .assemble = ARRIVE ".noinc.shared::cta.b64 [ma];",
      .accept = "7.8|8.0|8.3|8.6|9.0", .refuse = "7.0|7.1|7.4|7.7" },
    { CK_RULE(cpmb_target), .target = "$", .assemble = ARRIVE ".shared.b64 [ma];", .version = "7.8",
      .accept = "sm_80|sm_86|sm_87|sm_89|sm_90", .refuse = "sm_75" },
    { CK_RULE(cpmb_target), .name = "noinc", .target = "$", .assemble = ARRIVE ".noinc.shared.b64 [ma];",
      .version = "7.8", .accept = "sm_80|sm_86|sm_87|sm_89|sm_90", .refuse = "sm_75" },
    { CK_RULE(cpmb_target), .name = "version", .version = "$", .assemble = ARRIVE ".noinc.shared.b64 [ma];",
      .accept = "7.0|7.1|7.4|7.8|8.0|9.0", .refuse = "6.5" },
    { 0 },
};

const struct ck_suite cp_async_mbarrier_assemble = { "cp_async_mbarrier/assemble", cases };
// SPDX-License-Identifier: Apache-2.0
