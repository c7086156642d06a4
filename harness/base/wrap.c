/* Text broken into lines. */
#include "harness/base/wrap.h"

#include <stdbool.h>
#include <string.h>

void ck_wrap(FILE *to, size_t width, size_t column, size_t indent, const char *text)
{
    size_t n;

    for (bool first = true; *text; first = false, text += n + strspn(text + n, " \n")) {
        n = strcspn(text, " \n");
        if (!first && column + 1 + n > width) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putc(' ', to);
            column++;
        }
        fwrite(text, 1, n, to);
        column += n;
    }
    putc('\n', to);
}
// SPDX-License-Identifier: Apache-2.0
