/* Findings in the words of the student's source. */
#include "harness/lab/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/append.h"

unsigned lab_source_line(const struct ptx_module *m, const struct ptx_instruction *i)
{
    char where[1000] = "";
    const char *end;

    if (!i)
        return 0;
    ptx_source_called(m, i, where, sizeof where);
    end = strrchr(where, ':');
    return end ? (unsigned)strtoul(end + 1, NULL, 10) : 0;
}

/* The source's line of what stands on a line of PTX; 0 where that is not known. */
static unsigned line_of_ptx(const struct ptx_module *m, unsigned line)
{
    for (uint32_t k = 0; k < m->n_functions; k++) {
        const struct ptx_function *f = &m->functions[k];
        for (uint32_t i = 0; i < f->n_instructions; i++)
            if (m->instructions[f->instructions + i].line == line)
                return lab_source_line(m, &m->instructions[f->instructions + i]);
    }
    return 0;
}

/* ---- a finding's text -------------------------------------------------------------------------------------------- */

enum { LINES = 8 }; /* that a list names */

/* Numbers of lines as a text names them: "line 7", "lines 7 to 9", "lines 7, 8 and 12". */
struct lines {
    unsigned of[LINES], count;
    const char *between[LINES]; /* behind each but the last one */
};

/* Those at `p`: how many bytes that takes; 0 where it is no such thing. */
static size_t lines_at(const char *p, struct lines *x)
{
    static const char *const words[] = { " to ", " and ", ", " };
    const bool several = !strncmp(p, "lines ", 6);
    const char *const begin = p;
    char *end;

    if (!several && strncmp(p, "line ", 5))
        return 0;
    p += strcspn(p, " ") + 1;
    x->count = 0;
    while (x->count < LINES && isdigit((unsigned char)*p)) {
        const char *next = NULL;
        x->of[x->count] = (unsigned)strtoul(p, &end, 10);
        p = end;
        for (size_t i = 0; i < sizeof words / sizeof *words && several && !next; i++)
            if (!strncmp(p, words[i], strlen(words[i])) && isdigit((unsigned char)p[strlen(words[i])]))
                next = words[i];
        x->between[x->count++] = next;
        if (!next || x->count == LINES)
            break;
        p += strlen(next);
    }
    return x->count ? (size_t)(p - begin) : 0;
}

/* Lines of the source in place of those, each once; as they are, and called lines of PTX, where one of them has none.
 * Says which of the two it is. */
static bool put_lines(const struct ptx_module *m, const struct lines *x, char *out, size_t size)
{
    unsigned own[LINES] = { 0 }, n = 0;
    bool known = true;

    for (unsigned i = 0; i < x->count; i++) {
        own[i] = line_of_ptx(m, x->of[i]);
        known &= own[i] != 0;
    }
    for (unsigned i = 0; i < x->count; i++) {
        const unsigned line = known ? own[i] : x->of[i];
        unsigned k = 0;
        while (k < n && own[k] != line)
            k++;
        if (k == n)
            own[n++] = line;
    }
    ck_append(out, size, "%s%s", known ? "" : "PTX ", n > 1 ? "lines" : "line");
    for (unsigned i = 0; i < n; i++)
        ck_append(out, size, "%s%u", !i ? " " : i + 1 < n ? ", " : x->between[x->count - 2], own[i]);
    return known;
}

/* Behind a line, in brackets: its PTX and its place in the source, as in "(line 86: mov.u32 %r1, 0; maps.cu:17)". How
 * many bytes that takes, without the bracket. */
static size_t ptx_at(const char *p)
{
    const char *end = strncmp(p, ": ", 2) ? NULL : strstr(p, "; ");

    end = end ? strchr(end, ')') : NULL;
    return end ? (size_t)(end - p) : 0;
}

void lab_own_words(const struct ptx_module *m, bool source, bool flat, const char *text, char *out, size_t size)
{
    struct lines lines;
    char before = ' ';
    int depth = 0; /* of brackets */
    size_t n;

    *out = 0;
    while (*text) {
        const bool starts = !isalnum((unsigned char)before) && before != ',';
        depth += (*text == '(') - (*text == ')' && depth);
        if (starts && source && (n = lines_at(text, &lines)) != 0) {
            if (put_lines(m, &lines, out, size) && lines.count == 1 && depth)
                n += ptx_at(text + n);
        } else {
            n = strspn(text, "0123456789");
            const bool more = strlen(text + n) > 5 && text[n + 4] == ',' && isdigit((unsigned char)text[n + 5]);
            const bool triple = starts && flat && n && !strncmp(text + n, ",0,0", 4) && !more;
            n = n ? n : 1;
            ck_append(out, size, "%.*s", (int)n, text);
            n += triple ? strlen(",0,0") : 0;
        }
        text += n;
        before = text[-1];
    }
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

/* The last word of a declaration that ends at `end`. */
static bool last_word(const char *begin, const char *end, char *out, size_t room)
{
    const char *word;

    while (end > begin && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
        end--;
    for (word = end; word > begin && (isalnum((unsigned char)word[-1]) || word[-1] == '_');)
        word--;
    snprintf(out, room, "%.*s", (int)(end - word), word);
    return end > word && (size_t)(end - word) < room;
}

/* The names in a list of parameters, whose '(' is at `p`. */
static bool names_at(const char *p, size_t count, size_t room, char names[][room])
{
    size_t n = 0;
    int depth = 0;

    for (const char *begin = p + 1; *p; p++) {
        depth += (*p == '(' || *p == '<') - (*p == ')' || *p == '>');
        if ((*p == ',' && depth == 1) || (*p == ')' && !depth)) {
            if (n == count || !last_word(begin, p, names[n], room))
                return false;
            n++;
            begin = p + 1;
        }
        if (!depth)
            return n == count;
        if (*p == ';' || *p == '{')
            return false;
    }
    return false;
}

bool lab_parameter_names(const char *source, const char *kernel, size_t count, size_t room, char names[][room])
{
    const size_t length = strlen(kernel);

    for (const char *p = source; (p = strstr(p, kernel)) != NULL; p += length) {
        const char *open = p + length + strspn(p + length, " \t\n");
        const bool whole = p > source && isspace((unsigned char)p[-1]);
        if (whole && *open == '(' && names_at(open, count, room, names))
            return true;
    }
    return false;
}
// SPDX-License-Identifier: Apache-2.0
