/* The folders of the labs. */
#include "harness/lab/folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/bad.h"
#include "harness/base/program.h"
#include "harness/base/room.h"
#include "harness/base/text.h"
#include "harness/lab/verdict.h"

enum { KEY_COLUMNS = 3, FAR = 2 /* letters by which an id is misspelled */ };

static bool is_there(const char *path)
{
    struct stat s;

    return !stat(path, &s);
}

bool lab_folder(const char *given, char *path, size_t size)
{
    static const char *const beside[] = { "labs", "docs/labs", "../docs/labs", "../../docs/labs" };
    char header[PATH_MAX + 16];

    for (size_t i = 0; i < (given ? 1 : sizeof beside / sizeof *beside); i++) {
        if (given)
            snprintf(path, size, "%s", given);
        else
            snprintf(path, size, "%s/%s", ck_program_folder(), beside[i]);
        snprintf(header, sizeof header, "%s/lab.cuh", path);
        if (is_there(header))
            return true;
    }
    if (given)
        return ck_wrong("lab: --labs %.200s: no lab.cuh in it", given);
    return ck_wrong("lab: no folder of labs beside %.200s; --labs DIR names one", ck_program_folder());
}

/* ---- which lab --------------------------------------------------------------------------------------------------- */

/* How many characters of two ids differ; a lab's number may lack its zero, and any letter its case. */
static unsigned distance(const char *a, const char *b)
{
    unsigned n = 0;

    for (; *a || *b; a += *a != 0, b += *b != 0)
        n += tolower((unsigned char)*a) != tolower((unsigned char)*b);
    return n;
}

/* "l5" as "L05"; what is no id stays. */
static void complete(const char *id, char *out, size_t size)
{
    const char *digits = id + (tolower((unsigned char)*id) == 'l');

    if (isdigit((unsigned char)*digits) && strspn(digits, "0123456789") == strlen(digits) && strlen(digits) < 6)
        snprintf(out, size, "L%02d", atoi(digits));
    else
        snprintf(out, size, "%s", id);
}

bool lab_is_id(const char *word)
{
    char full[64];

    complete(word, full, sizeof full);
    for (size_t i = 0; lab_all[i]; i++)
        if (!distance(full, lab_all[i]->id) || !distance(word, lab_all[i]->folder))
            return true;
    return false;
}

const struct lab *lab_named(const char *id)
{
    const struct lab *nearest = NULL;
    unsigned least = UINT_MAX;
    char full[64];

    complete(id, full, sizeof full);
    for (size_t i = 0; lab_all[i]; i++) {
        const unsigned n = distance(full, lab_all[i]->id);
        if (!n || !distance(id, lab_all[i]->folder))
            return lab_all[i];
        if (n < least) {
            least = n;
            nearest = lab_all[i];
        }
    }
    if (nearest && least <= FAR)
        ck_bad("lab: no lab '%.60s'; the nearest is %s (%s), %s lab list names all", id, nearest->id, nearest->title,
               ck_program());
    else
        ck_bad("lab: '%.60s' is no lab and no file here; %s lab list names the labs", id, ck_program());
    return NULL;
}

/* Whether the text of a file, in its first lines, or the path of the current folder names the lab. */
static bool names_lab(const char *path, const struct lab *lab)
{
    char here[PATH_MAX] = "", *text = ck_text_load(path, NULL);
    const char *slash;
    bool named = false;

    if (text) {
        text[strnlen(text, 400)] = 0;
        named = strstr(text, lab->id) != NULL;
        free(text);
    }
    if (!named && (text = ck_text_load("README.md", NULL)) != NULL) {
        named = !strncmp(text, "# ", 2) && !strncmp(text + 2, lab->id, strlen(lab->id));
        free(text);
    }
    if (!named && getcwd(here, sizeof here)) {
        slash = strrchr(here, '/');
        named = slash && !strncasecmp(slash + 1, lab->id, strlen(lab->id));
    }
    return named;
}

/* Whether two names are one but for what follows the last dot. */
static bool same_stem(const char *a, const char *b)
{
    const char *const x = strrchr(a, '.'), *const y = strrchr(b, '.');
    const size_t n = x ? (size_t)(x - a) : strlen(a), m = y ? (size_t)(y - b) : strlen(b);

    return n == m && !strncmp(a, b, n);
}

const struct lab *lab_here(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL, *name = slash ? slash + 1 : file;
    const struct lab *found = NULL;
    unsigned count = 0, named = 0;

    for (size_t i = 0; lab_all[i]; i++) {
        const struct lab *lab = lab_all[i];
        if (name ? !same_stem(name, lab->file) : !is_there(lab->file))
            continue;
        if (names_lab(file ? file : lab->file, lab))
            return lab;
        found = lab;
        count++;
    }
    for (size_t i = 0; file && !count && lab_all[i]; i++)
        if (names_lab(file, lab_all[i])) {
            found = lab_all[i];
            named++;
        }
    if (count + named == 1)
        return found;
    if (file)
        ck_bad("lab: %.200s: of which lab is it? name it in front of the file, as in L05 %.200s", file, file);
    else
        ck_bad("lab: no lab's file in this folder; name the lab, or begin one: %s lab start L05", ck_program());
    return NULL;
}

/* Whether the page beside the lab's file is this lab's. */
static bool page_names(const char *folder, const struct lab *lab)
{
    char path[PATH_MAX + 300], *page;
    bool named;

    snprintf(path, sizeof path, "%s/README.md", folder);
    page = ck_text_load(path, NULL);
    named = page && !strncmp(page, "# ", 2) && !strncmp(page + 2, lab->id, strlen(lab->id));
    free(page);
    return named;
}

const struct lab *lab_in_folder(const char *folder, char *path, size_t size)
{
    for (size_t i = 0; lab_all[i]; i++) {
        snprintf(path, size, "%s/%s", folder, lab_all[i]->file);
        if (is_there(path) && (page_names(folder, lab_all[i]) || names_lab(path, lab_all[i])))
            return lab_all[i];
    }
    ck_bad("lab: %.200s: a folder without a lab's file", folder);
    return NULL;
}

/* ---- start and hint ---------------------------------------------------------------------------------------------- */

/* Copies a file, whose place must be free. */
static bool copy(const char *from_folder, const char *name, const char *to)
{
    char from[PATH_MAX + 300], path[PATH_MAX + 300];
    size_t size;
    char *text;
    FILE *f;
    bool fine;

    snprintf(from, sizeof from, "%s/%s", from_folder, name);
    snprintf(path, sizeof path, "%s/%s", to, name);
    text = ck_text_load(from, &size);
    if (!text)
        return ck_wrong("lab: %.300s: %s", from, strerror(errno));
    f = fopen(path, "wbxe");
    fine = f && fwrite(text, 1, size, f) == size;
    if (f)
        fine = !fclose(f) && fine;
    free(text);
    return fine || ck_wrong("lab: %.300s: %s", path, errno == EEXIST ? "it is already there" : strerror(errno));
}

/* Whether a file of a lab's folder is one that a student gets to begin with. */
static bool is_students(const char *name)
{
    static const char *const others[] = { "key", "answers.md", "hints.md", "solution.cu", "wrong" };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(name, others[i]))
            return false;
    return *name != '.' && strncmp(name, "alternative", strlen("alternative")) != 0;
}

static int is_students_entry(const struct dirent *e)
{
    return is_students(e->d_name);
}

static int is_header(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);

    return n > 4 && !strcmp(e->d_name + n - 4, ".cuh");
}

/* Copies the files of a folder that `which` is true of; those that are there already must not be, or may stay. */
static bool copy_files(const char *from, int (*which)(const struct dirent *), const char *to, bool may_stay)
{
    struct dirent **entries;
    const int n = scandir(from, &entries, which, alphasort);
    char path[PATH_MAX + 300];
    bool fine = n >= 0 || ck_wrong("lab: %.300s: %s", from, strerror(errno));

    for (int i = 0; i < n && fine && !may_stay; i++) {
        snprintf(path, sizeof path, "%s/%s", to, entries[i]->d_name);
        fine = !is_there(path) ||
               ck_wrong("lab: %.200s is already there and stays as it is; name another folder behind the lab", path);
    }
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", to, entries[i]->d_name);
        fine = fine && (is_there(path) || copy(from, entries[i]->d_name, to));
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return fine;
}

bool lab_start(const char *labs, const struct lab *lab, const char *to)
{
    char from[PATH_MAX];

    snprintf(from, sizeof from, "%s/%s", labs, lab->folder);
    if (mkdir(to, 0777) && errno != EEXIST)
        return ck_wrong("lab: %.200s: %s", to, strerror(errno));
    return copy_files(from, is_students_entry, to, false) && copy_files(labs, is_header, to, true);
}

/* A line that goes on with the paragraph of the line before it. */
static bool goes_on(const char *line)
{
    return *line && !strchr("\n -|#`", *line) && !isdigit((unsigned char)*line);
}

/* Writes a hint's paragraphs in 80 columns; code, which is indented, as it is. */
static void put_folded(FILE *to, const char *text, size_t size)
{
    char paragraph[4000];
    size_t n;

    for (const char *end = text + size; text < end; text += n + (text + n < end)) {
        n = strcspn(text, "\n");
        while (n && *text != ' ' && text + n + 1 < end && goes_on(text + n + 1))
            n += 1 + strcspn(text + n + 1, "\n");
        n = n < (size_t)(end - text) ? n : (size_t)(end - text);
        if (n >= sizeof paragraph || *text == ' ') {
            fprintf(to, "%.*s\n", (int)n, text);
            continue;
        }
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)n, text);
        lab_wrap(to, "", strncmp(paragraph, "- ", 2) ? 0 : 2, paragraph);
    }
}

bool lab_hint(const char *labs, const struct lab *lab, unsigned number, FILE *to)
{
    char path[PATH_MAX + 300], *text;
    const char *at;

    snprintf(path, sizeof path, "%s/%s/hints.md", labs, lab->folder);
    text = ck_text_load(path, NULL);
    if (!text)
        return ck_wrong("lab: %.300s: %s", path, strerror(errno));
    at = !strncmp(text, "## ", 3) ? text : strstr(text, "\n## ");
    for (unsigned i = 1; at && i < number; i++)
        at = strstr(at + 1, "\n## ");
    if (at) {
        at += *at == '\n';
        at += strlen("## ");
        const char *end = strstr(at, "\n## ");
        fprintf(to, "%s, hint %u: ", lab->id, number);
        fprintf(to, "%.*s\n", (int)strcspn(at, "\n"), at);
        at += strcspn(at, "\n");
        at += *at == '\n';
        put_folded(to, at, end ? (size_t)(end - at) : strlen(at));
    }
    free(text);
    return at || ck_wrong("lab: %s has no hint %u; the last is 3", lab->id, number);
}

/* ---- the key ----------------------------------------------------------------------------------------------------- */

int lab_key_read(const char *labs, const struct lab *lab, struct lab_key **out)
{
    char path[PATH_MAX + 300], error[512];
    struct ck_text text;
    size_t count = 0, room = 0;
    struct lab_key *all = NULL;
    bool fine = true;

    snprintf(path, sizeof path, "%s/%s/key", labs, lab->folder);
    if (!ck_text_read(path, &text, error, sizeof error)) {
        ck_bad("lab: %s", error);
        return -1;
    }
    for (char *line = text.data; *line && fine;) {
        const size_t length = strcspn(line, "\n");
        const bool last = !line[length];
        struct lab_key k = { "" };
        int words = 0;
        line[length] = 0;
        if (*line && *line != '#') {
            struct lab_key *more = ck_room(all, count, &room, 16, sizeof *all);
            if (!more)
                ck_no_memory();
            all = more;
            fine = sscanf(line, "%99s %15s %79s %n", k.file, k.verdict, k.name, &words) == KEY_COLUMNS;
            snprintf(k.words, sizeof k.words, "%s", line + words);
            if (fine)
                all[count++] = k;
            else
                ck_bad("lab: %.300s: '%.60s' has not three columns", path, line);
        }
        line += length + !last;
    }
    ck_text_free(&text);
    *out = all;
    return fine ? (int)count : -1;
}
// SPDX-License-Identifier: Apache-2.0
