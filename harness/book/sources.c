/* The texts that examples are taken from: kernels and cases, looked at as text. */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/room.h"
#include "harness/base/text.h"
#include "harness/book/parts.h"

static const char *const kernel_folders[] = { "kernels", "kernels/cuda_tile" };

const char *book_source(struct book_sources *s, const char *path)
{
    char name[4096];

    for (size_t i = 0; i < s->count; i++)
        if (!strcmp(s->all[i].path, path))
            return s->all[i].text;
    struct book_source *all = ck_room(s->all, s->count, &s->room, 64, sizeof *all);
    if (!all)
        return NULL;
    s->all = all;
    snprintf(name, sizeof name, "%s/%s", s->folder, path);
    all[s->count] = (struct book_source){ strdup(path), ck_text_load(name, NULL) };
    if (!all[s->count].path) {
        free(all[s->count].text);
        return NULL;
    }
    return all[s->count++].text;
}

static bool add_kernel(struct book_sources *s, size_t source, const char *name)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    struct book_kernel *all = ck_room(s->kernels, s->kernel_count, &s->kernel_room, 256, sizeof *all);

    if (!all)
        return false;
    s->kernels = all;
    snprintf(all[s->kernel_count].name, sizeof all->name, "%.*s", (int)length, name);
    all[s->kernel_count++].source = source;
    return true;
}

/* The entries that a text makes: CK_KERNEL(name, and __global__ void name(. */
static bool add_kernels(struct book_sources *s, size_t source)
{
    static const char *const marks[] = { "\nCK_KERNEL(", "__global__ void ", "__tile_global__ void " };
    const char *const text = s->all[source].text;
    bool held = true;

    if (!text)
        return true;
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++)
        for (const char *at = text; (at = strstr(at, marks[m])) != NULL && held;) {
            at += strlen(marks[m]);
            held = add_kernel(s, source, at);
        }
    return held;
}

static int is_kernel_file(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".cuh")) && strcmp(entry->d_name, "ck.cuh") != 0;
}

bool book_sources_open(struct book_sources *s, const char *folder)
{
    bool held = true;

    *s = (struct book_sources){ .folder = folder };
    for (size_t f = 0; f < sizeof kernel_folders / sizeof *kernel_folders; f++) {
        struct dirent **names = NULL;
        char path[4096];
        int count;

        snprintf(path, sizeof path, "%s/%s", folder, kernel_folders[f]);
        count = ck_folder_list(path, is_kernel_file, &names);
        for (int i = 0; i < count; i++) {
            snprintf(path, sizeof path, "%s/%s", kernel_folders[f], names[i]->d_name);
            if (held && book_source(s, path))
                held = add_kernels(s, s->count - 1);
            free(names[i]);
        }
        free(names);
    }
    return held;
}

void book_sources_free(struct book_sources *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->all[i].path);
        free(s->all[i].text);
    }
    free(s->all);
    free(s->kernels);
    *s = (struct book_sources){ 0 };
}

const struct book_kernel *book_kernel_find(const struct book_sources *s, const char *name)
{
    for (size_t i = 0; i < s->kernel_count; i++)
        if (!strcmp(s->kernels[i].name, name))
            return &s->kernels[i];
    return NULL;
}

static const char *line_begin(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/* Back over the comment that ends right before the line. */
static const char *with_comment(const char *text, const char *line)
{
    const char *at = line;

    if (line - text < 3 || strncmp(line - 3, "*/\n", 3) != 0)
        return line;
    while (at > text && strncmp(at, "/*", 2) != 0)
        at--;
    return line_begin(text, at);
}

/* Whether the line begins a definition: at its first column a word, and a brace before the next semicolon. */
static bool defines(const char *line, const char *name_end)
{
    const char *brace = strchr(name_end, '{'), *semicolon = strchr(name_end, ';');

    return (isalpha((unsigned char)*line) || *line == '_') && brace && (!semicolon || brace < semicolon);
}

bool book_function(const char *text, const char *name, const char **begin, const char **end)
{
    const size_t length = strlen(name);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        const char *line = line_begin(text, at);

        if (at[length] != '(' || (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_')) ||
            !defines(line, at + length))
            continue;
        *begin = with_comment(text, line);
        *end = strstr(at, "\n}");
        if (!*end)
            return false;
        *end += 2;
        return true;
    }
    return false;
}

bool book_around(const char *text, const char *at, const char **begin, const char **end)
{
    const char *open = NULL;

    for (const char *b = text; (b = strstr(b, "\n{\n")) != NULL && b < at; b++)
        open = b;
    *end = open ? strstr(open, "\n}") : NULL;
    if (!*end || *end < at)
        return false;
    *end += 2;
    *begin = open;
    while (*begin > text && strncmp(*begin, "\n\n", 2) != 0)
        --*begin;
    *begin += **begin == '\n' ? 2 : 0;
    return true;
}
// SPDX-License-Identifier: Apache-2.0
