/* Which events of a launch are kept. */
#include "harness/picture/log.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/room.h"

enum {
    FIRST = 12000, /* events that are kept from the beginning */
    BEFORE = 1500, /* and before a finding, and at the end */
    AFTER = 500,   /* and behind a finding */
    VARIABLES = 400,
    MOST = 20000 /* and all together, apart from the last one: the page is to open in two seconds */
};

struct picture_log *picture_log_new(void)
{
    struct picture_log *log = calloc(1, sizeof *log);

    if (log)
        log->late = calloc(BEFORE, sizeof *log->late);
    if (!log || !log->late) {
        free(log);
        return NULL;
    }
    return log;
}

void picture_log_clear(struct picture_log *log)
{
    log->count = log->late_count = log->after = log->filed_count = log->variable_count = 0;
    log->left_out = log->copies = log->clock = 0;
    ck_notes_free(&log->notes);
}

void picture_log_free(struct picture_log *log)
{
    if (!log)
        return;
    ck_notes_free(&log->notes);
    free(log->kept);
    free(log->late);
    free(log->buffers);
    free(log->variables);
    free(log->filed);
    free(log);
}

static void keep(struct picture_log *log, const struct picture_event *event)
{
    struct picture_event *kept = ck_room(log->kept, log->count, &log->room, 1024, sizeof *kept);

    if (!kept) {
        log->failed = true;
        return;
    }
    log->kept = kept;
    kept[log->count++] = *event;
}

/* Keeps what the ring still has, behind a mark that says how many events came before it. */
static void keep_late(struct picture_log *log)
{
    const size_t all = log->late_count, some = all < BEFORE ? all : BEFORE;

    if (all > some && log->count < MOST) {
        const struct picture_event *first = &log->late[(all - some) % BEFORE];
        log->left_out += all - some;
        keep(log, &(struct picture_event){ .kind = PICTURE_GAP, .step = first->step, .of = { (int64_t)(all - some) } });
    }
    for (size_t i = all - some; i < all && log->count < MOST; i++)
        keep(log, &log->late[i % BEFORE]);
    log->late_count = 0;
}

void picture_log_add(struct picture_log *log, const struct picture_event *event)
{
    const bool now = log->count < FIRST || log->after;

    if (log->after)
        log->after--;
    if (log->count < MOST && now) {
        keep(log, event);
        return;
    }
    log->late[log->late_count % BEFORE] = *event;
    log->late_count++;
}

void picture_log_found(struct picture_log *log, const struct emu_finding *finding)
{
    struct picture_filed *filed = ck_room(log->filed, log->filed_count, &log->filed_room, 8, sizeof *filed);

    if (!filed) {
        log->failed = true;
        return;
    }
    if (log->late_count && log->count < MOST)
        keep_late(log);
    log->after = AFTER;
    log->filed = filed;
    filed[log->filed_count++] = (struct picture_filed){
        .rule = finding->rule, .here = finding->here.at, .there = finding->there.at, .event = log->count
    };
}

uint64_t picture_log_thread(const struct picture_log *log, const struct emu_place *place)
{
    const uint32_t *grid = log->grid, *block = log->block;
    const uint64_t cta = place->ctaid[0] + (uint64_t)grid[0] * (place->ctaid[1] + (uint64_t)grid[1] * place->ctaid[2]);
    const uint64_t index = place->tid[0] + (uint64_t)block[0] * (place->tid[1] + (uint64_t)block[1] * place->tid[2]);

    return cta * block[0] * block[1] * block[2] + index + 1;
}

bool picture_log_has(const struct picture_log *log, uint64_t thread, uint32_t at)
{
    for (size_t k = log->count; k; k--)
        if (log->kept[k - 1].thread == thread && log->kept[k - 1].at == at)
            return true;
    for (size_t k = 0; k < log->late_count && k < BEFORE; k++)
        if (log->late[k].thread == thread && log->late[k].at == at)
            return true;
    return false;
}

void picture_log_end(struct picture_log *log, const struct picture_event *end)
{
    if (log->late_count && log->count < MOST) {
        keep_late(log);
    } else if (log->late_count) {
        log->left_out += log->late_count;
        keep(log,
             &(struct picture_event){ .kind = PICTURE_GAP, .step = end->step, .of = { (int64_t)log->late_count } });
        log->late_count = 0;
    }
    keep(log, end);
}

int64_t picture_log_buffer(struct picture_log *log, uint64_t at, const char *name)
{
    struct picture_buffer *all;

    for (size_t i = 0; i < log->buffer_count; i++)
        if (log->buffers[i].at == at && !strncmp(log->buffers[i].name, name, PICTURE_BUFFER - 1))
            return (int64_t)i;
    all = ck_room(log->buffers, log->buffer_count, &log->buffer_room, 16, sizeof *all);
    if (!all) {
        log->failed = true;
        return -1;
    }
    log->buffers = all;
    all[log->buffer_count] = (struct picture_buffer){ .at = at };
    strncpy(all[log->buffer_count].name, name, PICTURE_BUFFER - 1);
    return (int64_t)log->buffer_count++;
}

void picture_log_variable(struct picture_log *log, const struct picture_variable *variable)
{
    struct picture_variable *all = ck_room(log->variables, log->variable_count, &log->variable_room, 16, sizeof *all);

    if (!all)
        log->failed = true;
    else
        log->variables = all;
    if (all && log->variable_count < VARIABLES)
        all[log->variable_count++] = *variable;
}
// SPDX-License-Identifier: Apache-2.0
