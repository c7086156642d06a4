/* The catalogue and the cases together. */
#include "harness/plan/plan.h"

#include <string.h>

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

/* Levenshtein's distance of two ids. */
static unsigned distance(const char *a, const char *b)
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
    return row[n];
}

size_t ck_rules_near(const char *id, const struct ck_rule **rules, size_t max)
{
    unsigned far[32] = { 0 };
    size_t count = 0;

    if (max > sizeof far / sizeof *far)
        max = sizeof far / sizeof *far;
    for (const struct ck_rule *const *r = ck_rules; *r && max; r++) {
        /* What begins with the word, or holds it, is near, however long it is. */
        const char *held = strstr((*r)->id, id);
        const unsigned d = held == (*r)->id ? 0 : held ? 1 : 2 + distance(id, (*r)->id);
        size_t k;

        if (count == max && d >= far[count - 1])
            continue;
        if (count < max)
            count++;
        for (k = count - 1; k && d < far[k - 1]; k--) {
            rules[k] = rules[k - 1];
            far[k] = far[k - 1];
        }
        rules[k] = *r;
        far[k] = d;
    }
    return count;
}

void ck_print_wrapped(FILE *to, const char *label, size_t indent, const char *text)
{
    enum { WIDTH = 110 };
    size_t column = strlen(label);

    fputs(label, to);
    if (column < indent)
        fprintf(to, "%*s", (int)(indent - column), "");
    column = column < indent ? indent : column;
    for (bool first = true; *text; first = false) {
        const size_t n = strcspn(text, " ");

        if (!first && column + 1 + n > WIDTH) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putc(' ', to);
            column++;
        }
        fwrite(text, 1, n, to);
        column += n;
        text += n + strspn(text + n, " ");
    }
    putc('\n', to);
}
