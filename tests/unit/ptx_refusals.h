/* For tests of the PTX parser: texts that it refuses, what it says of each, and where. */
#ifndef COPYCHECK_TESTS_PTX_REFUSALS_H
#define COPYCHECK_TESTS_PTX_REFUSALS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/forms/form.h"

#define HEAD        ".version 9.0\n.target sm_90a\n.address_size 64\n"
#define INDEPENDENT ".version 9.0\n.target sm_90a, texmode_independent\n.address_size 64\n"
/* The text stands in a kernel's body, from line 7 on. */
#define K(text)                                                                                                        \
    HEAD ".shared .u32 sh;\n.entry k(.param .u32 a) {\n.reg .pred %p<2>; .reg .b32 %r<4>;\n" text "\nret; }\n"

struct refusal {
    const char *text, *says; /* a part of the message */
    int line, column;        /* line 0: only that it ends, one way or the other */
};

/* Fails the test unless each text is refused as it says. The message is printed too, as a user sees it. */
static inline void refuses(const struct refusal *all, size_t count)
{
    struct ptx_error error;
    char out[600];

    for (size_t i = 0; i < count; i++) {
        const struct refusal *r = &all[i];
        struct ptx_module *m = ptx_parse(r->text, strlen(r->text), NULL, &error);
        if (!r->line) {
            ptx_free(m);
            continue;
        }
        if (m)
            fail_msg("accepted: %s", r->text);
        if (!strstr(error.message, r->says))
            fail_msg("'%s' says '%s', not '%s'", r->text, error.message, r->says);
        if (error.line != r->line || error.column != r->column)
            fail_msg("'%s' (%s): at %d:%d, not %d:%d", r->text, error.message, error.line, error.column, r->line,
                     r->column);
        ptx_error_print(&error, "x.ptx", out, sizeof out);
        assert_non_null(strstr(out, "error: "));
    }
}

#endif
// SPDX-License-Identifier: Apache-2.0
