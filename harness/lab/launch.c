/* What a lab's functions say of a launch. */
#include "harness/lab/launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expected/random.h"
#include "harness/base/bad.h"
#include "harness/base/hash.h"
#include "harness/lab/words.h"

static const char *const means_names[LAB_MEANS] = {
    [LAB_CP_ASYNC_BYTES] = "cp-async-bytes",
    [LAB_BULK_LOAD_BYTES] = "bulk-load-bytes",
    [LAB_BULK_STORE_BYTES] = "bulk-store-bytes",
    [LAB_TENSOR_LOAD_BYTES] = "tensor-load-bytes",
    [LAB_TENSOR_STORE_BYTES] = "tensor-store-bytes",
    [LAB_MULTICASTS] = "multicasts",
    [LAB_LOADS_BYTES] = "loads-bytes",
    [LAB_STORES_BYTES] = "stores-bytes",
    [LAB_REMOTE_BYTES] = "remote-bytes",
    [LAB_BARRIERS] = "barriers",
    [LAB_CLUSTER_BARRIERS] = "cluster-barriers",
    [LAB_GROUP_WAITS] = "group-waits",
    [LAB_FULL_WAITS] = "full-waits",
    [LAB_PROXY_FENCES] = "proxy-fences",
    [LAB_FENCES] = "fences",
    [LAB_PHASES] = "phases",
    [LAB_IN_FLIGHT] = "in-flight",
};

const char *lab_means_name(enum lab_means means)
{
    return means_names[means];
}

/* ---- numbers and contents ---------------------------------------------------------------------------------------- */

uint32_t lab_draw(struct lab_launch *l, uint32_t low, uint32_t high, uint32_t step)
{
    const uint32_t first = (low + step - 1) / step, last = high / step;
    const uint32_t drawn = first + splitmix64_below(&l->random, last > first ? last - first + 1 : 1);

    return l->size ? drawn * step : low;
}

/* Memory that is freed with the launch. */
static void *keep(struct lab_launch *l, size_t bytes)
{
    void *room = calloc(1, bytes + 1);

    if (!room)
        ck_no_memory();
    if (l->kept_count == LAB_KEPT) {
        snprintf(l->failed, sizeof l->failed, "more than %d pieces of memory", LAB_KEPT);
        free(l->kept[--l->kept_count]);
    }
    l->kept[l->kept_count++] = room;
    return room;
}

uint32_t *lab_words(struct lab_launch *l, size_t count)
{
    uint32_t *words = keep(l, count * sizeof *words);

    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)splitmix64_next(&l->random);
    return words;
}

float *lab_floats(struct lab_launch *l, size_t count)
{
    float *floats = keep(l, count * sizeof *floats);

    for (size_t i = 0; i < count; i++)
        floats[i] = (float)splitmix64_below(&l->random, 15) + 1;
    return floats;
}

void *lab_room(struct lab_launch *l, size_t bytes)
{
    return keep(l, bytes);
}

/* ---- the launch -------------------------------------------------------------------------------------------------- */

void lab_entry(struct lab_launch *l, const char *kernel)
{
    l->args.entry = kernel;
}

void lab_grid(struct lab_launch *l, uint32_t x, uint32_t y, uint32_t z)
{
    memcpy(l->args.grid, (const uint32_t[]){ x, y, z }, sizeof l->args.grid);
}

void lab_block(struct lab_launch *l, uint32_t x, uint32_t y, uint32_t z)
{
    memcpy(l->args.block, (const uint32_t[]){ x, y, z }, sizeof l->args.block);
}

void lab_cluster(struct lab_launch *l, uint32_t x)
{
    memcpy(l->args.cluster, (const uint32_t[]){ x, 1, 1 }, sizeof l->args.cluster);
}

void lab_smem(struct lab_launch *l, uint32_t bytes)
{
    l->args.smem = bytes;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* The next argument; in place of one too many a last one, and the lab is at fault. */
static struct check_arg *next_arg(struct lab_launch *l, enum check_kind kind, const char *spec)
{
    if (l->args.arg_count == LAB_BUFFERS) {
        snprintf(l->failed, sizeof l->failed, "more than %d arguments", LAB_BUFFERS);
        free(l->args.args[--l->args.arg_count].data);
    }
    struct check_arg *a = &l->args.args[l->args.arg_count++];
    *a = (struct check_arg){ .kind = kind, .spec = spec };
    return a;
}

/* The bytes become the argument's own. */
static void give(struct check_arg *a, const void *bytes, size_t size)
{
    a->data = malloc(size + 1);
    if (!a->data)
        ck_no_memory();
    memcpy(a->data, bytes, size);
    a->bytes = size;
}

static unsigned add_buffer(struct lab_launch *l, const void *before, const void *expected, size_t size, float tolerance)
{
    struct check_arg *a = next_arg(l, before ? CHECK_IN : CHECK_OUT, before ? "in" : "out");
    const size_t arg = l->args.arg_count - 1;
    const unsigned number = l->buffer_count == LAB_BUFFERS ? LAB_BUFFERS - 1 : l->buffer_count++;
    struct lab_buffer *b = &l->buffers[number];

    *b = (struct lab_buffer){ .arg = arg, .in = before && before == expected, .size = size, .tolerance = tolerance };
    snprintf(b->name, sizeof b->name, "parameter %zu", arg);
    if (before)
        give(a, before, size);
    if (expected) {
        unsigned char *copy = keep(l, size);
        memcpy(copy, expected, size);
        b->expected = copy;
    }
    a->size = size;
    a->name = b->name; /* which the judge makes the student's own */
    return number;
}

unsigned lab_in(struct lab_launch *l, const void *bytes, size_t size)
{
    return add_buffer(l, bytes, bytes, size, 0);
}

unsigned lab_out(struct lab_launch *l, const void *expected, size_t size, float tolerance)
{
    return add_buffer(l, NULL, expected, size, tolerance);
}

unsigned lab_inout(struct lab_launch *l, const void *before, const void *expected, size_t size)
{
    return add_buffer(l, before, expected, size, 0);
}

unsigned lab_behind_in(struct lab_launch *l, const void *bytes, size_t size)
{
    const unsigned buffer = lab_in(l, bytes, size);

    l->args.args[l->args.arg_count - 1].apart = true;
    return buffer;
}

void lab_columns(struct lab_launch *l, unsigned buffer, uint32_t columns)
{
    l->buffers[buffer].columns = columns;
}

void lab_look(struct lab_launch *l, const char *say)
{
    l->look = say;
}

void lab_u32(struct lab_launch *l, uint32_t value)
{
    give(next_arg(l, CHECK_VALUE, "u32"), &value, sizeof value);
}

void lab_f32(struct lab_launch *l, float value)
{
    give(next_arg(l, CHECK_VALUE, "f32"), &value, sizeof value);
}

void lab_map(struct lab_launch *l, const struct tensor_map *map, unsigned buffer)
{
    struct check_arg *a = next_arg(l, CHECK_MAP, "map");

    if (l->args.map_count == CHECK_MAPS || buffer >= l->buffer_count) {
        snprintf(l->failed, sizeof l->failed, "a map of no buffer, or too many");
        return;
    }
    a->map = l->args.map_count++;
    l->args.maps[a->map] = (struct check_map){ .name = "map", .map = *map, .buffer = l->buffers[buffer].arg };
}

void lab_map_at(struct lab_launch *l, const struct tensor_map *map, unsigned buffer)
{
    lab_map(l, map, buffer); /* the kernel's parameter says whether the map or its address is passed */
}

/* ---- what is asked, and what was left ---------------------------------------------------------------------------- */

static void wish(struct lab_launch *l, struct lab_wish w)
{
    if (l->wish_count == LAB_WISHES)
        snprintf(l->failed, sizeof l->failed, "more than %d wishes", LAB_WISHES);
    else
        l->wishes[l->wish_count++] = w;
}

void lab_at_least(struct lab_launch *l, enum lab_means means, uint64_t least, const char *say)
{
    wish(l, (struct lab_wish){ LAB_LEAST, means, least, say });
}

void lab_at_most(struct lab_launch *l, enum lab_means means, uint64_t most, const char *say)
{
    wish(l, (struct lab_wish){ LAB_MOST, means, most, say });
}

void lab_remark(struct lab_launch *l, enum lab_means means, uint64_t most, const char *say)
{
    wish(l, (struct lab_wish){ LAB_REMARKED, means, most, say });
}

void lab_ask_swizzle(struct lab_launch *l)
{
    l->ask_swizzle = true;
}

const void *lab_left(const struct lab_launch *l, unsigned step, unsigned buffer)
{
    while (l && l->step != step)
        l = l->before;
    return l && buffer < l->buffer_count ? l->left[buffer] : NULL;
}

void lab_wrong(struct lab_launch *l, const char *rule, const char *format, ...)
{
    va_list args;

    if (l->wrong_count == LAB_FAULTS)
        return;
    struct lab_fault *fault = &l->wrong[l->wrong_count++];
    fault->rule = rule;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
}

/* ---- what the module and the source say of it ---------------------------------------------------------------------
 */

const struct ptx_function *lab_kernel(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->n_functions; i++)
        if (m->functions[i].is_entry && m->functions[i].has_body && !strcmp(m->functions[i].name, name))
            return &m->functions[i];
    return NULL;
}

void lab_launch_names(struct lab_launch *l, const char *source, uint32_t count)
{
    size_t parameter = 0;

    if (!source || count > LAB_BUFFERS || !lab_parameter_names(source, l->args.entry, count, LAB_PARAMETER, l->names))
        return;
    for (size_t i = 0, b = 0; i < l->args.arg_count; i++) {
        const bool buffer = b < l->buffer_count && l->buffers[b].arg == i;
        if (buffer && !l->args.args[i].apart)
            strcpy(l->buffers[b].name, l->names[parameter]);
        else if (l->args.args[i].kind == CHECK_MAP)
            l->args.args[i].name = l->names[parameter];
        b += buffer;
        parameter += !l->args.args[i].apart;
    }
}

/* ---- its life -----------------------------------------------------------------------------------------------------
 */

struct lab_launch *lab_launch_new(const struct lab *lab, unsigned size, unsigned step, uint64_t seed,
                                  struct lab_launch *before)
{
    struct lab_launch *l = calloc(1, sizeof *l);

    if (!l)
        return NULL;
    l->lab = lab;
    l->size = size;
    l->step = step;
    l->before = before;
    l->random = splitmix64(fnv1a(FNV1A_BASIS, lab->id, strlen(lab->id)) ^ splitmix64(seed) ^ size);
    l->args.entry = lab->kernel;
    l->args.file = lab->file;
    lab_grid(l, 1, 1, 1);
    lab->prepare[step](l);
    return l;
}

void lab_launch_free(struct lab_launch *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->args.arg_count; i++)
        free(l->args.args[i].data);
    for (unsigned i = 0; i < l->kept_count; i++)
        free(l->kept[i]);
    for (unsigned i = 0; i < l->buffer_count; i++)
        free(l->left[i]);
    free(l);
}
// SPDX-License-Identifier: Apache-2.0
