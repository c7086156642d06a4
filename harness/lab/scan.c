/* What a submission may not do. The source is looked at once more than the compiler does, and more strictly: what is
 * refused here is legal C++ that a lab does not need. */
#include "harness/lab/scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 80 };

/* Source without splices, comments and literals: these are blanks, newlines stay. */
struct scan {
    const char *at;
    char *out; /* as long as the source, at most */
    size_t n;
    unsigned line, *lines; /* lines[i]: the source's line of line i of `out` */
    size_t line_count;
    char *why;
    size_t room;
};

static bool refuse(struct scan *x, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool refuse(struct scan *x, unsigned line, const char *format, ...)
{
    char words[300];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    snprintf(x->why, x->room, "line %u: %s", line, words);
    return false;
}

/* ---- characters ----------------------------------------------------------------------------------------------------
 */

/* Passes over spliced lines; the newlines are put out, so that lines keep their numbers in what follows. */
static void splices(struct scan *x)
{
    while (x->at[0] == '\\' && (x->at[1] == '\n' || (x->at[1] == '\r' && x->at[2] == '\n'))) {
        x->at += x->at[1] == '\r' ? 3 : 2;
        x->line++;
    }
}

static char next(struct scan *x)
{
    const char c = *x->at;

    if (c) {
        x->line += c == '\n';
        x->at++;
        splices(x);
    }
    return c;
}

static void put(struct scan *x, char c)
{
    x->out[x->n++] = c;
    if (c == '\n')
        x->lines[x->line_count++] = x->line;
}

/* What two compilers read differently, anywhere in the text. */
static bool characters(struct scan *x, const char *text, size_t size)
{
    unsigned line = 1;

    for (size_t i = 0; i < size; i++) {
        const char *p = text + i;
        line += *p == '\n';
        if (!*p)
            return refuse(x, line, "a NUL");
        if (*p == '\r' && p[1] != '\n')
            return refuse(x, line, "a carriage return without a newline");
        if (p[0] == '?' && p[1] == '?' && p[2] && strchr("=/'()!<>-", p[2]))
            return refuse(x, line, "a trigraph (??%c)", p[2]);
        if (*p == '\\' && strchr(" \t\v\f", p[1])) {
            const size_t blanks = strspn(p + 1, " \t\v\f\r");
            if (p[1] && p[1 + blanks] == '\n')
                return refuse(x, line, "blanks between a backslash and the end of the line");
        }
    }
    return true;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static bool comment(struct scan *x)
{
    const unsigned line = x->line;
    const bool block = next(x) && next(x) == '*';

    put(x, ' ');
    for (char before = 0; *x->at;) {
        if (!block && *x->at == '\n')
            return true;
        const char c = next(x);
        if (block && c == '\n')
            put(x, ' ');
        if (block && before == '*' && c == '/')
            return true;
        before = c;
    }
    return !block || refuse(x, line, "a comment that does not end");
}

static bool literal(struct scan *x)
{
    const unsigned line = x->line;
    const char quote = next(x);

    put(x, quote);
    for (char c; (c = next(x)) != quote;) {
        if (!c || c == '\n')
            return refuse(x, line, "a quote without its end on the line");
        if (c == '\\' && *x->at && *x->at != '\n')
            next(x);
        else
            put(x, c == '#' || c == '%' ? ' ' : c);
    }
    put(x, quote);
    return true;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool word(struct scan *x)
{
    static const char *const refused[] = { "_Pragma",        "__pragma", "__has_include", "__has_include_next",
                                           "__has_embed",    "__DATE__", "__TIME__",      "__TIMESTAMP__",
                                           "__BASE_FILE__",  "__FILE__", "__COUNTER__",   "__builtin_FILE",
                                           "source_location" };
    char text[WORD] = "";
    const bool number = isdigit((unsigned char)*x->at) != 0;
    char before = 0;

    for (size_t n = 0; is_letter(*x->at) || (number && (*x->at == '.' || (*x->at == '\'' && is_letter(x->at[1])) ||
                                                        (strchr("+-", *x->at) && *x->at && strchr("eEpP", before))));) {
        before = next(x);
        put(x, before);
        if (n < sizeof text - 1)
            text[n++] = before;
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(text, refused[i]))
            return refuse(x, x->line, "%s", text);
    if (*x->at == '"' && before == 'R' && strlen(text) <= 3)
        return refuse(x, x->line, "a raw string");
    return true;
}

/* Everything but directives. */
static bool tokens(struct scan *x)
{
    bool fine = true;

    splices(x);
    while (*x->at && fine) {
        const char c = *x->at;
        const unsigned line = x->line;
        if (is_letter(c)) {
            fine = word(x);
        } else if (c == '"' || c == '\'') {
            fine = literal(x);
        } else if (c == '\\') {
            fine = refuse(x, line, "a backslash that is not at the end of the line");
        } else if (c == '/') {
            struct scan ahead = *x;
            next(&ahead);
            if (*ahead.at == '/' || *ahead.at == '*')
                fine = comment(x);
            else
                put(x, next(x));
        } else {
            put(x, next(x));
        }
    }
    x->out[x->n] = 0;
    return fine;
}

/* ---- directives -------------------------------------------------------------------------------------------------- */

static bool is_one_of(const char *word, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == n && !strncmp(*list, word, n))
            return true;
    return false;
}

static const char *const headers[] = {
    "\"lab.cuh\"",
    "<cuda.h>",
    "<cuda_runtime.h>",
    "<cooperative_groups.h>",
    "<cuda/barrier>",
    "<cuda/pipeline>",
    "<cuda/atomic>",
    "<cuda/std/atomic>",
    "<cuda/std/barrier>",
    "<cuda/std/cstdint>",
    "<cuda/std/utility>",
    "<cuda/std/type_traits>",
    "<cuda/ptx>",
    "<cuda_pipeline.h>",
    "<cuda_fp16.h>",
    "<cuda_bf16.h>",
    "<cooperative_groups/memcpy_async.h>",
    "<cstdint>",
    "<stdint.h>",
    "<cstdio>",
    "<stdio.h>",
    "<cuda/__ptx/ptx>",
    NULL,
};

/* One directive; `at` is behind its sign. */
static bool directive(struct scan *x, const char *at, unsigned line)
{
    static const char *const plain[] = { "define", "undef", "if",    "ifdef", "ifndef",
                                         "elif",   "else",  "endif", "error", NULL };
    static const char *const pragmas[] = { "unroll", "nounroll", "once", NULL };
    const char *const blanks = " \t\v\f\r";
    size_t n, end;

    at += strspn(at, blanks);
    for (n = 0; is_letter(at[n]);)
        n++;
    if (!n && (!*at || *at == '\n'))
        return true;
    const char *rest = at + n + strspn(at + n, blanks);
    for (end = strcspn(rest, "\n"); end && strchr(blanks, rest[end - 1]);)
        end--;
    if (is_one_of(at, n, plain))
        return true;
    if (n == strlen("pragma") && !strncmp(at, "pragma", n)) {
        for (n = 0; is_letter(rest[n]);)
            n++;
        return is_one_of(rest, n, pragmas) || refuse(x, line, "#pragma %.*s", (int)n, rest);
    }
    if (n == strlen("include") && !strncmp(at, "include", n))
        return is_one_of(rest, end, headers) ||
               refuse(x, line, "#include %.*s: a lab includes \"lab.cuh\" and headers of CUDA only",
                      end < WORD ? (int)end : WORD, rest);
    return refuse(x, line, "#%.*s", n < WORD ? (int)n : WORD, at);
}

/* Whether two tokens are put together on this line. */
static bool pastes(const char *line, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++)
        if (!strncmp(line + i, "##", 2) || !strncmp(line + i, "%:%:", 4))
            return true;
    return false;
}

/* All directives of what tokens() has put out. */
static bool directives(struct scan *x)
{
    const char *p = x->out;

    for (size_t number = 0; number < x->line_count; number++) {
        const unsigned line = x->lines[number];
        const size_t length = strcspn(p, "\n");
        const char *at = p + strspn(p, " \t\v\f\r");
        const bool begins = *at == '#' || !strncmp(at, "%:", 2);
        if (begins && !directive(x, at + (*at == '#' ? 1 : 2), line))
            return false;
        if (pastes(p, length))
            return refuse(x, line, "## (a name put together of two)");
        p += length + (p[length] != 0);
    }
    return true;
}

bool lab_scan_source(const char *text, size_t size, char *why, size_t room)
{
    char *out = calloc(2, size + 1);
    unsigned *lines = calloc(2 * size + 2, sizeof *lines);
    struct scan x = { .at = text, .out = out, .line = 1, .lines = lines, .why = why, .room = room };
    bool fine = out && lines;

    if (fine) {
        x.lines[x.line_count++] = 1;
        fine = characters(&x, text, size) && tokens(&x) && directives(&x);
    } else {
        refuse(&x, 1, "no memory");
    }
    free(out);
    free(lines);
    return fine;
}

/* ---- PTX --------------------------------------------------------------------------------------------------------- */

/* Whether an asm statement says which file and line something stands in: compilers put such statements between comments
 * of their own. */
static bool says_lines(const char *text)
{
    static const char begin[] = "// begin inline asm", end[] = "// end inline asm";
    bool inside = false;

    for (size_t n; *text; text += n + (text[n] != 0)) {
        n = strcspn(text, "\n");
        const char *at = text + strspn(text, " \t{;");
        if (!strncmp(at, begin, strlen(begin)) || !strncmp(at, end, strlen(end)))
            inside = at[3] == 'b';
        else if (inside &&
                 (memmem(at, n - (size_t)(at - text), ".loc", 4) || memmem(at, n - (size_t)(at - text), ".file", 5)))
            return true;
    }
    return false;
}

bool lab_scan_ptx(const char *text, char *why, size_t room)
{
    static const char *const refused[] = { ".incbin", ".include" };

    if (says_lines(text)) {
        snprintf(why, room, ".loc or .file in an asm statement: it says of no line where it stands");
        return false;
    }

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strstr(text, refused[i])) {
            snprintf(why, room, "%s: a submission reads no files", refused[i]);
            return false;
        }
    return true;
}

bool lab_scan_module(const struct ptx_module *m, char *why, size_t room)
{
    static const char *const refused[] = { "clock",   "globaltimer", "smid",   "nsmid", "warpid",
                                           "nwarpid", "gridid",      "envreg", "pm" };

    for (uint32_t i = 0; i < m->n_operands; i++) {
        if (m->operands[i].kind != PO_special)
            continue;
        const char *name = ptx_specials[m->operands[i].reg].text + 1; /* behind the % */
        for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
            if (!strncmp(name, refused[k], strlen(refused[k]))) {
                snprintf(why, room, "the kernel reads %%%s, which no lab needs and which differs from run to run",
                         name);
                return false;
            }
    }
    return true;
}
// SPDX-License-Identifier: Apache-2.0
