/* PTX text, looked at from outside. */
#include "harness/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/file.h"

bool ck_text_read(const char *path, struct ck_text *out, char *error, size_t size)
{
    const bool standard = !strcmp(path, "-");
    const char *why;
    FILE *f = ck_file_open(path, &why);
    size_t room = 0, n;

    *out = (struct ck_text){ 0 };
    if (!f) {
        snprintf(error, size, "%s: %s", path, why);
        return false;
    }
    do {
        if (out->size > CK_TEXT_MAX) {
            errno = EFBIG;
            goto fail;
        }
        if (room - out->size < 4096) {
            char *more;
            room = room ? room * 2 : 16384;
            more = realloc(out->data, room);
            if (!more) {
                errno = ENOMEM;
                goto fail;
            }
            out->data = more;
        }
        n = fread(out->data + out->size, 1, room - out->size - 1, f);
        out->size += n;
    } while (n);
    if (ferror(f))
        goto fail;
    out->data[out->size] = 0;
    ck_file_close(f);
    return true;
fail:
    snprintf(error, size, "%s: %s", standard ? "standard input" : path, strerror(errno));
    ck_file_close(f);
    ck_text_free(out);
    return false;
}

void ck_text_free(struct ck_text *text)
{
    free(text->data);
    *text = (struct ck_text){ 0 };
}

bool ck_text_close(FILE *to, char **text)
{
    const bool failed = ferror(to), fine = !fclose(to) && !failed && *text;

    if (!fine) {
        free(*text);
        *text = NULL;
        errno = ENOMEM;
    }
    return fine;
}

char *ck_text_load(const char *path, size_t *size)
{
    struct ck_text text;
    char error[512];

    if (!ck_text_read(path, &text, error, sizeof error))
        return NULL;
    if (size)
        *size = text.size;
    return text.data;
}

bool ck_text_kernel(const char *index, const char *entry, char *file, size_t size)
{
    const size_t n = strlen(entry);

    for (const char *line = index; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "")
        if (!strncmp(line, entry, n) && line[n] == ' ') {
            snprintf(file, size, "%.*s", (int)strcspn(line + n + 1, "\n"), line + n + 1);
            return true;
        }
    return false;
}

/* Behind white space and comments; counts the lines passed. */
static const char *skip_blank(const char *p, int *line)
{
    for (;;) {
        if (isspace((unsigned char)*p)) {
            *line += *p++ == '\n';
        } else if (p[0] == '/' && p[1] == '/') {
            p += strcspn(p, "\n");
        } else if (p[0] == '/' && p[1] == '*') {
            for (p += 2; *p && (p[0] != '*' || p[1] != '/'); p++)
                *line += *p == '\n';
            p += *p ? 2 : 0;
        } else {
            return p;
        }
    }
}

/* Behind the directive `name`, or NULL. */
static const char *directive(const char *p, const char *name, int *line)
{
    const size_t n = strlen(name);

    p = skip_blank(p, line);
    return !strncmp(p, name, n) && isspace((unsigned char)p[n]) ? skip_blank(p + n, line) : NULL;
}

bool ck_text_head(const char *path, const struct ck_text *text, int *version, char target[32], char *error, size_t size)
{
    int line = 1, major, minor, used = 0;
    const char *p = directive(text->data, ".version", &line);

    if (!p) {
        snprintf(error, size, "%s:%d: does not start with a .version directive: no PTX", path, line);
        return false;
    }
    if (sscanf(p, "%3d.%1d%n", &major, &minor, &used) != 2 || major < 0 || minor < 0 ||
        isalnum((unsigned char)p[used])) {
        snprintf(error, size, "%s:%d: '%.*s' is no version: MAJOR.MINOR", path, line, (int)strcspn(p, " \t\r\n"), p);
        return false;
    }
    p = directive(p + used, ".target", &line);
    if (!p) {
        snprintf(error, size, "%s:%d: no .target directive after .version", path, line);
        return false;
    }
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    if (!n || n >= 32) {
        snprintf(error, size, "%s:%d: '%.*s' is no target name", path, line, (int)strcspn(p, " \t\r\n"), p);
        return false;
    }
    *version = major * 10 + minor;
    snprintf(target, 32, "%.*s", (int)n, p);
    return true;
}

/* Behind a label ("name:", but not "name::") and a guard ("@p", "@!p") in front of an instruction. */
static const char *instruction(const char *p)
{
    for (;;) {
        size_t n = 0;
        p += strspn(p, " ");
        if (*p == '@') {
            n = strcspn(p, " ");
            p += n;
            continue;
        }
        while (isalnum((unsigned char)p[n]) || strchr("_$%", p[n] ? p[n] : ' '))
            n++;
        if (!n || p[n] != ':' || p[n + 1] == ':')
            return p;
        p += n + 1;
    }
}

/* The end of the statement that begins at p: its semicolon, or the brace of the block that a directive opens, or for
 * directives that take neither the end of the line. Braces inside an instruction hold a vector. */
static const char *statement_end(const char *p, int *line)
{
    static const char *const lines[] = { ".version", ".target", ".address_size", ".file", ".loc" };
    const char *const ends = *p == '.' ? ";{}" : ";";

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strncmp(p, lines[i], strlen(lines[i])))
            return p + strcspn(p, "\n");
    while (*p && !strchr(ends, *p)) {
        const char *next = skip_blank(p, line);
        p = next == p ? p + 1 : next;
    }
    return p;
}

void ck_text_statement(const char *text, int line, char *out, size_t size)
{
    char flat[512] = "";
    size_t n = 0;
    int at = 1;

    for (const char *begin = skip_blank(text, &at), *end; *begin && at <= line;
         begin = skip_blank(end + (*end && *end != '\n'), &at)) {
        end = *begin == '{' || *begin == '}' ? begin : statement_end(begin, &at);
        if (at < line)
            continue;
        for (const char *p = begin; p < end && n + 2 < sizeof flat;) {
            const char *next = skip_blank(p, &(int){ 0 });
            flat[n++] = next == p ? *p : ' ';
            p = next == p ? p + 1 : next;
        }
        flat[n] = 0;
        break;
    }
    snprintf(out, size, "%s", instruction(flat));
}
// SPDX-License-Identifier: Apache-2.0
