/* How the emulator names what breaks a rule. */
#include "harness/records/breaches.h"

#include <fnmatch.h>
#include <string.h>

#include "expected/listing.h"
#include "expected/rule.h"
#include "harness/base/append.h"

/* Whether it is a breach that the emulator ran: machine code it does not run. */
static bool is_breach(const struct ck_entry *e)
{
    return !e->mutant && !strcmp(e->record->engine, "emu") && e->record->verdict != CK_V_SKIP &&
           ck_point_is_breach(e->record->point);
}

/* Whether `id` is the rule that the breach breaks: the record's own, or what a listing says of this mistake. */
static bool is_its_rule(const struct ck_record *r, const char *id, size_t length)
{
    const struct ck_listing *const listing = ck_listing_find(r->rule);
    const char *const variant = strrchr(r->point, '~');

    if (listing)
        return variant && ck_listing_breaks(listing, variant + 1, strcspn(variant + 1, "!"), id, length);
    return length == strlen(r->rule) && !strncmp(id, r->rule, length);
}

enum ck_naming ck_breach_naming(const struct ck_record *r)
{
    static const char said[] = "diagnosed ", also[] = "also ";
    const char *p = r->seen;

    if (!p || strncmp(p, said, sizeof said - 1) != 0)
        return CK_NOT_NAMED;
    p += sizeof said - 1;
    for (bool first = true;; first = false) { /* rules with commas between them, up to a semicolon */
        const size_t n = strcspn(p, ",;");
        if (is_its_rule(r, p, n))
            return first ? CK_NAMED : CK_NAMED_ALSO;
        if (p[n] != ',')
            return CK_NAMED_OTHERWISE;
        p += n + 1;
        p += strspn(p, " ");
        p += strncmp(p, also, sizeof also - 1) ? 0 : sizeof also - 1;
    }
}

bool ck_breach_named(const struct ck_record *r)
{
    const enum ck_naming naming = ck_breach_naming(r);

    return naming == CK_NAMED || naming == CK_NAMED_ALSO;
}

/* A row that has breaches in this run, all of them named. */
static bool is_idle(const struct ck_entries *run, const struct ck_known *row)
{
    bool any = false;

    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        if (!is_breach(&run->all[i]) || fnmatch(row->points, r->point, FNM_NOESCAPE) != 0)
            continue;
        any = true;
        if (!ck_breach_named(r))
            return false;
    }
    return any;
}

struct ck_breaches ck_breaches_count(const struct ck_entries *run)
{
    struct ck_breaches b = { 0 };

    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        if (!is_breach(&run->all[i]))
            continue;
        b.of[ck_breach_naming(r)]++;
        b.listed += !ck_breach_named(r) && ck_known_find(ck_known_breaches, r->point);
    }
    for (const struct ck_known *row = ck_known_breaches; row->points; row++)
        b.idle += is_idle(run, row);
    return b;
}

unsigned long ck_breaches_total(const struct ck_breaches *b)
{
    return b->of[CK_NAMED] + b->of[CK_NAMED_ALSO] + b->of[CK_NAMED_OTHERWISE] + b->of[CK_NOT_NAMED];
}

unsigned long ck_breaches_unlisted(const struct ck_breaches *b)
{
    return b->of[CK_NAMED_OTHERWISE] + b->of[CK_NOT_NAMED] - b->listed;
}

void ck_breaches_line(const struct ck_breaches *b, char *text, size_t size)
{
    const unsigned long unlisted = ck_breaches_unlisted(b);

    snprintf(text, size, "emu names %s of %s breaches by their rule",
             ck_thousands(b->of[CK_NAMED] + b->of[CK_NAMED_ALSO]), ck_thousands(ck_breaches_total(b)));
    if (b->listed)
        ck_append(text, size, "; %s exception%s listed", ck_thousands(b->listed), b->listed == 1 ? " is" : "s are");
    if (unlisted)
        ck_append(text, size, "; %s without a reason", ck_thousands(unlisted));
}

static void print_families(FILE *to, const struct ck_entries *run)
{
    static const char *const titles[CK_NAMINGS] = { "its rule", "its rule too", "other rules", "not named" };

    fprintf(to, "%-16s", "");
    for (int k = 0; k < CK_NAMINGS; k++)
        fprintf(to, "%14s", titles[k]);
    putc('\n', to);
    for (int f = 0; ck_families[f]; f++) {
        unsigned long of[CK_NAMINGS] = { 0 };
        for (size_t i = 0; i < run->count; i++)
            if (is_breach(&run->all[i]) && !strcmp(run->all[i].record->family, ck_families[f]))
                of[ck_breach_naming(run->all[i].record)]++;
        if (!of[CK_NAMED] && !of[CK_NAMED_ALSO] && !of[CK_NAMED_OTHERWISE] && !of[CK_NOT_NAMED])
            continue;
        fprintf(to, "%-16s", ck_families[f]);
        for (int k = 0; k < CK_NAMINGS; k++)
            fprintf(to, "%14s", ck_thousands(of[k]));
        putc('\n', to);
    }
}

static void print_breach(FILE *to, const struct ck_record *r)
{
    fprintf(to, "  %s\n    seen    %s\n", r->point,
            r->seen                                ? r->seen
            : r->verdict == CK_V_SKIP && r->detail ? r->detail
                                                   : "nothing");
}

void ck_breaches_print(FILE *to, const struct ck_entries *run, bool all)
{
    bool any = false;

    if (all) {
        print_families(to, run);
        for (const struct ck_known *row = ck_known_breaches; row->points; row++) {
            bool titled = false;
            for (size_t i = 0; i < run->count; i++) {
                const struct ck_record *r = run->all[i].record;
                if (!is_breach(&run->all[i]) || ck_breach_named(r) || ck_known_find(ck_known_breaches, r->point) != row)
                    continue;
                if (!titled)
                    fprintf(to, "\n%s: %s\n", row->points, row->reason);
                titled = true;
                print_breach(to, r);
            }
        }
    }
    for (size_t i = 0; i < run->count; i++) {
        const struct ck_record *r = run->all[i].record;
        if (!is_breach(&run->all[i]) || ck_breach_named(r) || ck_known_find(ck_known_breaches, r->point))
            continue;
        if (!any)
            fputs("\nbreaches that emu does not name by their rule, without a reason (expected/known/breaches.def)\n",
                  to);
        any = true;
        print_breach(to, r);
    }
    for (const struct ck_known *row = ck_known_breaches; row->points; row++)
        if (is_idle(run, row))
            fprintf(to, "\nlisted in expected/known/breaches.def, but named now: %s\n", row->points);
}
// SPDX-License-Identifier: Apache-2.0
