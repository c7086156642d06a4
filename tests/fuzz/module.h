/* Bytes as PTX: what begins with a dot is a module, all else the statements of a kernel, so that a fuzzer gets at the
 * operands. */
#ifndef COPYCHECK_FUZZ_MODULE_H
#define COPYCHECK_FUZZ_MODULE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/forms/form.h"

/* What is done with a module that is well. */
typedef void fuzz_use(const struct ptx_module *m, const char *text, size_t size);

static inline void fuzz_try(const char *text, size_t size, fuzz_use *use)
{
    const struct ptx_limits limits = { .memory_bytes = 64 << 20 };
    struct ptx_error error;
    char out[1024];
    struct ptx_module *m = ptx_read(text, size, &limits, &error);

    if (m) {
        use(m, text, size);
    } else {
        ptx_error_print(&error, "fuzz", out, sizeof out);
        if (!error.message[0] || error.line < 1) /* every refusal says what and where */
            abort();
    }
    ptx_free(m);
}

/* `head` opens the kernel that statements are put in, `tail` closes it. */
static inline void fuzz_module(const uint8_t *data, size_t size, const char *head, const char *tail, fuzz_use *use)
{
    const size_t before = strlen(head), after = strlen(tail);
    char *text;

    if (size && data[0] == '.') {
        fuzz_try((const char *)data, size, use);
        return;
    }
    text = malloc(before + size + after + 1);
    if (!text)
        return;
    memcpy(text, head, before);
    memcpy(text + before, data, size);
    memcpy(text + before + size, tail, after + 1);
    fuzz_try(text, before + size + after, use);
    free(text);
}

#endif
// SPDX-License-Identifier: Apache-2.0
