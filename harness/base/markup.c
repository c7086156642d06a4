/* Text in HTML and XML. */
#include "harness/base/markup.h"

void ck_markup_text(FILE *to, const char *text, bool lines)
{
    for (; text && *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        case '\n': fputs(lines ? "\n" : "&#10;", to); break;
        default:
            if ((unsigned char)*text < 0x20 && *text != '\t')
                fputs("\xEF\xBF\xBD", to);
            else
                putc(*text, to);
        }
    }
}

void ck_markup_attribute(FILE *to, const char *name, const char *value, bool lines)
{
    fprintf(to, " %s=\"", name);
    ck_markup_text(to, value, lines);
    putc('"', to);
}
// SPDX-License-Identifier: Apache-2.0
