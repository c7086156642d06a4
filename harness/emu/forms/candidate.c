/* Why an instruction does not fit a form. */
#include "harness/emu/forms/candidate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void form_about(struct form_candidate *c, int stage, enum form_fault fault, uint16_t word)
{
    c->now = (struct form_failure){ .stage = stage, .fault = fault, .word = word };
}

bool form_fail(struct form_candidate *c, const struct ptx_operand *operand, const char *format, ...)
{
    va_list list;

    if (c->lenient || c->now.stage <= c->best.stage)
        return false;
    c->best = c->now;
    c->column = operand ? operand->column : 0;
    va_start(list, format);
    vsnprintf(c->message, sizeof c->message, format, list);
    va_end(list);
    return false;
}

bool form_pattern(const char *pattern, size_t length, const char *text)
{
    const char *star = memchr(pattern, '*', length);
    const size_t head = star ? (size_t)(star - pattern) : length, tail = star ? length - head - 1 : 0;
    const size_t size = strlen(text);

    if (!star)
        return size == length && !memcmp(pattern, text, length);
    return size >= head + tail && !memcmp(pattern, text, head) && !memcmp(star + 1, text + size - tail, tail);
}
// SPDX-License-Identifier: Apache-2.0
