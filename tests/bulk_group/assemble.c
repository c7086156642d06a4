/* What an assembler must take and refuse of the bulk prefetch and of bulk groups. */
#include "harness/ck.h"
#include "tests/bulk/targets.h"

#define PREFETCH "cp.async.bulk.prefetch.L2.global"
#define HINT     ".L2::cache_hint"

static const struct ck_case cases[] = {
    /* ---- prefetch ---- */
    { CK_RULE(bulkpf_form), .assemble = "cp.async.bulk.prefetch.$ [g], 16;", .accept = "L2.global",
      .refuse = "L1.global|L2|L2.shared|L2.shared::cta|L2.const|L2.local|global" },
    { CK_RULE(bulkpf_form), .name = "operands", .assemble = PREFETCH " $;", .accept = "[g], n",
      .refuse = "[g]|[g], n, [ma]|[g], d0" },
    { CK_RULE(bulkpf_req), .target = "$", .assemble = PREFETCH " [g], 16;", .accept = TARGETS_80,
      .refuse = TARGETS_OLD },
    { CK_RULE(bulkpf_req), .name = "since-8.6", .version = "8.6", .target = "$", .assemble = PREFETCH " [g], 16;",
      .accept = TARGETS_86, .refuse = TARGETS_OLD },
    { CK_RULE(bulkpf_req), .name = "since-8.7", .version = "8.7", .target = "$", .assemble = PREFETCH " [g], 16;",
      .accept = TARGETS_87, .refuse = TARGETS_OLD },
    { CK_RULE(bulkpf_req), .name = "since-8.8", .version = "8.8", .target = "$", .assemble = PREFETCH " [g], 16;",
      .accept = TARGETS_88, .refuse = TARGETS_OLD },
    { CK_RULE(bulkpf_req), .name = "since-9.0", .version = "9.0", .target = "$", .assemble = PREFETCH " [g], 16;",
      .accept = TARGETS_90, .refuse = TARGETS_OLD },
    { CK_RULE(bulkpf_req), .name = "version", .target = "sm_90", .version = "$", .assemble = PREFETCH " [g], 16;",
      .accept = VERSIONS_SINCE_80, .refuse = "7.8" },
    { CK_RULE(bulkpf_size), .assemble = PREFETCH " [g], $;", .accept = "16|32|48|4096|65536|n",
      .refuse = "1|2|4|8|12|15|17|24|31|33|100|1000", .seen = "0|1048560|1048576|4294967280|-16" },
    { CK_RULE(bulkpf_align16), .name = "form", .assemble = PREFETCH " [$], 16;", .accept = "gbuf|gbuf+16",
      .seen = "gbuf+1|gbuf+4|gbuf+8",
      .no_mutant = "no text says that an assembler refuses an address it can see to be unaligned" },
    { CK_RULE(bulkpf_hint), .assemble = PREFETCH "$;", .accept = " [g], 16|" HINT " [g], 16, pol",
      .refuse = HINT " [g], 16| [g], 16, pol|" HINT " [g], 16, n|" HINT " [g], 16, h" },

    /* ---- commit and wait ---- */
    { CK_RULE(bulkgrp_req), .name = "commit", .target = "$", .assemble = "cp.async.bulk.commit_group;",
      .accept = TARGETS_80, .refuse = TARGETS_OLD },
    { CK_RULE(bulkgrp_req), .name = "wait", .target = "$", .assemble = "cp.async.bulk.wait_group 0;",
      .accept = TARGETS_80, .refuse = TARGETS_OLD },
    { CK_RULE(bulkgrp_req), .name = "wait-read", .target = "$", .assemble = "cp.async.bulk.wait_group.read 0;",
      .accept = TARGETS_80, .refuse = TARGETS_OLD },
    { CK_RULE(bulkgrp_req), .name = "commit-version", .target = "sm_90", .version = "$",
      .assemble = "cp.async.bulk.commit_group;", .accept = VERSIONS_SINCE_80, .refuse = "7.8" },
    { CK_RULE(bulkgrp_req), .name = "wait-version", .target = "sm_90", .version = "$",
      .assemble = "cp.async.bulk.wait_group 0;", .accept = VERSIONS_SINCE_80, .refuse = "7.8" },
    { CK_RULE(bulkgrp_req), .name = "wait-read-version", .target = "sm_90", .version = "$",
      .assemble = "cp.async.bulk.wait_group.read 0;", .accept = VERSIONS_SINCE_80, .refuse = "7.8" },
    { CK_RULE(bulkgrp_req), .name = "since-8.6", .version = "8.6", .target = "$",
      .assemble = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", .accept = TARGETS_86,
      .refuse = TARGETS_OLD },
    { CK_RULE(bulkgrp_req), .name = "since-8.7", .version = "8.7", .target = "$",
      .assemble = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", .accept = TARGETS_87,
      .refuse = TARGETS_OLD },
    { CK_RULE(bulkgrp_req), .name = "since-8.8", .version = "8.8", .target = "$",
      .assemble = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", .accept = TARGETS_88,
      .refuse = TARGETS_OLD },
    { CK_RULE(bulkgrp_req), .name = "since-9.0", .version = "9.0", .target = "$",
      .assemble = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", .accept = TARGETS_90,
      .refuse = TARGETS_OLD },
    { CK_RULE(bulkgrp_commit_batches), .name = "form", .assemble = "cp.async.bulk.commit_group$;", .accept = "",
      .refuse = " 0| n|.read" },
    { CK_RULE(bulkgrp_wait_const), .assemble = "cp.async.bulk.wait_group$;", .accept = " 0| 1| 7| 3+4",
      .refuse = "| n| d0| p| 0.5| 0, 1" },
    { CK_RULE(bulkgrp_wait_const), .name = "read", .assemble = "cp.async.bulk.wait_group.read$;",
      .accept = " 0| 1| 7| 3+4", .refuse = "| n| d0| p| 0.5| 0, 1" },
    { CK_RULE(bulkgrp_wait_range), .assemble = "cp.async.bulk.wait_group $;",
      .seen = "0|1|7|8|15|16|31|32|63|64|127|128|255|256|1024|65536|4294967295|4294967296|-1" },
    { CK_RULE(bulkgrp_wait_range), .name = "read", .assemble = "cp.async.bulk.wait_group.read $;",
      .seen = "0|1|7|8|15|16|31|32|63|64|127|128|255|256|1024|65536|4294967295|4294967296|-1" },
    { CK_RULE(bulkgrp_wait_no_all), .assemble = "cp.async.bulk.$;", .accept = "wait_group 0",
      .refuse = "wait_all|wait_all 0|wait_group.all 0" },
    { CK_RULE(bulkgrp_separate_nonbulk), .name = "form", .assemble = "cp.async.$ 0;",
      .accept = "wait_group|bulk.wait_group|bulk.wait_group.read", .refuse = "wait_group.read|bulk.read.wait_group" },
    { 0 }
};

const struct ck_suite bulk_group_assemble = { "bulk-group-assemble", cases };
// SPDX-License-Identifier: Apache-2.0
