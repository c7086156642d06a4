/* The catalogue's tables, made from expected/rules/. */
#include "expected/rule.h"

#include <stdio.h>
#include <string.h>

#define PROMISE      CK_PROMISE
#define OBLIGATION   CK_OBLIGATION
#define DOCUMENTED   CK_DOCUMENTED
#define OBSERVED     CK_OBSERVED
#define FOLKLORE     CK_FOLKLORE
#define CASES        NULL
#define NO_CASE(why) (why)

#define RULE(symbol, id_, kind_, evidence_, needs_, sentence_, source_, case_)                                         \
    const struct ck_rule rule_##symbol = {                                                                             \
        .id = (id_),                                                                                                   \
        .family = CK_FAMILY,                                                                                           \
        .kind = (kind_),                                                                                               \
        .evidence = (evidence_),                                                                                       \
        .needs = (needs_),                                                                                             \
        .sentence = (sentence_),                                                                                       \
        .source = (source_),                                                                                           \
        .no_case = case_,                                                                                              \
    };
#include "expected/rules/all.def"
#undef RULE

const struct ck_rule *const ck_rules[] = {
#define RULE(symbol, ...) &rule_##symbol,
#include "expected/rules/all.def"
#undef RULE
    NULL
};

const char *const ck_families[] = { "cp-async",
                                    "cp-async-group",
                                    "cp-async-mbarrier",
                                    "mbarrier",
                                    "bulk",
                                    "bulk-group",
                                    "bulk-reduce",
                                    "tensor",
                                    "tensor-bounds",
                                    "tensor-reduce",
                                    "tensor-layout",
                                    "tensor-map",
                                    "im2col",
                                    "gather",
                                    "encode",
                                    "swizzle",
                                    "fence",
                                    "sync",
                                    "cluster",
                                    "wgmma",
                                    "access",
                                    "cuda-barrier",
                                    "memcpy-async",
                                    "cuda-pipeline",
                                    "cooperative-groups",
                                    "pipeline-primitives",
                                    "host",
                                    "speed",
                                    "tile",
                                    "tile-shape",
                                    "tile-view",
                                    "tile-pointer",
                                    "tile-flow",
                                    "tile-python",
                                    "listings",
                                    NULL };

const struct ck_rule *ck_rule_find(const char *id)
{
    for (const struct ck_rule *const *r = ck_rules; *r; r++)
        if (!strcmp((*r)->id, id))
            return *r;
    return NULL;
}

/* One part of a needs text, "sm_90a" or "PTX 8.6". */
static bool parse_part(const char *part, struct ck_needs *out)
{
    int major, minor;
    char arch = 0;

    if (sscanf(part, "sm_%d%c", &out->sm, &arch) >= 1 && (arch == 0 || arch == 'a' || arch == 'f')) {
        out->arch = arch;
        return true;
    }
    if (sscanf(part, "PTX %d.%d", &major, &minor) == 2) {
        out->ptx = major * 10 + minor;
        return true;
    }
    if (sscanf(part, "driver %d.%d", &major, &minor) == 2) {
        out->driver = major * 100 + minor * 10;
        return true;
    }
    if (sscanf(part, "toolkit %d.%d", &major, &minor) == 2) {
        out->toolkit = major * 10 + minor;
        return true;
    }
    out->other = true;
    return false;
}

bool ck_needs_parse(const char *needs, struct ck_needs *out)
{
    bool understood = true;
    char part[64];

    *out = (struct ck_needs){ 0 };
    for (const char *p = needs; *p;) {
        const size_t n = strcspn(p, ",");
        snprintf(part, sizeof part, "%.*s", (int)n, p);
        understood &= parse_part(part, out);
        p += n + (p[n] == ',');
        p += strspn(p, " ");
    }
    return understood;
}
// SPDX-License-Identifier: Apache-2.0
