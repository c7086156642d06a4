/* The lint of rules, cases and documents. Kernels: harness/lint/kernels.c. */
#include "harness/lint/lint.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clean.h"
#include "harness/plan/page.h"
#include "harness/plan/plan.h"

void ck_lint_say(struct ck_lint *l, const char *format, ...)
{
    char line[4096];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    ck_clean(line, false);
    fprintf(l->to, "%s\n", line);
    l->complaints++;
}

/* ---- rules ---- */

static const struct symbol {
    const char *name;
    const struct ck_rule *rule;
} symbols[] = {
#define RULE(symbol, ...) { #symbol, &rule_##symbol },
#include "expected/rules/all.def"
#undef RULE
};

static bool names_match(const char *symbol, const char *id)
{
    for (; *symbol && *id; symbol++, id++)
        if (*symbol != (*id == '.' || *id == '-' ? '_' : *id))
            return false;
    return !*symbol && !*id;
}

static bool ends_sentence(const char *text)
{
    const size_t n = strlen(text);

    return n > 1 && (text[n - 1] == '.' || text[n - 1] == '?') && !isspace((unsigned char)text[0]);
}

static void check_row(struct ck_lint *l, const char *name, const struct ck_rule *r, size_t cases)
{
    if (strspn(r->id, "abcdefghijklmnopqrstuvwxyz0123456789._-") != strlen(r->id) || !strchr(r->id, '.'))
        ck_lint_say(l, "rule %s: an id is words in lower case with dots between them", r->id);
    if (!names_match(name, r->id))
        ck_lint_say(l, "rule %s: its C name is %s, not the id with '_' for dots and dashes", r->id, name);
    if (!ends_sentence(r->sentence))
        ck_lint_say(l, "rule %s: its sentence does not end as one", r->id);
    if (!*r->source)
        ck_lint_say(l, "rule %s: no source", r->id);
    if (!cases && !r->no_case)
        ck_lint_say(l, "rule %s: no case cites it, and its row does not say why", r->id);
    if (cases && r->no_case)
        ck_lint_say(l, "rule %s: its row says that it has no case (%s), but %zu cite it", r->id, r->no_case, cases);
}

void ck_lint_rules(struct ck_lint *l, const struct ck_suite *const *suites)
{
    const size_t count = sizeof symbols / sizeof *symbols;

    for (size_t i = 0; i < count; i++) {
        check_row(l, symbols[i].name, symbols[i].rule, ck_case_count(suites, symbols[i].rule));
        for (size_t k = 0; k < i; k++)
            if (!strcmp(symbols[i].rule->id, symbols[k].rule->id))
                ck_lint_say(l, "rule %s: two rows have this id", symbols[i].rule->id);
    }
}

/* ---- listings ---- */

static const struct listing_symbol {
    const char *name;
    const struct ck_listing *listing;
} listing_symbols[] = {
#define LISTING(symbol, ...) { "listing_" #symbol, &listing_##symbol },
#include "expected/listings/all.def"
#undef LISTING
};

static bool has_breach(const struct ck_suite *const *suites, const struct ck_rule *rule, const char *name,
                       size_t length)
{
    const struct ck_case *c = NULL;

    while ((c = ck_case_of(suites, rule, c)) != NULL)
        for (size_t i = 0; i < CK_VARIANTS && c->breaches[i].name; i++)
            if (strlen(c->breaches[i].name) == length && !strncmp(c->breaches[i].name, name, length))
                return true;
    return false;
}

/* The rules that a listing names are in the catalogue, and its mistakes are breaches of a case. */
static void check_words(struct ck_lint *l, const struct ck_listing *listing, const struct ck_suite *const *suites)
{
    const char *words = listing->rules;
    char word[256];

    while (ck_listing_word(&words, word, sizeof word))
        if (!ck_rule_find(word))
            ck_lint_say(l, "%s: no rule has the id %s", listing->rule.id, word);
    words = listing->breaks;
    while (ck_listing_word(&words, word, sizeof word)) {
        const size_t n = strcspn(word, "=");
        if (!word[n] || !ck_rule_find(word + n + 1))
            ck_lint_say(l, "%s: %s is not VARIANT=RULE", listing->rule.id, word);
        else if (!has_breach(suites, &listing->rule, word, n))
            ck_lint_say(l, "%s: no case has the breach %.*s", listing->rule.id, (int)n, word);
    }
}

static void check_breaches(struct ck_lint *l, const struct ck_listing *listing, const struct ck_case *c)
{
    for (size_t i = 0; i < CK_VARIANTS && c->breaches[i].name; i++) {
        const size_t n = strlen(c->breaches[i].name);
        const char *words = listing->breaks;
        char word[256];
        bool found = false;

        while (!found && ck_listing_word(&words, word, sizeof word))
            found = !strncmp(word, c->breaches[i].name, n) && word[n] == '=';
        if (!found)
            ck_lint_say(l, "%s: the row of %s does not say what %s breaks", c->at, listing->rule.id,
                        c->breaches[i].name);
    }
}

void ck_lint_listings(struct ck_lint *l, const struct ck_suite *const *suites)
{
    for (size_t i = 0; i < sizeof listing_symbols / sizeof *listing_symbols; i++) {
        const struct ck_listing *const listing = listing_symbols[i].listing;
        const struct ck_case *c = NULL;
        bool launches = false;

        check_row(l, listing_symbols[i].name, &listing->rule, ck_case_count(suites, &listing->rule));
        check_words(l, listing, suites);
        while ((c = ck_case_of(suites, &listing->rule, c)) != NULL) {
            check_breaches(l, listing, c);
            launches |= c->run != NULL;
        }
        if (launches && !ck_page_print(NULL, listing->rule.id))
            ck_lint_say(l, "%s: no page begins with it", listing->rule.id);
        if (!listing->rule.no_case && (!*listing->rules || !*listing->checked))
            ck_lint_say(l, "%s: its row does not say which rules it shows, or what is checked", listing->rule.id);
    }
}

/* ---- cases ---- */

/* A variant sets axes that the case has; in a row, "$=" replaces the alternative and is the only thing set. */
static void check_set(struct ck_lint *l, const struct ck_case *c, const struct ck_variant *v)
{
    char axis[64];
    int used;

    if (!v->set || !strncmp(v->set, "$=", 2))
        return;
    for (const char *p = v->set; sscanf(p, " %63[^= ]=%*s%n", axis, &used) == 1; p += used) {
        size_t k = 0;
        while (k < CK_AXES && c->axes[k].name && strcmp(c->axes[k].name, axis) != 0)
            k++;
        if (k == CK_AXES || !c->axes[k].name)
            ck_lint_say(l, "%s: variant %s sets %s, which is no axis of the case", c->at, v->name, axis);
    }
}

static void check_variants(struct ck_lint *l, const struct ck_case *c, const char *what, const struct ck_variant *v)
{
    for (size_t i = 0; i < CK_VARIANTS && v[i].name; i++) {
        if (!v[i].change)
            ck_lint_say(l, "%s: %s %s does not say what it changes", c->at, what, v[i].name);
        check_set(l, c, &v[i]);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(v[i].name, v[k].name))
                ck_lint_say(l, "%s: two %ss are called %s", c->at, what, v[i].name);
    }
}

static void check_case(struct ck_lint *l, const struct ck_case *c)
{
    const bool row = ck_case_row(c) != NULL;
    const bool gates = !c->seen_only && c->rule->evidence != CK_OBSERVED;

    if (!c->at)
        ck_lint_say(l, "a case of %s has no place: CK_RULE gives it one", c->rule->id);
    if (!c->run + !c->assemble + !c->encode + !c->compile + !c->cuda + !c->python != 5)
        ck_lint_say(l, "%s: a case is one of run, assemble, encode, compile, cuda and python", c->at);
    if (row && !c->accept && !c->refuse && !c->seen)
        ck_lint_say(l, "%s: a row needs accept, refuse or seen", c->at);
    /* A row with both sides has a mutant of the harness's making. */
    if (gates && !c->mutants[0].name && !c->no_mutant && !(c->accept && c->refuse) &&
        (c->accept || c->refuse || c->run))
        ck_lint_say(l, "%s: no mutant, and no reason why not", c->at);
    if (c->mutants[0].name && c->no_mutant)
        ck_lint_say(l, "%s: has a mutant and a reason for having none", c->at);
    check_variants(l, c, "mutant", c->mutants);
    check_variants(l, c, "breach", c->breaches);
    for (size_t i = 0; i < CK_AXES && c->axes[i].name; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(c->axes[i].name, c->axes[k].name))
                ck_lint_say(l, "%s: two axes are called %s", c->at, c->axes[i].name);
}

/* Two cases of one rule with one name would have points of the same names. */
static void check_case_names(struct ck_lint *l, const struct ck_suite *const *suites, const struct ck_case *c)
{
    const struct ck_case *other = NULL;

    while ((other = ck_case_of(suites, c->rule, other)) != NULL && other != c)
        if (!strcmp(other->name ? other->name : "", c->name ? c->name : ""))
            ck_lint_say(l, "%s: the case at %s has the same rule and name", c->at, other->at);
}

void ck_lint_cases(struct ck_lint *l, const struct ck_suite *const *suites)
{
    struct ck_plan plan;
    char error[512];

    for (const struct ck_suite *const *s = suites; *s; s++)
        for (const struct ck_case *c = (*s)->cases; c->rule; c++) {
            check_case(l, c);
            check_case_names(l, suites, c);
        }
    if (!ck_plan_make(suites, true, &plan, error, sizeof error)) {
        ck_lint_say(l, "%s", error);
        return;
    }
    for (size_t i = 0; i < plan.count; i++)
        if (strchr(plan.points[i].name, '#'))
            ck_lint_say(l, "%s: two points have the name %s", plan.points[i].c->at, plan.points[i].name);
    ck_plan_free(&plan);
}

/* ---- documents ---- */

/* Instructions have dots as ids do. These begin as an id does. */
static bool is_instruction(const char *word)
{
    static const char *const instructions[] = {
        "mbarrier.init",        "mbarrier.inval",       "mbarrier.arrive",
        "mbarrier.arrive_drop", "mbarrier.expect_tx",   "mbarrier.test_wait",
        "mbarrier.try_wait",    "mbarrier.complete_tx", "mbarrier.pending_count",
    };

    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const size_t n = strlen(instructions[i]);
        if (!strncmp(word, instructions[i], n) && (!word[n] || (word[n] == '.' && !ck_rule_find(word))))
            return true;
    }
    return false;
}

/* The word looks like an id: its first part is that of some rule. */
static bool looks_like_id(const char *word)
{
    static const char *const files[] = { ".c", ".h", ".cu", ".md", ".def", ".jsonl", ".ptx" };
    const size_t first = strcspn(word, ".");
    const char *dot = strrchr(word, '.');

    if (!word[first] || strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789._-") != strlen(word))
        return false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!strcmp(dot, files[i]))
            return false;
    for (const struct ck_rule *const *r = ck_rules; *r; r++)
        if (!strncmp((*r)->id, word, first + 1))
            return true;
    return !strncmp(word, "listing.", 8);
}

/* `text` is what lies between two backquotes: an id, a point's name, or something else. */
static void check_word(struct ck_lint *l, const char *path, unsigned long line, const char *text, size_t length)
{
    char word[256];

    snprintf(word, sizeof word, "%.*s", (int)length, text);
    word[strcspn(word, "/:~!")] = 0;
    if (!ck_cited_find(word) && looks_like_id(word) && !is_instruction(word))
        ck_lint_say(l, "%s:%lu: no rule has the id %s", path, line, word);
}

void ck_lint_document(struct ck_lint *l, const char *path)
{
    FILE *from = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;

    if (!from) {
        ck_lint_say(l, "%s: %s", path, strerror(errno));
        return;
    }
    for (unsigned long number = 1; getline(&line, &room, from) > 0; number++) {
        const char *end;
        for (const char *p = line; (p = strchr(p, '`')) != NULL && (end = strchr(p + 1, '`')) != NULL; p = end + 1)
            check_word(l, path, number, p + 1, (size_t)(end - p - 1));
    }
    if (!feof(from))
        ck_lint_say(l, "%s: %s", path, strerror(errno));
    free(line);
    fclose(from);
}
// SPDX-License-Identifier: Apache-2.0
