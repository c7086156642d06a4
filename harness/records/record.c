/* Records and their heads: small questions. */
#include "harness/records/record.h"

#include <string.h>

#include "harness/base/hash.h"

const char *const ck_verdict_names[CK_V_COUNT] = {
    [CK_V_NONE] = "none",         [CK_V_PASS] = "pass",     [CK_V_FAIL] = "fail",         [CK_V_SKIP] = "skip",
    [CK_V_SEEN] = "seen",         [CK_V_HANG] = "hang",     [CK_V_FAULT] = "fault",       [CK_V_BROKEN] = "broken",
    [CK_V_UNPROVEN] = "unproven", [CK_V_KILLED] = "killed", [CK_V_SURVIVED] = "survived", [CK_V_EXCUSED] = "excused",
};

uint64_t ck_record_hash(const char *point, const char *engine)
{
    return fnv1a(fnv1a(FNV1A_BASIS, point, strlen(point) + 1), engine, strlen(engine));
}

struct ck_run_head ck_head_kept(const struct ck_run_head *head)
{
    struct ck_run_head kept = *head;

    kept.schema = 0;
    kept.plan = 0;
    kept.uuid = NULL;
    kept.host = NULL;
    return kept;
}

void ck_record_ratio(const struct ck_record *r, char *text, size_t size)
{
    text[0] = 0;
    if (r->ratio > 0)
        snprintf(text, size, "%.3g (%.3g to %.3g in the middle half of %u rounds)", r->ratio, r->low, r->high,
                 r->rounds);
}

unsigned ck_head_gpus(const struct ck_run_head *head)
{
    unsigned count = 1;

    for (const char *p = head->uuid; p && *p; p++)
        count += *p == ',';
    return count;
}

bool ck_head_has_engine(const struct ck_run_head *head, const char *engine)
{
    const size_t length = strlen(engine);

    for (const char *p = head->engines; p && *p;) {
        const size_t n = strcspn(p, ",");
        if (n == length && !strncmp(p, engine, n))
            return true;
        p += n + (p[n] == ',');
    }
    return false;
}
// SPDX-License-Identifier: Apache-2.0
