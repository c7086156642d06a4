/* Fences as an assembler sees them: orders, scopes, proxies, targets and versions. */
#include "harness/ck.h"

static const struct ck_case cases[] = {
    { CK_RULE(fence_sem_default), .target = "sm_80", .version = "7.0", .accept = "cta|gpu|sys", .refuse = "gl|",
      .assemble = "fence.$;" },
    { CK_RULE(fence_sem_default), .name = "cluster", .target = "sm_90", .version = "7.8", .accept = "cluster",
      .refuse = "warp", .assemble = "fence.$;" },
    { CK_RULE(fence_sem_set), .accept = "sc.|acq_rel.|acquire.|release.", .refuse = "relaxed.|volatile.|weak.",
      .assemble = "fence.$gpu;" },
    { CK_RULE(fence_sem_set), .name = "scope", .accept = ".gpu", .refuse = "", .assemble = "fence.${sem}$;",
      .axes = { { "sem", "sc acq_rel acquire release" } } },
    { CK_RULE(fence_scope_set), .name = "fence", .accept = "cta|cluster|gpu|sys", .refuse = "gl|cta.gpu",
      .assemble = "fence.${sem}.$;", .axes = { { "sem", "sc acq_rel" } } },
    { CK_RULE(fence_scope_set), .name = "membar", .accept = "cta|gl|sys", .refuse = "gpu|cluster",
      .assemble = "membar.$;" },
    { CK_RULE(fence_scope_cluster_target), .name = "target", .accept = "sm_90", .refuse = "sm_80|sm_86|sm_87",
      .target = "$", .assemble = "fence.acq_rel.cluster;" },
    { CK_RULE(fence_scope_cluster_target), .name = "version", .accept = "7.8|8.0", .refuse = "7.7", .target = "sm_90",
      .version = "$", .assemble = "fence.acq_rel.cluster;" },
    { CK_RULE(fence_acquire_isa), .name = "version", .seen = "8.3|8.4|8.5|8.6", .target = "sm_90", .version = "$",
      .assemble = "fence.${sem}.gpu;", .axes = { { "sem", "acquire release" } } },
    { CK_RULE(fence_acquire_isa), .name = "target", .seen = "sm_75|sm_80|sm_89|sm_90", .target = "$", .version = "8.6",
      .assemble = "fence.${sem}.gpu;", .axes = { { "sem", "acquire release" } } },
    { CK_RULE(fence_sync_restrict_form),
      .accept = "acquire.sync_restrict::shared::cluster.cluster|release.sync_restrict::shared::cta.cluster",
      .refuse = "acquire.sync_restrict::shared::cta.cluster|release.sync_restrict::shared::cluster.cluster|"
                "acq_rel.sync_restrict::shared::cta.cluster|sc.sync_restrict::shared::cluster.cluster|"
                "acquire.sync_restrict::shared::cluster.cta|acquire.sync_restrict::shared::cluster.gpu|"
                "release.sync_restrict::shared::cta.cta|release.sync_restrict::shared::cta.sys",
      .assemble = "fence.$;" },
    { CK_RULE(fence_sync_restrict_form), .name = "version", .accept = "8.6|8.7", .refuse = "8.5", .target = "sm_90",
      .version = "$", .assemble = "fence.acquire.sync_restrict::shared::cluster.cluster;" },

    { CK_RULE(fence_mbarrier_init_form), .accept = "release.cluster",
      .refuse = "release.cta|release.gpu|release.sys|acquire.cluster|acq_rel.cluster|cluster|release",
      .assemble = "fence.mbarrier_init.$;" },
    { CK_RULE(fence_mbarrier_init_target), .name = "target", .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_86|sm_89",
      .target = "$", .assemble = "fence.mbarrier_init.release.cluster;" },
    { CK_RULE(fence_mbarrier_init_target), .name = "version", .accept = "8.0|8.1", .refuse = "7.8", .target = "sm_90",
      .version = "$", .assemble = "fence.mbarrier_init.release.cluster;" },

    { CK_RULE(fence_proxy_kind_required), .accept = ".alias|.async", .refuse = "|.texture|.tensormap|.generic",
      .assemble = "fence.proxy$;" },
    { CK_RULE(fence_proxy_alias_form), .target = "sm_80", .accept = "", .refuse = ".global|.shared::cta|.gpu|.release",
      .assemble = "fence.proxy.alias$;" },
    { CK_RULE(fence_proxy_alias_isa), .accept = "7.5|7.8", .refuse = "7.4", .target = "sm_80", .version = "$",
      .assemble = "fence.proxy.alias;" },
    { CK_RULE(fence_async_generic_form),
      .accept = "acquire.sync_restrict::shared::cluster.cluster|release.sync_restrict::shared::cta.cluster",
      .refuse = "acquire.sync_restrict::shared::cta.cluster|release.sync_restrict::shared::cluster.cluster|"
                "acquire.cluster|release.cluster|acquire.sync_restrict::shared::cluster.cta|"
                "release.sync_restrict::shared::cta.gpu",
      .assemble = "fence.proxy.async::generic.$;" },
    { CK_RULE(fence_async_generic_form), .name = "direction", .accept = "async::generic", .refuse = "generic::async",
      .assemble = "fence.proxy.$.acquire.sync_restrict::shared::cluster.cluster;" },

    { CK_RULE(fence_proxy_async_spaces), .accept = "|.global|.shared::cta|.shared::cluster",
      .refuse = ".shared|.local|.const|.param", .assemble = "fence.proxy.async$;" },
    { CK_RULE(fence_proxy_async_no_scope), .accept = "", .refuse = ".gpu|.cta|.cluster|.sys|.acquire|.release|.acq_rel",
      .assemble = "fence.proxy.async$;" },
    { CK_RULE(fence_proxy_async_target), .name = "target", .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_86|sm_89",
      .target = "$", .assemble = "fence.proxy.async;" },
    { CK_RULE(fence_proxy_async_target), .name = "version", .accept = "8.0|8.1", .refuse = "7.8", .target = "sm_90",
      .version = "$", .assemble = "fence.proxy.async;" },
    { CK_RULE(fence_proxy_async_membar_spelling), .seen = "alias|async|async.global", .assemble = "membar.proxy.$;" },

    { CK_RULE(fence_tensormap_release_form), .accept = "", .refuse = " [gm], 128| [gm]",
      .assemble = "fence.proxy.tensormap::generic.release.${scope}$;", .axes = { { "scope", "cta cluster gpu sys" } } },
    { CK_RULE(fence_tensormap_acquire_form), .accept = " [gm], 128", .refuse = "| [gm]| 128",
      .assemble = "fence.proxy.tensormap::generic.acquire.${scope}$;", .axes = { { "scope", "cta cluster gpu sys" } } },
    { CK_RULE(fence_tensormap_acquire_form), .name = "size", .accept = "128", .refuse = "0|64|127|129|256|n",
      .assemble = "fence.proxy.tensormap::generic.acquire.gpu [gm], $;" },
    { CK_RULE(fence_tensormap_acquire_form), .name = "space", .accept = "", .refuse = ".global|.shared::cta",
      .assemble = "fence.proxy.tensormap::generic.acquire.gpu$ [gm], 128;" },
    { CK_RULE(fence_tensormap_target), .name = "version", .accept = "8.3|8.4", .refuse = "8.2", .target = "sm_90",
      .version = "$", .assemble = "fence.proxy.tensormap::generic.release.gpu;" },
    { CK_RULE(fence_tensormap_target), .name = "target", .accept = "sm_90|sm_90a", .refuse = "sm_80|sm_89",
      .target = "$", .assemble = "fence.proxy.tensormap::generic.release.gpu;" },
    { CK_RULE(fence_cp_fenceproxy_form), .name = "size", .accept = "128", .refuse = "0|64|127|256|n",
      .assemble =
          "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [gm], [sa], $;" },
    { CK_RULE(fence_cp_fenceproxy_form), .name = "form",
      .accept = "shared::cta.tensormap::generic.release.gpu.sync.aligned",
      .refuse = "shared::cta.tensormap::generic.release.gpu.sync|shared::cta.tensormap::generic.release.gpu|"
                "shared::cluster.tensormap::generic.release.gpu.sync.aligned|"
                "shared::cta.tensormap::generic.acquire.gpu.sync.aligned|"
                "shared::cta.tensormap::generic.release.sync.aligned",
      .assemble = "tensormap.cp_fenceproxy.global.$ [gm], [sa], 128;" },
    { 0 }
};

const struct ck_suite fence_assemble = { "fence/assemble", cases };
// SPDX-License-Identifier: Apache-2.0
