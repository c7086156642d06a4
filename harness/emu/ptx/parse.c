/* A PTX module from its text: directives at module scope. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/ptx/parser.h"

enum { NEWEST = 95, OLDEST = 10 };

/* Targets and the PTX ISA version that brought them. PTX ISA, ".target". */
static const struct target {
    int sm;
    char arch;
    int version;
} targets[] = {
    { 10, 0, 10 },    { 11, 0, 10 },    { 12, 0, 10 },  { 13, 0, 10 },    { 20, 0, 20 },    { 21, 0, 20 },
    { 30, 0, 31 },    { 32, 0, 40 },    { 35, 0, 31 },  { 37, 0, 41 },    { 50, 0, 40 },    { 52, 0, 41 },
    { 53, 0, 42 },    { 60, 0, 50 },    { 61, 0, 50 },  { 62, 0, 50 },    { 70, 0, 60 },    { 72, 0, 61 },
    { 75, 0, 63 },    { 80, 0, 70 },    { 86, 0, 71 },  { 87, 0, 74 },    { 88, 0, 90 },    { 89, 0, 78 },
    { 90, 0, 78 },    { 90, 'a', 80 },  { 100, 0, 86 }, { 100, 'a', 86 }, { 100, 'f', 88 }, { 101, 0, 86 },
    { 101, 'a', 86 }, { 101, 'f', 88 }, { 103, 0, 88 }, { 103, 'a', 88 }, { 103, 'f', 88 }, { 110, 0, 90 },
    { 110, 'a', 90 }, { 110, 'f', 90 }, { 120, 0, 87 }, { 120, 'a', 87 }, { 120, 'f', 88 }, { 121, 0, 88 },
    { 121, 'a', 88 }, { 121, 'f', 88 },
};

static bool version(struct parser *p)
{
    const struct token at = p->tok;
    unsigned major, minor;
    char text[16] = "";
    if (p->have_version)
        return fail(p, "a module has one .version");
    if (at.kind != TK_number)
        return fail(p, "expected a version such as 9.0");
    snprintf(text, sizeof text, "%.*s", (int)(p->cursor - at.at < 15 ? p->cursor - at.at : 15), at.at);
    int read = 0;
    if (sscanf(text, "%2u.%1u%n", &major, &minor, &read) != 2 || text[read])
        return fail(p, "expected a version such as 9.0");
    p->m->version = (int)(major * 10 + minor);
    if (p->m->version < OLDEST || p->m->version > NEWEST)
        return fail(p, "PTX ISA version %s is not known: %d.%d is the newest", text, NEWEST / 10, NEWEST % 10);
    p->have_version = true;
    return next_token(p);
}

/* The operand of .address_size, which may stand directly behind .target. */
static bool address_size(struct parser *p)
{
    uint64_t n;
    const struct token at = p->tok;
    if (!parse_integer(p, &n, "the size of addresses"))
        return false;
    if (n != 64 && n != 32)
        return fail_at(p, &at, "addresses have 32 or 64 bits");
    if (n == 32 && p->m->sm >= 90)
        return fail_at(p, &at, "addresses have 64 bits in sm_90 and later");
    p->m->address_size = (unsigned)n;
    return true;
}

static bool target(struct parser *p)
{
    struct ptx_module *m = p->m;
    bool unified = false;
    if (p->have_target)
        return fail(p, "a module has one .target");
    if (p->tok.kind != TK_name)
        return fail(p, "expected a target such as sm_90a");
    if (!p->have_version)
        return fail(p, ".version must come before .target");
    char text[24];
    int read = 0;
    char arch = 0;
    snprintf(text, sizeof text, "%.*s", (int)(p->tok.length < 23 ? p->tok.length : 23), p->tok.start);
    if (sscanf(text, "sm_%3d%n%c", &m->sm, &read, &arch) < 1 || (arch && text[read + 1]))
        return fail(p, "expected a target such as sm_90a");
    const struct target *t = NULL;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (targets[i].sm == m->sm && targets[i].arch == arch)
            t = &targets[i];
    if (!t)
        return fail(p, "'%s' is not a known target", text);
    if (m->version < t->version)
        return fail(p, "the target %s needs PTX ISA %d.%d", text, t->version / 10, t->version % 10);
    m->arch = arch;
    char *copy = arena_alloc(p->arena, strlen(text) + 1, 1);
    if (!copy)
        return fail_memory(p);
    m->target = strcpy(copy, text);
    p->have_target = true;
    if (!next_token(p))
        return false;
    while (accept(p, ',')) {
        if (token_is(p, "debug"))
            m->debug = true;
        else if (token_is(p, "texmode_independent"))
            m->texmode_independent = true;
        else if (token_is(p, "map_f64_to_f32"))
            m->map_f64_to_f32 = true;
        else if (token_is(p, "texmode_unified"))
            unified = true;
        else
            return fail(p, "'%.*s' is not an option of a target", TOK_S(&p->tok));
        if (unified && m->texmode_independent)
            return fail(p, "texmode_unified and texmode_independent exclude each other");
        if (!next_token(p))
            return false;
    }
    return !p->failed && (!take_word(p, PTX_address_size) || address_size(p));
}

/* .alias a, b; */
static bool alias(struct parser *p)
{
    uint32_t found[2];
    for (int i = 0; i < 2; i++) {
        uint32_t number;
        const struct binding *b = p->tok.kind == TK_name ? name_find(p, p->tok.start, p->tok.length, &number) : NULL;
        if (!b || b->kind != SY_function)
            return fail(p, "expected the name of a declared function");
        found[i] = b->index;
        if (function_at(p, b->index)->is_entry)
            return fail(p, "an .entry cannot have an alias");
        if (!next_token(p) || !expect(p, i ? ';' : ','))
            return false;
    }
    function_at(p, found[0])->definition = function_at(p, found[1])->definition;
    return true;
}

static bool statement(struct parser *p)
{
    uint8_t linkage = PL_local;
    uint16_t w = token_word(p);
    if (p->tok.kind != TK_word)
        return fail(p, "expected a directive, not '%.*s'", TOK_S(&p->tok));
    switch (w) {
    case PTX_version: return next_token(p) && version(p);
    case PTX_target: return next_token(p) && target(p);
    case PTX_address_size: return fail(p, "a module has one .address_size, directly behind .target");
    case PTX_file: return next_token(p) && parse_file(p);
    case PTX_section: p->have_section = true; return next_token(p) && parse_section(p);
    case PTX_pragma: return next_token(p) && parse_pragma(p);
    default: break;
    }
    if (!p->have_target)
        return fail(p, p->have_version ? ".target must come first" : ".version and .target must come first");
    switch (w) {
    case PTX_alias: return next_token(p) && alias(p);
    case PTX_extern:
    case PTX_visible:
    case PTX_weak:
    case PTX_common:
        linkage = w == PTX_extern ? PL_extern : w == PTX_visible ? PL_visible : w == PTX_weak ? PL_weak : PL_common;
        if (!next_token(p))
            return false;
        w = token_word(p);
        break;
    default: break;
    }
    if (w == PTX_entry || w == PTX_func)
        return next_token(p) && parse_function(p, linkage, w == PTX_entry);
    if (ptx_word_class[w] == PC_space || w == PTX_align || w == PTX_attribute)
        return parse_variable(p, linkage);
    return fail(p, "'.%.*s' is not allowed here", TOK_S(&p->tok));
}

/* Makes every declaration name its definition. */
static void link_declarations(struct parser *p)
{
    for (uint32_t i = 0; i < p->functions.count; i++) {
        struct ptx_function *f = function_at(p, i);
        f->definition = function_at(p, f->definition)->definition;
    }
    for (uint32_t i = 0; i < p->variables.count; i++) {
        struct ptx_variable *v = variable_at(p, i);
        if (v->definition == PTX_NO)
            v->definition = i;
    }
}

static void hand_over(struct parser *p)
{
    struct ptx_module *m = p->m;
    m->variables = p->variables.data;
    m->n_variables = p->variables.count;
    m->functions = p->functions.data;
    m->n_functions = p->functions.count;
    m->prototypes = p->prototypes.data;
    m->n_prototypes = p->prototypes.count;
    m->instructions = p->instructions.data;
    m->n_instructions = p->instructions.count;
    m->operands = p->operands.data;
    m->n_operands = p->operands.count;
    m->words = p->words.data;
    m->n_words = p->words.count;
    m->registers = p->registers.data;
    m->n_registers = p->registers.count;
    m->labels = p->labels.data;
    m->n_labels = p->labels.count;
    m->relocs = p->relocs.data;
    m->n_relocs = p->relocs.count;
    m->locs = p->locs.data;
    m->n_locs = p->locs.count;
    m->files = p->files.data;
    m->n_files = p->files.count;
    m->pragmas = p->pragmas.data;
    m->n_pragmas = p->pragmas.count;
    m->arena = p->arena;
    m->bytes = arena_bytes(p->arena);
}

/* No zero, not even in a comment: the text would end there for whoever takes it as a string. */
static bool no_zero(struct parser *p)
{
    const char *const zero = memchr(p->text, 0, (size_t)(p->end - p->text));
    struct token at = { .at = zero, .line = 1 };
    for (const char *c = p->text; zero && c < zero; c++)
        at.line += *c == '\n';
    return !zero || fail_at(p, &at, "the byte 0x00 has no meaning in PTX");
}

static bool whole(struct parser *p)
{
    if (!no_zero(p) || !next_token(p))
        return false;
    while (p->tok.kind != TK_end)
        if (p->failed || !statement(p))
            return false;
    if (!p->have_target)
        return fail(p, "a module needs .version and .target");
    if (p->m->debug && !p->have_section)
        return fail(p, "the target's option debug needs a .section with debug information");
    link_declarations(p);
    return finish_debug(p);
}

/* A parser at the beginning of the text, with an empty module; NULL without memory. `memory`: the most bytes that the
 * module may take, and also the most that parsing it may take. */
static struct parser *parser_new(const char *text, size_t size, size_t memory, struct ptx_error *error)
{
    struct parser *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    *p = (struct parser){
        .text = text,
        .end = text + size,
        .cursor = text,
        .line_start = text,
        .line = 1,
        .tok = { .at = text, .start = text, .line = 1 },
        .error = error,
        .arena = arena_new(memory),
        .scratch = arena_new(memory),
        .function = PTX_NO,
        .loc = PTX_NO,
        .variables.size = sizeof(struct ptx_variable),
        .functions.size = sizeof(struct ptx_function),
        .prototypes.size = sizeof(struct ptx_signature),
        .instructions.size = sizeof(struct ptx_instruction),
        .operands.size = sizeof(struct ptx_operand),
        .words.size = sizeof(uint16_t),
        .registers.size = sizeof(struct ptx_register),
        .labels.size = sizeof(struct ptx_label),
        .relocs.size = sizeof(struct ptx_reloc),
        .locs.size = sizeof(struct ptx_loc),
        .files.size = sizeof(struct ptx_file),
        .pragmas.size = sizeof(const char *),
        .names.size = sizeof(struct name),
        .bindings.size = sizeof(struct binding),
        .fixups.size = sizeof(struct fixup),
        .stack.size = sizeof(struct ptx_operand),
        .bytes.size = 1,
        .debug_names.size = sizeof(struct debug_name),
    };
    if (p->arena && p->scratch)
        p->m = arena_alloc(p->arena, sizeof *p->m, 16);
    if (p->m)
        return p;
    arena_free(p->arena);
    arena_free(p->scratch);
    free(p);
    return NULL;
}

/* The most bytes that a module of this much text may take, where the caller sets no limit. */
static size_t default_memory(size_t text)
{
    const uint64_t most = SIZE_MAX < (uint64_t)4 << 30 ? SIZE_MAX / 2 : (uint64_t)4 << 30;
    const uint64_t wanted = ((uint64_t)64 << 20) + 64 * (uint64_t)text;

    return (size_t)(wanted > most ? most : wanted);
}

struct ptx_module *ptx_parse(const char *text, size_t size, const struct ptx_limits *limits, struct ptx_error *error)
{
    const size_t most_text = limits && limits->text_bytes ? limits->text_bytes : (size_t)256 << 20;
    const size_t memory = limits && limits->memory_bytes ? limits->memory_bytes : default_memory(size);

    *error = (struct ptx_error){ .line = 1, .column = 1 };
    if (size > most_text) {
        snprintf(error->message, sizeof error->message, "the text is larger than %zu bytes", most_text);
        return NULL;
    }
    while (size && !text[size - 1]) /* a text that was handed over with its final zero */
        size--;
    struct parser *p = parser_new(text, size, memory, error);
    if (!p) {
        snprintf(error->message, sizeof error->message, "out of memory");
        return NULL;
    }
    struct ptx_module *m = p->m;
    m->address_size = 32; /* where the text does not say: PTX ISA, ".address_size" */
    if (whole(p) && !p->failed) {
        hand_over(p);
    } else {
        if (!p->failed)
            fail_memory(p);
        arena_free(p->arena);
        m = NULL;
    }
    arena_free(p->scratch);
    free(p);
    return m;
}
// SPDX-License-Identifier: Apache-2.0
