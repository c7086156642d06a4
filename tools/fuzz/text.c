/* Text that the fuzzing tools put together. */
#include "tools/fuzz/text.h"

#include "harness/base/bad.h"

void text_add_list(struct ck_growing *text, const char *format, va_list args)
{
    if (!ck_grow_list(text, format, args))
        ck_no_memory();
}

void text_add(struct ck_growing *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_add_list(text, format, args);
    va_end(args);
}
// SPDX-License-Identifier: Apache-2.0
