/* Tile-space loads as lines of text. */
#include "harness/maps/maps.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/bad.h"
#include "harness/base/file.h"

enum { COLUMNS = 6 };

static const char *const columns[COLUMNS] = { "type", "extents", "strides", "tile", "index", "padding" };

/* Takes the number at *at and moves behind it; false with what is wrong. */
static bool take_number(const char **at, int64_t *value, char *error, size_t error_size)
{
    char *end = NULL;

    if (!isdigit((unsigned char)(*at)[**at == '-'])) {
        snprintf(error, error_size, "not a number at '%.20s'", *at);
        return false;
    }
    errno = 0;
    *value = strtoll(*at, &end, 10);
    if (errno) {
        snprintf(error, error_size, "%.*s does not fit into 64 bits", (int)(end - *at), *at);
        return false;
    }
    if (*end && *end != ',') {
        snprintf(error, error_size, "not understood at '%.20s'", end);
        return false;
    }
    *at = end;
    return true;
}

bool view_list_read(const char *text, struct view_list *list, char *error, size_t error_size)
{
    *list = (struct view_list){ 0 };
    if (!*text)
        return true;
    for (;; text++) {
        if (list->count == VIEW_RANK_MAX) {
            snprintf(error, error_size, "more than %d entries", VIEW_RANK_MAX);
            return false;
        }
        if (!take_number(&text, &list->of[list->count++], error, error_size))
            return false;
        if (!*text)
            return true;
    }
}

/* Reads column `i`; the text ends where the column does. */
static bool read_column(int i, const char *text, struct view_access *load, char *error, size_t error_size)
{
    struct view_list *const lists[COLUMNS] = { [1] = &load->extents, &load->strides, &load->tile, &load->index };
    const int found = i == 0 ? view_type_find(text) : i == COLUMNS - 1 ? view_padding_find(text) : 0;

    if (lists[i])
        return view_list_read(text, lists[i], error, error_size);
    if (found < 0) {
        snprintf(error, error_size, "no %s '%.20s'", columns[i], text);
        return false;
    }
    if (i == 0)
        load->type = (enum view_type)found;
    else
        load->padding = (enum view_padding)found;
    return true;
}

/* Reads one line, whose tabs become ends of text. */
static bool read_line(char *line, struct view_access *load, char *error, size_t error_size)
{
    char why[120] = "";

    *load = (struct view_access){ 0 };
    for (int i = 0; i < COLUMNS; i++) {
        char *const column = strsep(&line, "\t");
        if (!column)
            snprintf(why, sizeof why, "is missing: a line has six columns, separated by tabs");
        else if (i == COLUMNS - 1 && line)
            snprintf(why, sizeof why, "more columns after it");
        else if (read_column(i, column, load, why, sizeof why))
            continue;
        snprintf(error, error_size, "%s: %s", columns[i], why);
        return false;
    }
    return true;
}

static int each_line(FILE *from, const char *name, void (*visit)(void *context, const struct view_access *load),
                     void *context)
{
    char *text = NULL, error[200];
    struct view_access load;
    unsigned long number = 0;
    size_t room = 0;
    int status = 0;
    ssize_t length;

    while (!status && (length = getline(&text, &room, from)) >= 0) {
        number++;
        if (memchr(text, '\0', (size_t)length)) {
            status = ck_bad("%s:%lu: a null byte", name, number);
            break;
        }
        text[strcspn(text, "\n")] = 0;
        if (read_line(text, &load, error, sizeof error))
            visit(context, &load);
        else
            status = ck_bad("%s:%lu: %s", name, number, error);
    }
    if (!status && !feof(from)) /* an error, or no memory for a line */
        status = ck_bad("%s: %s", name, strerror(errno));
    free(text);
    return status;
}

int view_lines_each(const char *path, void (*visit)(void *context, const struct view_access *load), void *context)
{
    const bool standard = !path || !strcmp(path, "-");
    const char *why;
    FILE *from = ck_file_open(standard ? "-" : path, &why);
    int status;

    if (!from)
        return ck_bad("%s: %s", path, why);
    status = each_line(from, standard ? "standard input" : path, visit, context);
    ck_file_close(from);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
