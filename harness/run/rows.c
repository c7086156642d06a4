/* Cases that are rows of a table: a text that an assembler accepts or refuses, an encode call that the driver does. */
#include "harness/run/bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/base/append.h"

/* A row's text that cannot be made is the catalogue's mistake, or this machine has no memory for it. */
static _Noreturn void cannot_be_made(struct ck *t)
{
    if (errno == ENOMEM)
        ck_starved(t, strlen(ck_case_row(t->point->c)));
    ck_broken(t, "the row's text cannot be made: a missing axis, or a version that is none");
}

/* Compares an accepted or refused outcome with the side of the row. */
static enum ck_verdict judge_side(struct ck *t, bool accepted)
{
    const enum ck_side side = t->point->side;
    const struct ck_outcome *o = &t->bench->outcome;

    if (side == CK_SEEN || t->bench->watching) {
        if (accepted)
            ck_see(t, "accepted");
        else if (o->kind == CK_O_REFUSED)
            ck_see(t, "refused");
        else
            ck_see(t, "%s", ck_outcome_names[o->kind]);
        return CK_V_SEEN;
    }
    if (side == CK_ACCEPT ? accepted : !accepted && o->kind == CK_O_REFUSED)
        return CK_V_PASS;
    ck_note(t, "expected  %s\ngot       %s", side == CK_ACCEPT ? "accept" : "refuse",
            accepted ? "accept" : ck_outcome_names[o->kind]);
    return o->kind == CK_O_TIMEOUT ? CK_V_HANG : CK_V_FAIL;
}

/* Has the engine assemble the row, unless it is known what comes of it. */
static void assemble(struct ck *t, const struct ck_fragment *row)
{
    const struct ck_bench *b = t->bench;
    struct ck_engine *e = b->engine;
    uint64_t machine = 0;
    struct ck_ptx ptx = { .target = row->target, .version = row->version, .machine = &machine, .entries = 1 };
    char *text;

    if (b->known) {
        t->bench->outcome = *b->known;
        return;
    }
    text = ck_fragment_module(&row, 1, NULL);
    if (!text)
        ck_starved(t, strlen(row->body));
    ptx.text = text;
    ptx.size = strlen(text);
    e->ops->assemble(e, &ptx, &t->bench->outcome);
    t->bench->outcome.machine = machine;
    free(text);
    /* An assembler's limit is an outcome of the text; the emulator's is this machine's. */
    if (t->bench->outcome.kind == CK_O_MEMORY && e->ops->launch && !e->ops->one)
        ck_engine_failed(t, &t->bench->outcome);
}

enum ck_verdict ck_run_assemble(struct ck *t)
{
    struct ck_outcome *out = &t->bench->outcome;
    struct ck_fragment row;
    enum ck_verdict verdict;

    errno = 0;
    if (!ck_fragment(t->point, &row))
        cannot_be_made(t);
    assemble(t, &row);
    verdict = CK_V_SKIP;
    t->bench->result->machine = out->machine;
    if (out->kind != CK_O_UNSUPPORTED)
        verdict = judge_side(t, out->kind == CK_O_DONE);
    if (verdict != CK_V_SKIP && out->message[0])
        ck_note(t, "message   %s", out->message);
    if (verdict == CK_V_FAIL || verdict == CK_V_HANG)
        ck_note(t, "text      %s (.version %d.%d, .target %s)", row.body, row.version / 10, row.version % 10,
                row.target);
    ck_fragment_free(&row);
    if (verdict == CK_V_SKIP)
        ck_skip(t, "%s", out->message);
    return verdict;
}

enum ck_language ck_row_language(const struct ck_case *c)
{
    return c->compile ? CK_TILE_CPP : c->cuda ? CK_CUDA_CPP : CK_TILE_PYTHON;
}

enum { HOLDS = 512 };

/* Takes the `holds` of a cuda row apart: the words to look for, and those of them that must be there. */
static void words_of(const char *holds, char look_for[HOLDS], char must[HOLDS])
{
    *look_for = *must = 0;
    for (const char *p = holds; *p;) {
        const int n = (int)strcspn(p, " "), no = *p == '!';
        if (n > no)
            ck_append(look_for, HOLDS, "%s%.*s", *look_for ? " " : "", n - no, p + no);
        if (n && !no)
            ck_append(must, HOLDS, "%s%.*s", *must ? " " : "", n, p);
        p += n + (p[n] == ' ');
    }
}

/* Whether a compiler's answer is also what the row says of it: a refusal for the documented reason, an object that
 * holds what it must. A difference is noted. */
static bool compiled_as_said(struct ck *t, const char *holds)
{
    const struct ck_outcome *o = &t->bench->outcome;
    const bool accepted = o->kind == CK_O_DONE;
    const char *says = t->point->c->says;
    char *text;
    bool held;

    if (accepted && holds) {
        held = !strcmp(o->message, holds);
        if (!held)
            ck_note(t, "must hold %s", *holds ? holds : "none of these");
        return held;
    }
    if (accepted || !says)
        return true;
    text = ck_point_text(t->point, says);
    if (!text)
        cannot_be_made(t);
    held = strstr(o->message, text) != NULL;
    if (!held)
        ck_note(t, "must say  %s", text);
    free(text);
    return held;
}

/* Compiles the point's source and returns what an accepted object must hold; NULL where the row does not say. */
static const char *compile(struct ck *t, char must[HOLDS])
{
    struct ck_engine *e = t->bench->engine;
    const struct ck_case *c = t->point->c;
    char *text = ck_source_text(t->point), *options = ck_source_options(t->point), look_for[HOLDS] = "";
    char *holds = c->holds ? ck_point_text(t->point, c->holds) : NULL;

    if (!text || !options || (c->holds && !holds))
        cannot_be_made(t);
    if (c->cuda)
        words_of(holds ? holds : "", look_for, must);
    else
        snprintf(must, HOLDS, "%s", holds ? holds : "");
    e->ops->compile(e,
                    &(struct ck_source){ .language = ck_row_language(c),
                                         .text = text,
                                         .size = strlen(text),
                                         .options = options,
                                         .look_for = look_for },
                    &t->bench->outcome);
    free(holds);
    free(options);
    free(text);
    return c->holds ? must : NULL;
}

/* Source of a kernel in CUDA C++, or of a tile kernel in C++ or Python. Where options differ it is also recorded what
 * the object of a tile kernel holds. */
enum ck_verdict ck_run_compile(struct ck *t)
{
    const struct ck_outcome *out = &t->bench->outcome;
    char must[HOLDS];
    const char *holds = compile(t, must);
    enum ck_verdict verdict;

    if (out->kind == CK_O_UNSUPPORTED)
        ck_skip(t, "%s", out->message);
    verdict = judge_side(t, out->kind == CK_O_DONE);
    if (out->message[0])
        ck_note(t, "%s %s", out->kind == CK_O_DONE ? "holds    " : "message  ", out->message);
    if (verdict == CK_V_SEEN && out->kind == CK_O_DONE && holds && t->point->c->cuda)
        ck_see(t, "%s", out->message[0] ? out->message : "none of the words");
    if (verdict == CK_V_SEEN && out->kind == CK_O_DONE && t->point->c->compile && t->point->c->options)
        ck_see(t, "holds %s", out->message[0] ? out->message : "no image");
    if (verdict == CK_V_PASS && !compiled_as_said(t, holds))
        verdict = CK_V_FAIL;
    if (verdict == CK_V_FAIL || verdict == CK_V_HANG) {
        char *body = ck_point_text(t->point, ck_case_row(t->point->c));
        ck_note(t, "text      %s", body ? body : "");
        free(body);
    }
    return verdict;
}

/* The encode call of a row: its words change a legal call of the type and rank that they name. */
static bool row_map(const char *words, struct tensor_map *map, char *error, size_t size)
{
    struct tensor_map named = tensor_map_default(TENSOR_U8, 2);
    char part[64];
    int used;

    for (const char *p = words; sscanf(p, " %63s%n", part, &used) == 1; p += used)
        if ((!strncmp(part, "type=", 5) || !strncmp(part, "rank=", 5)) && !tensor_map_set(&named, part, error, size))
            return false;
    *map = tensor_map_default(named.type, named.rank);
    map->type = named.type;
    map->rank = named.rank;
    return tensor_map_set(map, words, error, size);
}

/* What the oracle says of a call that went the wrong way. */
static void note_oracle(struct ck *t, const struct tensor_map *map, const char *words)
{
    enum { FAULTS = 16, NAMED = 4 };
    struct tensor_map_fault faults[FAULTS];
    const size_t count = tensor_map_check(map, faults, FAULTS);

    ck_note(t, "call      %s", words);
    for (size_t i = 0; i < count && i < NAMED; i++)
        ck_note(t, "oracle    %s: %s must be %s", faults[i].rule->id, faults[i].argument, faults[i].limit);
    if (!count)
        ck_note(t, "oracle    the documents allow this call");
}

enum ck_verdict ck_run_encode(struct ck *t)
{
    _Alignas(128) unsigned char object[TENSOR_MAP_BYTES];
    struct tensor_map map;
    char error[200];
    char *words = ck_point_text(t->point, t->point->c->encode);
    enum ck_verdict verdict;

    if (!words)
        cannot_be_made(t);
    if (!row_map(words, &map, error, sizeof error)) {
        ck_note(t, "%s: %s", words, error);
        free(words);
        ck_end(t, CK_V_BROKEN);
    }
    verdict = judge_side(t, ck_encode_call(t, &map, object, 0) == 0);
    if (verdict == CK_V_FAIL)
        note_oracle(t, &map, words);
    free(words);
    return verdict;
}
// SPDX-License-Identifier: Apache-2.0
