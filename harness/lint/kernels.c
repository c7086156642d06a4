/* The lint of kernels: every kernel that a point launches exists, and mutants are different programs. */
#include "harness/base/text.h"
#include "harness/lint/lint.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/lint/host.h"
#include "harness/run/run.h"

/* ---- PTX ---- */

/* Where a line's text begins; false for lines of debug information, comments and empty ones. */
static bool counts(const char **line, size_t *n)
{
    static const char *const debug[] = { ".loc", "//", "$L__tmp", "$L__func" };

    while (*n && isspace((unsigned char)**line)) {
        ++*line;
        --*n;
    }
    for (size_t i = 0; i < sizeof debug / sizeof *debug; i++)
        if (*n >= strlen(debug[i]) && !strncmp(*line, debug[i], strlen(debug[i])))
            return false;
    return *n > 0;
}

static size_t digits(const char *p)
{
    return strspn(p, "0123456789");
}

/* Bytes of the line at `p` that differ between two instances of the same code: the entry's name, the number of the
 * function in a label, the value of a template's argument. */
static size_t incidental(const char *p, const char *name)
{
    static const char *const before[] = { "$L__BB", "ILi", "ILj", "ILb" };
    const size_t n = strlen(name);

    if (!strncmp(p, name, n) && !isalnum((unsigned char)p[n]))
        return n;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const size_t k = strlen(before[i]);
        if (!strncmp(p, before[i], k) && digits(p + k))
            return k + digits(p + k);
    }
    return 0;
}

char *ck_ptx_entry(const char *ptx, const char *name)
{
    char wanted[300], *out = NULL;
    size_t size = 0;
    const char *at = ptx;
    FILE *to;

    snprintf(wanted, sizeof wanted, ".entry %s(", name);
    at = strstr(ptx, wanted);
    to = at ? open_memstream(&out, &size) : NULL;
    if (!to)
        return NULL;
    for (at += strlen(wanted); *at;) {
        const size_t whole = strcspn(at, "\n");
        const char *line = at;
        size_t n = whole;

        at += whole + (at[whole] == '\n');
        if (n && *line == '}')
            break;
        if (!counts(&line, &n))
            continue;
        for (const char *p = line; p < line + n;) {
            const size_t skip = incidental(p, name);
            if (!skip)
                putc(*p, to);
            p += skip ? skip : 1;
        }
        putc('\n', to);
    }
    ck_text_close(to, &out);
    return out;
}

/* All PTX of a folder, in one text. */
static char *read_ptx(const char *folder)
{
    DIR *files = opendir(folder);
    char *out = NULL;
    size_t size = 0;
    FILE *to = files ? open_memstream(&out, &size) : NULL;

    for (const struct dirent *entry; to && (entry = readdir(files));) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[4096], block[4096];
        FILE *from;

        if (!dot || strcmp(dot, ".ptx") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        from = fopen(path, "r");
        for (size_t n; from && (n = fread(block, 1, sizeof block, from)) > 0;)
            fwrite(block, 1, n, to);
        if (from)
            fclose(from);
    }
    if (to)
        ck_text_close(to, &out);
    if (files)
        closedir(files);
    return out;
}

/* ---- an engine that notes what is launched ---- */

static FILE *noted; /* of the child: a line "KERNEL" for each launch */

static void encode_nothing(struct ck_engine *e, const struct tensor_map *map, void *object, unsigned null,
                           struct ck_outcome *out)
{
    (void)e;
    (void)map;
    (void)null;
    memset(object, 0, TENSOR_MAP_BYTES);
    out->kind = CK_O_DONE;
}

static void replace_nothing(struct ck_engine *e, void *object, uint64_t address, struct ck_outcome *out)
{
    (void)e;
    (void)object;
    (void)address;
    out->kind = CK_O_DONE;
}

static void note_launch(struct ck_engine *e, const struct ck_device_launch *launch, struct ck_outcome *out)
{
    (void)e;
    fprintf(noted, "%s\n", launch->kernel);
    out->kind = CK_O_DONE;
}

static const struct ck_engine_ops notes = {
    .open = ck_host_open,
    .encode = encode_nothing,
    .replace_address = replace_nothing,
    .alloc = ck_host_alloc,
    .write = ck_host_write,
    .read = ck_host_read,
    .launch = note_launch,
    .reset = ck_host_reset,
};

/* ---- the points of a case, in a child: without a device a case may stumble over what it finds ---- */

static void run_points(const struct ck_point *points, size_t count, FILE *to)
{
    struct ck_engine e = { .name = "lint", .ops = &notes, .sm = 90 };
    struct ck_slot *slot = calloc(1, sizeof *slot);

    noted = to;
    for (size_t i = 0; slot && i < count; i++) {
        alarm(20);
        fprintf(noted, "=%zu\n", i);
        ck_point_run(&points[i], &e, 0x5eed, NULL, slot);
    }
    fflush(noted);
    _exit(slot ? 0 : 1);
}

static void check_kernel(struct ck_lint *l, const char *ptx, const struct ck_point *p, const char *kernel)
{
    const struct ck_variant *v = p->variant;
    char *entry = ck_ptx_entry(ptx, kernel), *original;
    char base[256];
    size_t suffix;

    l->kernels++;
    if (!entry) {
        ck_lint_say(l, "%s: %s launches %s, which no file of kernels/ has", p->c->at, p->name, kernel);
        return;
    }
    suffix = v && v->kernel ? strlen(v->kernel) + 2 : 0;
    if (suffix && strlen(kernel) > suffix) {
        snprintf(base, sizeof base, "%.*s", (int)(strlen(kernel) - suffix), kernel);
        original = ck_ptx_entry(ptx, base);
        if (original && !strcmp(entry, original))
            ck_lint_say(l, "%s: %s has the same PTX as %s", p->c->at, kernel, base);
        free(original);
    }
    free(entry);
}

/* The same kernel is launched by many points: each is looked at once for a case. */
static void check_notes(struct ck_lint *l, FILE *from, const char *ptx, const struct ck_point *points, size_t count)
{
    enum { SEEN = 64 };
    char line[256], seen[SEEN][sizeof line];
    size_t at = 0, known = 0;

    rewind(from);
    while (fgets(line, sizeof line, from)) {
        size_t k = 0;

        line[strcspn(line, "\n")] = 0;
        if (line[0] == '=') {
            at = strtoul(line + 1, NULL, 10);
            continue;
        }
        while (k < known && strcmp(seen[k], line) != 0)
            k++;
        if (k < known || at >= count)
            continue;
        if (known < SEEN)
            strcpy(seen[known++], line);
        check_kernel(l, ptx, &points[at], line);
    }
}

static void check_points(struct ck_lint *l, const char *ptx, const struct ck_point *points, size_t count)
{
    FILE *file = tmpfile();
    int status = 0;
    pid_t child;

    if (!file) {
        ck_lint_say(l, "no temporary file can be made");
        return;
    }
    fflush(NULL);
    child = fork();
    if (child == 0)
        run_points(points, count, file);
    if (child < 0 || waitpid(child, &status, 0) != child)
        ck_lint_say(l, "%s: no process can be made", points[0].c->at);
    else if (WIFSIGNALED(status))
        ck_lint_say(l, "%s: the case dies of signal %d (%s) where kernels do nothing", points[0].c->at,
                    WTERMSIG(status), strsignal(WTERMSIG(status)));
    check_notes(l, file, ptx, points, count);
    fclose(file);
}

void ck_lint_kernels(struct ck_lint *l, const struct ck_suite *const *suites, const char *folder)
{
    struct ck_plan plan;
    char error[512];
    char *ptx = read_ptx(folder);

    l->kernels_known = ptx && *ptx;
    if (l->kernels_known && ck_plan_make(suites, true, &plan, error, sizeof error)) {
        for (size_t i = 0, n; i < plan.count; i += n) {
            for (n = 1; i + n < plan.count && plan.points[i + n].c == plan.points[i].c;)
                n++;
            if (plan.points[i].c->run)
                check_points(l, ptx, &plan.points[i], n);
        }
        ck_plan_free(&plan);
    }
    free(ptx);
}
// SPDX-License-Identifier: Apache-2.0
