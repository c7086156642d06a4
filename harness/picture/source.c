/* The lines of source that a picture shows. */
#include "harness/picture/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/json.h"
#include "harness/base/text.h"

enum {
    AROUND = 6,            /* lines before and behind one that is spoken of */
    LINES_MOST = 3000,     /* of a file */
    LINE_BYTES = 240,      /* a longer line is cut off */
    FILE_MOST = 4 << 20,   /* bytes; a larger file is not read */
    LINE_NUMBERS = 1 << 20 /* lines behind are not shown */
};

const struct ptx_loc *picture_loc(const struct ptx_module *m, const struct ptx_instruction *i)
{
    uint32_t loc = i->loc;

    if (loc == PTX_NO)
        return NULL;
    for (unsigned depth = 0; depth < 256 && m->locs[loc].inlined_at < m->n_locs; depth++)
        loc = m->locs[loc].inlined_at;
    return m->locs[loc].file == PTX_NO ? NULL : &m->locs[loc];
}

/* Which lines of a text are asked for: a bit each, from line 1. */
struct lines {
    unsigned char *asked;
    uint32_t last;
};

static void ask(struct lines *l, uint32_t line)
{
    for (uint32_t n = line > AROUND ? line - AROUND : 1; n <= line + AROUND && n < LINE_NUMBERS; n++) {
        l->asked[n / 8] = (unsigned char)(l->asked[n / 8] | 1 << n % 8);
        if (n > l->last)
            l->last = n;
    }
}

static bool asked(const struct lines *l, uint32_t line)
{
    return l->asked[line / 8] >> line % 8 & 1;
}

static void write_lines(FILE *to, const char *text, size_t size, const struct lines *l)
{
    char line[LINE_BYTES + 1];
    const char *at = text, *const end = text + size;
    unsigned written = 0;

    for (uint32_t n = 1; at < end && n <= l->last && written < LINES_MOST; n++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        const char *const next = stop ? stop + 1 : end;
        if (asked(l, n)) {
            length = length > LINE_BYTES ? LINE_BYTES : length;
            memcpy(line, at, length);
            line[length] = 0;
            fprintf(to, "%s[%u,", written ? "," : "", n);
            json_write_string(to, line);
            putc(']', to);
            written++;
        }
        at = next;
    }
}

/* Whether it looks like a file of CUDA or C++: a .file directive may name anything. */
static bool is_source(const char *name)
{
    static const char *const ends[] = { ".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".inl", ".py" };
    const char *dot = strrchr(name, '.');
    struct stat about;

    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(dot, ends[i]))
            return stat(name, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= FILE_MOST;
    return false;
}

/* Whether a file of the module is the one whose text is given. */
static bool is_given(const struct picture *p, const char *name)
{
    const size_t n = strlen(name), end = p->cuda ? strlen(p->cuda_name) : 0;

    return p->cuda && n >= end && !strcmp(name + n - end, p->cuda_name) && (n == end || name[n - end - 1] == '/');
}

static void write_file(FILE *to, const struct picture *p, uint32_t file, const struct lines *l)
{
    const char *name = p->module->files[file].name;
    const bool given = is_given(p, name);
    const char *const slash = strrchr(name, '/');
    size_t size = 0;
    char *text = !given && p->read_sources && l->last && is_source(name) ? ck_text_load(name, &size) : NULL;

    fputs(",{\"name\":", to);
    json_write_string(to, p->cuda && slash ? slash + 1 : name);
    fputs(",\"lines\":[", to);
    if (given)
        write_lines(to, p->cuda, strlen(p->cuda), l);
    else if (text)
        write_lines(to, text, size, l);
    fputs("]}", to);
    free(text);
}

bool picture_sources(FILE *to, const struct picture *p, const uint32_t *used, size_t count)
{
    const struct ptx_module *m = p->module;
    struct lines l = { .asked = calloc(1, LINE_NUMBERS / 8) };

    if (!l.asked)
        return false;
    for (size_t i = 0; i < count; i++)
        ask(&l, m->instructions[used[i]].line);
    fputs("[{\"name\":", to);
    json_write_string(to, p->file);
    fputs(",\"lines\":[", to);
    write_lines(to, p->ptx, p->ptx_size, &l);
    fputs("]}", to);
    for (uint32_t file = 0; file < m->n_files; file++) {
        memset(l.asked, 0, LINE_NUMBERS / 8);
        l.last = 0;
        for (size_t i = 0; i < count; i++) {
            const struct ptx_loc *loc = picture_loc(m, &m->instructions[used[i]]);
            if (loc && loc->file == file)
                ask(&l, loc->line);
        }
        write_file(to, p, file, &l);
    }
    putc(']', to);
    free(l.asked);
    return true;
}
// SPDX-License-Identifier: Apache-2.0
