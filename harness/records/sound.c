/* Records that were not edited: their digest, and what no run writes. */
#include <string.h>

#include "harness/base/hash.h"
#include "harness/records/names.h"
#include "harness/records/record.h"

static uint64_t add_text(uint64_t hash, const char *text)
{
    for (const char *p = text ? text : ""; *p; p++)
        if (*p >= 0x20 && *p < 0x7F && *p != '?')
            hash = fnv1a(hash, p, 1);
    return fnv1a(hash, "\n", 1); /* in no text: ends the member */
}

uint64_t ck_record_digest(const struct ck_record *r)
{
    const char *const texts[] = { r->point,    r->engine,   ck_verdict_names[r->verdict],
                                  r->rule,     r->family,   r->phase,
                                  r->evidence, r->expected, r->outcome,
                                  r->seen };
    const uint64_t numbers[] = { (uint64_t)r->code, r->varies, r->digest, r->seed, r->runs, r->same };
    uint64_t hash = FNV1A_BASIS;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = add_text(hash, texts[i]);
    return fnv1a(hash, numbers, sizeof numbers);
}

static bool is(const char *a, const char *b)
{
    return a && !strcmp(a, b);
}

/* Whether a point with this outcome can have passed: what is to be refused is refused. A conforming launch may be
 * allowed to hang. */
static bool can_pass(const struct ck_record *r)
{
    if (!r->expected || !r->outcome)
        return true;
    if (is(r->expected, "done"))
        return is(r->outcome, "done") || is(r->outcome, "hang");
    return is(r->outcome, is(r->expected, "refuse") ? "refused" : "accept");
}

/* Whether accepting or refusing is all that is asked of the point: of a compiler a message or an image may be too. */
static bool plain_answer(const struct ck_record *r)
{
    return (is(r->expected, "accept") || is(r->expected, "refuse")) && !is(r->phase, "compile");
}

const char *ck_record_contradiction(const struct ck_record *r)
{
    const bool mutant = ck_point_is_mutant(r->point), answer = plain_answer(r);

    if (r->ratio < 0 || r->low > r->ratio || r->ratio > r->high)
        return "a measured ratio outside its quartiles";
    if (r->same > r->runs)
        return "more runs with the verdict than runs";
    if (r->same < r->runs)
        return NULL; /* unstable: the verdict may be that of one run, the outcome that of another */
    switch (r->verdict) {
    case CK_V_PASS: return can_pass(r) ? NULL : "verdict pass, but the outcome is not the expected one";
    case CK_V_FAIL:
        return answer && r->outcome && can_pass(r) ? "verdict fail, but the outcome is the expected one" : NULL;
    case CK_V_SEEN: return r->seen ? NULL : "verdict seen, but nothing that was";
    case CK_V_FAULT: return !r->outcome || is(r->outcome, "fault") ? NULL : "verdict fault, but another outcome";
    case CK_V_KILLED:
        if (!mutant)
            return "verdict killed, but no mutant";
        return answer && r->outcome && can_pass(r) ? "verdict killed, but the outcome is the expected one" : NULL;
    case CK_V_SURVIVED:
    case CK_V_EXCUSED:
        if (!mutant)
            return "verdict of a mutant, but no mutant";
        return can_pass(r) ? NULL : "a mutant that survived, but the outcome is not the expected one";
    default: return NULL;
    }
}
// SPDX-License-Identifier: Apache-2.0
