/* Instruction table: mbarrier, barrier, cluster barrier. */
#include "harness/emu/check.h"

#define OWN  "?shared|shared::cta@78 b64"
#define ANY  "?shared|shared::cta@78|shared::cluster@80/90 b64"
#define SEM  "?release@80|relaxed@80/90 ?cta@80|cluster@80/90 "
#define WAIT "?acquire@80|relaxed@80/90 ?cta@80|cluster@80/90 "

/* A count of threads is a whole number of warps. */
static bool threads(struct check *c)
{
    const struct ptx_operand *n = ptx_operand(c->m, c->i, c->i->n_operands - 1u);
    if (n->kind == PO_immediate && n->value % 32)
        return check_fail(c, n, "the thread count %lld is no multiple of 32", (long long)n->value);
    return true;
}

static bool some_threads(struct check *c)
{
    const struct ptx_operand *n = ptx_operand(c->m, c->i, 1);
    if (n->kind == PO_immediate && !n->value)
        return check_fail(c, n, "an arrival needs a thread count above 0");
    return threads(c);
}

const struct ptx_form ptx_forms_barrier[] = {
    { OP_mbarrier_init, OWN, "as su32", 70, "80" },
    { OP_mbarrier_inval, OWN, "as", 70, "80" },
    { OP_mbarrier_expect_tx, "?relaxed ?cta|cluster ?shared|shared::cta|shared::cluster b64", "as su32", 80, "90" },
    { OP_mbarrier_complete_tx, "?relaxed ?cta|cluster ?shared|shared::cta|shared::cluster b64", "as su32", 80, "90" },

#define ARRIVALS(op)                                                                                                   \
    { op, SEM OWN, "Db64 as ?su32", 70, "80" }, { op, SEM "shared::cluster@80/90 b64", "z as ?su32", 80, "90" },       \
        { op, SEM "expect_tx " OWN, "Db64 as su32", 80, "90" },                                                        \
        { op, SEM "expect_tx shared::cluster b64", "z as su32", 80, "90" },                                            \
    {                                                                                                                  \
        op, "noComplete ?release@80 ?cta@80 " OWN, "Db64 as su32", 70, "80"                                            \
    }
    ARRIVALS(OP_mbarrier_arrive),
    ARRIVALS(OP_mbarrier_arrive_drop),

    { OP_mbarrier_test_wait, WAIT OWN, "q as rb64", 70, "80" },
    { OP_mbarrier_test_wait, "parity " WAIT OWN, "q as su32", 71, "80" },
    { OP_mbarrier_try_wait, WAIT OWN, "q as rb64 ?su32", 78, "90" },
    { OP_mbarrier_try_wait, "parity " WAIT OWN, "q as su32 ?su32", 78, "90" },
    { OP_mbarrier_pending_count, "b64", "du32 rb64", 70, "80" },

    { OP_bar, "?cta@78 sync", "su32 ?su32", 0, NULL, threads },
    { OP_bar, "?cta@78 arrive", "su32 su32", 20, NULL, some_threads },
    { OP_bar, "?cta@78 red popc u32", "du32 su32 p", 20, NULL },
    { OP_bar, "?cta@78 red popc u32", "du32 su32 su32 p", 20, NULL },
    { OP_bar, "?cta@78 red and|or pred", "q su32 p", 20, NULL },
    { OP_bar, "?cta@78 red and|or pred", "q su32 su32 p", 20, NULL },
    { OP_bar, "warp sync", "su32", 60, "30" },
    { OP_barrier, "?cta@78 sync ?aligned", "su32 ?su32", 60, "30", threads },
    { OP_barrier, "?cta@78 arrive ?aligned", "su32 su32", 60, "30", some_threads },
    { OP_barrier, "?cta@78 red popc ?aligned u32", "du32 su32 p", 60, "30" },
    { OP_barrier, "?cta@78 red popc ?aligned u32", "du32 su32 su32 p", 60, "30" },
    { OP_barrier, "?cta@78 red and|or ?aligned pred", "q su32 p", 60, "30" },
    { OP_barrier, "?cta@78 red and|or ?aligned pred", "q su32 su32 p", 60, "30" },
    { OP_barrier_cluster_arrive, "?release@80|relaxed@80 ?aligned", "", 78, "90" },
    { OP_barrier_cluster_wait, "?acquire@80 ?aligned", "", 78, "90" },
    { 0 },
};
