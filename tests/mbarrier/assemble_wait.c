/* What an assembler takes and refuses: waiting, reading the pending count, and use across CTAs. */
#include "harness/ck.h"

static const struct ck_case cases[] = {
    /* ---- try_wait's time limit ---- */
    { CK_RULE(mbarrier_try_wait_hint), .name = "parity",
      .assemble = "mbarrier.try_wait.parity.shared.b64 p, [ma], n, $;", .accept = "0|1|1000|1000000|4294967295|m",
      .refuse = "st|p|f0|1, 1" },
    { CK_RULE(mbarrier_try_wait_hint), .name = "state", .assemble = "mbarrier.try_wait.shared.b64 p, [ma], st, $;",
      .accept = "0|1|1000|1000000|4294967295|m", .refuse = "st|p|f0|1, 1" },
    { CK_RULE(mbarrier_wait_no_hint_on_test), .name = "parity",
      .assemble = "mbarrier.test_wait.parity.shared.b64 p, [ma], n$;", .accept = "", .refuse = ", 0|, 1000|, m",
      .target = "sm_80", .version = "7.1" },
    { CK_RULE(mbarrier_wait_no_hint_on_test), .name = "state",
      .assemble = "mbarrier.test_wait.shared.b64 p, [ma], st$;", .accept = "", .refuse = ", 0|, 1000|, m" },

    /* ---- operands ---- */
    { CK_RULE(mbarrier_wait_parity_values), .name = "test",
      .assemble = "mbarrier.test_wait.parity.shared.b64 p, [ma], $;", .accept = "0|1|n",
      .refuse = "2|3|-1|4294967295" },
    { CK_RULE(mbarrier_wait_parity_values), .name = "try",
      .assemble = "mbarrier.try_wait.parity.shared.b64 p, [ma], $;", .accept = "0|1|n", .refuse = "2|3|-1|4294967295",
      .target = "sm_90", .version = "7.8" },
    { CK_RULE(mbarrier_wait_types), .name = "test-state", .assemble = "mbarrier.test_wait.shared.b64 $;",
      .accept = "p, [ma], st", .refuse = "p, [ma], n|p, [ma]|n, [ma], st|_, [ma], st|p, [ma], f0|[ma], st",
      .target = "sm_80", .version = "7.1" },
    { CK_RULE(mbarrier_wait_types), .name = "test-parity", .assemble = "mbarrier.test_wait.parity.shared.b64 $;",
      .accept = "p, [ma], n", .refuse = "p, [ma], st|p, [ma]|n, [ma], m|_, [ma], n|p, [ma], q|[ma], n",
      .target = "sm_80", .version = "7.1" },
    { CK_RULE(mbarrier_wait_types), .name = "try-state", .assemble = "mbarrier.try_wait.shared.b64 $;",
      .accept = "p, [ma], st|p, [ma], st, m", .refuse = "p, [ma], n|p, [ma]|n, [ma], st|_, [ma], st|p, [ma], st, pol",
      .target = "sm_90", .version = "7.8" },
    { CK_RULE(mbarrier_wait_types), .name = "try-parity", .assemble = "mbarrier.try_wait.parity.shared.b64 $;",
      .accept = "p, [ma], n|p, [ma], n, m", .refuse = "p, [ma], st|p, [ma]|n, [ma], m|_, [ma], n|p, [ma], n, pol",
      .target = "sm_90", .version = "7.8" },

    /* ---- where the object is ---- */
    { CK_RULE(mbarrier_wait_local_only), .name = "state", .assemble = "mbarrier.${op}$.b64 p, [ma], st;",
      .accept = ".shared|.shared::cta|.acquire.cluster.shared::cta",
      .refuse = ".shared::cluster|.acquire.cta.shared::cluster|.acquire.cluster.shared::cluster", .target = "sm_90",
      .version = "8.0", .axes = { { "op", "test_wait try_wait" } } },
    { CK_RULE(mbarrier_wait_local_only), .name = "parity", .assemble = "mbarrier.${op}.parity$.b64 p, [ma], n;",
      .accept = ".shared|.shared::cta|.acquire.cluster.shared::cta",
      .refuse = ".shared::cluster|.acquire.cta.shared::cluster|.acquire.cluster.shared::cluster", .target = "sm_90",
      .version = "8.0", .axes = { { "op", "test_wait try_wait" } } },
    { CK_RULE(mbarrier_cluster_one_way), .name = "form", .assemble = "mbarrier.$;",
      .accept =
          "arrive.release.cluster.shared::cluster.b64 _, [ra]|arrive_drop.release.cluster.shared::cluster.b64 _, [ra]"
          "|expect_tx.relaxed.cluster.shared::cluster.b64 [ra], 16"
          "|complete_tx.relaxed.cluster.shared::cluster.b64 [ra], 16",
      .refuse = "test_wait.acquire.cluster.shared::cluster.b64 p, [ra], st"
                "|try_wait.acquire.cluster.shared::cluster.b64 p, [ra], st"
                "|test_wait.parity.acquire.cluster.shared::cluster.b64 p, [ra], n"
                "|try_wait.parity.acquire.cluster.shared::cluster.b64 p, [ra], n"
                "|init.shared::cluster.b64 [ra], 1|inval.shared::cluster.b64 [ra]" },

    /* ---- order and scope ---- */
    { CK_RULE(mbarrier_wait_sem_set), .name = "state", .assemble = "mbarrier.${op}$.shared.b64 p, [ma], st;",
      .accept = "|.acquire.cta|.acquire.cluster",
      .refuse = ".release.cta|.acq_rel.cta|.acquire.gpu|.acquire.sys|.acquire|.cta|.cluster|.volatile",
      .axes = { { "op", "test_wait try_wait" } } },
    { CK_RULE(mbarrier_wait_sem_set), .name = "parity", .assemble = "mbarrier.${op}.parity$.shared.b64 p, [ma], n;",
      .accept = "|.acquire.cta|.acquire.cluster",
      .refuse = ".release.cta|.acq_rel.cta|.acquire.gpu|.acquire.sys|.acquire|.cta|.cluster|.volatile",
      .axes = { { "op", "test_wait try_wait" } } },
    { CK_RULE(mbarrier_wait_relaxed_isa), .name = "ptx",
      .assemble = "mbarrier.${op}.relaxed.${scope}.shared.b64 p, [ma], st;", .accept = "8.6|8.7", .refuse = "8.0|8.5",
      .target = "sm_90", .version = "$", .axes = { { "op", "test_wait try_wait" }, { "scope", "cta cluster" } } },
    { CK_RULE(mbarrier_wait_relaxed_isa), .name = "ptx-parity",
      .assemble = "mbarrier.${op}.parity.relaxed.${scope}.shared.b64 p, [ma], n;", .accept = "8.6", .refuse = "8.5",
      .target = "sm_90", .version = "$", .axes = { { "op", "test_wait try_wait" }, { "scope", "cta cluster" } } },
    { CK_RULE(mbarrier_wait_relaxed_isa), .name = "sm",
      .assemble = "mbarrier.test_wait.relaxed.${scope}.shared.b64 p, [ma], st;", .accept = "sm_90|sm_90a",
      .refuse = "sm_80|sm_89", .target = "$", .version = "8.6", .axes = { { "scope", "cta cluster" } } },
    { CK_RULE(mbarrier_wait_scope_too_small), .name = "form",
      .assemble = "mbarrier.arrive.release$.shared::cluster.b64 _, [ra];", .accept = ".cluster|.cta",
      .refuse = ".gpu" },

    /* ---- targets ---- */
    { CK_RULE(mbarrier_test_wait_target), .name = "sm", .assemble = "mbarrier.test_wait.shared.b64 p, [ma], st;",
      .accept = "sm_80|sm_86|sm_89|sm_90", .refuse = "sm_75", .target = "$", .version = "7.8" },
    { CK_RULE(mbarrier_test_wait_target), .name = "lowest", .assemble = "mbarrier.$;",
      .accept = "test_wait.shared.b64 p, [ma], st",
      .refuse = "test_wait.parity.shared.b64 p, [ma], n|test_wait.parity.shared.b64 p, [ma], 0", .target = "sm_80",
      .version = "7.0" },
    { CK_RULE(mbarrier_test_wait_target), .name = "parity",
      .assemble = "mbarrier.test_wait.parity.shared.b64 p, [ma], n;", .accept = "7.1|7.8", .refuse = "7.0",
      .target = "sm_80", .version = "$" },
    { CK_RULE(mbarrier_test_wait_target), .name = "try-sm", .assemble = "mbarrier.try_wait.shared.b64 p, [ma], st;",
      .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_86|sm_89", .target = "$", .version = "8.0" },
    { CK_RULE(mbarrier_test_wait_target), .name = "try-parity-sm",
      .assemble = "mbarrier.try_wait.parity.shared.b64 p, [ma], n;", .accept = "sm_90|sm_90a",
      .refuse = "sm_80|sm_86|sm_89", .target = "$", .version = "8.0" },

    /* ---- pending_count ---- */
    { CK_RULE(mbarrier_pending_count_form), .assemble = "mbarrier.pending_count$;", .accept = ".b64 n, st",
      .refuse =
          ".b64 n, [ma]|.shared.b64 n, st|.shared.b64 n, [ma]|.b64 pol, st|.b64 n, m|.b64 st|.b64 n, st, 1|.b32 n, st" },
    /* An assembler need not know where the state comes from. */
    { CK_RULE(mbarrier_pending_count_source), .name = "form", .assemble = "$ mbarrier.pending_count.b64 n, st;",
      .accept =
          "mbarrier.arrive.noComplete.shared.b64 st, [ma], 1;|mbarrier.arrive_drop.noComplete.shared.b64 st, [ma], 1;",
      .seen = "mbarrier.arrive.shared.b64 st, [ma];|mbarrier.arrive_drop.shared.b64 st, [ma];|mov.b64 st, 0;",
      .no_mutant = "one-sided: an assembler need not look at the bad side, which is only recorded" },

    { 0 },
};

const struct ck_suite mbarrier_assemble_wait = { "mbarrier/assemble_wait", cases };
// SPDX-License-Identifier: Apache-2.0
