/* Small PTX programs that break a rule in one line, and the playgrounds in which a reader changes them.
 *
 * A program of docs/examples begins with comments: what it is about, "rules" with globs of the rules that it shows, and
 * the lines of its spec. A line that is wrong ends in "// mend: " and what would be right in its place. */
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"
#include "harness/base/folder.h"
#include "harness/book/parts.h"

static const char folder[] = "docs/examples", mend[] = "// mend: ";

/* A program taken apart. */
struct program {
    char about[400], rules[400], spec[400];
    struct ck_growing wrong, right;
};

static bool add_line(struct program *p, const char *line, size_t size)
{
    char *text = strndup(line, size);
    char *at = text ? strstr(text, mend) : NULL;
    bool held = text != NULL;

    if (at) {
        const int indent = (int)strspn(text, " ");

        held = ck_grow(&p->right, "%*s%s\n", indent, "", at + strlen(mend));
        while (at > text && at[-1] == ' ')
            at--;
        *at = '\0';
        held = held && (!*text || ck_grow(&p->wrong, "%s\n", text));
    } else if (held) {
        held = ck_grow(&p->wrong, "%s\n", text) && ck_grow(&p->right, "%s\n", text);
    }
    free(text);
    return held;
}

static bool take_apart(const char *text, struct program *p)
{
    bool held = true;

    *p = (struct program){ 0 };
    while (*text && held) {
        const size_t size = strcspn(text, "\n");

        if (strncmp(text, "// ", 3) != 0)
            held = add_line(p, text, size);
        else if (!strncmp(text, "// rules ", 9))
            snprintf(p->rules, sizeof p->rules, "%.*s", (int)size - 9, text + 9);
        else if (!*p->about)
            snprintf(p->about, sizeof p->about, "%.*s", (int)size - 3, text + 3);
        else
            ck_append(p->spec, sizeof p->spec, "%.*s\n", (int)size - 3, text + 3);
        text += size + (text[size] == '\n');
    }
    return held;
}

static void program_free(struct program *p)
{
    ck_growing_free(&p->wrong);
    ck_growing_free(&p->right);
}

static bool shows(const struct program *p, const char *rule)
{
    const char *words = p->rules;
    char word[128];

    while (ck_listing_word(&words, word, sizeof word))
        if (!fnmatch(word, rule, 0))
            return true;
    return false;
}

/* The text of one side; lines that the other side lacks are marked. */
static void side(FILE *to, const char *head, const char *text, const char *other)
{
    fprintf(to, "<div><h3>%s</h3><pre>", head);
    while (*text) {
        const size_t size = strcspn(text, "\n");
        char line[512];

        snprintf(line, sizeof line, "%.*s\n", (int)size, text);
        const bool marked = !strstr(other, line);
        line[strlen(line) - 1] = '\0';
        book_line(to, line, marked);
        text += size + (text[size] == '\n');
    }
    fputs("</pre></div>\n", to);
}

static void hidden(FILE *to, const char *class, const char *text)
{
    fprintf(to, "<template class=%s>", class);
    book_text(to, text);
    fputs("</template>", to);
}

static const char answer[] = "<noscript><p>The emulator runs in the page by JavaScript.</p></noscript>"
                             "<p class=running hidden><i></i> <span></span> <button type=button>stop</button></p>"
                             "<pre class=answer aria-live=polite></pre>\n";

static void playground(FILE *to, const struct program *p)
{
    fputs("<details class=\"play screen\"><summary>Try it: change a line and see what the emulator says</summary>\n"
          "<p><label>Launched with <input class=spec size=60 value=\"",
          to);
    for (const char *c = p->spec; *c; c++) {
        const char one[2] = { *c, '\0' };

        book_text(to, *c == '\n' ? c[1] ? "; " : "" : one);
    }
    fputs("\"></label></p>\n<textarea spellcheck=false aria-label=\"PTX\">\n", to);
    book_text(to, p->wrong.data);
    fputs("</textarea>\n", to);
    hidden(to, "wrong", p->wrong.data);
    hidden(to, "right", p->right.data);
    fprintf(to,
            "<p><button type=button data-text=right>mend it</button> <button type=button data-text=wrong>break it "
            "again</button></p>%s<details class=picture hidden><summary>The picture of the launch</summary>"
            "<iframe title=\"the launch\"></iframe></details></details>\n",
            answer);
}

void book_play_module(FILE *to, const char *module)
{
    fputs("<details class=\"play screen\"><summary>Try it: change the module and see whether it is taken</summary>"
          "<textarea spellcheck=false aria-label=\"PTX\">\n",
          to);
    book_text(to, module);
    fprintf(to, "</textarea>\n%s</details>\n", answer);
}

/* The first rule that a program is about. */
static void main_rule(FILE *to, const struct program *p)
{
    const int n = (int)strcspn(p->rules, " ");

    fprintf(to, " It breaks <a href=\"rules/%.*s.html\"><code>%.*s</code></a>.", n, p->rules, n, p->rules);
}

/* On the page of all programs each one says which rule it breaks, and has an anchor, p-NAME. */
static void show(FILE *to, const struct book *book, const char *path, const struct program *p, bool all)
{
    const char *name = path + strlen(folder) + 1;

    fprintf(to, all ? "<h3 id=p-%.*s>" : "<h3>", (int)strcspn(name, "."), name);
    fputs("A small program <span class=mute>", to);
    book_text(to, path);
    fputs("</span></h3>\n<p>", to);
    book_text(to, p->about);
    if (all)
        main_rule(to, p);
    fputs("</p>\n<div class=sides>", to);
    side(to, "Wrong", p->wrong.data, p->right.data);
    side(to, "Right", p->right.data, p->wrong.data);
    fputs("</div>\n", to);
    if (book->play)
        playground(to, p);
}

static int is_ptx(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && !strcmp(dot, ".ptx");
}

void book_programs(FILE *to, struct book *book, const char *rule)
{
    struct dirent **names = NULL;
    char path[4096];
    int count;

    snprintf(path, sizeof path, "%s/%s", book->sources.folder, folder);
    count = ck_folder_list(path, is_ptx, &names);
    for (int i = 0; i < count && !rule; i++) {
        const int n = (int)strcspn(names[i]->d_name, ".");

        fprintf(to, "%s<a href=\"#p-%.*s\">%.*s</a>%s", i ? " &middot; " : "<p class=screen>", n, names[i]->d_name, n,
                names[i]->d_name, i + 1 == count ? "</p>\n" : "");
    }
    for (int i = 0; i < count; i++) {
        const char *text;
        struct program p;

        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        text = book_source(&book->sources, path);
        if (text && take_apart(text, &p) && p.wrong.data && p.right.data && (!rule || shows(&p, rule)))
            show(to, book, path, &p, !rule);
        if (text)
            program_free(&p);
        free(names[i]);
    }
    free(names);
}
// SPDX-License-Identifier: Apache-2.0
