/* L06: four calls of cuTensorMapEncodeTiled, each with one argument that the driver refuses.
 *
 * A student writes the arguments of the calls in the kernel `describe`. They are checked, and made into the maps that
 * the kernel `load` gets. */
#include <stdio.h>
#include <string.h>

#include "expected/oracle.h"
#include "harness/lab/lab.h"

enum { CALLS = 4, ARGUMENTS = 14, THREADS = 128, FAULTS = 8, PITCH_MAX = 256, FLOAT = sizeof(float) };

/* A tensor of floats, and the part of each of its rows that the kernel writes out. `pitch` (bytes) is that of the rows
 * in memory; 0: the stride that the student's call names. */
static const struct tensor {
    const char *name;
    uint32_t floats, pitch;
    uint32_t column, columns, rows;
} tensors[CALLS] = {
    { "points", 6, 0, 0, 6, 8 },
    { "strip", 4, 16, 0, 4, 272 },
    { "block", 48, 192, 0, 40, 4 },
    { "image", 32, 128, 2, 16, 4 },
};

/* The sizes of a launch, drawn in the same order for both steps. */
struct sizes {
    uint32_t y, rows;
};

static struct sizes draw(struct lab_launch *l)
{
    const uint32_t y = lab_draw(l, 0, 24, 1);

    return (struct sizes){ .y = y, .rows = y + lab_draw(l, 272, 280, 1) };
}

static void describe(struct lab_launch *l)
{
    const struct sizes s = draw(l);

    lab_entry(l, "describe");
    lab_block(l, 1, 1, 1);
    lab_out(l, NULL, CALLS * ARGUMENTS * sizeof(uint64_t), 0);
    lab_u32(l, s.rows);
}

static uint32_t narrow(uint64_t value)
{
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* The call that these words are, in the order of cuda.h. */
static struct tensor_map read_call(const uint64_t a[ARGUMENTS])
{
    return (struct tensor_map){
        .type = (int64_t)a[0],
        .rank = (int64_t)a[1],
        .address = a[2],
        .dims = { a[3], a[4] },
        .strides = { a[5] },
        .box = { narrow(a[6]), narrow(a[7]) },
        .element_strides = { narrow(a[8]), narrow(a[9]) },
        .interleave = (int64_t)a[10],
        .swizzle = (int64_t)a[11],
        .l2 = (int64_t)a[12],
        .fill = (int64_t)a[13],
    };
}

/* Says what is wrong with a call; `size` is that of the tensor's buffer in bytes. */
static void check_call(struct lab_launch *l, unsigned call, const struct tensor_map *map, uint64_t size)
{
    struct tensor_map_fault faults[FAULTS];
    const char *name = tensors[call].name;

    if (map->rank != 2 || map->type != TENSOR_F32) {
        lab_wrong(l, NULL, "calls[%u], %s: the tensor has rank 2 and holds floats; the call says otherwise.", call,
                  name);
        return;
    }
    const size_t broken = tensor_map_check(map, faults, FAULTS);
    for (size_t i = 0; i < broken && i < FAULTS; i++) {
        const struct tensor_map_fault *f = &faults[i];
        char bytes[40] = "";
        if (!strcmp(f->argument, "boxDim[0]") && f->value <= UINT32_MAX)
            snprintf(bytes, sizeof bytes, " elements, %llu bytes", (unsigned long long)f->value * FLOAT);
        lab_wrong(l, f->rule->id, "calls[%u], %s: CUDA_ERROR_INVALID_VALUE: %s is %llu%s; it must be %s.", call, name,
                  f->argument, (unsigned long long)f->value, bytes, f->limit);
    }
    if (!broken && map->strides[0] < tensors[call].floats * FLOAT)
        lab_wrong(l, NULL, "calls[%u], %s: rows %llu bytes apart overlap: a row has %u bytes.", call, name,
                  (unsigned long long)map->strides[0], (unsigned)(tensors[call].floats * FLOAT));
    if (!broken && (map->dims[1] > size || map->strides[0] > size ||
                    map->address + (map->dims[1] - 1) * map->strides[0] + map->dims[0] * FLOAT > size))
        lab_wrong(l, NULL, "calls[%u], %s: the tensor that the call describes ends behind its buffer of %llu bytes.",
                  call, name, (unsigned long long)size);
}

/* Bytes from a row of a tensor to the next, where the student's call says so: any that leaves room for the row. */
static uint32_t pitch_of(const struct tensor *t, const struct tensor_map *map)
{
    if (t->pitch)
        return t->pitch;
    if (map->strides[0] < t->floats * FLOAT || map->strides[0] > PITCH_MAX || map->strides[0] % FLOAT)
        return t->floats * FLOAT;
    return (uint32_t)map->strides[0];
}

static void load(struct lab_launch *l)
{
    const struct sizes s = draw(l);
    const uint64_t *words = lab_left(l, 0, 0);
    struct tensor_map maps[CALLS];
    const unsigned char *bytes[CALLS];
    size_t sizes[CALLS], total = 0;
    unsigned buffers[CALLS];

    if (!words) {
        lab_wrong(l, NULL, "describe has left nothing.");
        return;
    }
    for (unsigned i = 0; i < CALLS; i++)
        total += tensors[i].columns * tensors[i].rows;
    float *out = lab_room(l, total * FLOAT), *next = out;
    for (unsigned i = 0; i < CALLS; i++) {
        const struct tensor *t = &tensors[i];
        maps[i] = read_call(words + i * ARGUMENTS);
        const uint32_t pitch = pitch_of(t, &maps[i]);
        const float *floats = lab_floats(l, s.rows * pitch / FLOAT);
        bytes[i] = (const unsigned char *)floats;
        sizes[i] = s.rows * pitch;
        check_call(l, i, &maps[i], sizes[i]);
        for (uint32_t row = 0; row < t->rows; row++, next += t->columns)
            memcpy(next, bytes[i] + (s.y + row) * pitch + t->column * FLOAT, t->columns * FLOAT);
    }

    lab_entry(l, "load");
    lab_block(l, THREADS, 1, 1);
    lab_out(l, out, total * FLOAT, 0);
    lab_look(l, "The tiles lie in `out` in the order of the calls. A map that begins elsewhere than its tile's tensor "
                "shifts the tile: the coordinates of its copy make up for that.");
    lab_u32(l, s.y);
    for (unsigned i = 0; i < CALLS; i++)
        buffers[i] = lab_in(l, bytes[i], sizes[i]);
    for (unsigned i = 0; i < CALLS; i++)
        lab_map(l, &maps[i], buffers[i]);
    lab_at_least(l, LAB_TENSOR_LOAD_BYTES, total * FLOAT, "each tile must be loaded through its map");
    lab_at_most(l, LAB_LOADS_BYTES, 0, "the threads must not load the tensors themselves");
    lab_remark(l, LAB_BARRIERS, 1,
               "one __syncthreads is enough, after the init: each thread waits for the tiles at the mbarrier");
}

const struct lab lab_l06 = {
    .id = "L06",
    .folder = "L06-tensor-maps",
    .file = "maps.cu",
    .title = "Reading INVALID_VALUE",
    .kernel = "load",
    .prepare = { describe, load },
    .steps = { "describe", "load" },
};
// SPDX-License-Identifier: Apache-2.0
