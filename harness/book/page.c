/* The frame of the pages. */
#include "harness/book/page.h"

#include <string.h>

#include "harness/base/markup.h"

void book_page_name(char *out, size_t size, const char *id)
{
    snprintf(out, size, "rules/%s.html", id);
}

void book_text(FILE *to, const char *text)
{
    ck_markup_text(to, text, true);
}

void book_line(FILE *to, const char *line, bool marked)
{
    const int indent = (int)strspn(line, " ");

    fputs(marked ? "<mark>" : "", to);
    if (indent && !strchr("<>&\"", line[indent])) {
        fprintf(to, "<span class=i>%.*s</span>", indent + 1, line);
        line += indent + 1;
    }
    book_text(to, line);
    fputs(marked ? "</mark>\n" : "\n", to);
}

void book_page_begin(FILE *to, const char *title, const char *up)
{
    fprintf(
        to,
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\n"
        "<title>%s - copycheck</title>\n<link rel=stylesheet href=\"%sstyle.css\"></head>\n<body>\n"
        "<nav><a href=\"%sindex.html\">The rule book</a><a href=\"%sfindings.html\">Findings</a>"
        "<a href=\"%sprograms.html\">Programs to break and mend</a><a href=\"%swords.html\">Words</a></nav>\n",
        title, up, up, up, up, up);
}

void book_page_end(FILE *to)
{
    fputs("</body></html>\n", to);
}
// SPDX-License-Identifier: Apache-2.0
