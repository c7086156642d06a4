/* Records of the sweep: written, read, and compared with what an engine gives.
 *
 * A record has a line for each form, of fields between tabs: the form; its contract; a digest of all results, or "-";
 * the results of some inputs, or why there are none. A dump has all results in their bytes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/alu_sweep.h"

enum { LONGEST = 1 << 20 };

static uint64_t digest(const struct sweep_form *f, const uint64_t *values)
{
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t k = 0; k < (size_t)SWEEP_INPUTS * f->outs; k++) {
        h = (h ^ values[k]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    return h;
}

static bool is_exact(const struct sweep_form *f)
{
    return !strcmp(f->contract, "=");
}

/* Whether a record keeps the results of this tuple: the first ones of exact forms, to look at; of others a sample, to
 * compare with. */
static bool is_kept(const struct sweep_form *f, unsigned i)
{
    return is_exact(f) ? i < 4 : i < 64 || i % 5 == 0;
}

bool sweep_write_record(const struct sweep *s, const struct sweep_result *results, FILE *f)
{
    if (s->facts[0])
        fprintf(f, "# %s; %d inputs\n", s->facts, SWEEP_INPUTS);
    for (size_t k = 0; k < s->count; k++) {
        const struct sweep_form *form = &s->forms[k];
        const char *space = "";
        if (form->refused[0] || !results[k].ran) {
            fprintf(f, "%s\trefused\t-\t%s\n", form->text, form->refused[0] ? form->refused : results[k].why);
            continue;
        }
        fprintf(f, "%s\t%s\t%016llx\t", form->text, form->contract,
                (unsigned long long)digest(form, results[k].values));
        for (unsigned i = 0; i < SWEEP_INPUTS; i++)
            for (unsigned j = 0; j < form->outs && is_kept(form, i); j++) {
                fprintf(f, "%s%llx", space, (unsigned long long)results[k].values[i * form->outs + j]);
                space = " ";
            }
        putc('\n', f);
    }
    return !ferror(f);
}

static unsigned result_bytes(const struct sweep_type *t)
{
    return t->bytes ? t->bytes : 1;
}

bool sweep_write_dump(const struct sweep *s, const struct sweep_result *results, FILE *f)
{
    for (size_t k = 0; k < s->count; k++) {
        const struct sweep_form *form = &s->forms[k];
        unsigned bytes = 0;
        if (!results[k].ran)
            continue;
        for (unsigned j = 0; j < form->outs; j++)
            bytes += result_bytes(form->out[j]);
        fprintf(f, "%s\t%u\n", form->text, bytes * SWEEP_INPUTS);
        for (unsigned i = 0; i < SWEEP_INPUTS; i++)
            for (unsigned j = 0; j < form->outs; j++)
                fwrite(&results[k].values[i * form->outs + j], 1, result_bytes(form->out[j]), f);
    }
    return !ferror(f);
}

static size_t form_of(const struct sweep *s, const char *text)
{
    size_t k = 0;

    while (k < s->count && strcmp(s->forms[k].text, text) != 0)
        k++;
    return k;
}

bool sweep_read_dump(const struct sweep *s, const char *path, struct sweep_result *results, char *error, size_t size)
{
    FILE *f = fopen(path, "rb");
    char line[2048];
    bool whole = true;

    if (!f) {
        snprintf(error, size, "cannot read %s", path);
        return false;
    }
    while (whole && fgets(line, sizeof line, f)) {
        char *tab = strchr(line, '\t');
        const size_t bytes = tab ? strtoul(tab + 1, NULL, 10) : 0;
        unsigned char *all = malloc(bytes + 1), *at = all;
        size_t k;
        whole = tab && all && fread(all, 1, bytes, f) == bytes;
        if (whole) {
            *tab = 0;
            k = form_of(s, line);
            if (k < s->count && !results[k].ran) {
                const struct sweep_form *form = &s->forms[k];
                results[k].values = calloc((size_t)SWEEP_INPUTS * form->outs, 8);
                for (unsigned n = 0; results[k].values && n < SWEEP_INPUTS * form->outs; n++) {
                    const unsigned part = result_bytes(form->out[n % form->outs]);
                    if (at + part <= all + bytes)
                        memcpy(&results[k].values[n], at, part);
                    at += part;
                }
                results[k].ran = results[k].values && at == all + bytes;
            }
        }
        free(all);
    }
    fclose(f);
    if (!whole)
        snprintf(error, size, "%s is no dump, or cut short", path);
    return whole;
}

/* ---- contracts --------------------------------------------------------------------------------------------------- */

/* A float's value, exactly. */
static double value_of(const struct sweep_type *t, uint64_t bits)
{
    const uint64_t sign = 1ull << (t->bits - 1), body = bits & (sign - 1);
    const uint64_t fraction = body & ((1ull << t->fraction) - 1);
    const int exponent = (int)(body >> t->fraction), most = (1 << t->exponent) - 1;
    const int bias = most / 2;
    double x;

    if (exponent == most)
        x = fraction ? NAN : INFINITY;
    else if (exponent)
        x = ldexp((double)(fraction | 1ull << t->fraction), exponent - bias - (int)t->fraction);
    else
        x = ldexp((double)fraction, 1 - bias - (int)t->fraction);
    return bits & sign ? -x : x;
}

/* Its place among the values of its type. */
static int64_t place_of(const struct sweep_type *t, uint64_t bits)
{
    const uint64_t sign = 1ull << (t->bits - 1);

    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

/* "ulp N"; "rel E" and "abs E" for an error of 2^E; "angle", "log": by the input, as the PTX ISA has it of sin and cos,
 * and of lg2. A NaN and an infinity are no approximations. */
static bool within(const char *contract, const struct sweep_type *t, uint64_t got, uint64_t want, double input)
{
    const double x = value_of(t, got), y = value_of(t, want), error = fabs(x - y), pi = 3.141592653589793;
    const double bound = exp2(strtod(contract + 3, NULL));

    if (got == want)
        return true;
    if (x != x || y != y)
        return false;
    if (!strncmp(contract, "ulp", 3))
        return llabs(place_of(t, got) - place_of(t, want)) <= strtoll(contract + 3, NULL, 10);
    if (x - x != 0 || y - y != 0)
        return false;
    if (!strncmp(contract, "rel", 3))
        return error <= bound * fabs(y);
    if (!strncmp(contract, "abs", 3))
        return error <= bound;
    if (!strcmp(contract, "angle"))
        return fabs(input) > 100 * pi || error <= exp2(fabs(input) > 2 * pi ? -14.7 : -20.5);
    return error <= exp2(-22) * (input > 0.5 && input < 2 ? 1 : fabs(y)); /* log */
}

/* The first tuple whose results break the contract; SWEEP_INPUTS for none. */
static unsigned first_outside(const struct sweep_form *f, const uint64_t *inputs, const uint64_t *values, char *kept)
{
    for (unsigned i = 0; i < SWEEP_INPUTS; i++) {
        for (unsigned j = 0; j < f->outs && is_kept(f, i); j++) {
            const struct sweep_type *t = f->out[j], *from = f->in[0];
            const uint64_t got = values[i * f->outs + j], mask = t->bits >= 64 ? ~0ull : (1ull << t->bits) - 1;
            char *end;
            const uint64_t want = strtoull(kept, &end, 16);
            if (end == kept)
                return i;
            for (unsigned lane = 0; lane < t->lanes; lane++)
                if (!within(f->contract, t, got >> lane * t->bits & mask, want >> lane * t->bits & mask,
                            value_of(from, inputs[i * f->ins] >> lane * from->bits & mask)))
                    return i;
            kept = end;
        }
    }
    return SWEEP_INPUTS;
}

/* ---- comparison -------------------------------------------------------------------------------------------------- */

static bool compare_form(const struct sweep_form *f, const struct sweep_result *r, const char *was, char *kept,
                         struct sweep_tally *tally)
{
    const char *tab = strchr(was, '\t');
    uint64_t *inputs;
    unsigned outside;

    if (!tab || strncmp(was, f->contract, (size_t)(tab - was)) != 0 || f->contract[tab - was]) {
        printf("%s: recorded under another contract, %.*s\n", f->text, tab ? (int)(tab - was) : 0, was);
        return false;
    }
    if (!strcmp(f->contract, "seen")) {
        tally->seen++;
        return true;
    }
    if (is_exact(f)) {
        tally->exact++;
        if (strtoull(tab + 1, NULL, 16) == digest(f, r->values))
            return true;
        printf("%s: other bits than recorded; the record begins %s\n", f->text, kept);
        return false;
    }
    tally->within++;
    inputs = malloc((size_t)SWEEP_INPUTS * SWEEP_MAX_IN * 8);
    if (!inputs)
        return false;
    sweep_inputs(f, inputs);
    outside = first_outside(f, inputs, r->values, kept);
    if (outside < SWEEP_INPUTS) {
        printf("%s: outside its error, %s: ", f->text, f->contract);
        sweep_print_tuple(f, r->values, inputs, outside);
    }
    free(inputs);
    return outside == SWEEP_INPUTS;
}

bool sweep_compare(const struct sweep *s, const struct sweep_result *results, const char *path, bool whole,
                   struct sweep_tally *tally, char *error, size_t size)
{
    FILE *f = fopen(path, "r");
    char *line = malloc(LONGEST);
    bool *recorded = calloc(s->count + 1, sizeof *recorded);

    *tally = (struct sweep_tally){ 0 };
    if (!f || !line || !recorded) {
        snprintf(error, size, "cannot read %s", path);
        goto out;
    }
    while (fgets(line, LONGEST, f)) {
        char *was = strchr(line, '\t'), *number = was ? strchr(was + 1, '\t') : NULL;
        char *kept = number ? strchr(number + 1, '\t') : NULL;
        size_t k;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#')
            continue;
        if (!kept) {
            snprintf(error, size, "%s: a line without its four fields: %.100s", path, line);
            goto out;
        }
        *was = 0;
        k = form_of(s, line);
        if (k == s->count) {
            if (whole) {
                printf("%s: recorded, and no form of the table\n", line);
                tally->wrong++;
            }
            continue;
        }
        recorded[k] = true;
        if (!strncmp(was + 1, "refused\t", 8)) {
            tally->refused++;
            if (results[k].ran) {
                printf("%s: ran, and the assembler refuses it: %s\n", line, kept + 1);
                tally->wrong++;
            }
        } else if (!results[k].ran) {
            printf("%s: %s\n", line, results[k].why);
            tally->wrong++;
        } else {
            tally->wrong += !compare_form(&s->forms[k], &results[k], was + 1, kept + 1, tally);
        }
    }
    for (size_t k = 0; k < s->count; k++)
        if (!recorded[k]) {
            printf("%s: not recorded\n", s->forms[k].text);
            tally->wrong++;
        }
    error[0] = 0;
out:
    free(recorded);
    free(line);
    if (f)
        fclose(f);
    return !error[0];
}

void sweep_compare_all(const struct sweep *s, const struct sweep_result *results, const struct sweep_result *others,
                       unsigned show, struct sweep_tally *tally)
{
    uint64_t *inputs = malloc((size_t)SWEEP_INPUTS * SWEEP_MAX_IN * 8);

    *tally = (struct sweep_tally){ 0 };
    for (size_t k = 0; inputs && k < s->count; k++) {
        const struct sweep_form *f = &s->forms[k];
        unsigned wrong = 0;
        if (!results[k].ran || !others[k].ran)
            continue;
        sweep_inputs(f, inputs);
        for (unsigned i = 0; i < SWEEP_INPUTS; i++) {
            const uint64_t *got = &results[k].values[i * f->outs], *want = &others[k].values[i * f->outs];
            if (!memcmp(got, want, f->outs * sizeof *got) || wrong++ >= show)
                continue;
            printf("  %4u: ", i);
            sweep_print_tuple(f, results[k].values, inputs, i);
            printf("   not: ");
            sweep_print_tuple(f, others[k].values, inputs, i);
        }
        if (wrong)
            printf("%u of %d differ: %s\n\n", wrong, SWEEP_INPUTS, f->text);
        tally->wrong += wrong != 0;
        tally->exact += wrong == 0;
    }
    free(inputs);
}

static void print_values(const struct sweep_type *const *types, unsigned count, const uint64_t *values)
{
    for (unsigned k = 0; k < count; k++)
        printf(" %0*llx", types[k]->bytes ? (int)types[k]->bytes * 2 : 1, (unsigned long long)values[k]);
}

void sweep_print_tuple(const struct sweep_form *f, const uint64_t *values, const uint64_t *inputs, unsigned i)
{
    print_values(f->in, f->ins, &inputs[i * f->ins]);
    printf(" ->");
    print_values(f->out, f->outs, &values[i * f->outs]);
    putchar('\n');
}
// SPDX-License-Identifier: Apache-2.0
