/* The catalogue and the cases together. */
#include "harness/plan/plan.h"

#include <string.h>

#include "harness/base/wrap.h"

const char *ck_kind_name(enum ck_kind kind)
{
    return kind == CK_PROMISE ? "promise" : "obligation";
}

const char *ck_evidence_name(enum ck_evidence evidence)
{
    return evidence == CK_DOCUMENTED ? "documented" : evidence == CK_OBSERVED ? "observed" : "folklore";
}

const char *ck_case_phase(const struct ck_case *c)
{
    return c->assemble ? "assemble" : c->encode ? "encode" : c->compile || c->cuda || c->python ? "compile" : "launch";
}

const char *ck_case_row(const struct ck_case *c)
{
    return c->assemble ? c->assemble : c->encode ? c->encode : c->compile ? c->compile : c->cuda ? c->cuda : c->python;
}

bool ck_case_compiles(const struct ck_case *c)
{
    return c->assemble || c->compile || c->cuda || c->python;
}

const struct ck_case *ck_case_of(const struct ck_suite *const *suites, const struct ck_rule *rule,
                                 const struct ck_case *previous)
{
    for (; *suites; suites++) {
        for (const struct ck_case *c = (*suites)->cases; c->rule; c++) {
            if (previous) {
                if (c == previous)
                    previous = NULL;
            } else if (c->rule == rule) {
                return c;
            }
        }
    }
    return NULL;
}

size_t ck_case_count(const struct ck_suite *const *suites, const struct ck_rule *rule)
{
    size_t count = 0;

    for (; *suites; suites++)
        for (const struct ck_case *c = (*suites)->cases; c->rule; c++)
            count += c->rule == rule;
    return count;
}

enum { ID_MAX = 128 };

unsigned ck_id_distance(const char *a, const char *b)
{
    unsigned row[ID_MAX + 1];
    const size_t n = strnlen(b, ID_MAX);

    for (size_t k = 0; k <= n; k++)
        row[k] = (unsigned)k;
    for (unsigned i = 0; i < ID_MAX && a[i]; i++) {
        unsigned diagonal = row[0];

        row[0] = i + 1;
        for (size_t k = 0; k < n; k++) {
            const unsigned change = diagonal + (a[i] != b[k]);
            const unsigned shorter = (row[k] < row[k + 1] ? row[k] : row[k + 1]) + 1;

            diagonal = row[k + 1];
            row[k + 1] = change < shorter ? change : shorter;
        }
    }
    for (size_t k = 0; k < n; k++)
        row[n] = row[k] + 1 < row[n] ? row[k] + 1 : row[n];
    return row[n];
}

/* The nearest so far. */
struct nearest {
    const struct ck_rule **rules;
    unsigned far[32];
    size_t count, max;
};

static void consider(struct nearest *n, const char *id, const struct ck_rule *rule)
{
    /* What begins with the word, or holds it, is near, however long it is. */
    const char *held = strstr(rule->id, id);
    const unsigned d = held == rule->id ? 0 : held ? 1 : 2 + ck_id_distance(id, rule->id);
    size_t k;

    if (n->count == n->max && (!n->max || d >= n->far[n->count - 1]))
        return;
    if (n->count < n->max)
        n->count++;
    for (k = n->count - 1; k && d < n->far[k - 1]; k--) {
        n->rules[k] = n->rules[k - 1];
        n->far[k] = n->far[k - 1];
    }
    n->rules[k] = rule;
    n->far[k] = d;
}

size_t ck_rules_near(const char *id, const struct ck_rule **rules, size_t max)
{
    struct nearest n = { .rules = rules, .max = max };

    if (n.max > sizeof n.far / sizeof *n.far)
        n.max = sizeof n.far / sizeof *n.far;
    for (const struct ck_rule *const *r = ck_rules; *r; r++)
        consider(&n, id, *r);
    for (const struct ck_listing *const *l = ck_listings; *l; l++)
        consider(&n, id, &(*l)->rule);
    return n.count;
}

const struct ck_rule *ck_plan_near(const struct ck_plan *plan, const char *select)
{
    const struct ck_rule *near = NULL;
    struct nearest n = { .rules = &near, .max = 1 };
    char id[ID_MAX];

    if (!strncmp(select, "rule:", 5))
        select += 5;
    snprintf(id, sizeof id, "%.*s", (int)strcspn(select, "/:~!*?["), select);
    for (size_t i = 0; i < plan->count; i++)
        if (!i || plan->points[i].c->rule != plan->points[i - 1].c->rule)
            consider(&n, id, plan->points[i].c->rule);
    return near;
}

void ck_print_wrapped(FILE *to, const char *label, size_t indent, const char *text)
{
    enum { WIDTH = 110 };
    const size_t n = strlen(label);

    fprintf(to, "%-*s", (int)indent, label);
    ck_wrap(to, WIDTH, n > indent ? n : indent, indent, text);
}
// SPDX-License-Identifier: Apache-2.0
