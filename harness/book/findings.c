/* docs/findings.md as a page: the little of Markdown that it uses. An entry begins with "**Title** (`rule`, ...)". */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/book/parts.h"

/* A line of the text. */
struct line {
    const char *text;
    int size;
};

static struct line line_at(const char *text)
{
    return (struct line){ text, (int)strcspn(text, "\n") };
}

static const char *next_line(const char *text)
{
    text += strcspn(text, "\n");
    return *text ? text + 1 : text;
}

static void escaped(FILE *to, const char *text, int size)
{
    char *copy = strndup(text, (size_t)size);

    if (copy)
        book_text(to, copy);
    free(copy);
}

/* A rule's name in code is a link to its page. */
static void code(FILE *to, const char *text, int size)
{
    char id[256];

    snprintf(id, sizeof id, "%.*s", size, text);
    if (ck_rule_find(id))
        fprintf(to, "<a href=\"rules/%s.html\">", id);
    fputs("<code>", to);
    escaped(to, text, size);
    fputs(ck_rule_find(id) ? "</code></a>" : "</code>", to);
}

/* A text with `code`, **bold** and [words](address): of a link only the words stay. */
static void words(FILE *to, const char *text, int size)
{
    const char *const end = text + size;

    while (text < end) {
        const char *stop = NULL, *from = text;

        if (*text == '`' && (stop = memchr(text + 1, '`', (size_t)(end - text - 1))) != NULL) {
            code(to, text + 1, (int)(stop - text - 1));
            text = stop + 1;
        } else if (!strncmp(text, "**", 2) && (stop = strstr(text + 2, "**")) != NULL && stop < end) {
            fputs("<b>", to);
            words(to, text + 2, (int)(stop - text - 2));
            fputs("</b>", to);
            text = stop + 2;
        } else if (*text == '[' && (stop = strstr(text, "](")) != NULL && stop < end && strchr(stop, ')') &&
                   strchr(stop, ')') < end) {
            words(to, text + 1, (int)(stop - text - 1));
            text = strchr(stop, ')') + 1;
        } else {
            text++;
            while (text < end && *text != '`' && *text != '*' && *text != '[')
                text++;
            escaped(to, from, (int)(text - from));
        }
    }
}

enum block { NONE, PARAGRAPH, LIST, TABLE, CODE };

static void close_block(FILE *to, enum block *open)
{
    static const char *const ends[] = { "", "</p>\n", "</li></ul>\n", "</tbody></table></div>\n", "</pre>\n" };

    fputs(ends[*open], to);
    *open = NONE;
}

static void open_block(FILE *to, enum block *open, enum block block, const char *begin)
{
    close_block(to, open);
    fputs(begin, to);
    *open = block;
}

/* The first word of a cell becomes an anchor, w-WORD, where words are explained. */
static void anchor(FILE *to, struct line l)
{
    const char *word = l.text + strspn(l.text, "| ");
    const int n = (int)strspn(word, "abcdefghijklmnopqrstuvwxyz-");

    if (n)
        fprintf(to, " id=w-%.*s", n, word);
}

static void row(FILE *to, struct line l, bool head, bool anchored)
{
    const char *at = l.text + 1, *end = l.text + l.size;

    fputs(head ? "<thead><tr" : "<tr", to);
    if (anchored && !head)
        anchor(to, l);
    putc('>', to);
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));

        if (!bar)
            break;
        fputs(head ? "<th class=t>" : "<td class=t>", to);
        words(to, at, (int)(bar - at));
        fputs(head ? "</th>" : "</td>", to);
        at = bar + 1;
    }
    fputs(head ? "</tr></thead><tbody>\n" : "</tr>\n", to);
}

static void list_item(FILE *to, enum block *open, struct line l)
{
    if (*open == LIST)
        fputs("</li><li>", to);
    else
        open_block(to, open, LIST, "<ul><li>");
    words(to, l.text + 2, l.size - 2);
}

/* A line that begins nothing, or begins a paragraph. */
static void plain(FILE *to, enum block *open, struct line l, unsigned *entry)
{
    while (l.size && *l.text == ' ')
        l.text++, l.size--;
    if (!strncmp(l.text, "**", 2) && *open != LIST) {
        open_block(to, open, PARAGRAPH, "");
        fprintf(to, "<p id=f%u>", ++*entry);
    } else if (*open == NONE || *open == TABLE || *open == CODE) {
        open_block(to, open, PARAGRAPH, "<p>");
    } else {
        putc(' ', to);
    }
    words(to, l.text, l.size);
}

/* Links to the sections. */
static void contents(FILE *to, const char *markdown)
{
    unsigned section = 0;

    fputs("<p class=screen>", to);
    for (const char *at = markdown; *at; at = next_line(at)) {
        const struct line l = line_at(at);

        if (strncmp(at, "## ", 3) != 0)
            continue;
        section++;
        fprintf(to, "%s<a href=\"#s%u\">", section > 1 ? " &middot; " : "", section);
        words(to, at + 3, l.size - 3);
        fputs("</a>", to);
    }
    fputs("</p>\n", to);
}

void book_markdown(FILE *to, const char *markdown)
{
    enum block open = NONE;
    unsigned entry = 0, section = 0;

    for (const char *at = markdown; *at; at = next_line(at)) {
        const struct line l = line_at(at);

        if (!l.size) {
            close_block(to, &open);
        } else if (*at == '#') {
            const int level = (int)strspn(at, "#");

            close_block(to, &open);
            section += level == 2;
            fprintf(to, level == 2 ? "<h%d id=s%u>" : "<h%d>", level, section);
            words(to, at + level + 1, l.size - level - 1);
            fprintf(to, "</h%d>\n", level);
            if (level == 1)
                contents(to, markdown);
        } else if (!strncmp(at, "- ", 2)) {
            list_item(to, &open, l);
        } else if (*at == '|') {
            if (open != TABLE)
                open_block(to, &open, TABLE, "<div class=wide><table>\n");
            if (strncmp(at, "|--", 3) != 0)
                row(to, l, !strncmp(next_line(at), "|--", 3), section == 1);
        } else if (!strncmp(at, "    ", 4) && open != LIST && open != PARAGRAPH) {
            if (open != CODE)
                open_block(to, &open, CODE, "<pre>");
            escaped(to, at + 4, l.size - 4);
            putc('\n', to);
        } else {
            plain(to, &open, l, &entry);
        }
    }
    close_block(to, &open);
}

static unsigned dots(const char *text)
{
    unsigned count = 0;

    for (; *text; text++)
        count += *text == '.';
    return count;
}

/* Whether the entry's text has the rule in code, or a glob with as many dots that fits it, or a case of it. */
static bool names(const char *text, const char *end, const char *rule)
{
    char word[256];

    while ((text = memchr(text, '`', (size_t)(end - text))) != NULL) {
        const char *stop = memchr(text + 1, '`', (size_t)(end - text - 1));

        if (!stop)
            return false;
        if (text[1] == *rule) { /* most do not: this is asked for each rule */
            snprintf(word, sizeof word, "%.*s", (int)(stop - text - 1), text + 1);
            word[strcspn(word, "/:~")] = '\0';
            if (dots(word) && dots(word) == dots(rule) && !fnmatch(word, rule, 0))
                return true;
        }
        text = stop + 1;
        if (text >= end)
            return false;
    }
    return false;
}

void book_findings_of(const char *markdown, const char *rule,
                      void (*found)(void *user, unsigned number, const char *title), void *user)
{
    unsigned number = 0;

    for (const char *at = markdown; *at; at = next_line(at)) {
        const char *end, *stop;
        char title[200];

        if (strncmp(at, "**", 2) != 0 || (at > markdown && strncmp(at - 2, "\n\n", 2) != 0))
            continue;
        number++;
        end = strstr(at, "\n\n") ? strstr(at, "\n\n") : at + strlen(at);
        stop = strstr(at + 2, "**");
        if (!stop || stop > end || !names(at, end, rule))
            continue;
        snprintf(title, sizeof title, "%.*s", (int)(stop - at - 2), at + 2);
        for (char *c = title; *c; c++)
            *c = *c == '\n' ? ' ' : *c;
        found(user, number, title);
    }
}
// SPDX-License-Identifier: Apache-2.0
