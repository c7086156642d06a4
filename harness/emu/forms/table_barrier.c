/* Instruction table: mbarrier, barrier, cluster barrier. */
#include "harness/emu/forms/extra.h"
#include "harness/emu/forms/tables.h"

#define OWN  "?shared|shared::cta@78 b64"
#define SEM  "?release@80|relaxed@86/90 ?cta@80|cluster@80/90 "
#define WAIT "?acquire@80|relaxed@86/90 ?cta@80|cluster@80/90 "

const struct ptx_form ptx_forms_barrier[] = {
    { OP_mbarrier_init, OWN, "aGs J1..1048575", 70, "80" },
    { OP_mbarrier_inval, OWN, "aGs", 70, "80" },
    { OP_mbarrier_expect_tx, "?relaxed ?cta|cluster ?shared|shared::cta|shared::cluster b64", "aGs su32", 80, "90",
      form_ordered },
    { OP_mbarrier_complete_tx, "?relaxed ?cta|cluster ?shared|shared::cta|shared::cluster b64", "aGs su32", 80, "90",
      form_ordered },

#define ARRIVALS(op)                                                                                                   \
    { op, SEM OWN, "du64 aGs", 70, "80", form_ordered }, { op, SEM OWN, "o aGs", 71, "80", form_ordered },             \
        { op, SEM OWN, "Du64 aGs I1..4294967295", 78, "90", form_ordered },                                            \
        { op, SEM "shared::cluster b64", "o aGs ?I1..4294967295", 80, "90", form_ordered },                            \
        { op, "^expect_tx " SEM OWN, "Du64 aGs su32", 80, "90", form_ordered },                                        \
        { op, "^expect_tx " SEM "shared::cluster b64", "o aGs su32", 80, "90", form_ordered },                         \
    {                                                                                                                  \
        op, "noComplete ?release@80 ?cta@80 " OWN, "Du64 aGs I1..4294967295", 70, "80", form_ordered                   \
    }
    ARRIVALS(OP_mbarrier_arrive),
    ARRIVALS(OP_mbarrier_arrive_drop),

    { OP_mbarrier_test_wait, WAIT OWN, "q aGs su64", 70, "80", form_ordered },
    { OP_mbarrier_test_wait, "^parity " WAIT OWN, "q aGs J0..1", 71, "80", form_ordered },
    { OP_mbarrier_try_wait, WAIT OWN, "q aGs su64 ?su32", 78, "90", form_ordered },
    { OP_mbarrier_try_wait, "^parity " WAIT OWN, "q aGs J0..1 ?su32", 78, "90", form_ordered },
    { OP_mbarrier_pending_count, "b64", "du32 su64", 70, "80" },

    { OP_bar, "?^cta@78 sync", "I0..15 ?I0..2147483647*32", 0, NULL },
    { OP_bar, "?^cta@78 ^arrive", "I0..15 I32..2147483647*32", 0, NULL },
    { OP_bar, "?^cta@78 ^red popc u32", "du32 I0..15 p", 0, NULL },
    { OP_bar, "?^cta@78 ^red popc u32", "du32 I0..15 I0..2147483647*32 p", 0, NULL },
    { OP_bar, "?^cta@78 ^red and|or pred", "q I0..15 p", 0, NULL },
    { OP_bar, "?^cta@78 ^red and|or pred", "q I0..15 I0..2147483647*32 p", 0, NULL },
    { OP_bar, "^warp ^sync", "su32", 60, "30" },
    { OP_barrier, "?^cta@78 sync ?aligned", "I0..15 ?I0..2147483647*32", 60, "30" },
    { OP_barrier, "?^cta@78 ^arrive ?aligned", "I0..15 I32..2147483647*32", 60, "30" },
    { OP_barrier, "?^cta@78 ^red popc ?aligned u32", "du32 I0..15 p", 60, "30" },
    { OP_barrier, "?^cta@78 ^red popc ?aligned u32", "du32 I0..15 I0..2147483647*32 p", 60, "30" },
    { OP_barrier, "?^cta@78 ^red and|or ?aligned pred", "q I0..15 p", 60, "30" },
    { OP_barrier, "?^cta@78 ^red and|or ?aligned pred", "q I0..15 I0..2147483647*32 p", 60, "30" },
    { OP_barrier_cluster_arrive, "?release@80|relaxed@80 ?aligned", "", 78, "90" },
    { OP_barrier_cluster_wait, "?acquire@80 ?aligned", "", 78, "90" },
    { 0 },
};
// SPDX-License-Identifier: Apache-2.0
