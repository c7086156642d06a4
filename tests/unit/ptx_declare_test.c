/* Declarations of a module and of a function that the PTX parser refuses, each as ptxas 13.5 does. */
#include "tests/unit/ptx_refusals.h"

static const struct refusal refused[] = {
    { HEAD ".global .b32 y; .global .b64 x = y;", "does not fit a .b64", 4, 34 },
    { HEAD ".global .b32 y; .global .b8 x = 0xFF(y);", "of type .u8 only", 4, 38 },
    { HEAD ".global .b32 y; .global .u64 x = y-4;", "expected ';'", 4, 35 },
    { HEAD ".func f() { ret; } .global .u64 x = f+4;", "within a function", 4, 37 },
    { K("T: .branchtargets k;"), "expected a label", 7, 19 },
    { K("T: .calltargets L; L:"), "expected a function", 7, 17 },
    { K("T: .branchtargets L; L: .callprototype _;"), "'L' is not a label", 7, 19 },
    { K("P: .callprototype x;"), "expected '_'", 7, 19 },
    { HEAD ".global .b32 x[2+2];", "expected ']'", 4, 17 },
    { HEAD ".global .b32 x[(4)];", "a number without a sign", 4, 16 },
    { HEAD ".entry k() .maxntid 2*2 { ret; }", "expected", 4, 22 },
    { HEAD ".entry k() .abi_preserve 3 { ret; }", "on a .func only", 4, 12 },
    { HEAD ".global .b32 x[0];", "without elements", 4, 14 },
    { HEAD ".extern .shared .b8 x[][0];", "cannot be empty", 4, 24 },
    { HEAD ".global .b32 x[] = { };", "needs an initial value", 4, 23 },
    { HEAD ".global .b32 _;", "'_' is not a name", 4, 14 },
    { HEAD ".entry WARP_SZ() { ret; }", "'WARP_SZ' is not a name", 4, 8 },
    { HEAD ".entry %tid() { ret; }", "special register", 4, 8 },
    { HEAD ".global .b32 %tid;", "special register", 4, 14 },
    { HEAD ".global .bf16 x;", "not allowed in a declaration", 4, 9 },
    { HEAD ".global .v4 .f64 x;", "at most 16 bytes", 4, 18 },
    { HEAD ".shared .texref x;", "must be a .global variable", 4, 17 },
    { HEAD ".global .samplerref x;", "texmode_independent", 4, 21 },
    { HEAD ".func f(.param .texref x);", "must be a .global variable", 4, 24 },
    { HEAD ".common .shared .b32 x;", "must be .global", 4, 22 },
    { HEAD ".local .b32 x;", "within a function only", 4, 13 },
    { HEAD ".func f(.param .b32 _);", "'_' is not a name", 4, 21 },
    { HEAD ".func f(.param .f16x2 x);", "cannot be .f16x2", 4, 9 },
    { HEAD ".entry f(.param .b32 x[0]) { ret; }", "without a size", 4, 22 },
    { HEAD ".func f(.reg .b32 .v2 x);", "not allowed in a parameter", 4, 19 },
    { K(".reg .b32 a;"), "'a' is declared twice", 7, 11 },
    { K(".reg .b32 %r1;"), "'%r1' is declared twice", 7, 11 },
    { K(".reg .b32 x1, x<2>;"), "'x' is declared twice", 7, 15 },
    { K(".reg .b32 x<2>, x<3>;"), "'x' is declared twice", 7, 17 },
    { K(".reg .b32 x, x;"), "'x' is declared twice", 7, 14 },
    { K("a: ret;"), "'a' is declared twice", 7, 1 },
    { K(".reg .bf16 x;"), "not a type of a register", 7, 6 },
    { K(".reg .b32 .v2 x;"), "not a type of a register", 7, 11 },
    { K(".reg .v2 .pred x;"), "part of a vector", 7, 16 },
    { K(".reg .v4 .b64 x;"), "at most 16 bytes", 7, 15 },
    { K(".param .v2 .b32 x;"), "cannot be a vector", 7, 17 },
    { K(".extern .shared .b8 x[];"), "linkage is for variables of the module", 7, 21 },
};

static const char *const taken[] = {
    HEAD ".global .texref t; .global .surfref s;",
    HEAD ".extern .shared .b8 x[]; .extern .shared .b8 y[][4]; .extern .shared .b8 z[0];",
    HEAD ".global .b32 y; .global .u64 x[2] = {y, generic(y)+4}; .global .u32 w = y;",
    HEAD ".func f(.reg .v2 .b32 x, .param .f16 y, .param .b32 z[0]) { ret; }",
    HEAD ".entry k(.param .b32 _, .param .texref t) { ret; }",
    K(".reg .b32 x, x<2>, x2; .reg .b32 %r4; .reg .b32 %r1<2>; %r2: ret;"),
    K("{ .reg .b32 a, %r1; } { a: ret; }"),
    K("{ .reg .f32 %r<2>; mov.b32 %r3, 0; }"),
    K("P: .callprototype (.param .b32 _) _ (.param .b32 _); T: .branchtargets L; L:"),
    K(".shared .align 8 .v4 .b32 x; .local .f16x2 y; .param .b128 z;"),
};

static void refusals(void **state)
{
    (void)state;
    refuses(refused, sizeof refused / sizeof *refused);
}

static void acceptances(void **state)
{
    struct ptx_error error;

    (void)state;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        struct ptx_module *m = ptx_parse(taken[i], strlen(taken[i]), NULL, &error);
        if (!m)
            fail_msg("%s: %s", taken[i], error.message);
        ptx_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(refusals), cmocka_unit_test(acceptances) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
