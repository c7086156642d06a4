/* The files of a fleet: whose they are, which of them count. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/append.h"
#include "harness/base/bad.h"
#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/room.h"
#include "harness/fleet/fleet.h"

static bool no_memory(void)
{
    return ck_wrong("merge: out of memory");
}

/* ---- groups and machines -------------------------------------------------------------------------------------- */

/* What runs of one group have in common. */
static struct ck_run_head common(const struct ck_run_head *head)
{
    struct ck_run_head h = *head;

    h.schema = 0;
    h.uuid = h.host = h.shard = NULL;
    h.planned = 0;
    h.plan = 0;
    h.usual = false;
    return h;
}

/* The group of a head, which the group takes over where it is new; -1: out of memory. */
static long group_of(struct fleet *f, struct ck_record_file *head)
{
    struct ck_run_head mine = common(&head->head);
    struct fleet_group *groups;

    for (size_t i = 0; i < f->group_count; i++)
        if (!ck_head_difference(&f->groups[i].file.head, &mine))
            return (long)i;
    groups = ck_room(f->groups, f->group_count, &f->group_room, 8, sizeof *groups);
    if (!groups)
        return -1;
    f->groups = groups;
    groups[f->group_count] = (struct fleet_group){ .file = *head };
    groups[f->group_count].file.head = mine;
    *head = (struct ck_record_file){ 0 };
    return (long)f->group_count++;
}

struct wanted {
    const struct fleet *fleet;
    const char *id;
    size_t group;
};

static bool is_machine(const void *key, size_t element)
{
    const struct wanted *w = key;
    const struct fleet_machine *m = &w->fleet->machines[element];

    return m->group == w->group && !strcmp(m->id, w->id);
}

static size_t *place_of(const struct fleet *f, const char *id, size_t group)
{
    const struct wanted wanted = { f, id, group };

    return ck_index_find(&f->by_id, fnv1a(fnv1a(FNV1A_BASIS, id, strlen(id)), &group, sizeof group), is_machine,
                         &wanted);
}

static bool grow_index(struct fleet *f)
{
    if (f->machine_count * 2 < f->by_id.size)
        return true;
    if (!ck_index_make(&f->by_id, f->machine_count * 2 + 64))
        return false;
    for (size_t i = 0; i < f->machine_count; i++)
        *place_of(f, f->machines[i].id, f->machines[i].group) = i + 1;
    return true;
}

/* The machine with this id in the group; -1: out of memory. */
static long machine_of(struct fleet *f, const char *id, size_t group, size_t file)
{
    struct fleet_machine *machines = ck_room(f->machines, f->machine_count, &f->machine_room, 64, sizeof *machines);
    size_t *place;

    if (!machines)
        return -1;
    f->machines = machines;
    if (!grow_index(f))
        return -1;
    place = place_of(f, id, group);
    if (!*place) {
        struct fleet_machine *m = &machines[f->machine_count];
        *m = (struct fleet_machine){ .file = file, .group = group };
        snprintf(m->id, sizeof m->id, "%s", id);
        *place = ++f->machine_count;
    }
    return (long)*place - 1;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

/* Whether the last line begins as an end line does. */
static bool has_end(const char *path)
{
    char tail[512];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    ssize_t n = 0;
    char *line;

    if (fd < 0)
        return false;
    if (!fstat(fd, &st))
        n = pread(fd, tail, sizeof tail - 1, st.st_size > 511 ? st.st_size - 511 : 0);
    close(fd);
    if (n <= 0)
        return false;
    n -= tail[n - 1] == '\n';
    tail[n] = 0;
    line = strrchr(tail, '\n');
    return !strncmp(line ? line + 1 : tail, "{\"end\"", 6);
}

static bool broken(struct fleet *f, struct fleet_file *file, const char *why)
{
    file->state = FLEET_BROKEN;
    f->of[FLEET_BROKEN]++;
    file->why = strdup(why);
    return file->why || no_memory();
}

/* A machine by its GPU; by the first of those that shared the points, and how many more there were. */
static void name_gpu(const struct ck_run_head *head, char *id, size_t size)
{
    const unsigned gpus = ck_head_gpus(head);

    snprintf(id, size, "gpu-%.*s", gpus > 1 ? (int)strcspn(head->uuid, ",") : 32, head->uuid);
    if (gpus > 1)
        ck_append(id, size, "+%u", gpus - 1);
}

static bool add_file(struct fleet *f, const char *path)
{
    struct fleet_file *files = ck_room(f->files, f->file_count, &f->file_room, 64, sizeof *files), *file;
    struct ck_record_file head;
    char error[512], id[48];
    long group, machine = -1;

    if (!files)
        return no_memory();
    f->files = files;
    file = &files[f->file_count];
    *file = (struct fleet_file){ .path = strdup(path), .ended = has_end(path) };
    if (!file->path)
        return no_memory();
    f->file_count++;
    if (!ck_read_head(path, &head, error, sizeof error))
        return broken(f, file, error);
    file->planned = head.head.planned;
    if (head.head.shard && sscanf(head.head.shard, "%lu/%lu", &file->shard, &file->shards) != 2)
        file->shard = file->shards = 0;
    if (head.head.uuid)
        name_gpu(&head.head, id, sizeof id);
    else if (head.head.host)
        snprintf(id, sizeof id, "host-%.32s", head.head.host);
    else
        snprintf(id, sizeof id, "file-%zu", f->file_count);
    group = group_of(f, &head);
    if (group >= 0)
        machine = machine_of(f, id, (size_t)group, f->file_count - 1);
    ck_free_records(&head);
    if (machine < 0)
        return no_memory();
    file->machine = (size_t)machine;
    return true;
}

bool fleet_add(struct fleet *f, const char *path)
{
    struct dirent **names = NULL;
    struct stat st;
    bool good = true;
    int n;

    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return add_file(f, path);
    n = scandir(path, &names, ck_is_jsonl, alphasort);
    if (n < 0)
        return ck_wrong("merge: %s: cannot be read as a folder", path);
    for (int i = 0; i < n; i++) {
        char *whole = NULL;
        if (good && asprintf(&whole, "%s/%s", path, names[i]->d_name) < 0)
            good = no_memory();
        good = good && add_file(f, whole);
        free(whole);
        free(names[i]);
    }
    free(names);
    return good;
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* The file that counts for the same machine and shard, or for all of it; NULL: none yet. */
static const struct fleet_file *counted_before(const struct fleet *f, const struct fleet_file *file)
{
    const struct fleet_machine *m = &f->machines[file->machine];

    if (!m->whole && !m->have)
        return NULL;
    for (size_t i = 0; i < f->file_count; i++) {
        const struct fleet_file *other = &f->files[i];
        const bool counts = other->state == FLEET_COUNTED || other->state == FLEET_CUT;
        if (counts && other->machine == file->machine &&
            (!file->shards || other->shards != file->shards || other->shard == file->shard))
            return other;
    }
    return NULL;
}

static bool read_one(struct fleet *f, struct fleet_file *file)
{
    const struct fleet_file *before = counted_before(f, file);
    struct fleet_machine *m = &f->machines[file->machine];
    struct ck_record_file records;
    char error[512];
    bool good;

    if (before) {
        file->state = FLEET_AGAIN;
        f->of[FLEET_AGAIN]++;
        file->why = strdup(before->path);
        return file->why || no_memory();
    }
    if (!ck_read_records(file->path, &records, error, sizeof error))
        return broken(f, file, error);
    file->state = records.head.complete ? FLEET_COUNTED : FLEET_CUT;
    file->records = records.count;
    f->of[file->state]++;
    f->records += records.count;
    f->bytes += records.good_bytes;
    if (!m->whole && !m->have) {
        m->file = (size_t)(file - f->files);
        f->groups[m->group].machines++;
    }
    m->whole |= !file->shards;
    m->have += file->shards != 0;
    m->shards = file->shards;
    good = fleet_count(f, file->machine, &records);
    ck_free_records(&records);
    return good || ck_wrong("merge: out of memory, or more than %d points", FLEET_CELLS_MAX);
}

bool fleet_read(struct fleet *f, bool (*stop)(size_t done, size_t all))
{
    size_t done = 0;

    /* Whole files first, the last one first: of two of the same machine the later one that ended counts. */
    for (int ended = 1; ended >= 0; ended--)
        for (size_t i = f->file_count; i-- > 0;) {
            if (f->files[i].state != FLEET_WAITS || f->files[i].ended != ended)
                continue;
            if (stop(done++, f->file_count) || !read_one(f, &f->files[i]))
                return false;
        }
    for (size_t i = 0; i < f->machine_count; i++)
        f->lacking += !f->machines[i].whole && f->machines[i].have && f->machines[i].have < f->machines[i].shards;
    return true;
}

void fleet_free(struct fleet *f)
{
    for (size_t i = 0; i < f->file_count; i++) {
        free(f->files[i].path);
        free(f->files[i].why);
    }
    for (size_t i = 0; i < f->group_count; i++)
        ck_free_records(&f->groups[i].file);
    for (size_t i = 0; i < f->cell_count; i++) {
        for (unsigned k = 0; k < f->cells[i].count; k++) {
            free(f->cells[i].results[k].outcome);
            free(f->cells[i].results[k].seen);
        }
        free(f->cells[i].results);
        free(f->cells[i].point);
    }
    for (size_t i = 0; i < f->family_count; i++)
        free(f->families[i]);
    free(f->files);
    free(f->machines);
    free(f->groups);
    free(f->cells);
    free(f->families);
    ck_index_free(&f->by_id);
    ck_index_free(&f->by_point);
    *f = (struct fleet){ 0 };
}
// SPDX-License-Identifier: Apache-2.0
