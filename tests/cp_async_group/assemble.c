/* What an assembler takes of the commit and the waits of cp.async groups. */
#include "harness/ck.h"

static const struct ck_case cases[] = {
    { CK_RULE(group_commit_form), .assemble = "cp.async.commit_group$;", .accept = "",
      .refuse = " 0| n|.sync|.shared|.b32" },
    { CK_RULE(group_commit_form), .name = "read", .assemble = "cp.async$;", .target = "sm_90", .version = "8.0",
      .accept = ".commit_group|.bulk.commit_group", .refuse = ".commit_group.read" },
    { CK_RULE(group_wait_form), .assemble = "cp.async.wait_group $;", .accept = "0|1|7|63", .refuse = "|n|r0|p|1.5" },
    { CK_RULE(group_wait_form), .name = "qualifier", .assemble = "cp.async.wait_group$ ${n};", .accept = "",
      .refuse = ".read|.sync|.aligned|.u32", .target = "sm_90", .version = "8.0", .axes = { { "n", "0 1" } } },
    { CK_RULE(group_wait_any_constant), .assemble = "cp.async.wait_group $;",
      .accept = "0|1|2|3|4|5|6|7|8|12|16|31|32|62|63",
      .seen = "64|65|70|100|127|128|255|256|257|300|1000|65535|65536|2147483647|2147483648|4294967295|4294967296|-1|"
              "-2147483648" },
    { CK_RULE(group_wait_all_form), .assemble = "cp.async.wait_all$;", .accept = "", .refuse = " 0| n|.read|.sync",
      .target = "sm_90", .version = "8.0" },
    { CK_RULE(group_predicated_commit), .name = "text", .assemble = "$ cp.async.${op};", .accept = "@p|@!p|",
      .refuse = "@r0|@f0", .axes = { { "op", "commit_group wait_all" } } },
    { CK_RULE(group_target), .assemble = "cp.async.${op};", .target = "$", .version = "7.8",
      .accept = "sm_80|sm_86|sm_87|sm_89|sm_90", .refuse = "sm_75", .axes = { { "op", "commit_group wait_all" } } },
    { CK_RULE(group_target), .name = "wait_group", .assemble = "cp.async.wait_group ${n};", .target = "$",
      .version = "7.8", .accept = "sm_80|sm_86|sm_87|sm_89|sm_90", .refuse = "sm_75", .axes = { { "n", "0 1" } } },
    { CK_RULE(group_isa), .assemble = "cp.async.${op};", .version = "$", .accept = "7.0|7.1|7.4|7.8|8.0",
      .refuse = "6.5|6.4|6.3", .axes = { { "op", "commit_group wait_all" } } },
    { CK_RULE(group_isa), .name = "wait_group", .assemble = "cp.async.wait_group ${n};", .version = "$",
      .accept = "7.0|7.1|7.4|7.8|8.0", .refuse = "6.5|6.4|6.3", .axes = { { "n", "0 1" } } },
    { 0 },
};

const struct ck_suite cp_async_group_assemble = { "cp_async_group/assemble", cases };
// SPDX-License-Identifier: Apache-2.0
