/* Prints the emulator's table of instructions, one form a line, for tools/ptx-forms: the instruction, the groups of its
 * modifiers, its operands, and the PTX ISA version (times ten) and target that it needs, separated by tabs. A group is
 * its alternatives separated by '|', with '?' in front if it may be missing and '^' if it comes first; the operands are
 * those of form.h. */
#include <stdio.h>

#include "harness/emu/forms/compile.h"

static void print_group(const struct grammars *all, const struct group *g)
{
    printf("%s%s", g->optional ? "?" : "", g->leading ? "^" : "");
    for (unsigned k = 0; k < g->count; k++)
        printf("%s%s", k ? "|" : "", ptx_word_text[all->alternatives[g->first + k].word]);
}

int main(void)
{
    const struct grammars *all = form_grammars();

    for (unsigned i = 0; i < all->count; i++) {
        const struct grammar *g = &all->grammars[i];
        printf("%s\t", ptx_op_text[g->form->op]);
        for (unsigned k = 0; k < g->n_groups; k++) {
            fputs(k ? " " : "", stdout);
            print_group(all, &all->groups[g->groups + k]);
        }
        printf("%s\t%s\t%d\t%s\n", g->open ? " *" : "", g->form->operands, g->form->version,
               g->form->target ? g->form->target : "");
    }
    return fflush(stdout) ? 1 : 0;
}
// SPDX-License-Identifier: Apache-2.0
