/* What most records say, and a line leaves out: its reader fills it in. */
#include "harness/records/usual.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"

static bool is(const char *a, const char *b)
{
    return a && !strcmp(a, b);
}

static const char *usual_evidence(const struct ck_record *r)
{
    return r->verdict == CK_V_SEEN ? "observed" : "documented";
}

static const char *usual_end(const struct ck_record *r)
{
    return r->verdict == CK_V_SEEN ? "seen" : "done";
}

/* What comes of it where it is as expected. */
static const char *usual_outcome(const char *expected)
{
    return is(expected, "accept") ? "accept" : is(expected, "refuse") ? "refused" : "done";
}

/* The length of the id of the rule with which the name of a point begins. */
static size_t id_length(const char *point)
{
    return strcspn(point, "/:~!");
}

static bool names(const char *rule, const char *point)
{
    return rule && strlen(rule) == id_length(point) && !strncmp(rule, point, id_length(point));
}

struct ck_record ck_record_unusual(const struct ck_record *r, const struct ck_record *before)
{
    struct ck_record left = *r;

    if (r->verdict == CK_V_SKIP)
        return left;
    if (r->verdict == CK_V_PASS)
        left.verdict = CK_V_NONE;
    if (before && is(before->rule, r->rule) && is(before->family, r->family))
        left.family = NULL;
    if (names(r->rule, r->point))
        left.rule = NULL;
    if (is(r->phase, "launch"))
        left.phase = NULL;
    if (is(r->evidence, usual_evidence(r)))
        left.evidence = NULL;
    if (is(r->expected, usual_end(r)))
        left.expected = NULL;
    if (is(r->outcome, usual_outcome(r->expected)))
        left.outcome = NULL;
    return left;
}

/* The id of the point's rule, kept with the file: one copy for records that follow each other. NULL: out of memory. */
static const char *rule_of(struct ck_record_file *file, const char *point)
{
    char **rules;

    if (file->rule_count && names(file->rules[file->rule_count - 1], point))
        return file->rules[file->rule_count - 1];
    rules = ck_room(file->rules, file->rule_count, &file->rule_room, 64, sizeof *rules);
    if (!rules)
        return NULL;
    file->rules = rules;
    file->rules[file->rule_count] = strndup(point, id_length(point));
    return file->rules[file->rule_count] ? file->rules[file->rule_count++] : NULL;
}

bool ck_record_fill_in(struct ck_record *r, struct ck_record_file *file)
{
    const struct ck_record *before = file->count ? &file->records[file->count - 1] : NULL;

    if (!r->rule)
        r->rule = rule_of(file, r->point);
    if (!r->family && r->rule && before && is(before->rule, r->rule))
        r->family = before->family;
    if (r->verdict == CK_V_NONE)
        r->verdict = CK_V_PASS;
    if (r->verdict == CK_V_SKIP) /* it has not begun: there is no outcome */
        return r->rule;
    if (!r->phase)
        r->phase = "launch";
    if (!r->evidence)
        r->evidence = usual_evidence(r);
    if (!r->expected)
        r->expected = usual_end(r);
    if (!r->outcome)
        r->outcome = usual_outcome(r->expected);
    return r->rule;
}

void ck_record_file_free_rules(struct ck_record_file *file)
{
    for (size_t i = 0; i < file->rule_count; i++)
        free(file->rules[i]);
    free(file->rules);
}
// SPDX-License-Identifier: Apache-2.0
