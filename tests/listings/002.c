/* The listings of the notes 002: TMA from C++ and PTX. */
#include "tests/listings/page.h"

static const struct ck_case cases[] = {
    { CK_LISTING(002_ptx_forms), .name = "load", .assemble = "cp.async.bulk.tensor.2d.shared::cluster.global$;",
      .accept = ".mbarrier::complete_tx::bytes [sa], [g, {r0, r1}], [ma]",
      .refuse = ".mbarrier::complete_tx::bytes [sa], [g, {r0, r1}]| [sa], [g, {r0, r1}], [ma]|"
                ".mbarrier::complete_tx::bytes [g, {r0, r1}], [sa], [ma]" },
    { CK_LISTING(002_ptx_forms), .name = "store", .assemble = "cp.async.bulk.tensor.2d.global.shared::cta$;",
      .accept = ".bulk_group [g, {r0, r1}], [sa]", .refuse = " [g, {r0, r1}], [sa]|.bulk_group [sa], [g, {r0, r1}]" },
    { CK_LISTING(002_ptx_forms), .name = "reduce",
      .assemble = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.$.bulk_group [g, {r0, r1}], [sa];",
      .accept = "add|min|max|inc|dec|and|or|xor", .refuse = "sub|exch|cas" },
    { 0 }
};

const struct ck_suite listings_002 = { "listings-002", cases };
