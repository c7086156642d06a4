/* What the machine itself does with time: banks, swizzles, latency, barriers, tensor maps. */
#include "expected/oracle.h"
#include "tests/speed/speed.h"

enum { WARP = 32, WARPS = 8 /* so many that they wait for memory and not for each other */ };

/* Each lane of a warp loads 64 words of shared memory, with the lanes some words apart and with one word. Lanes that
 * meet in a bank wait for each other. */
static void banks(struct ck *t)
{
    struct speed s = speed_of(t, ck_input(t, 16384), WARPS * WARP, ROUNDS);

    s.a.bytes = (uint32_t)s.in.size;
    s.a.choice = (uint32_t)ck_int(t, "stride");
    for (uint32_t i = 0; i < s.threads; i++)
        for (uint32_t k = 0; k < 64; k++) {
            s.expected[i] += word_of(s.in.host + i % WARP * s.a.choice * 4 + k * 128);
            s.expected[s.threads + i] += word_of(s.in.host + i % WARP * 4 + k * 128);
        }
    run_speed(t, &s, "speed_banks", s.a.bytes, "lanes so many words apart over one word");
}

/* Warps read a tile of 32 rows by its columns of 16 bytes, where the tile came as it is, and where it came swizzled
 * over the bytes of a row. */
static void columns(struct ck *t)
{
    const uint32_t row = (uint32_t)ck_int(t, "span");
    struct speed s = speed_of(t, ck_input(t, WARP * row), WARPS * WARP, ROUNDS);
    struct speed_map_args a;
    struct tensor_map map = tensor_map_default(TENSOR_U8, 2);

    s.a.choice = row;
    s.a.times = 8;
    map.dims[0] = map.strides[0] = map.box[0] = row;
    map.dims[1] = map.box[1] = WARP;
    ck_encode(t, &map, s.in, &a.first);
    map.swizzle = row == 32 ? TENSOR_SWIZZLE_32B : row == 64 ? TENSOR_SWIZZLE_64B : TENSOR_SWIZZLE_128B;
    ck_encode(t, &map, s.in, &a.second);
    a.s = s.a;
    for (uint32_t i = 0; i < s.threads; i++) {
        uint32_t sum = 0;
        for (uint32_t at = 0; at < row; at += 4)
            sum += word_of(s.in.host + i % WARP * row + at);
        expect_word(&s, i, sum * s.a.times);
    }
    if (launch_speed(t, "speed_swizzle", &a, sizeof a, 1, s.threads, 0, 2 * 4096 + 8) == CK_DONE)
        judge_speed(t, &s, "by columns as it is over by columns swizzled");
}

/* A thread follows a ring of 64 offsets: through global memory, near or far, and through shared memory. */
static void latency(struct ck *t)
{
    enum { STEPS = 64, RING = 8192 };
    struct speed s = speed_of(t, ck_is(t, "from", "host") ? ck_slow_input(t, RING) : ck_input(t, RING), 1, ROUNDS);

    s.a.bytes = RING;
    s.a.times = STEPS;
    s.a.choice = !ck_is(t, "from", "L1");
    for (uint32_t i = 0; i < STEPS; i++) { /* 27 is odd: every place is met before the first comes again */
        const uint32_t next = (i + 27) % STEPS * (RING / STEPS);
        memcpy(s.in.host + i * (RING / STEPS), &next, sizeof next);
    }
    ck_changed(t, s.in);
    expect_word(&s, 0, 0);
    run_speed(t, &s, "speed_latency", RING, "a load from global memory over one from shared memory");
}

/* Threads arrive on an mbarrier and wait for it 32 times, by the token of their arrival and by the phase's parity. */
static void parity(struct ck *t)
{
    struct speed s = speed_of(t, ck_input(t, 16), (uint32_t)ck_int(t, "threads"), ROUNDS);

    s.a.times = 32;
    for (uint32_t i = 0; i < s.threads; i++)
        expect_word(&s, i, s.a.times);
    run_speed(t, &s, "speed_parity", 16, "a wait by token over one by parity");
}

/* 64 positions in 8 rows, one slice of each, of a tensor whose channels are in slices of 16 or 32 bytes; and as many
 * bytes of a tensor that is not interleaved. */
static void make_maps(struct ck *t, struct tensor_map *first, struct tensor_map *second)
{
    enum { POSITIONS = 64, ROWS = 8, ROW_BYTES = 128 };
    const uint32_t slice = ck_is(t, "interleave", "16B") ? 16 : 32;

    *first = *second = tensor_map_default(TENSOR_U8, 3);
    first->interleave = slice == 16 ? TENSOR_INTERLEAVE_16B : TENSOR_INTERLEAVE_32B;
    first->swizzle = slice == 16 ? TENSOR_SWIZZLE_NONE : TENSOR_SWIZZLE_32B;
    first->dims[0] = first->box[0] = POSITIONS;
    first->dims[1] = first->box[1] = 1;
    first->dims[2] = first->box[2] = ROWS;
    first->strides[0] = first->strides[1] = POSITIONS * slice;
    second->dims[0] = second->strides[0] = second->box[0] = ROW_BYTES;
    second->dims[1] = second->box[1] = POSITIONS * ROWS * slice / ROW_BYTES;
    second->dims[2] = second->box[2] = 1;
    second->strides[1] = POSITIONS * ROWS * slice;
}

/* The same number of bytes comes by a map that interleaves its channels in slices, and by one that does not. */
static void interleave(struct ck *t)
{
    const int32_t corner[5] = { 0 };
    struct tensor_map first, second;
    struct speed_map_args a;
    unsigned char *image;
    struct speed s;

    make_maps(t, &first, &second);
    const uint32_t bytes = (uint32_t)tensor_tile_bytes(&second);
    s = speed_of(t, ck_input(t, bytes), WARP, ROUNDS);
    s.a.bytes = bytes;
    ck_encode(t, &first, s.in, &a.first);
    ck_encode(t, &second, s.in, &a.second);
    a.s = s.a;
    image = ck_alloc(t, 2 * bytes);
    oracle_tile_load(&first, s.in.host, corner, image, 0);
    oracle_tile_load(&second, s.in.host, corner, image, bytes);
    for (uint32_t i = 0; i < WARP; i++) {
        s.expected[i] = word_of(image + i * 4);
        s.expected[WARP + i] = word_of(image + bytes + i * 4);
    }
    if (launch_speed(t, "speed_maps", &a, sizeof a, 1, WARP, 0, 2 * bytes + 8) == CK_DONE)
        judge_speed(t, &s, "interleaved over not");
}

enum { BOX = 2048 };

/* Maps of one box of 2 KB, of which each is used once. */
static struct speed first_loads(struct ck *t, struct speed_maps_args *a)
{
    struct speed s = speed_of(t, ck_input(t, BOX), WARP, SPEED_MAPS / 2);
    struct tensor_map map = tensor_map_default(TENSOR_U8, 2);

    map.dims[0] = map.strides[0] = map.box[0] = 128;
    map.dims[1] = map.box[1] = BOX / 128;
    for (int i = 0; i < SPEED_MAPS; i++)
        ck_encode(t, &map, s.in, &a->parameter[i]);
    s.a.bytes = BOX;
    s.warm = 1;
    for (uint32_t i = 0; i < WARP; i++)
        expect_word(&s, i, word_of(s.in.host + i * 4));
    return s;
}

/* Launches a kernel with the maps in all three places, of which the axis `in` names one. */
static void launch_maps(struct ck *t, struct speed *s, struct speed_maps_args *a, const char *kernel, const char *what)
{
    struct ck_buf maps = ck_input(t, sizeof a->parameter);

    s->a.choice = ck_is(t, "in", "parameter") ? SPEED_PARAMETER
                  : ck_is(t, "in", "global")  ? SPEED_GLOBAL
                                              : SPEED_CONSTANT;
    a->s = s->a;
    a->global = maps.device;
    memcpy(maps.host, a->parameter, sizeof a->parameter);
    ck_changed(t, maps);
    ck_no_digest(t);
    if (ck_launch(t, &(struct ck_launch){ .kernel = kernel,
                                          .block = { WARP },
                                          .smem = 2 * BOX + 8,
                                          .args = a,
                                          .size = sizeof *a,
                                          .constant = "speed_constant",
                                          .constant_bytes = a->parameter,
                                          .constant_size = sizeof a->parameter }) == CK_DONE)
        judge_speed(t, s, what);
}

/* The first load by a map that was not prefetched, and by one that was, some time before. */
static void prefetch(struct ck *t)
{
    struct speed_maps_args a = { 0 };
    struct speed s = first_loads(t, &a);

    launch_maps(t, &s, &a, "speed_prefetch", "first load by a map over by a prefetched one");
}

/* The first load by a map in constant or global memory, and by one that is a parameter. */
static void space(struct ck *t)
{
    struct speed_maps_args a = { 0 };
    struct speed s = first_loads(t, &a);

    launch_maps(t, &s, &a, "speed_space", "first load by a map there over by a parameter");
}

/* The registers of two kernels that bring 8 pieces of 16 bytes for each thread: by loads before their stores, and by
 * cp.async. */
static void registers(struct ck *t)
{
    const int loads = ck_registers(t, "stage_registers"), copies = ck_registers(t, "stage_cp_async");

    ck_see(t, "%d by loads, %d by cp.async", loads, copies);
}

static const struct ck_case cases[] = {
    { CK_RULE(obs_smem_banks), .timed = true, .run = banks, .axes = { { "stride", "0..16 17 24 31 32 33" } } },
    { CK_RULE(obs_swizzle_bank_conflicts), .timed = true, .run = columns, .axes = { { "span", "32 64 128" } } },
    { CK_RULE(obs_latency_global), .timed = true, .run = latency, .axes = { { "from", "L1 L2 host" } } },
    { CK_RULE(obs_barrier_parity_cost), .timed = true, .run = parity,
      .axes = { { "threads", "32 64 128 256 512 1024" } } },
    { CK_RULE(obs_interleave_speed), .timed = true, .run = interleave, .axes = { { "interleave", "16B 32B" } } },
    { CK_RULE(obs_copy_register_pressure), .timed = true, .run = registers },
    { CK_RULE(obs_tmap_prefetch_cost), .timed = true, .run = prefetch,
      .axes = { { "in", "parameter constant global" } } },
    { CK_RULE(obs_tmap_space_cost), .timed = true, .run = space, .axes = { { "in", "constant global" } } },
    { 0 }
};

const struct ck_suite speed_machine = { "speed/machine", cases };
// SPDX-License-Identifier: Apache-2.0
