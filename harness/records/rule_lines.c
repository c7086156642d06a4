/* An lcov tracefile of rules. */
#include "harness/records/rule_lines.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "expected/rule.h"
#include "harness/base/bad.h"

/* How often the rule with this id was proved. */
static unsigned long proved(const struct ck_entries *runs, size_t count, const struct ck_rule *rule)
{
    unsigned long hits = 0;

    for (size_t f = 0; f < count; f++) {
        for (size_t i = 0; i < runs[f].count; i++) {
            const struct ck_record *r = runs[f].all[i].record;
            const bool good = r->verdict == CK_V_PASS || (r->verdict == CK_V_SEEN && rule->evidence != CK_DOCUMENTED);
            hits += good && !runs[f].all[i].mutant && !strcmp(r->rule, rule->id);
        }
    }
    return hits;
}

/* The id of the rule whose row begins in this line, or false. */
static bool row_id(const char *line, char *id, size_t size)
{
    const char *quote = !strncmp(line, "RULE(", 5) ? strchr(line, '"') : NULL;
    const char *end = quote ? strchr(quote + 1, '"') : NULL;

    if (!end)
        return false;
    snprintf(id, size, "%.*s", (int)(end - quote - 1), quote + 1);
    return true;
}

static void write_file(FILE *to, FILE *from, const char *path, const struct ck_entries *runs, size_t count)
{
    char *line = NULL, id[256];
    size_t room = 0;
    unsigned long number = 0, found = 0, hit = 0;

    fprintf(to, "SF:%s\n", path);
    while (getline(&line, &room, from) > 0) {
        const struct ck_rule *rule;
        unsigned long hits;

        number++;
        rule = row_id(line, id, sizeof id) ? ck_rule_find(id) : NULL;
        if (!rule)
            continue;
        hits = proved(runs, count, rule);
        found++;
        hit += hits > 0;
        fprintf(to, "FN:%lu,%s\nFNDA:%lu,%s\nDA:%lu,%lu\n", number, id, hits, id, number, hits);
    }
    if (!feof(from)) /* an error, or no memory for a line: what is counted would be too little */
        ck_no_memory();
    fprintf(to, "FNF:%lu\nFNH:%lu\nLF:%lu\nLH:%lu\nend_of_record\n", found, hit, found, hit);
    free(line);
}

static int is_def(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && !strcmp(dot, ".def") && strcmp(entry->d_name, "all.def") != 0;
}

bool ck_rule_lines(FILE *to, const char *folder, const struct ck_entries *runs, size_t count, char *error, size_t size)
{
    struct dirent **names = NULL;
    const int files = scandir(folder, &names, is_def, alphasort);
    bool good = files > 0;

    if (!good)
        snprintf(error, size, "%s: %s", folder, files < 0 ? strerror(errno) : "no .def file");
    else
        fputs("TN:rules\n", to);
    for (int i = 0; i < files; i++) {
        char path[PATH_MAX], *whole;
        FILE *from;

        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        whole = good ? realpath(path, NULL) : NULL;
        from = whole ? fopen(whole, "r") : NULL;
        if (from) {
            write_file(to, from, whole, runs, count);
            fclose(from);
        } else if (good) {
            snprintf(error, size, "%s: %s", path, strerror(errno));
            good = false;
        }
        free(whole);
        free(names[i]);
    }
    free(names);
    return good;
}
// SPDX-License-Identifier: Apache-2.0
