/* Why an instruction does not fit a form. */
#include "harness/emu/forms/candidate.h"

#include <stdarg.h>
#include <stdio.h>

void form_about(struct form_candidate *c, int stage, enum form_fault fault, uint16_t word)
{
    c->now = (struct form_failure){ .stage = stage, .fault = fault, .word = word };
}

bool form_fail(struct form_candidate *c, const struct ptx_operand *operand, const char *format, ...)
{
    va_list list;

    if (c->now.stage <= c->best.stage)
        return false;
    c->best = c->now;
    c->column = operand ? operand->column : 0;
    va_start(list, format);
    vsnprintf(c->message, sizeof c->message, format, list);
    va_end(list);
    return false;
}
