/* The pages of the listings. */
#include "harness/plan/page.h"

#include <string.h>

static const char begin[] = "/* listing.";

/* The next line that begins a page, or the end of the text. */
static const char *next_page(const char *text)
{
    while (*text && strncmp(text, begin, strlen(begin)) != 0) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

/* The comment that begins a file is about the file, not about a page. */
static const char *behind_comment(const char *text)
{
    const char *const end = strncmp(text, "/*", 2) == 0 ? strstr(text, "*/\n") : NULL;

    return end ? end + 3 : text;
}

static unsigned long line_of(const char *text, const char *at)
{
    unsigned long line = 1;

    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* Prints lines, without empty ones at the end. */
static void print_lines(FILE *to, const char *from, const char *end)
{
    while (end > from && end[-1] == '\n')
        end--;
    while (from < end) {
        const char *const line = memchr(from, '\n', (size_t)(end - from));
        const char *const stop = line ? line : end;

        fprintf(to, stop > from ? "    %.*s\n" : "\n", (int)(stop - from), from);
        from = stop + 1;
    }
}

/* Where a page of a case's file ends: behind its function. */
static const char *function_end(const char *page)
{
    const char *const end = strstr(page, "\n}\n");

    return end ? end + 3 : page + strlen(page);
}

static void print_page(FILE *to, const struct ck_page_file *file, const char *page)
{
    const char *const head = behind_comment(file->text), *const first = next_page(file->text);

    fprintf(to, "\n%s, line %lu\n\n", file->file, line_of(file->text, page));
    if (!strncmp(file->file, "tests/", 6)) {
        print_lines(to, page, function_end(page));
        return;
    }
    if (first > head) {
        print_lines(to, head, first);
        putc('\n', to);
    }
    print_lines(to, page, next_page(page + 1));
}

int ck_page_print(FILE *to, const char *id)
{
    const size_t length = strlen(id);
    int count = 0;

    for (const struct ck_page_file *f = ck_pages; f->file; f++)
        for (const char *p = next_page(f->text); *p; p = next_page(p + 1)) {
            if (strncmp(p + 3, id, length) != 0 || p[3 + length] != ':')
                continue;
            count++;
            if (to)
                print_page(to, f, p);
        }
    return count;
}
// SPDX-License-Identifier: Apache-2.0
