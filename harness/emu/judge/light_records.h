/* What records of the light judge say of a new access. */
#ifndef COPYCHECK_EMU_JUDGE_LIGHT_RECORDS_H
#define COPYCHECK_EMU_JUDGE_LIGHT_RECORDS_H

#include "harness/emu/judge/light_state.h"

static inline uint32_t light_stamp(const struct light *l)
{
    return l->now << LIGHT_TIME_SHIFT;
}

/* The warp of a record that is of one; PTX_NO: it is of several. */
static inline uint32_t light_warp_of(uint32_t who)
{
    return who < LIGHT_WARPS ? who / EMU_WARP : who == LIGHT_MANY ? PTX_NO : who - LIGHT_WARPS;
}

/* Whether a record is of the warp of `who`. */
static inline bool light_is_of_warp(uint32_t record, uint32_t who)
{
    const uint32_t warp = light_warp_of(who);

    return warp < EMU_WARP && light_warp_of(record & LIGHT_WHO) == warp;
}

/* The same, and from before its threads last met. */
static inline bool light_has_met(const struct light *l, uint32_t record, uint32_t who)
{
    const uint32_t warp = light_warp_of(who);

    return light_is_of_warp(record, who) && (record | (LIGHT_WHO | LIGHT_WEAK | LIGHT_NC)) < l->met[warp];
}

/* Whether a record's accesses happen before one by `who`, or are its own. */
static inline bool light_is_before(const struct light *l, uint32_t record, uint32_t who)
{
    return record < l->barrier || ((record & LIGHT_WHO) == who && who < LIGHT_WARPS) || light_has_met(l, record, who) ||
           (l->clocks && light_knows(l, record, who));
}

/* Whether accesses race with a new one: one of the two is a write, and not both are strong. */
static inline bool light_races(const struct light *l, uint32_t record, const struct light_step *x)
{
    if (light_is_before(l, record, x->who))
        return false;
    return (record | x->flags) & (light_is_of_warp(record, x->who) ? LIGHT_WEAK_NEAR : LIGHT_WEAK_FAR);
}

/* The record of an earlier one and of a new access. */
static inline uint32_t light_merged(struct light *l, uint32_t record, const struct light_step *x)
{
    const uint32_t by = record & LIGHT_WHO, warp = light_warp_of(x->who);
    uint32_t who = x->who;

    if (record < l->barrier)
        return light_stamp(l) | (record & (LIGHT_NC | LIGHT_WEAK_OUT)) | x->flags | who;
    const bool met = light_has_met(l, record, who);
    /* Whether a read of this time is known would be asked again and again, and is of little use. */
    if (by != who && !met && l->clocks && (x->writes || record < light_stamp(l)) && light_knows(l, record, who))
        return light_stamp(l) | (record & (LIGHT_NC | LIGHT_WEAK_OUT)) | x->flags | who;
    if (by != who && !met)
        who = light_warp_of(by) == warp ? LIGHT_WARPS + warp : l->clocks ? light_set_of(l, by, who) : LIGHT_MANY;
    return light_stamp(l) | (record & (LIGHT_NC | (met ? LIGHT_WEAK & ~LIGHT_WEAK_NEAR : LIGHT_WEAK))) | x->flags | who;
}

#endif
// SPDX-License-Identifier: Apache-2.0
