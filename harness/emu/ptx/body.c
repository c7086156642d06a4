/* The body of a function: blocks, labels, declarations, instructions. */
#include <stdio.h>
#include <string.h>

#include "harness/emu/ptx/parser.h"

enum { MNEMONIC = 64, NAME = 96 };

bool parse_pragma(struct parser *p)
{
    do {
        if (p->tok.kind != TK_string)
            return fail(p, "expected a string");
        char *copy = arena_alloc(p->arena, p->tok.length + 1, 1);
        const char **out = copy ? vec_add(p->arena, &p->pragmas, 1) : NULL;
        if (!out)
            return fail_memory(p);
        memcpy(copy, p->tok.start, p->tok.length);
        *out = copy;
        if (!next_token(p))
            return false;
    } while (accept(p, ','));
    return expect(p, ';');
}

/* Finds the instruction: the longest dotted name of ops.def that the tokens begin with, without blanks in it. Returns
 * how many of the n words belong to the name; i->op stays OP_none if there is none. */
static uint32_t instruction_name(const struct token *first, const struct token *words, uint32_t n,
                                 struct ptx_instruction *i)
{
    char name[NAME];
    size_t length = first->length;
    const char *end = first->start + first->length;
    uint32_t used = 0;

    if (length >= NAME)
        return 0;
    memcpy(name, first->start, length);
    i->op = op_find(name, length);
    for (uint32_t k = 0; k < n && words[k].at == end && op_is_prefix(name, length); k++) {
        end = words[k].start + words[k].length;
        if (length + 1 + words[k].length >= NAME)
            break;
        name[length] = '.';
        memcpy(name + length + 1, words[k].start, words[k].length);
        length += 1 + words[k].length;
        const uint16_t op = op_find(name, length);
        if (op) {
            i->op = op;
            used = k + 1;
        }
    }
    return used;
}

/* Words that belong to a name which ops.def does not have as a whole, such as mul.wide: ptxas takes no blank before
 * them. */
static bool is_of_name(const struct token *word)
{
    static const char *const all[] = { "arrive", "b", "cta", "dec", "hi", "inc",  "l",   "lo",
                                       "mask",   "p", "r",   "red", "to", "warp", "wide" };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i]) == word->length && !memcmp(all[i], word->start, word->length))
            return true;
    return false;
}

/* The modifiers of an instruction: the words after its name. */
static bool modifiers(struct parser *p, struct ptx_instruction *i, const struct token *words, uint32_t n)
{
    uint16_t *out = n ? vec_add(p->arena, &p->words, n) : NULL;

    if (n && !out)
        return fail_memory(p);
    i->words = p->words.count - n;
    i->n_words = (uint8_t)n;
    for (uint32_t k = 0; k < n; k++) {
        out[k] = ptx_find_word(words[k].start, words[k].length);
        if (!out[k]) {
            p->error->op = i->op;
            snprintf(p->error->word, sizeof p->error->word, "%.*s", TOK_S(&words[k]));
            return fail_at(p, &words[k], "no instruction has the modifier '.%.*s'", TOK_S(&words[k]));
        }
    }
    ptx_classify(i, out);
    return true;
}

/* The instruction's name and its modifiers, from the tokens up to the first operand. */
static bool mnemonic(struct parser *p, struct ptx_instruction *i)
{
    const struct token at = p->tok;
    struct token words[MNEMONIC];
    uint32_t n = 0;

    if (!next_token(p))
        return false;
    for (; p->tok.kind == TK_word; n++) {
        if (n == MNEMONIC)
            return fail(p, "an instruction has at most %d words", MNEMONIC);
        words[n] = p->tok;
        if (!next_token(p))
            return false;
    }
    const uint32_t used = instruction_name(&at, words, n, i);
    if (!i->op)
        return fail_at(p, &at, "'%.*s' is not an instruction", TOK_S(&at));
    if (n && !used && words[0].at != at.start + at.length && is_of_name(&words[0]))
        return fail_at(p, &words[0], "a blank before '.%.*s', which belongs to the name", TOK_S(&words[0]));
    return modifiers(p, i, words + used, n - used);
}

static bool guard(struct parser *p, struct ptx_instruction *i)
{
    uint32_t number;
    if (!next_token(p))
        return false;
    i->guard_not = is_punct(p, '!');
    if (i->guard_not && !next_token(p))
        return false;
    const struct binding *b = p->tok.kind == TK_name ? name_find(p, p->tok.start, p->tok.length, &number) : NULL;
    if (!b || (b->kind != SY_register && b->kind != SY_range))
        return fail(p, "expected the predicate of a guard");
    i->guard = b->index + number;
    const struct ptx_function *f = function_at(p, p->function);
    if (register_at(p, f->registers + i->guard)->type != PTX_pred)
        return fail(p, "the guard '%.*s' is not a .pred", TOK_S(&p->tok));
    return next_token(p);
}

static bool instruction(struct parser *p)
{
    struct ptx_instruction i = { .guard = PTX_NO, .loc = p->loc };
    if (is_punct(p, '@') && !guard(p, &i))
        return false;
    if (p->tok.kind != TK_name)
        return p->tok.kind == TK_end ? fail(p, "the text ends within a function")
                                     : fail(p, "expected an instruction, not '%.*s'", TOK_S(&p->tok));
    i.line = p->tok.line;
    i.column = (uint32_t)(p->tok.at - p->line_start) + 1;
    p->huge_allowed = true;
    p->huge = false;
    if (!mnemonic(p, &i) || !parse_operands(p, &i) || !expect(p, ';'))
        return false;
    p->huge_allowed = false;
    if (p->huge) {
        i.laxity = LAX_HUGE;
        i.inert = true;
    }
    struct ptx_instruction *out = vec_add(p->arena, &p->instructions, 1);
    if (!out)
        return fail_memory(p);
    *out = i;
    return true;
}

/* [returns] _ [params] [.noreturn] after L: .callprototype */
static bool prototype(struct parser *p, const struct token *label)
{
    struct ptx_signature s = { .line = label->line };
    if (is_punct(p, '(') && !parse_parameters(p, false, false, &s.returns, &s.n_returns))
        return false;
    if (p->tok.kind != TK_name || !token_is(p, "_"))
        return fail(p, "expected '_'");
    const uint32_t n = name_intern(p, label->start, label->length);
    if (n == PTX_NO || !next_token(p))
        return false;
    s.name = name_at(p, n)->text;
    if (is_punct(p, '(') && !parse_parameters(p, false, false, &s.params, &s.n_params))
        return false;
    while (p->tok.kind == TK_word) {
        uint64_t ignored;
        const uint16_t w = token_word(p);
        if (w != PTX_noreturn && w != PTX_abi_preserve && w != PTX_abi_preserve_control)
            return fail(p, "'.%.*s' is not allowed in a prototype", TOK_S(&p->tok));
        if (!next_token(p) || (w != PTX_noreturn && !parse_integer(p, &ignored, "a count")))
            return false;
        s.noreturn |= w == PTX_noreturn;
    }
    lay_out(p, s.returns, s.n_returns);
    lay_out(p, s.params, s.n_params);
    struct ptx_signature *out = vec_add(p->arena, &p->prototypes, 1);
    if (!out)
        return fail_memory(p);
    *out = s;
    return name_bind(p, label, label->start, label->length, SY_prototype, p->prototypes.count - 1, 1) && expect(p, ';');
}

static bool label(struct parser *p, const struct token *at)
{
    if (take_word(p, PTX_callprototype))
        return prototype(p, at);
    if (p->tok.kind == TK_word && (token_word(p) == PTX_branchtargets || token_word(p) == PTX_calltargets)) {
        const bool branch = token_word(p) == PTX_branchtargets;
        uint32_t first, count;
        return next_token(p) && parse_target_list(p, branch, &first, &count) &&
               name_bind(p, at, at->start, at->length, SY_targets, first, count) && expect(p, ';');
    }
    const uint32_t n = name_intern(p, at->start, at->length);
    struct ptx_label *l = n == PTX_NO ? NULL : vec_add(p->arena, &p->labels, 1);
    if (!l)
        return fail_memory(p);
    *l = (struct ptx_label){ name_at(p, n)->text, p->instructions.count };
    return !p->failed && name_bind(p, at, at->start, at->length, SY_label, p->instructions.count, 1);
}

static bool directive(struct parser *p)
{
    const struct token at = p->tok;
    const uint16_t w = token_word(p);

    switch (w) {
    case PTX_reg: return next_token(p) && parse_registers(p);
    case PTX_loc: return next_token(p) && parse_loc(p);
    case PTX_pragma: return next_token(p) && parse_pragma(p);
    case PTX_extern:
    case PTX_visible:
    case PTX_weak:
    case PTX_common:
        if (!next_token(p))
            return false;
        return parse_variable(p, w == PTX_extern    ? PL_extern
                                 : w == PTX_visible ? PL_visible
                                 : w == PTX_weak    ? PL_weak
                                                    : PL_common);
    default:
        if (ptx_word_class[w] == PC_space || w == PTX_align)
            return parse_variable(p, PL_local);
        return fail_at(p, &at, "'.%.*s' is not allowed in a function", TOK_S(&at));
    }
}

/* Whether the next token is a name with a ':' after it. */
static bool at_label(const struct parser *p)
{
    if (p->tok.kind != TK_name)
        return false;
    const char *c = p->cursor;
    while (c < p->end && (*c == ' ' || *c == '\t' || *c == '\r' || *c == '\n'))
        c++;
    return c < p->end && *c == ':';
}

bool parse_body(struct parser *p)
{
    uint64_t frames[SCOPES]; /* p->frame when the block opened */
    const uint32_t outer = p->scope;

    if (!expect(p, '{') || !scope_open(p))
        return false;
    p->frame = 0;
    frames[p->scope] = p->frame;
    while (p->scope > outer) {
        if (p->failed)
            return false;
        if (at_label(p)) {
            const struct token at = p->tok;
            if (!next_token(p) || !expect(p, ':') || !label(p, &at))
                return false;
        } else if (p->tok.kind == TK_word) {
            if (!directive(p))
                return false;
        } else if (is_punct(p, '{')) {
            if (!scope_open(p) || !next_token(p))
                return false;
            frames[p->scope] = p->frame;
        } else if (is_punct(p, '}')) {
            p->frame = frames[p->scope];
            if (p->scope == outer + 1)
                function_at(p, p->function)->end_line = p->tok.line;
            if (!scope_close(p) || !next_token(p))
                return false;
        } else if (!instruction(p)) {
            return false;
        }
    }
    return true;
}
// SPDX-License-Identifier: Apache-2.0
