/* The rule book: its folder and the pages that list rules. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/json.h"
#include "harness/base/whole.h"
#include "harness/book/book.h"
#include "harness/book/parts.h"
#include "harness/reports/embedded.h"

/* A file of the book that is being written. */
struct page {
    struct whole_file file;
    char path[4096];
};

static FILE *begin(struct page *page, const struct book *book, const char *name, char *error, size_t size)
{
    snprintf(page->path, sizeof page->path, "%s/%s", book->folder, name);
    if (whole_open(&page->file, page->path))
        return page->file.to;
    snprintf(error, size, "%s: %s", page->path, strerror(errno));
    return NULL;
}

static bool end(struct page *page, char *error, size_t size)
{
    if (whole_close(&page->file, true))
        return true;
    snprintf(error, size, "%s: %s", page->path, strerror(errno));
    return false;
}

static bool write_text(const struct book *book, const char *name, const char *text, char *error, size_t size)
{
    struct page page = { .path = "" };
    FILE *to = begin(&page, book, name, error, size);

    if (!to)
        return false;
    fputs(text, to);
    return end(&page, error, size);
}

/* BOOK, for the search: [id, sentence, can it be relied on] for each rule. */
static bool write_index(const struct book *book, char *error, size_t size)
{
    struct page page = { .path = "" };
    FILE *to = begin(&page, book, "index.js", error, size);

    if (!to)
        return false;
    fputs("const BOOK = [\n", to);
    for (size_t i = 0; ck_rules[i]; i++) {
        fputs("[", to);
        json_write_string(to, ck_rules[i]->id);
        putc(',', to);
        json_write_string(to, ck_rules[i]->sentence);
        fprintf(to, ",\"%s\"],\n", book_rely_word(book_rely(&book->evidence, i)));
    }
    fputs("];\n", to);
    return end(&page, error, size);
}

/* How many rules a family has: listings have none of their own. */
static unsigned long rules_of(const char *family)
{
    unsigned long count = 0;

    for (size_t i = 0; ck_rules[i]; i++)
        count += !strcmp(ck_rules[i]->family, family);
    return count;
}

/* What a family is about, "" where that is not said. */
static const char *subject_of(const char *family)
{
    static const char *const subjects[][2] = {
#define SUBJECT(family_, words_) { family_, words_ },
#include "harness/book/subjects.def"
#undef SUBJECT
    };

    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (!strcmp(subjects[i][0], family))
            return subjects[i][1];
    return "";
}

/* A family's row: how many of its rules can be relied on. */
static void family_row(FILE *to, const struct book *book, const char *family)
{
    unsigned long of[BOOK_UNCHECKED + 1] = { 0 };

    for (size_t i = 0; ck_rules[i]; i++)
        if (!strcmp(ck_rules[i]->family, family))
            of[book_rely(&book->evidence, i)]++;
    fprintf(to, "<tr><td class=t><a href=\"family-%s.html\">%s</a></td><td class=t>", family, family);
    book_text(to, subject_of(family));
    fprintf(to, "</td><td data-h=rules>%lu</td>", rules_of(family));
    for (int r = BOOK_YES; r <= BOOK_UNCHECKED; r++)
        if (of[r])
            fprintf(to, "<td data-h=\"%s\">%lu</td>", book_rely_word((enum book_rely)r), of[r]);
        else
            fputs("<td class=none>-</td>", to);
    fputs("</tr>\n", to);
}

static bool write_first_page(const struct book *book, char *error, size_t size)
{
    struct page page = { .path = "" };
    FILE *to = begin(&page, book, "index.html", error, size);

    if (!to)
        return false;
    book_page_begin(to, "The rule book", "");
    fprintf(to,
            "<main><h1>The rules of CUDA's asynchronous copies</h1>\n<p>%s rules: what each says and where that is "
            "written, right and wrong, what machines and toolkits did, and what the emulator says of a mistake.</p>\n"
            "<form class=filter hidden><label>Search <input type=search id=w autocomplete=off "
            "placeholder=\"words of a rule: fence proxy store\"></label> <span id=n class=mute aria-live=polite></span>"
            "</form>\n<noscript><p>The search needs JavaScript; the families below lead to every rule without it.</p>"
            "</noscript>\n<ul class=rules id=found></ul>\n"
            "<div class=wide><table class=stack><thead><tr><th rowspan=2>family</th><th class=t rowspan=2>about</th>"
            "<th rowspan=2>rules</th><th class=c colspan=4>can I rely on them?</th></tr><tr>",
            ck_thousands(book_rule_count()));
    for (int r = BOOK_YES; r <= BOOK_UNCHECKED; r++)
        fprintf(to, "<th>%s</th>", book_rely_word((enum book_rely)r));
    fputs("</tr></thead><tbody>\n", to);
    for (size_t f = 0; ck_families[f]; f++)
        if (rules_of(ck_families[f]))
            family_row(to, book, ck_families[f]);
    fputs(
        "</tbody></table></div>\n<p class=mute>\"yes\": documented, and kept wherever it was checked. \"as recorded\": in no "
        "document, seen on the machines that the page of the rule names. \"no\": often said, but in no document; or not kept "
        "everywhere. \"not checked\": the page says why.</p></main>\n"
        "<script src=\"index.js\"></script>\n<script src=\"book.js\"></script>\n",
        to);
    book_page_end(to);
    return end(&page, error, size);
}

static bool write_family(const struct book *book, const char *family, char *error, size_t size)
{
    struct page page = { .path = "" };
    char name[128];
    FILE *to;

    snprintf(name, sizeof name, "family-%s.html", family);
    to = begin(&page, book, name, error, size);
    if (!to)
        return false;
    book_page_begin(to, family, "");
    fprintf(
        to,
        "<main><h1>%s</h1>\n<p>%s.</p>\n<table class=stack><thead><tr><th>rule</th><th class=t>says</th><th class=t>can I rely on it?"
        "</th></tr></thead><tbody>\n",
        family, subject_of(family));
    for (size_t i = 0; ck_rules[i]; i++) {
        if (strcmp(ck_rules[i]->family, family) != 0)
            continue;
        fprintf(to, "<tr><td class=t><a href=\"rules/%s.html\"><code>%s</code></a></td><td class=t>", ck_rules[i]->id,
                ck_rules[i]->id);
        book_text(to, ck_rules[i]->sentence);
        fprintf(to, "</td><td class=t data-h=\"can I rely on it?\">%s</td></tr>\n",
                book_rely_word(book_rely(&book->evidence, i)));
    }
    fputs("</tbody></table></main>\n", to);
    book_page_end(to);
    return end(&page, error, size);
}

/* The words that other pages link to. */
static const char *const book_words[] = { "engine", "point", "mutant", "breach" };

/* A page of one of the documents. */
static bool write_document(struct book *book, const char *name, const char *title, const char *path, char *error,
                           size_t size)
{
    const char *text = book_source(&book->sources, path);
    struct page page = { .path = "" };
    FILE *to = begin(&page, book, name, error, size);

    if (!to)
        return false;
    book_page_begin(to, title, "");
    fputs("<main>\n", to);
    if (text) {
        book_markdown(to, text);
    } else {
        fprintf(to, "<h1>%s</h1>\n<p>%s was not there when this book was made.</p>\n", title, path);
        for (size_t i = 0; i < sizeof book_words / sizeof *book_words; i++)
            fprintf(to, "<span id=w-%s></span>", book_words[i]);
    }
    fputs("</main>\n", to);
    book_page_end(to);
    return end(&page, error, size);
}

static bool write_programs(struct book *book, char *error, size_t size)
{
    struct page page = { .path = "" };
    FILE *to = begin(&page, book, "programs.html", error, size);

    if (!to)
        return false;
    book_page_begin(to, "Programs to break and mend", "");
    fputs("<main><h1>Programs to break and mend</h1>\n<p>Each is wrong in one line.", to);
    fputs(
        book->play
            ? " Any kernel can be put in place of one: the line above it says how it is launched, in the words "
              "of <code>copycheck check</code>.</p>\n"
            : " A book that is made where emscripten is installed (<code>apt-get install emscripten; make book</code>) "
              "has the emulator in it: then each program can be changed and judged in the page.</p>\n",
        to);
    book_programs(to, book, NULL);
    fputs("</main>\n", to);
    if (book->play)
        fputs("<script src=\"play.js\"></script>\n", to);
    book_page_end(to);
    return end(&page, error, size);
}

static bool write_rule(struct book *book, size_t rule, char *error, size_t size)
{
    struct page page = { .path = "" };
    char name[256];
    FILE *to;

    book_page_name(name, sizeof name, ck_rules[rule]->id);
    to = begin(&page, book, name, error, size);
    if (!to)
        return false;
    book_rule_page(to, book, rule);
    return end(&page, error, size);
}

static bool make_folders(const struct book_options *options, char *error, size_t size)
{
    char rules[4096];

    snprintf(rules, sizeof rules, "%s/rules", options->folder);
    if ((mkdir(options->folder, 0777) && errno != EEXIST) || (mkdir(rules, 0777) && errno != EEXIST)) {
        snprintf(error, size, "%s: %s", options->folder, strerror(errno));
        return false;
    }
    return true;
}

static bool write_pages(struct book *book, unsigned *pages, char *error, size_t size)
{
    bool held = write_text(book, "style.css", ck_style_css, error, size) &&
                write_text(book, "book.js", ck_book_js, error, size) &&
                (!book->play || write_text(book, "play.js", ck_play_js, error, size)) &&
                write_index(book, error, size) && write_first_page(book, error, size) &&
                write_document(book, "findings.html", "Findings", "docs/findings.md", error, size) &&
                write_document(book, "words.html", "Words", "docs/vocabulary.md", error, size) &&
                write_programs(book, error, size);

    *pages = 4;
    for (size_t f = 0; ck_families[f] && held; f++)
        if (rules_of(ck_families[f])) {
            held = write_family(book, ck_families[f], error, size);
            ++*pages;
        }
    for (size_t i = 0; ck_rules[i] && held; i++, ++*pages)
        held = write_rule(book, i, error, size);
    return held;
}

bool book_write(const struct book_options *options, unsigned *pages, char *error, size_t size)
{
    struct book book = { .folder = options->folder, .play = options->play };
    bool held = make_folders(options, error, size);

    if (!held)
        return false;
    if (!book_sources_open(&book.sources, options->sources)) {
        snprintf(error, size, "out of memory");
        held = false;
    }
    if (held && !book_labs_read(&book.labs, options->sources, options->recorded)) {
        snprintf(error, size, "out of memory");
        held = false;
    }
    book.findings = book_source(&book.sources, "docs/findings.md");
    held = held && ck_plan_make(ck_suites, false, &book.plan, error, size);
    if (held) {
        held = book_examples_open(&book) && book_evidence_read(options->recorded, &book.evidence, error, size) &&
               write_pages(&book, pages, error, size);
        book_evidence_free(&book.evidence);
        ck_plan_free(&book.plan);
        free(book.firsts);
    }
    book_labs_free(&book.labs);
    book_sources_free(&book.sources);
    return held;
}
// SPDX-License-Identifier: Apache-2.0
