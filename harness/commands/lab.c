/* copycheck lab: exercises that judge themselves. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/number.h"
#include "harness/base/processors.h"
#include "harness/base/program.h"
#include "harness/base/whole.h"
#include "harness/commands/cmd.h"
#include "harness/engines/engines.h"
#include "harness/lab/class.h"
#include "harness/lab/folder.h"
#include "harness/lab/submit.h"
#include "harness/lab/tell.h"

static const char help[] = "usage: copycheck lab list\n"
                           "       copycheck lab start L05 [DIR]\n"
                           "       copycheck lab run [L05] [FILE]\n"
                           "       copycheck lab watch [L05] [FILE]\n"
                           "       copycheck lab hint [L05] [1|2|3]\n"
                           "       copycheck lab ptx [L05] [FILE]\n"
                           "       copycheck lab explain RULE\n"
                           "       copycheck lab grade L05 FILE|DIR... [--format FORMAT] [--csv FILE]\n"
                           "                       [--jobs N]\n"
                           "       copycheck lab check [L05...] [--record FILE]\n"
                           "\n"
                           "Labs are kernels with one mistake, which you find and mend. start puts a lab's\n"
                           "files into a folder; run judges the kernel there. It is compiled with nvcc, or\n"
                           "else clang, and run on the emulator with sizes and data that are drawn, in many\n"
                           "orders of threads and deliveries of copies. It passes if no rule is broken, the\n"
                           "bytes are right every time, and the work is done by the means that the task asks\n"
                           "for. A file that ends in .ptx is taken as PTX. Where there is a GPU of compute\n"
                           "capability 9.0, run, watch and check launch the kernel on it too.\n"
                           "\n"
                           "watch judges again at each save; hint gives one of three hints (concept, place,\n"
                           "mend); ptx prints what the compiler makes of the kernel; explain is copycheck\n"
                           "explain. In a lab's folder you need not name the lab.\n"
                           "\n"
                           "For teachers: grade judges many submissions: files, and in a folder its .cu and\n"
                           ".ptx files, and the lab's file in each folder below. check judges each lab's own\n"
                           "files and compares the verdicts with the lab's key.\n"
                           "\n"
                           "  --format FORMAT    of grade: table (default), csv, gradescope, github, junit,\n"
                           "                     tap or jsonl; of check: github adds annotations of a\n"
                           "                     pull request\n"
                           "  --csv FILE         of grade: writes a CSV too\n"
                           "  --html FILE        of run and watch: draws the first launch that breaks a\n"
                           "                     rule, or else the first launch; a page for a browser\n"
                           "  --jobs N           of grade and check: so many at a time (default: the\n"
                           "                     processors it may use)\n"
                           "  --seed N           draws other sizes and other data (default 1); the first\n"
                           "                     size is always the same\n"
                           "  --compiler NAME    nvcc or clang (default: nvcc where there is one)\n"
                           "  --gpu              launches on the GPU; without it, grade does not: it would\n"
                           "                     execute what strangers wrote\n"
                           "  --no-gpu           launches on no GPU, even if there is one\n"
                           "  --record FILE      of check: writes what the GPU shows of each file\n"
                           "  --labs DIR         the folder of the labs (default: beside this program)\n"
                           "\n"
                           "Exit status: 0 pass, 1 fail, 2 no verdict.\n";

struct lab_options {
    const char *labs, *csv, *html, *record;
    enum { GPU_USUAL, GPU_ASKED, GPU_LEFT_OUT } gpu;
    uint64_t seed, jobs;
    enum lab_compiler compiler;
    enum lab_format format;
    char **words; /* what is no option: behind the action */
    int count;
    char folder[PATH_MAX], path[PATH_MAX + 300];
};

/* ---- the GPU ----------------------------------------------------------------------------------------------------- */

enum { HOPPER = 90 }; /* the labs' PTX is for sm_90a, which no other GPU takes */

/* The GPU that submissions are launched on too: none where there is none, or where it is to be left out, or where it is
 * not `usual` and nobody asks for it. False after a line where it is asked for and not there. */
static bool find_gpu(const struct lab_options *o, bool usual, const struct ck_gpu_facts **gpu)
{
    const struct ck_gpu_facts *facts;

    *gpu = NULL;
    if (o->gpu == GPU_LEFT_OUT || (o->gpu == GPU_USUAL && !usual))
        return true;
    facts = ck_engines_gpu();
    if (facts->present && facts->sm == HOPPER)
        *gpu = facts;
    else if (o->gpu == GPU_ASKED && facts->present)
        return ck_wrong("lab: --gpu: %s is sm_%d; the labs need sm_90", facts->device, facts->sm);
    else if (o->gpu == GPU_ASKED)
        return ck_wrong("lab: --gpu: %s", facts->why);
    return true;
}

/* ---- actions ----------------------------------------------------------------------------------------------------- */

static int list(struct lab_options *o)
{
    (void)o;
    for (size_t i = 0; lab_all[i]; i++)
        printf("%-4s %-28s %s\n", lab_all[i]->id, lab_all[i]->folder, lab_all[i]->title);
    return 0;
}

static int start(struct lab_options *o)
{
    const struct lab *lab = o->count ? lab_named(o->words[0]) : NULL;
    const char *to = o->count > 1 ? o->words[1] : lab ? lab->id : "";
    const char *const quote = strchr(to, ' ') ? "'" : "";
    char program[PATH_MAX + 300];

    if (!o->count)
        return ck_bad("lab start: which lab? %s lab list names them", ck_program());
    if (!lab || !lab_start(o->folder, lab, to))
        return 2;
    ck_program_from(to, program, sizeof program);
    printf("%s: %s/%s and README.md, which says what to do\nthen: cd %s%s%s && %s lab run\n", lab->id, to, lab->file,
           quote, to, quote, program);
    return 0;
}

static bool is_folder(const char *path)
{
    struct stat s;

    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

/* A lab that was named alone: its file is in this folder, or in the folder that start has made for it. */
static const struct lab *find_named(struct lab_options *o, const char **file)
{
    const struct lab *lab = lab_named(o->words[0]);
    const char *const at = !lab ? NULL : is_folder(o->words[0]) ? o->words[0] : lab->id;

    if (!lab)
        return NULL;
    *file = lab->file;
    if (!access(*file, F_OK))
        return lab;
    snprintf(o->path, sizeof o->path, "%s/%s", at, lab->file);
    *file = o->path;
    if (!access(*file, F_OK))
        return lab;
    ck_bad("lab: no %s here, and none in a folder %s; %s lab start %s makes it", lab->file, lab->id, ck_program(),
           lab->id);
    return NULL;
}

/* What run and watch are about: the words are a lab, a file (or its folder), both or none. */
static const struct lab *find(struct lab_options *o, const char **file)
{
    const struct lab *lab;

    if (o->count > 2) {
        ck_bad("lab: '%.60s': one file is enough; grade takes several", o->words[2]);
        return NULL;
    }
    *file = o->count ? o->words[o->count - 1] : NULL;
    if (o->count == 1 && lab_is_id(*file))
        return find_named(o, file);
    if (o->count == 1 && !is_folder(*file) && !strpbrk(*file, "./") && access(*file, F_OK))
        return lab_named(*file);
    if (o->count == 2) {
        lab = lab_named(o->words[0]);
        if (!lab || !is_folder(*file))
            return lab;
        snprintf(o->path, sizeof o->path, "%s/%s", *file, lab->file);
    } else if (*file && is_folder(*file)) {
        lab = lab_in_folder(*file, o->path, sizeof o->path);
    } else {
        lab = lab_here(*file);
        snprintf(o->path, sizeof o->path, "%s", *file ? *file : lab ? lab->file : "");
    }
    *file = o->path;
    return lab;
}

enum { INTERRUPTED = -1 }; /* nothing was judged, and a line says why */

/* The file is one of those that are there to be read beside the lab's own. */
static bool is_beside(const struct lab *lab, const char *file)
{
    const char *slash = strrchr(file, '/');

    for (unsigned i = 0; i < LAB_BESIDE && lab->beside[i]; i++)
        if (!strcmp(slash ? slash + 1 : file, lab->beside[i]))
            return true;
    return false;
}

static bool is_tile(const struct lab *lab, const char *file)
{
    const char *slash = strrchr(file, '/');

    return lab->tile && !strcmp(slash ? slash + 1 : file, lab->tile->file);
}

/* A tile kernel is compiled, and launched where there is a GPU; the lab's hints are not about it. */
static int judge(const struct lab_options *o, const struct lab *lab, const char *file)
{
    const bool tile = is_tile(lab, file);
    const struct lab_task task = {
        .lab = tile ? lab->tile : lab, .path = file, .seed = o->seed, .compiler = o->compiler, .html = o->html
    };
    const struct ck_gpu_facts *gpu;
    struct lab_verdict *v = find_gpu(o, true, &gpu) ? lab_submit(o->folder, &task, 1, 1, gpu) : NULL;
    const struct lab_graded g = { .lab = lab, .name = file, .verdict = v };
    int status;

    if (!v)
        return INTERRUPTED;
    if (tile)
        lab_tell_tile(stdout, &g);
    else
        lab_tell(stdout, &g);
    status = lab_status(&g, 1);
    if (status == 1 && !tile)
        printf("     %s lab hint %s gives a hint\n", ck_program(), lab->id);
    lab_verdicts_free(v, 1);
    return status;
}

/* True after a line: the file is not there, or is none that the lab judges. */
static bool no_source(const struct lab *lab, const char *file)
{
    if (is_beside(lab, file))
        return !ck_wrong(
            "lab: %s judges %s; %.100s is to read and compare: its first lines say how to compile and run it", lab->id,
            lab->file, file);
    return access(file, F_OK) &&
           !ck_wrong("lab: no verdict: %.200s: %s; %s judges %s", file, strerror(errno), lab->id, lab->file);
}

static int run(struct lab_options *o)
{
    const char *file;
    const struct lab *lab = find(o, &file);
    int status;

    if (!lab || (!is_tile(lab, file) && no_source(lab, file)))
        return 2;
    status = judge(o, lab, file);
    return status == INTERRUPTED ? 2 : status;
}

/* What tells two versions of a file apart. */
struct version {
    bool is_there;
    struct timespec time;
    off_t size;
    ino_t number;
};

static struct version version_of(const char *file)
{
    struct stat s;

    if (stat(file, &s))
        return (struct version){ false };
    return (struct version){ true, s.st_mtim, s.st_size, s.st_ino };
}

static bool same_version(const struct version *a, const struct version *b)
{
    return a->is_there == b->is_there && a->time.tv_sec == b->time.tv_sec && a->time.tv_nsec == b->time.tv_nsec &&
           a->size == b->size && a->number == b->number;
}

/* Waits until the file is there and is not what it was before. An editor may remove it and write it anew, in several
 * pieces: it is taken when it has been the same for a moment. A line where it is away for longer. */
static struct version await(const char *file, const struct version *before)
{
    enum { AWAY = 10 }; /* naps, 2 seconds */
    const struct timespec nap = { .tv_nsec = 200000000 };
    struct version last = version_of(file);

    for (unsigned away = 0;;) {
        nanosleep(&nap, NULL);
        const struct version now = version_of(file);
        if (now.is_there && same_version(&now, &last) && !same_version(&now, before))
            return now;
        last = now;
        away = now.is_there ? 0 : away + 1;
        if (away == AWAY) {
            printf("%s is away: judged again when it is back; Ctrl-C ends\n", file);
            fflush(stdout);
        }
    }
}

static int watch(struct lab_options *o)
{
    const char *file;
    const struct lab *lab = find(o, &file);
    struct version before;
    int status = 2;

    if (!lab || no_source(lab, file))
        return 2;
    do {
        before = version_of(file);
        status = judge(o, lab, file);
        if (status == INTERRUPTED)
            return 2;
        printf("\n%s: again when it is saved; Ctrl-C ends\n\n", lab->id);
        if (cmd_end(0))
            return status;
    } while (await(file, &before).is_there);
    return status;
}

static int ptx(struct lab_options *o)
{
    const char *file;
    const struct lab *lab = find(o, &file);
    const struct lab_task task = { .lab = lab, .path = file, .seed = o->seed, .compiler = o->compiler };

    return lab && lab_print_ptx(o->folder, &task, stdout) ? 0 : 2;
}

static int hint(struct lab_options *o)
{
    const char *word = o->count ? o->words[o->count - 1] : "";
    const bool alone = o->count == 1 && strspn(word, "0123456789") == strlen(word); /* a number, in the lab's folder */
    const struct lab *lab;
    uint64_t number = 1;

    if (o->count > 2)
        return ck_bad("lab hint: '%.60s': one hint at a time", o->words[2]);
    if ((alone || o->count == 2) && !ck_number(word, 1, 9, &number))
        return ck_bad("lab hint: '%.60s' is no number of a hint: 1, 2 or 3", word);
    if (o->count == 1 && !alone && !lab_is_id(word))
        return ck_bad("lab hint: '%.60s' is no lab and no number of a hint: 1, 2 or 3", word);
    lab = o->count == 2 || (o->count && !alone) ? lab_named(o->words[0]) : lab_here(NULL);
    if (!lab || !lab_hint(o->folder, lab, (unsigned)number, stdout))
        return 2;
    if (number < 3)
        printf("\n%s lab hint %s %u says more\n", ck_program(), lab->id, (unsigned)number + 1);
    return 0;
}

static int explain(struct lab_options *o)
{
    char name[] = "explain";
    char *argv[] = { name, o->count ? o->words[0] : NULL, NULL };

    return o->count == 1 ? cmd_explain(2, argv) : ck_bad("lab explain: which rule?");
}

static bool write_csv(const char *path, const struct lab_graded *all, size_t count)
{
    struct whole_file file;

    if (!whole_open(&file, path))
        return ck_wrong("lab grade: --csv %.200s cannot be written", path);
    lab_tell_all(file.to, LAB_CSV, all, count);
    return whole_close(&file, !ferror(file.to)) || ck_wrong("lab grade: --csv %.200s cannot be written", path);
}

static int grade(struct lab_options *o)
{
    const struct lab *lab = o->count ? lab_named(o->words[0]) : NULL;
    struct lab_files files = { 0 };
    struct lab_task *tasks = NULL;
    struct lab_graded *all = NULL;
    struct lab_verdict *verdicts = NULL;
    const struct ck_gpu_facts *gpu = NULL;
    size_t common;
    int status = 2;
    bool fine = lab != NULL;

    if (o->count < 2)
        return ck_bad("lab grade: needs a lab and files; copycheck lab --help explains");
    fine = fine && find_gpu(o, false, &gpu);
    for (int i = 1; i < o->count && fine; i++)
        fine = lab_files_add(&files, lab, o->words[i]);
    common = lab_files_common(&files);
    tasks = calloc(files.count + 1, sizeof *tasks);
    all = calloc(files.count + 1, sizeof *all);
    if (!tasks || !all)
        ck_no_memory();
    for (size_t i = 0; i < files.count && fine; i++)
        tasks[i] = (struct lab_task){
            .lab = lab, .path = files.all[i], .seed = o->seed, .compiler = o->compiler, .no_links = true
        };
    if (fine)
        verdicts = lab_submit(o->folder, tasks, files.count, (unsigned)o->jobs, gpu);
    for (size_t i = 0; i < files.count && verdicts; i++)
        all[i] = (struct lab_graded){ .lab = lab, .name = files.all[i] + common, .verdict = &verdicts[i] };
    if (verdicts) {
        lab_tell_all(stdout, o->format, all, files.count);
        status = lab_status(all, files.count);
        if (o->csv && !write_csv(o->csv, all, files.count))
            status = 2;
    }
    lab_verdicts_free(verdicts, files.count);
    lab_files_free(&files);
    free(tasks);
    free(all);
    return status;
}

static int check(struct lab_options *o)
{
    const struct lab *some[64] = { 0 };
    struct lab_check how = { .labs = o->folder,
                             .compiler = o->compiler,
                             .jobs = (unsigned)o->jobs,
                             .record = o->record,
                             .annotate = o->format == LAB_GITHUB };
    size_t count = 0;

    if (!o->count)
        while (count < sizeof some / sizeof *some && lab_all[count]) {
            some[count] = lab_all[count];
            count++;
        }
    for (int i = 0; i < o->count && count < sizeof some / sizeof *some; i++) {
        some[count] = lab_named(o->words[i]);
        if (!some[count++])
            return 2;
    }
    if (!find_gpu(o, true, &how.gpu))
        return 2;
    if (o->record && !how.gpu)
        return ck_bad("lab check: --record is of what a GPU shows, and there is none here");
    return lab_check_keys(stdout, some, count, &how);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static const struct action {
    const char *name;
    int (*main)(struct lab_options *o);
    bool folder; /* it needs the folder of the labs */
    int most;    /* words behind it */
} actions[] = {
    { "list", list, false, 0 },        { "start", start, true, 2 },       { "run", run, true, INT_MAX },
    { "watch", watch, true, INT_MAX }, { "hint", hint, true, INT_MAX },   { "ptx", ptx, true, INT_MAX },
    { "explain", explain, false, 1 },  { "grade", grade, true, INT_MAX }, { "check", check, true, INT_MAX },
};

/* How many letters two words have in common, from the front and from the back. */
static size_t alike(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b), least = n < m ? n : m;
    size_t front = 0, back = 0;

    while (front < least && a[front] == b[front])
        front++;
    while (front + back < least && a[n - 1 - back] == b[m - 1 - back])
        back++;
    return front + back;
}

static int no_action(const char *word)
{
    const struct action *near = actions;

    for (size_t i = 1; i < sizeof actions / sizeof *actions; i++)
        if (alike(actions[i].name, word) > alike(near->name, word))
            near = &actions[i];
    if (2 * alike(near->name, word) >= strlen(near->name))
        return ck_bad("lab: no action '%.60s'; the nearest is %s", word, near->name);
    return ck_bad("lab: no action '%.60s'; %s lab --help lists them", word, ck_program());
}

static int act(const struct action *a, struct lab_options *o)
{
    if (o->count > a->most)
        return ck_bad("lab %s: '%.60s' is one word too many; %s lab --help explains", a->name, o->words[a->most],
                      ck_program());
    return a->folder && !lab_folder(o->labs, o->folder, sizeof o->folder) ? 2 : a->main(o);
}

static bool read_compiler(const char *word, enum lab_compiler *out)
{
    *out = !strcmp(word, "nvcc") ? LAB_NVCC : LAB_CLANG;
    return !strcmp(word, "nvcc") || !strcmp(word, "clang") || ck_wrong("lab: --compiler '%.60s': nvcc or clang", word);
}

static bool read_option(struct lab_options *o, int which, const char *value)
{
    switch (which) {
    case 'f':
        return lab_format_named(value, &o->format) ||
               ck_wrong("lab: --format '%.60s': table, csv, gradescope, github, junit, tap or jsonl", value);
    case 'c': o->csv = value; return true;
    case 'w': o->html = value; return true;
    case 'j':
        return ck_number(value, 1, 256, &o->jobs) || ck_wrong("lab: --jobs '%.60s': a number from 1 to 256", value);
    case 's': return ck_number(value, 0, UINT64_MAX, &o->seed) || ck_wrong("lab: --seed '%.60s': a number", value);
    case 'p': return read_compiler(value, &o->compiler);
    case 'l': o->labs = value; return true;
    case 'r': o->record = value; return true;
    case 'g': o->gpu = GPU_ASKED; return true;
    case 'n': o->gpu = GPU_LEFT_OUT; return true;
    default: return false;
    }
}

int cmd_lab(int argc, char **argv)
{
    static const struct option long_options[] = {
        { "format", required_argument, NULL, 'f' },
        { "csv", required_argument, NULL, 'c' },
        { "jobs", required_argument, NULL, 'j' },
        { "seed", required_argument, NULL, 's' },
        { "compiler", required_argument, NULL, 'p' },
        { "labs", required_argument, NULL, 'l' },
        { "html", required_argument, NULL, 'w' },
        { "record", required_argument, NULL, 'r' },
        { "gpu", no_argument, NULL, 'g' },
        { "no-gpu", no_argument, NULL, 'n' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    struct lab_options o = { .seed = 1, .jobs = ck_processors() };
    int which;

    opterr = 0;
    while ((which = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (which == 'h')
            return cmd_help(help);
        if (which == '?')
            return ck_bad("lab: no option '%.60s', or it needs a value; copycheck lab --help lists them",
                          argv[optind - 1]);
        if (!read_option(&o, which, optarg))
            return 2;
    }
    if (optind == argc)
        return ck_bad("lab: what? list, start, run, watch, hint, ptx, explain, grade or check");
    o.words = argv + optind + 1;
    o.count = argc - optind - 1;
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (!strcmp(actions[i].name, argv[optind]))
            return act(&actions[i], &o);
    return no_action(argv[optind]);
}
// SPDX-License-Identifier: Apache-2.0
