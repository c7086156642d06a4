/* The PTX parser: what a module becomes in memory, and what is said of text that is none. */
#include "tests/unit/ptx_refusals.h"

#include <stdio.h>
#include <stdlib.h>

static struct ptx_error error;

static struct ptx_module *parse(const char *text)
{
    return ptx_parse(text, strlen(text), NULL, &error);
}

static struct ptx_module *parsed(const char *text)
{
    struct ptx_module *m = parse(text);
    if (!m)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return m;
}

static void head_and_empty(void **state)
{
    (void)state;
    struct ptx_module *m = parsed(
        "// a comment\n/* another */ .version 8.3\n# 1 \"x.cu\"\n"
        ".target sm_90a, debug, texmode_independent\n.address_size 64\n.entry k() { ret; }\n.section .debug_info { .b8 1 }\n");
    assert_int_equal(m->version, 83);
    assert_int_equal(m->sm, 90);
    assert_int_equal(m->arch, 'a');
    assert_true(m->debug && m->texmode_independent);
    assert_string_equal(m->target, "sm_90a");
    assert_int_equal(m->n_functions, 1);
    assert_int_equal(m->functions[0].n_instructions, 1);
    assert_true(m->bytes > 0);
    ptx_free(m);
    ptx_free(NULL);
}

static void initial_values(void **state)
{
    (void)state;
    struct ptx_module *m = parsed(
        HEAD ".visible .global .u32 s = 5;\n"
             ".func f() { ret; }\n"
             ".global .align 8 .u64 p[2] = {generic(s)+4, f};\n"
             ".const .f32 c[2][2] = {{1.5, 0f3F800000}, {2.0}};\n"
             ".extern .shared .align 128 .b8 dyn[];\n"
             ".global .u8 bytes[] = {0xFF(s), 0xFF00(s), -1, (1 << 3) | 2, 7 > 3 ? 4 : 5, ~0 & 0x1F, -8 >> 1, 7 % 4,"
             " !3, (.u64) 3, 017, 0b11, 2 * 3 + 1, 9 / 2, 5 == 5, 5 != 5, 3 <= 2, 3 >= 2, 1 && 0, 1 || 0, 6 ^ 3};\n"
             ".global .v2 .u16 v[2] = {{1, 2}, {3, 4}};\n"
             ".global .attribute(.managed) .f64 d = -0d3FF0000000000000;\n"
             ".global .f32 e = 1.0 + 2.0 * 0.5;\n"
             ".global .s64 w = WARP_SZ - 33;\n");
    const struct ptx_variable *p = &m->variables[ptx_find_variable(m, "p")];
    assert_int_equal(p->size, 16);
    assert_int_equal(p->n_relocs, 2);
    const struct ptx_reloc *r = &m->relocs[p->relocs];
    assert_true(r[0].generic && !r[0].is_function && r[0].addend == 4 && r[0].offset == 0 && r[0].size == 8);
    assert_true(!r[1].generic && r[1].is_function && r[1].offset == 8);

    const struct ptx_variable *c = &m->variables[ptx_find_variable(m, "c")];
    const float floats[3] = { 1.5f, 1.0f, 2.0f };
    assert_int_equal(c->size, 16);
    assert_int_equal(c->dims, 2);
    assert_memory_equal(c->init, floats, 12);

    const struct ptx_variable *dyn = &m->variables[ptx_find_variable(m, "dyn")];
    assert_true(dyn->unsized && dyn->size == 0 && dyn->align == 128 && dyn->linkage == PL_extern);

    static const unsigned char expected[] = { 0, 0, 255, 10, 4, 31, 252, 3, 0, 3, 15, 3, 7, 4, 1, 0, 0, 1, 0, 1, 5 };
    const struct ptx_variable *b = &m->variables[ptx_find_variable(m, "bytes")];
    assert_int_equal(b->size, sizeof expected);
    assert_int_equal(b->init_bytes, sizeof expected);
    assert_memory_equal(b->init, expected, sizeof expected);
    assert_int_equal(m->relocs[b->relocs + 1].shift, 8);

    const uint16_t shorts[4] = { 1, 2, 3, 4 };
    const struct ptx_variable *v = &m->variables[ptx_find_variable(m, "v")];
    assert_int_equal(v->vector, 2);
    assert_memory_equal(v->init, shorts, 8);
    const double minus_one = -1.0;
    const struct ptx_variable *d = &m->variables[ptx_find_variable(m, "d")];
    assert_true(d->managed);
    assert_memory_equal(d->init, &minus_one, 8);
    const float two = 2.0f;
    assert_memory_equal(m->variables[ptx_find_variable(m, "e")].init, &two, 4);
    const int64_t w = -1;
    assert_memory_equal(m->variables[ptx_find_variable(m, "w")].init, &w, 8);
    assert_int_equal(ptx_find_variable(m, "nothing"), PTX_NO);
    ptx_free(m);
}

static const char body[] =
    HEAD ".global .u32 g[4];\n"
         ".extern .func (.param .b32 r) ext(.param .b64 a, .param .b8 tail[]);\n"
         ".func (.reg .u32 o) add(.reg .u32 a, .reg .u32 b) { add.u32 o, a, b; ret; }\n"
         ".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 4 .b8 s[12], .param .u8 c)\n"
         ".reqntid 32, 2 .minnctapersm 2 .maxnreg 40 .reqnctapercluster 2\n"
         "{\n"
         ".local .align 8 .b8 depot[24]; .shared .u32 sh;\n"
         ".reg .pred p<3>; .reg .b32 %r<10>, x; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .v4 .u32 q;\n"
         "ld.param.u64 %rd1, [p];\n"
         "@!p1 bra L;\n"
         "{ .reg .b32 x; mov.u32 x, %tid.x; mov.u32 %r9, x; bra M; bra L;\n M: }\n"
         "add.s32 %r1, %r2, -5;\n"
         "L: setp.eq.and.u32 p1|p2, %r1, %r2, !p0;\n"
         "{ .param .b64 a0; .param .b8 a1[4]; .param .b32 r0; st.param.b64 [a0], %rd1;\n"
         "call (r0), ext, (a0, a1); ld.param.b32 %r3, [r0]; }\n"
         "{ .param .b64 b0; .param .b32 r0; Q: .callprototype (.param .b32 _) _ (.param .b64 _);\n"
         "call (r0), %rd2, (b0), Q; }\n"
         "call (x), add, (%r1, 7);\n"
         "T: .branchtargets L, N;\n"
         "brx.idx %r1, T;\n"
         "N: mov.b64 {%r1, _}, %rd1;\n"
         "mov.u32 %r4, q.z; mov.u32 %r04, sh+8;\n"
         "mov.f32 %f1, 0f7FC00001; mov.f32 %f2, .5; mov.f32 %f3, 1e3;\n"
         "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [sh], [%rd1, {%r1, 3}], [%rd2];\n"
         "ld.global.b32 {%r1}, [g+-4];\n"
         "mbarrier.arrive.shared.b64 _, [sh];\n"
         ".pragma \"nounroll\";\n"
         "exit;\n"
         "}\n";

static const char *const printed[] = {
    "ld.param.u64 %rd1, [p];",
    "@!p1 bra L;",
    "mov.u32 x, %tid.x;",
    "mov.u32 %r9, x;",
    "bra M;",
    "bra L;",
    "add.s32 %r1, %r2, -5;",
    "setp.eq.and.u32 p1|p2, %r1, %r2, !p0;",
    "st.param.b64 [a0], %rd1;",
    "call (r0), ext, (a0, a1);",
    "ld.param.b32 %r3, [r0];",
    "call (r0), %rd2, (b0), Q;",
    "call (x), add, (%r1, 7);",
    "brx.idx %r1, L, N;",
    "mov.b64 {%r1, _}, %rd1;",
    "mov.u32 %r4, q.z;",
    "mov.u32 %r4, sh+8;",
    "mov.f32 %f1, 0f7FC00001;",
    "mov.f32 %f2, 0d3FE0000000000000;",
    "mov.f32 %f3, 0d408F400000000000;",
    "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [sh], [%rd1, {%r1, 3}], [%rd2];",
    "ld.global.b32 %r1, [g+-4];",
    "mbarrier.arrive.shared.b64 _, [sh];",
    "exit;",
};

static void function_body(void **state)
{
    (void)state;
    struct ptx_module *m = parsed(body);
    const struct ptx_function *k = &m->functions[ptx_find_function(m, "k")];
    char text[300];

    assert_true(k->is_entry && k->has_body && k->linkage == PL_visible);
    assert_int_equal(k->n_instructions, sizeof printed / sizeof *printed);
    for (uint32_t i = 0; i < k->n_instructions; i++) {
        ptx_print(m, k, &m->instructions[k->instructions + i], text, sizeof text);
        if (i != 4) /* M and the instruction after its block have the same place: either name will do */
            assert_string_equal(text, printed[i]);
    }
    assert_int_equal(k->reqntid[0], 32);
    assert_int_equal(k->reqntid[1], 2);
    assert_int_equal(k->reqntid[2], 1);
    assert_int_equal(k->cluster[0], 2);
    assert_int_equal(k->maxnreg, 40);
    assert_int_equal(k->n_pragmas, 1);
    assert_int_equal(k->local_bytes, 24);
    assert_int_equal(k->frame_bytes, 16); /* a0, a1, r0 of one block; the next block's begin anew */
    assert_int_equal(k->n_params, 3);
    assert_int_equal(k->param_bytes, 21);
    const struct ptx_variable *p = &m->variables[k->params];
    assert_int_equal(p->pointer_space, PTX_global);
    assert_int_equal(p->pointer_align, 16);
    assert_int_equal(p[1].offset, 8);
    assert_int_equal(p[2].offset, 20);

    /* the inner x is another register than the outer one */
    const struct ptx_instruction *in = &m->instructions[k->instructions];
    assert_int_not_equal(ptx_operand(m, &in[2], 0)->reg, ptx_operand(m, &in[12], 0)->reg);
    /* a forward branch out of a block */
    assert_int_equal(ptx_operand(m, &in[5], 0)->kind, PO_label);
    assert_int_equal(ptx_operand(m, &in[5], 0)->reg, k->instructions + 7);
    assert_int_equal(ptx_operand(m, &in[1], 0)->reg, k->instructions + 7);
    /* types, spaces, words */
    assert_int_equal(in[20].op, OP_cp_async_bulk_tensor);
    assert_int_equal(in[20].space[0], PTX_shared_cta);
    assert_int_equal(in[20].space[1], PTX_global);
    assert_int_equal(ptx_word_of(m, &in[20], PC_geometry), PTX_n2d);
    assert_int_equal(ptx_word_of(m, &in[20], PC_mode), PTX_none);
    assert_true(ptx_has(m, &in[20], PTX_mbarrier_complete_tx_bytes));
    /* parameters in registers */
    const struct ptx_function *add = &m->functions[ptx_find_function(m, "add")];
    assert_int_equal(m->variables[add->returns].reg, 0);
    assert_int_equal(m->variables[add->params + 1].reg, 2);
    assert_int_equal(ptx_find_function(m, "nobody"), PTX_NO);
    ptx_free(m);
}

static void declarations(void **state)
{
    (void)state;
    struct ptx_module *m = parsed(HEAD ".extern .func f(.param .b32 a);\n"
                                       ".entry k() { .param .b32 a; call f, (a); ret; }\n"
                                       ".func f(.param .b32 a) { ret; }\n"
                                       ".extern .global .u32 x; .visible .global .u32 x = 4; .extern .global .u32 x;\n"
                                       ".func g(.param .b32 a);\n"
                                       ".alias g, f;\n");
    const uint32_t f = ptx_find_function(m, "f");
    assert_true(m->functions[f].has_body);
    assert_int_equal(m->functions[0].definition, f);
    assert_int_equal(ptx_find_function(m, "g"), f);
    const struct ptx_variable *x = &m->variables[ptx_find_variable(m, "x")];
    assert_true(x->has_init);
    ptx_free(m);
}

static void source_lines(void **state)
{
    (void)state;
    struct ptx_module *m = parsed(HEAD ".file 2 \"b.h\"\n.file 1 \"/src/a.cu\", 17, 3\n"
                                       ".entry k() {\n.reg .b32 r;\nmov.b32 r, 1;\n.loc 1 12 5\nmov.b32 r, 2;\n"
                                       ".loc 2 3 1, function_name $n, inlined_at 1 12 5\nmov.b32 r, 3;\n"
                                       ".loc 2 4 1, function_name $n+0, inlined_at 1 99 9\nret;\n}\n"
                                       ".section .debug_str\n{\n$n:\n.b8 97,98\n.b8 99,0\n$o:\n.b8 1\n}\n"
                                       ".section .debug_info { .b32 1, .debug_abbrev\n .b64 k }\n");
    const struct ptx_instruction *i = m->instructions;
    char text[100];
    ptx_source(m, &i[0], text, sizeof text);
    assert_string_equal(text, "");
    ptx_source(m, &i[1], text, sizeof text);
    assert_string_equal(text, "/src/a.cu:12");
    ptx_source(m, &i[2], text, sizeof text);
    assert_string_equal(text, "b.h:3");
    const struct ptx_loc *l = &m->locs[i[2].loc];
    assert_string_equal(l->function, "abc");
    assert_int_equal(m->locs[l->inlined_at].line, 12);
    assert_int_equal(m->locs[m->locs[i[3].loc].inlined_at].line, 99);
    assert_int_equal(i[1].line, 10);
    assert_int_equal(i[1].column, 1);
    ptx_free(m);
}

static const struct refusal refused[] = {
    { "", "needs .version and .target", 1, 1 },
    { "\n\n  ?", "expected a directive", 3, 3 },
    { ".target sm_90", ".version must come before", 1, 9 },
    { ".version 9.9 ", "9.5 is the newest", 1, 10 },
    { ".version x", "a version such as", 1, 10 },
    { ".version 9.0 .target sm_91", "not a known target", 1, 22 },
    { ".version 9.0 .target foo", "a target such as", 1, 22 },
    { ".version 7.0 .target sm_90", "needs PTX ISA 7.8", 1, 22 },
    { ".version 9.0 .target sm_90, fast", "not an option of a target", 1, 29 },
    { ".version 9.0 .entry k() {}", ".target must come first", 1, 14 },
    { ".version 9.0\n.target sm_90a\n.address_size 16", "32 or 64", 3, 15 },
    { ".version 9.0\n.target sm_90a\n.address_size 32", "have 64 bits", 3, 15 },
    { HEAD "/* never", "does not end", 4, 1 },
    { HEAD "#define X", "preprocessor", 4, 1 },
    { HEAD ".entry k() { \"abc", "does not end on its line", 4, 14 },
    { HEAD ".global .u32 x = 0x;", "not a number of base", 4, 18 },
    { HEAD ".global .u32 x = 99999999999999999999;", "64 bits", 4, 18 },
    { HEAD ".global .f32 x = 0f123;", "exactly 8", 4, 18 },
    { HEAD ".global .f64 x = 1.5e;", "exponent", 4, 18 },
    { HEAD ".global .f64 x = 1e309;", "too large or too small", 4, 18 },
    { HEAD ".global .f64 x = 1e-310;", "too large or too small", 4, 18 },
    { HEAD ".global .f32 x = -0f3F800000;", "no part of an expression", 4, 19 },
    { HEAD ".global .f32 x = 1.0 * 0f3F800000;", "no part of an expression", 4, 24 },
    { HEAD ".global .f32 x = 0f3F800000 + 1.0;", "expected ';'", 4, 29 },
    { HEAD ".global .f32 x = 1.0 + 2;", "operands of one operator", 4, 22 },
    { HEAD ".global .f32 x = 1.0 / 0.0;", "division by zero", 4, 22 },
    { HEAD ".global .f32 x = 1 ? 1.0 : 2.0;", "must be integers", 4, 20 },
    { HEAD ".global .u64 x = (.u64) 1.0;", "cannot be cast", 4, 28 },
    { HEAD ".global .u32 x = 12abc;", "cannot follow", 4, 18 },
    { HEAD ".global .u32 x = 1.5;", "floating-point", 4, 18 },
    { HEAD ".global .f32 x = 1;", "an integer", 4, 18 },
    { HEAD ".global .u32 x = 1 / 0;", "division by zero", 4, 20 },
    { HEAD ".global .u32 x[2] = {1, 2, 3};", "more initial values", 4, 28 },
    { HEAD ".global .u32 x[2] = 1;", "needs a list", 4, 21 },
    { HEAD ".global .u32 x = {1};", "cannot have a list", 4, 18 },
    { HEAD ".global .v4 .f32 x = {1.0};", "as many initial values", 4, 26 },
    { HEAD ".global .u64 x = y;", "not a variable or function", 4, 18 },
    { HEAD ".shared .u64 s; .global .u64 x = s;", "only addresses of", 4, 34 },
    { HEAD ".global .b8 x = 0xFF1(x);", "selects one byte", 4, 23 },
    { HEAD ".global .u16 y; .global .u16 x = y;", "does not fit", 4, 34 },
    { HEAD ".shared .u32 x = 1;", "only .global and .const", 4, 16 },
    { HEAD ".extern .global .u32 x = 1;", "cannot have an initial value", 4, 24 },
    { HEAD ".global .u32 x[];", "without a size", 4, 14 },
    { HEAD ".global .u32 x[2][];", "a number without a sign", 4, 19 },
    { HEAD ".global .align 3 .u32 x;", "power of two", 4, 16 },
    { HEAD ".global .u32 x; .global .u32 x;", "declared twice", 4, 30 },
    { HEAD ".extern .global .u32 x; .global .f32 x;", "declared differently", 4, 38 },
    { HEAD ".global .pred x;", "cannot be .pred", 4, 15 },
    { HEAD ".global .u32 x[1099511627777];", "too large", 4, 15 },
    { HEAD ".reg .u32 x;", "space of a variable", 4, 11 },
    { HEAD ".param .u32 x;", "within a function", 4, 13 },
    { HEAD ".tex .u64 x;", "since PTX ISA 1.5", 4, 11 },
    { HEAD ".func f(.param .u32 a); .func f(.param .u64 a) { ret; }", "declared differently", 4, 31 },
    { HEAD ".func f() { ret; } .func f() { ret; }", "already has a body", 4, 26 },
    { HEAD ".entry k(.param .u32 a[]) { ret; }", "without a size", 4, 22 },
    { HEAD ".entry k(.param .pred a) { ret; }", "cannot be .pred", 4, 10 },
    { HEAD ".func (.param .pred a) f() { ret; }", "cannot be .pred", 4, 8 },
    { HEAD ".version 9.0", "one .version", 4, 10 },
    { HEAD ".target sm_90a", "one .target", 4, 9 },
    { HEAD ".address_size 64", "one .address_size", 4, 1 },
    { ".version 9.0\n.target sm_90\n.pragma \"nounroll\";\n.address_size 64", "directly behind .target", 4, 1 },
    { ".version 9.0\n.target sm_90, debug\n.file 1 \"a\"\n", "needs a .section", 4, 1 },
    { HEAD ".file 1 \"a\" .file 2 \"b\" .file 01 \"c\"", "two files with the number 1", 4, 31 },
    { INDEPENDENT ".global .samplerref s = { width = 1 };", "a .samplerref has no field 'width'", 4, 27 },
    { INDEPENDENT ".global .samplerref s = { filter_mode = blue };", "'blue' is no value", 4, 41 },
    { INDEPENDENT ".global .samplerref s = { filter_mode = linear, };", "expected a field", 4, 49 },
    { INDEPENDENT ".global .samplerref s = { { filter_mode = 1 } };", "expected a field", 4, 27 },
    { INDEPENDENT ".global .samplerref s = { filter_mode };", "expected '='", 4, 39 },
    { INDEPENDENT ".global .samplerref s = 1;", "expected '{'", 4, 25 },
    { ".version 9.0\n.target sm_90, texmode_unified, texmode_independent\n", "exclude each other", 2, 33 },
    { HEAD "\v.entry k() { ret; }", "", 4, 1 },
    { HEAD ".entry k() .maxnreg 0 { ret; }", "1 or more", 4, 12 },
    { HEAD ".entry k() .maxnctapersm 1 { ret; }", "took .maxnctapersm away", 4, 12 },
    { HEAD ".entry k() .maxntid 0 { ret; }", "at least 1", 4, 21 },
    { HEAD ".entry k() .maxntid 1,1,1,1 { ret; }", "at most three", 4, 27 },
    { HEAD ".entry k() .maxntid 32 .reqntid 32 { ret; }", "exclude each other", 4, 12 },
    { HEAD ".entry k() .reqnctapercluster 2 .maxclusterrank 2 { ret; }", "exclude each other", 4, 12 },
    { HEAD ".entry k() .blocksareclusters { ret; }", "needs .reqntid", 4, 12 },
    { HEAD ".func f() .maxntid 1 { ret; }", "allowed on an .entry only", 4, 11 },
    { HEAD ".entry k() .noreturn { ret; }", ".noreturn is allowed", 4, 12 },
    { HEAD ".alias a, b;", "declared function", 4, 8 },
    { HEAD ".entry k() { ret;", "ends within a function", 4, 18 },
    { HEAD ".section .debug_x { 1, 2", "does not end", 4, 10 },
    { HEAD ".file 1", "name of a file", 4, 8 },
    { K("foo.bar %r1;"), "'foo' is not an instruction", 7, 1 },
    { K("mbarrier .inval.shared.b64 [%r1];"), "no instruction has the modifier '.inval'", 7, 10 },
    { K("mul .wide.u32 %r1, %r1, %r1;"), "a blank before '.wide', which belongs to the name", 7, 5 },
    { K("add.foo.u32 %r1, %r2, %r3;"), "modifier '.foo'", 7, 4 },
    { K("add.u32 %r1, %r2, %r4;"), "'%r4' is not declared", 7, 19 },
    { K("add.u32 %r1, %r2, [%r3-4];"), "']'", 7, 23 },
    { K("ld.u32 %r1, [nothing];"), "'nothing' is not declared", 7, 14 },
    { K("ld.u32 %r1, [k];"), "has no address", 7, 14 },
    { K("bra nowhere;"), "'nowhere' is not declared", 7, 5 },
    { K("bra L; { L: }"), "'L' is not declared", 7, 5 },
    { K("L: L: ret;"), "declared twice", 7, 4 },
    { K("add.u32 %r1, %r2, %r3;;"), "expected", 7, 23 },
    { K("L: ;"), "expected", 7, 4 },
    { K("@%r1 ret;"), "not a .pred", 7, 2 },
    { K("@5 ret;"), "predicate of a guard", 7, 2 },
    { K("mov.u32 %r1, %r2.q;"), "not a part of a register", 7, 17 },
    { K("mov.u32 %r1, !sh;"), "to registers only", 7, 15 },
    { K("setp.eq.u32 %p0|5, %r1, %r2;"), "expected a register", 7, 17 },
    { K("call (%r1), (%r2);"), "a call has the parts", 7, 18 },
    { K("add.u32 %r1 %r2;"), "expected ';'", 7, 13 },
    { K("mov.u32 %r1, {{{{{{{{1}}}}}}}};"), "nested too deep", 7, 21 },
    { K("prefetch [sh+4, {%r1}];"), "cannot have an offset", 7, 15 },
    { K("L: .callprototype _ () .align 3;"), "not allowed in a prototype", 7, 24 },
    { K(".loc 1 2 3, function_name 7"), "expected a label", 7, 27 },
    { K(".loc 1 2 3, other 7"), "function_name or inlined_at", 7, 13 },
    { HEAD ".section 7", "name of a section", 4, 10 },
    { K(".section .debug_x { .b8 1 }"), "not allowed in a function", 7, 1 },
    { K(".file 1 \"x\""), "not allowed in a function", 7, 1 },
    { HEAD ".section .debug_str { 1", "does not end", 4, 10 },
    { HEAD ".global .f16 x = 1.0;", "cannot have an initial value in PTX", 4, 18 },
    { HEAD ".global .u64 x; .global .u64 y = x + 1.5;", "must be an integer", 4, 34 },
    { HEAD ".global .u32 x = 0xFF(x);", "of type .u8 only", 4, 23 },
    { HEAD ".global .b8 x = 0(x);", "selects one byte", 4, 17 },
    { HEAD ".global .v2 .u32 x[2] = {1, 2, 3, 4};", "list of its own", 4, 26 },
    { HEAD ".global .u32 x[2] = {{1}, 2};", "too deep for its variable", 4, 22 },
    { HEAD ".global .texref x = 5;", "expected '{'", 4, 21 },
    { HEAD ".global .texref x = { width = 1", "the text ends where '}' is expected", 4, 32 },
    { HEAD ".global .u32 x = (.u32) 1;", ".s64 or .u64 only", 4, 19 },
    { HEAD ".global .f64 x = ~1.0;", "does not apply", 4, 18 },
    { HEAD ".global .f64 x = 1.0 << 2.0;", "does not apply", 4, 22 },
    { HEAD ".global .u32 x[1.5];", "must be an integer", 4, 16 },
    { HEAD ".global .u32 x[-1];", "must be a number without a sign", 4, 16 },
    { HEAD ".entry k() .maxnreg 9999999999 { ret; }", "too large", 4, 21 },
    { HEAD ".func f() .attribute 3 { ret; }", "expected '('", 4, 22 },
    { HEAD ".func f() .attribute (3", "')' is missing", 4, 24 },
    { ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() .maxclusterrank 2 { ret; }", "sm_90", 4, 12 },
    { HEAD ".global .u32 x; .func x() { ret; }", "declared twice", 4, 23 },
    { HEAD ".entry e() { ret; } .func f() { ret; } .alias e, f;", "cannot have an alias", 4, 47 },
    { HEAD ".global .attribute(.visible) .u32 x;", "expected the attribute", 4, 20 },
    { HEAD ".global .u32 x[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1];", "at most 16", 4, 63 },
    { HEAD ".func f(.param .u64 .ptr a);", "allowed on parameters", 4, 21 },
    { HEAD ".func f(.reg .u64 a[2]) { ret; }", "cannot be an array", 4, 19 },
    { ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { .reg .b128 q; }", "PTX ISA 8.3", 4, 25 },
    { K("mov.u32 %r1, [sh]|%p0;"), "cannot be part of a pair", 7, 18 },
    { K("mov.u32 %r1, !nothing;"), "to registers only", 7, 15 },
    { K("@%p0 L: ret;"), "", 0, 0 },
    { K("L: .branchtargets 5;"), "expected a label", 7, 19 },
    { K("L: .branchtargets %r1;"), "expected a label", 7, 19 },
    { K(".reg .b32 %r1;"), "", 0, 0 },
    { K(".reg .b32 x, x;"), "declared twice", 7, 14 },
    { K(".reg .b32 %tid;"), "special register", 7, 11 },
    { K(".reg .b32 x<99999999>;"), "too many registers", 7, 13 },
    { K(".version 9.0"), "not allowed in a function", 7, 1 },
    { K(".loc 1 2"), "expected a column", 8, 1 },
    { K("mov.u32 %r1, \x01;"), "byte 0x01", 7, 14 },
    { K("mov.u32 %r1, $;"), "", 0, 0 },
};

static void errors(void **state)
{
    (void)state;
    refuses(refused, sizeof refused / sizeof *refused);
}

static void caret(void **state)
{
    (void)state;
    char out[600];
    assert_null(parse(K("\tadd.foo.u32 %r1, %r2, %r3;")));
    ptx_error_print(&error, "x.ptx", out, sizeof out);
    assert_string_equal(out, "x.ptx:7:5: error: no instruction has the modifier '.foo'\n"
                             "     add.foo.u32 %r1, %r2, %r3;\n"
                             "        ^\n");
}

/* Input that would take depth, memory or time without bound where nothing held it. */
static const char rare[] = HEAD
    ".pragma \"a\", \"b\";\n"
    ".global .texref t = { addr_mode_0 = wrap, filter_mode = linear };\n"
    ".global .align 8 .b8 one[2] = { };\n"
    ".global .b8 two[][2] = {{1, 2}, {3}, };\n"
    ".global .f64 three = 0f3F800000; .global .f32 four = 1.0 - 0.5 / 2.0, five = 0.5;\n"
    ".global .u32 six = (1.0 < 2.0) > (2.0 <= 1.0) ? 15 : 25;\n"
    ".global .u32 seven[9] = {1.0 > 2.0, 1.0 >= 1.0, 1.0 == 1.0, 1.0 != 2.0, +3, 8 / -1, 7 % -1, 9U / 2U, 9U >> 1};\n"
    ".global .u8 eight[2] = {0xFF(generic(seven)), 0xFF00(generic(seven) + 4)};\n"
    ".global .u64 nine = seven + -4, ten = (.s64) -2, eleven = -(.u64) 3;\n"
    ".visible .func .attribute(.unified(1, 2)) (.param .b32 r) odd(.param .align 8 .b8 p[8]);\n"
    ".func gone() .noreturn .abi_preserve 3 .pragma \"c\"; { exit; }\n"
    ".global .attribute(.unified(3, 4)) .u32 twelve;\n"
    ".file 3 \"c.h\"\n"
    ".extern .shared .b8 dyn[];\n"
    ".entry k(.param .texref x, .param .u64 .ptr y)\n"
    ".maxntid 8 .minnctapersm 1 .explicitcluster .maxclusterrank 4 .pragma \"d\"; {\n"
    ".reg .b32 r<3>, a; .reg .pred p, q; .reg .v2 .f32 v; .reg .b64 d;\n"
    "P: .callprototype _ (.param .b32 a) .noreturn .abi_preserve 2;\n"
    "O: .calltargets gone;\n"
    ".loc 3 1 0;\n"
    ".reg .b32 o, o<2>, o2; { .reg .f32 r<1>; .reg .b32 o1; mov.u32 r1, 5; }\n"
    "setp.eq.u32 p|_, r0, r1; setp.eq.u32 _|q, r0, r1;\n"
    "vadd.u32.u32.u32 r0, r1.b2, r2.h1; vadd2.u32.u32.u32 r0.h10, r1.h03, r2, r0;\n"
    "tex.1d.v4.f32.f32 {v.x, v.y, v.x, v.y}|p, [t, {v.x}];\n"
    "mov.f32 v.x, v.r; mov.u32 r1, -7; mov.u32 r2, !0; mov.u32 r0, WARP_SZ; mov.u32 r0, 4294967295U;\n"
    "ld.local.u32 r0, [8 + 4]; ld.shared.u32 r0, [dyn + 4 + 4 - 8];\n"
    "call gone; call gone, (); { .param .b32 z; call d, (z), P; } call d, (), O;\n"
    "bra NEXT; NEXT: }\n"
    ".section .debug_more { .b8 1 }\n"
    ".section .debug_str { x: .b8 1, 2 }\n";

static void rarities(void **state)
{
    (void)state;
    struct ptx_module *m = parsed(rare);
    const struct ptx_function *k = &m->functions[ptx_find_function(m, "k")];
    char text[200];
    static const char *const some[] = { "mov.u32 r1, 5;",
                                        "setp.eq.u32 p|_, r0, r1;",
                                        "setp.eq.u32 _|q, r0, r1;",
                                        "vadd.u32.u32.u32 r0, r1.b2, r2.h1;",
                                        "vadd2.u32.u32.u32 r0.h10, r1.h03, r2, r0;",
                                        "tex.1d.v4.f32.f32 {v.x, v.y, v.x, v.y}|p, [t, {v.x}];",
                                        "mov.f32 v.x, v.x;",
                                        "mov.u32 r1, -7;",
                                        "mov.u32 r2, 1;",
                                        "mov.u32 r0, WARP_SZ;",
                                        "mov.u32 r0, 4294967295;",
                                        "ld.local.u32 r0, [12];",
                                        "ld.shared.u32 r0, [dyn];",
                                        "call gone;",
                                        "call gone;",
                                        "call d, (z), P;",
                                        "call d, gone;",
                                        "bra NEXT;" };
    assert_int_equal(k->n_instructions, sizeof some / sizeof *some);
    for (uint32_t i = 0; i < k->n_instructions; i++) {
        ptx_print(m, k, &m->instructions[k->instructions + i], text, sizeof text);
        assert_string_equal(text, some[i]);
    }
    assert_int_equal(k->maxclusterrank, 4);
    assert_true(k->explicitcluster);
    assert_int_equal(m->n_pragmas, 4);
    assert_true(m->functions[ptx_find_function(m, "gone")].noreturn);
    const struct ptx_variable *two = &m->variables[ptx_find_variable(m, "two")];
    assert_int_equal(two->size, 4);
    static const uint32_t seven[9] = { 0, 1, 1, 1, 3, (uint32_t)-8, 0, 4, 4 };
    assert_memory_equal(m->variables[ptx_find_variable(m, "seven")].init, seven, sizeof seven);
    const double one = 1.0;
    assert_memory_equal(m->variables[ptx_find_variable(m, "three")].init, &one, 8);
    const int64_t minus_two = -2, minus_three = -3;
    assert_memory_equal(m->variables[ptx_find_variable(m, "ten")].init, &minus_two, 8);
    assert_memory_equal(m->variables[ptx_find_variable(m, "eleven")].init, &minus_three, 8);
    assert_int_equal(m->relocs[m->variables[ptx_find_variable(m, "nine")].relocs].addend, -4);
    /* printed short of room: cut, never beyond */
    for (size_t size = 1; size < sizeof text; size += 7) {
        ptx_print(m, k, &m->instructions[k->instructions], text, size);
        assert_true(strlen(text) < size);
    }
    ptx_free(m);
}

static void bounds(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    char *text = malloc(3 * DEEP + 400);
    struct {
        const char *before;
        char open;
        const char *says;
    } const deep[] = {
        { HEAD ".global .u32 x = ", '(', "nested too deep" },
        { HEAD ".global .u32 x = ", '-', "nested too deep" },
        { HEAD ".global .u32 x[2] = ", '{', "nested too deep" },
        { HEAD ".entry k() { ", '{', "nested" },
    };
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        strcpy(text, deep[i].before);
        const size_t n = strlen(text);
        memset(text + n, deep[i].open, DEEP);
        text[n + DEEP] = 0;
        assert_null(parse(text));
        assert_non_null(strstr(error.message, deep[i].says));
    }
    free(text);

    const struct ptx_limits small = { .text_bytes = 10 }, tight = { .memory_bytes = 1000 };
    assert_null(ptx_parse(body, sizeof body - 1, &small, &error));
    assert_non_null(strstr(error.message, "larger than 10 bytes"));
    assert_null(ptx_parse(body, sizeof body - 1, &tight, &error));
    assert_non_null(strstr(error.message, "memory"));
    /* every prefix of a module is refused cleanly */
    for (size_t n = 0; n < sizeof body - 1; n++) {
        struct ptx_module *m = ptx_parse(body, n, NULL, &error);
        assert_true(m || error.message[0]);
        ptx_free(m);
    }
    for (size_t n = 0; n < sizeof rare - 1; n++) {
        struct ptx_module *m = ptx_parse(rare, n, NULL, &error);
        assert_true(m || error.message[0]);
        ptx_free(m);
    }
    /* a limit anywhere: nothing is lost or used after it */
    for (size_t limit = 64 * 1024; limit < 90000; limit += 37) {
        const struct ptx_limits some = { .memory_bytes = limit };
        ptx_free(ptx_parse(body, sizeof body - 1, &some, &error));
        ptx_free(ptx_parse(rare, sizeof rare - 1, &some, &error));
    }
}

/* Ten thousand functions with a thousand lines between them: in proportion, not in their square. */
static void many(void **state)
{
    (void)state;
    size_t size = 0;
    char *text = NULL;
    FILE *f = open_memstream(&text, &size);
    fputs(HEAD, f);
    for (int i = 0; i < 2000; i++) {
        fprintf(f, ".func f%d(.param .b32 a) {\n.reg .b32 %%r<50>;\n", i);
        for (int j = 0; j < 20; j++)
            fprintf(f, "L%d: add.s32 %%r%d, %%r%d, %d;\n", j, j, j + 1, i);
        fprintf(f, "bra L0;\n}\n");
    }
    fclose(f);
    struct ptx_module *m = parsed(text);
    assert_int_equal(m->n_functions, 2000);
    assert_int_equal(m->n_instructions, 2000 * 21);
    ptx_free(m);
    m = ptx_read(text, size, NULL, &error);
    assert_non_null(m);
    ptx_free(m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_and_empty), cmocka_unit_test(initial_values), cmocka_unit_test(function_body),
        cmocka_unit_test(declarations),   cmocka_unit_test(source_lines),   cmocka_unit_test(errors),
        cmocka_unit_test(caret),          cmocka_unit_test(rarities),       cmocka_unit_test(bounds),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
