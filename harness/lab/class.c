/* Class sets and keys. */
#include "harness/lab/class.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/annotation.h"
#include "harness/base/bad.h"
#include "harness/base/room.h"
#include "harness/base/whole.h"
#include "harness/lab/folder.h"
#include "harness/lab/gpu_said.h"
#include "harness/lab/submit.h"
#include "harness/lab/tell.h"

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void add(struct lab_files *files, const char *path)
{
    char **more = ck_room(files->all, files->count, &files->room, 64, sizeof *more);
    char *own = strdup(path);

    if (!more || !own)
        ck_no_memory();
    files->all = more;
    files->all[files->count++] = own;
}

static bool is_submission(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && dot != name && (!strcmp(dot, ".cu") || !strcmp(dot, ".ptx"));
}

static bool is_folder(const char *path)
{
    struct stat s;

    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

static bool is_link(const char *path)
{
    struct stat s;

    return !lstat(path, &s) && S_ISLNK(s.st_mode);
}

bool lab_files_add(struct lab_files *files, const struct lab *lab, const char *path)
{
    struct dirent **names;
    const size_t before = files->count;
    size_t length = strlen(path); /* without a '/' at the end */
    int n;

    if (!is_folder(path)) {
        add(files, path);
        return true;
    }
    while (length > 1 && path[length - 1] == '/')
        length--;
    n = scandir(path, &names, NULL, alphasort);
    if (n < 0)
        return ck_wrong("lab: %.200s: %s", path, strerror(errno));
    for (int i = 0; i < n; i++) {
        char whole[PATH_MAX + 300], inside[PATH_MAX + 600];
        struct stat s;
        snprintf(whole, sizeof whole, "%.*s/%s", (int)length, path, names[i]->d_name);
        snprintf(inside, sizeof inside, "%s/%s", whole, lab->file);
        const bool shown = *names[i]->d_name != '.', folder = is_folder(whole), led = folder && is_link(whole);
        if (shown && folder && !led && !stat(inside, &s))
            add(files, inside);
        else if (shown && (led || is_submission(names[i]->d_name))) /* a link is refused: it may lead anywhere */
            add(files, whole);
        free(names[i]);
    }
    free(names);
    return files->count > before || ck_wrong("lab: %.200s: no submission in it", path);
}

size_t lab_files_common(const struct lab_files *files)
{
    const char *first = files->count ? files->all[0] : "";
    size_t most = *first == '/' ? (size_t)(strrchr(first, '/') - first) + 1 : 0;

    for (size_t i = 1; i < files->count; i++) {
        size_t folder = 0;
        for (size_t k = 0; k < most && files->all[i][k] == first[k]; k++)
            if (first[k] == '/')
                folder = k + 1;
        most = folder;
    }
    return most;
}

void lab_files_free(struct lab_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->all[i]);
    free(files->all);
    *files = (struct lab_files){ 0 };
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

/* All lines of all keys, with their tasks. */
struct keys {
    struct lab_key *all;
    struct lab_task *tasks;
    size_t count, room, task_room;
    struct lab_files paths;
};

static bool read_keys(struct keys *k, const char *labs, const struct lab *lab, enum lab_compiler compiler)
{
    struct lab_key *own = NULL;
    const int n = lab_key_read(labs, lab, &own);
    char path[PATH_MAX + 300];

    for (int i = 0; i < n; i++) {
        struct lab_key *more = ck_room(k->all, k->count, &k->room, 64, sizeof *more);
        struct lab_task *tasks = ck_room(k->tasks, k->count, &k->task_room, 64, sizeof *tasks);
        if (!more || !tasks)
            ck_no_memory();
        k->all = more;
        k->tasks = tasks;
        snprintf(path, sizeof path, "%s/%s/%s", labs, lab->folder, own[i].file);
        add(&k->paths, path);
        k->all[k->count] = own[i];
        k->tasks[k->count] =
            (struct lab_task){ .lab = lab, .path = k->paths.all[k->count], .seed = 1, .compiler = compiler };
        k->count++;
    }
    free(own);
    return n >= 0;
}

/* Whether a text has these words, wherever its lines end. */
static bool says(const char *text, const char *words)
{
    for (; *text; text++) {
        const char *a = text, *b = words;
        while (*b && (*b == ' ' ? strspn(a, " \n") > 0 : *a == *b)) {
            a += *b == ' ' ? strspn(a, " \n") : 1;
            b++;
        }
        if (!*b)
            return true;
    }
    return false;
}

/* Whether the verdict is the key's: its word, the name that is to be named ("-": none), and what is to be said. */
static bool as_key(const struct lab_key *k, const struct lab_verdict *v)
{
    bool named = !strcmp(k->name, "-") && !v->named_count, said = !*k->words;

    for (unsigned i = 0; i < v->named_count; i++)
        named |= !strcmp(k->name, v->named[i]);
    for (int p = 0; p < LAB_PARTS && !said; p++)
        said = says(v->text[p], k->words);
    return named && (said || says(v->remarks, k->words)) && !strcmp(k->verdict, lab_outcome_word(v->outcome));
}

static void annotate(FILE *to, const struct lab_key *k, const struct lab_task *task, const struct lab_verdict *v)
{
    char text[1200];

    snprintf(text, sizeof text, "%s %s; the key says %s %s %s", lab_outcome_word(v->outcome),
             v->outcome == LAB_NO_VERDICT ? v->why
             : v->named_count             ? v->named[0]
                                          : "-",
             k->verdict, k->name, k->words);
    ck_annotation_write(to,
                        &(struct ck_annotation){
                            .kind = "error", .file = task->path, .line = 1, .title = task->lab->id, .message = text });
}

static bool print_key(FILE *to, const struct lab_key *k, const struct lab_task *task, const struct lab_verdict *v)
{
    const bool fine = as_key(k, v);

    fprintf(to, "%-4s %-26s %-7s %-36s %s", task->lab->id, k->file, lab_outcome_word(v->outcome),
            v->named_count ? v->named[0] : "-", fine ? "ok" : "WRONG");
    if (v->gpu.seen != LAB_UNSEEN)
        fprintf(to, "  gpu: %s", lab_seen_word(v->gpu.seen));
    if (v->gpu.seen == LAB_SEEN_LUCK)
        fprintf(to, " %u/%u", v->gpu.right, v->gpu.runs);
    if (!fine)
        fprintf(to, ": the key says %s %s %s", k->verdict, k->name, k->words);
    if (v->outcome == LAB_NO_VERDICT)
        fprintf(to, ": %s", v->why);
    putc('\n', to);
    return fine;
}

/* What the GPU has shown of each file, in a table that awk reads: no blank is in a field but in the last one. */
static bool write_record(const struct lab_check *how, const struct keys *k, const struct lab_verdict *verdicts)
{
    struct whole_file file;

    if (!whole_open(&file, how->record))
        return ck_wrong("lab check: --record %.200s: %s", how->record, strerror(errno));
    fprintf(
        file.to,
        "# What an %s (driver %s) shows of each file of the labs: copycheck lab check --record\n"
        "# lab, file, the emulator's verdict and what it names, on the GPU, launches with the right bytes, of; where\n"
        "# something is wrong, what\n",
        how->gpu->device, how->gpu->driver);
    for (size_t i = 0; i < k->count; i++) {
        const struct lab_verdict *v = &verdicts[i];
        const bool quiet = v->gpu.seen == LAB_SEEN_RIGHT || !*v->gpu.first;
        fprintf(file.to, "%-4s %-26s %-7s %-40s %-8s %2u %2u%s%s\n", k->tasks[i].lab->id, k->all[i].file,
                lab_outcome_word(v->outcome), v->named_count ? v->named[0] : "-", lab_seen_word(v->gpu.seen),
                v->gpu.right, v->gpu.runs, quiet ? "" : "  ", quiet ? "" : v->gpu.first);
    }
    return whole_close(&file, !ferror(file.to)) ||
           ck_wrong("lab check: --record %.200s cannot be written", how->record);
}

/* Whether the lab's tile kernel, if it has one, is compiled, and right where there is a GPU. */
static bool check_tile(FILE *to, const struct lab *lab, const struct lab_check *how)
{
    char path[PATH_MAX + 300], words[700] = "";
    const struct lab_task task = { .lab = lab->tile, .path = path, .seed = 1 };
    struct lab_verdict *v;
    bool fine;

    if (!lab->tile)
        return true;
    snprintf(path, sizeof path, "%s/%s/%s", how->labs, lab->folder, lab->tile->file);
    v = lab_submit(how->labs, &task, 1, 1, how->gpu);
    if (!v)
        return false;
    fine = v->outcome == LAB_PASS || v->outcome == LAB_NO_VERDICT;
    lab_gpu_words(v, words, sizeof words);
    fprintf(to, "%-4s %-26s %s%s%s%s%s\n", lab->id, lab->tile->file,
            v->outcome == LAB_NO_VERDICT ? "not compiled: "
            : fine                       ? "compiled by "
                                         : "WRONG: ",
            v->outcome == LAB_NO_VERDICT ? v->why
            : v->named_count             ? v->named[0]
                                         : v->note,
            fine ? "  ok" : "", *words ? "; " : "", words);
    lab_verdicts_free(v, 1);
    return fine;
}

int lab_check_keys(FILE *to, const struct lab *const *which, size_t count, const struct lab_check *how)
{
    struct keys k = { 0 };
    struct lab_verdict *verdicts = NULL;
    size_t wrong = 0, right = 0;
    int status = 2;
    bool fine = true;

    for (size_t i = 0; i < count && fine; i++)
        fine = read_keys(&k, how->labs, which[i], how->compiler);
    if (fine)
        verdicts = lab_submit(how->labs, k.tasks, k.count, how->jobs, how->gpu);
    for (size_t i = 0; i < k.count && verdicts; i++) {
        if (!print_key(to, &k.all[i], &k.tasks[i], &verdicts[i])) {
            wrong++;
            if (how->annotate)
                annotate(to, &k.all[i], &k.tasks[i], &verdicts[i]);
        }
        right += verdicts[i].gpu.seen == LAB_SEEN_RIGHT;
    }
    for (size_t i = 0; i < count && verdicts; i++)
        wrong += !check_tile(to, which[i], how);
    if (verdicts) {
        fprintf(to, "%zu lab%s, %zu submissions: %zu %s not as the key says\n", count, count == 1 ? "" : "s", k.count,
                wrong, wrong == 1 ? "is" : "are");
        if (how->gpu)
            fprintf(to, "on the %s the bytes of %zu are right in all launches\n", how->gpu->device, right);
        status = wrong ? 1 : 0;
        if (how->record && !write_record(how, &k, verdicts))
            status = 2;
    }
    lab_verdicts_free(verdicts, k.count);
    free(k.all);
    free(k.tasks);
    lab_files_free(&k.paths);
    return status;
}
// SPDX-License-Identifier: Apache-2.0
