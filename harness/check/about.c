/* What findings are about, by the ids of their rules. */
#include "harness/check/about.h"

#include <string.h>

bool about_begins(const char *id, const char *list)
{
    for (size_t n; *list; list += n + 1) {
        n = strcspn(list, " ");
        if (!strncmp(id, list, n))
            return true;
    }
    return false;
}

enum subject about_subject(const char *id)
{
    if (about_begins(id, "fence.proxy bulk.proxy. tensor.store.fence cpasync.proxy. fence.async_generic. "))
        return PROXY;
    if (about_begins(id, "bulk.src. bulk.exit.source cpasync.order.write-src bulk.wait.store "))
        return SOURCE;
    if (about_begins(
            id,
            "bulk. bulkgrp. tensor. cpasync. group. order. mbarrier.tx.wrong mbarrier.wait. mbarrier.phase.parity mbarrier.arrive. cpmb.async "
            "mbarrier.try_wait. fence.mp cluster.barrier. "))
        return DESTINATION;
    return OTHER;
}

bool about_ahead(const char *id)
{
    return about_begins(
        id,
        "mbarrier.phase. mbarrier.tx. mbarrier.wait.async mbarrier.try_wait.may mbarrier.inval. "
        "mbarrier.init. mbarrier.object.opaque-write mbarrier.arrive.count mbarrier.arrive.relaxed mbarrier.wait.relaxed mbarrier.wait.scope "
        "bulk.dst. bulk.order.none bulk.weak tensor.order.none group.wait.n bulkgrp.wait.n "
        "wgmma.smem.written cpasync.order.war cpasync.order.pair cpmb.async group.order.within group.wait.uncommitted group.commit.not-later "
        "bulkgrp.uncommitted group.per-thread ");
}

bool about_upset(const char *id)
{
    return about_begins(
        id,
        "mbarrier.phase. mbarrier.tx. mbarrier.inval. mbarrier.object.opaque-read mbarrier.init.needs mbarrier.wait.async "
        "mbarrier.arrive.count bulk.dst. wgmma.smem. "
        "bulk.order.none tensor.order.none bulk.weak bulk.exit. bulk.mc.rank group.order.within cpasync.order.pair cpasync.order.war cpmb.async "
        "deadlock. ");
}

bool about_count(const char *id)
{
    return about_begins(id, "mbarrier.phase. mbarrier.tx. mbarrier.inval. mbarrier.arrive.count deadlock. ") &&
           !about_begins(id, "mbarrier.phase.parity ");
}
// SPDX-License-Identifier: Apache-2.0
