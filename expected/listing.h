/* A listing: a small complete kernel or program that shows what a listing of the study notes shows, written anew. Its
 * row is in expected/listings/, its code is a page of kernels/listings/, and cases run it as they run anything else.
 *
 *   LISTING(000_transpose_swizzle, "000.transpose-swizzle", "000, 4.11.2.2.5: 8x8 int4 transpose", "sm_90, PTX 8.0",
 *           "what it shows, as a sentence.",
 *           "what is checked, as a sentence.",
 *           "swz.128b.formula tensor.smem.align128", "no-fence=tensor.store.fence",
 *           "What the notes print otherwise; empty where the listing is right.",
 *           CASES)
 *
 * The C name is the name with dots and dashes made underscores. A listing states no rule of its own: it names those of
 * the catalogue that it shows, the most important first, and for each of its mistakes (a breach of its case) the rule
 * that it breaks. */
#ifndef COPYCHECK_LISTING_H
#define COPYCHECK_LISTING_H

#include "expected/rule.h"

struct ck_listing {
    struct ck_rule rule; /* what a case cites in place of a rule: "listing.000.transpose-swizzle" and what it shows */
    const char *checked; /* what its case looks at */
    const char *rules;   /* ids of the catalogue, separated by blanks */
    const char *breaks;  /* "VARIANT=ID ...": the rule that each mistake breaks */
    const char *mended;  /* what the notes print otherwise, or "" */
};

/* In the order of the notes. The array ends with a NULL. */
extern const struct ck_listing *const ck_listings[];

/* The listing with this id ("listing.000.transpose-swizzle"), or NULL. */
const struct ck_listing *ck_listing_find(const char *id);

/* The rule with this id, or what cases cite of the listing with this id, or NULL. */
const struct ck_rule *ck_cited_find(const char *id);

/* Goes through words "a b=c d" and copies the next one; false at the end. */
bool ck_listing_word(const char **words, char *word, size_t size);

/* Whether the listing says that its mistake of this name breaks the rule. */
bool ck_listing_breaks(const struct ck_listing *listing, const char *variant, size_t length, const char *rule,
                       size_t rule_length);

#define LISTING(symbol, ...) extern const struct ck_listing listing_##symbol;
#include "expected/listings/all.def"
#undef LISTING

#endif
// SPDX-License-Identifier: Apache-2.0
