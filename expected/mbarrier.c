/* The oracle's mbarrier object. */
#include "expected/mbarrier.h"

#include <stddef.h>

/* A phase ends when nothing is pending; in the same step the next one starts with the expected count. */
static void settle(struct mbarrier *b)
{
    if (b->pending || b->tx)
        return;
    b->phase++;
    b->pending = b->expected;
}

const struct ck_rule *mbarrier_init(struct mbarrier *b, uint64_t count)
{
    if (b->live)
        return &rule_mbarrier_init_live_object;
    if (count == 0)
        return &rule_mbarrier_init_count_zero;
    if (count > MBARRIER_MAX)
        return &rule_mbarrier_init_count_over;
    *b = (struct mbarrier){ .live = true, .expected = (int64_t)count, .pending = (int64_t)count };
    return NULL;
}

const struct ck_rule *mbarrier_inval(struct mbarrier *b)
{
    if (!b->live)
        return &rule_mbarrier_init_required;
    if (b->tx)
        return &rule_mbarrier_inval_quiescent;
    b->live = false;
    return NULL;
}

/* The rule that an expect_tx of so many bytes breaks, or NULL. */
static const struct ck_rule *too_many_bytes(const struct mbarrier *b, uint64_t bytes)
{
    return bytes > MBARRIER_MAX || b->tx + (int64_t)bytes > MBARRIER_MAX ? &rule_mbarrier_expect_tx_limit : NULL;
}

const struct ck_rule *mbarrier_arrive(struct mbarrier *b, struct mbarrier_arrival a, struct mbarrier_state *state)
{
    if (!b->live)
        return &rule_mbarrier_init_required;
    if (b->expected == 0)
        return &rule_mbarrier_arrive_drop_to_zero;
    if (a.count == 0)
        return &rule_mbarrier_arrive_count_reg_zero;
    if (a.count > (uint64_t)b->pending)
        return a.count > 1 ? &rule_mbarrier_arrive_count_over : &rule_mbarrier_phase_over_arrive;
    if (too_many_bytes(b, a.bytes))
        return &rule_mbarrier_expect_tx_limit;
    if (a.stay && a.count == (uint64_t)b->pending && b->tx + (int64_t)a.bytes == 0)
        return a.drop ? &rule_mbarrier_arrive_drop_nocomplete : &rule_mbarrier_arrive_nocomplete_completing;
    if (state)
        *state = (struct mbarrier_state){ .of = b, .phase = b->phase, .pending = b->pending, .counted = a.stay };
    b->tx += (int64_t)a.bytes;
    b->pending -= (int64_t)a.count;
    if (a.drop)
        b->expected -= (int64_t)a.count;
    settle(b);
    return NULL;
}

const struct ck_rule *mbarrier_expect(struct mbarrier *b, uint64_t bytes)
{
    if (!b->live)
        return &rule_mbarrier_init_required;
    if (too_many_bytes(b, bytes))
        return &rule_mbarrier_expect_tx_limit;
    b->tx += (int64_t)bytes;
    settle(b);
    return NULL;
}

const struct ck_rule *mbarrier_complete(struct mbarrier *b, uint64_t bytes)
{
    if (!b->live)
        return &rule_mbarrier_init_required;
    if (bytes > MBARRIER_MAX || b->tx - (int64_t)bytes < -MBARRIER_MAX)
        return &rule_mbarrier_complete_tx_limit;
    b->tx -= (int64_t)bytes;
    settle(b);
    return NULL;
}

const struct ck_rule *mbarrier_test(const struct mbarrier *b, const struct mbarrier_state *state, bool *done)
{
    if (!b->live)
        return &rule_mbarrier_init_required;
    if (state->of != b)
        return &rule_mbarrier_arrive_state_other_object;
    if (state->phase + 1 < b->phase)
        return &rule_mbarrier_phase_older_state;
    *done = state->phase != b->phase;
    return NULL;
}

const struct ck_rule *mbarrier_test_parity(const struct mbarrier *b, uint64_t parity, bool *done)
{
    if (!b->live)
        return &rule_mbarrier_init_required;
    if (parity > 1)
        return &rule_mbarrier_wait_parity_values;
    *done = parity != (b->phase & 1);
    return NULL;
}

const struct ck_rule *mbarrier_pending(const struct mbarrier_state *state, uint64_t *count)
{
    if (!state->of || !state->counted)
        return &rule_mbarrier_pending_count_source;
    *count = (uint64_t)state->pending;
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
