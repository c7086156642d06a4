/* The table of listings, made from expected/listings/. */
#include "expected/listing.h"

#include <stdio.h>
#include <string.h>

#define CASES        NULL
#define NO_CASE(why) (why)

#define LISTING(symbol, name_, place_, needs_, shows_, checked_, rules_, breaks_, mended_, case_)                      \
    const struct ck_listing listing_##symbol = {                                                                       \
        .rule = { .id = "listing." name_,                                                                              \
                  .family = "listings",                                                                                \
                  .kind = CK_PROMISE,                                                                                  \
                  .evidence = CK_DOCUMENTED,                                                                           \
                  .needs = (needs_),                                                                                   \
                  .sentence = (shows_),                                                                                \
                  .source = "notes " place_,                                                                           \
                  .no_case = case_ },                                                                                  \
        .checked = (checked_),                                                                                         \
        .rules = (rules_),                                                                                             \
        .breaks = (breaks_),                                                                                           \
        .mended = (mended_),                                                                                           \
    };
#include "expected/listings/all.def"
#undef LISTING

const struct ck_listing *const ck_listings[] = {
#define LISTING(symbol, ...) &listing_##symbol,
#include "expected/listings/all.def"
#undef LISTING
    NULL
};

const struct ck_listing *ck_listing_find(const char *id)
{
    for (const struct ck_listing *const *l = ck_listings; *l; l++)
        if (!strcmp((*l)->rule.id, id))
            return *l;
    return NULL;
}

const struct ck_rule *ck_cited_find(const char *id)
{
    const struct ck_listing *const listing = ck_listing_find(id);

    return listing ? &listing->rule : ck_rule_find(id);
}

bool ck_listing_word(const char **words, char *word, size_t size)
{
    const char *const from = *words + strspn(*words, " ");
    const size_t n = strcspn(from, " ");

    snprintf(word, size, "%.*s", (int)n, from);
    *words = from + n;
    return n > 0;
}

bool ck_listing_breaks(const struct ck_listing *listing, const char *variant, size_t length, const char *rule,
                       size_t rule_length)
{
    const char *words = listing->breaks;
    char word[256];

    while (ck_listing_word(&words, word, sizeof word))
        if (strlen(word) == length + 1 + rule_length && !strncmp(word, variant, length) && word[length] == '=' &&
            !strncmp(word + length + 1, rule, rule_length))
            return true;
    return false;
}
// SPDX-License-Identifier: Apache-2.0
