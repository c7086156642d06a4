/* What the lanes of a warp access together on trial (schedule/tried.h): which accesses go with one another, what they
 * leave, and that all of it is put back. The lanes are those of a warp that nobody runs, with four registers each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/machine/spare.h"
#include "harness/emu/schedule/tried.h"

enum { BYTES = 16384, REGISTERS = 8 };
#define ALL UINT32_MAX

static struct emu_spare spare;
static struct emu_grid grid = { .spare = &spare };
static struct emu_cluster cluster = { .grid = &grid };
static struct emu_cta cta;
static struct emu_thread lanes[EMU_WARP];
static struct emu_code code = { .first_special = REGISTERS };
static struct emu_block *block;
static unsigned char bytes[BYTES], before[BYTES];
static struct emu_tried *tried;

static int set_up(void **state)
{
    (void)state;
    memset(&cta, 0, sizeof cta);
    memset(lanes, 0, sizeof lanes);
    free(block);
    block = calloc(1, sizeof *block + sizeof *block->r * REGISTERS * EMU_WARP);
    assert_non_null(block);
    block->code = &code;
    cta.cluster = &cluster;
    cta.shared = bytes;
    cta.shared_bytes = BYTES;
    for (unsigned i = 0; i < BYTES; i++)
        bytes[i] = before[i] = (unsigned char)(i * 7 + i / 256);
    for (uint32_t lane = 0; lane < EMU_WARP; lane++) {
        lanes[lane].cta = &cta;
        lanes[lane].lane = lane;
        lanes[lane].r = block->r + lane;
        lanes[lane].steps = 100 + lane;
        for (unsigned k = 0; k < REGISTERS; k++)
            block->r[k * EMU_WARP + lane] = 1000 * k + lane;
    }
    tried = emu_tried_of(&cluster);
    assert_non_null(tried);
    assert_true(emu_tried_begin(tried, lanes, ALL, block));
    assert_true(tried->any_order); /* nobody watches */
    tried->any_order = false;
    return 0;
}

/* Register k of a lane, as an op is about to write it. */
static uint64_t *written(unsigned k, uint32_t lane)
{
    emu_tried_keep_slot(tried, block->r, k * EMU_WARP);
    return &block->r[k * EMU_WARP + lane];
}

/* Register k of all lanes becomes an address: from + lane * stride. */
static void place(unsigned k, int from, int stride)
{
    for (int lane = 0; lane < EMU_WARP; lane++)
        *written(k, (uint32_t)lane) = (uint32_t)(from + lane * stride);
}

/* A load by one lane. */
static void alone(struct emu_thread *t, const struct emu_op *op)
{
    uint32_t value;

    assert_ptr_equal(t->pc, op + 1);
    memcpy(&value, &bytes[t->r[op->a] + (uint64_t)op->offset], sizeof value);
    t->r[op->d] = value;
}

/* A store of register 1 at the address in register 0, or a load from there into register 2; of the lanes of a set. */
static bool access_as(bool stores, uint8_t size, uint8_t vector, const uint32_t *elements, uint32_t set)
{
    struct emu_op op = {
        .together = stores ? EMU_STORE : EMU_LOAD, .space = PTX_shared, .size = size, .vector = vector
    };
    uint64_t on[EMU_WARP];

    for (uint32_t lane = 0; lane < EMU_WARP; lane++)
        on[lane] = set >> lane & 1;
    op.memory.elements = elements;
    op.run = alone;
    op.a = stores ? 1 * EMU_WARP : 0;
    op.d = stores ? 0 : 2 * EMU_WARP;
    op.writes = stores ? EMU_WRITES_NONE : EMU_WRITES_ONE;
    return emu_tried_access(tried, lanes, block->r, &op, set, set == ALL ? NULL : on);
}

static bool store(uint32_t set)
{
    return access_as(true, 4, 1, NULL, set);
}

static bool load(uint32_t set)
{
    return access_as(false, 4, 1, NULL, set);
}

static uint32_t word(unsigned at)
{
    uint32_t value;

    memcpy(&value, &bytes[at], sizeof value);
    return value;
}

static void put_back(void)
{
    emu_tried_put_back(tried, lanes, ALL, block);
    assert_memory_equal(bytes, before, BYTES);
    for (uint32_t lane = 0; lane < EMU_WARP; lane++) {
        assert_int_equal(lanes[lane].steps, 100 + lane);
        for (unsigned k = 0; k < REGISTERS; k++)
            assert_int_equal(block->r[k * EMU_WARP + lane], 1000 * k + lane);
    }
}

/* Rows of words, bytes, words far apart and backwards: stored, loaded again, stored once more, and put back. */
static void stored_and_put_back(void **state)
{
    static const struct {
        uint8_t size;
        int from, stride;
        uint32_t set;
    } rows[] = { { 4, 256, 4, ALL },     { 1, 300, 1, ALL },        { 8, 512, 8, ALL },   { 2, 512, 64, ALL },
                 { 4, 4096, 256, ALL },  { 4, 256, 4, 0x0ff0ff00 }, { 4, 1024, -4, ALL }, { 8, 4096, -128, 0xff },
                 { 4, 256, 4, 1u << 9 }, { 2, 128, 2, 0x7fffffffu } };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_up(NULL);
        place(0, rows[i].from, rows[i].stride);
        assert_true(access_as(true, rows[i].size, 1, NULL, rows[i].set));
        assert_true(access_as(false, rows[i].size, 1, NULL, rows[i].set));
        for (uint32_t lane = 0; lane < EMU_WARP; lane++) {
            const uint64_t mask = rows[i].size == 8 ? UINT64_MAX : (1ull << rows[i].size * 8) - 1;
            const uint64_t was = 2000 + lane, is = (1000 + lane) & mask;
            assert_int_equal(block->r[2 * EMU_WARP + lane], rows[i].set >> lane & 1 ? is : was);
            *written(1, lane) = 77;
            lanes[lane].steps += 5;
        }
        assert_true(access_as(true, rows[i].size, 1, NULL, rows[i].set));
        assert_int_equal(tried->acted, rows[i].set);
        put_back();
    }
}

/* What a set of lanes stores, and then all: those that came first are put back to what was before both. */
static void in_parts(void **state)
{
    (void)state;
    place(0, 256, 4);
    assert_true(store(0xffff));
    for (uint32_t lane = 0; lane < EMU_WARP; lane++)
        *written(1, lane) = 5;
    assert_true(load(ALL));
    assert_true(store(ALL));
    assert_int_equal(word(256), 5);
    assert_true(store(0xff));
    put_back();
}

/* Vectors: elements go to registers of their own, and one of them nowhere. */
static void vectors(void **state)
{
    static const uint32_t from[] = { 1 * EMU_WARP, 3 * EMU_WARP, 4 * EMU_WARP, 5 * EMU_WARP };
    static const uint32_t to[] = { 6 * EMU_WARP, EMU_NO, 2 * EMU_WARP, 7 * EMU_WARP };

    (void)state;
    place(0, 1024, 16);
    assert_true(access_as(true, 4, 4, from, ALL));
    assert_int_equal(word(1024 + 16 * 3 + 8), 4003);
    assert_true(access_as(false, 4, 4, to, ALL));
    assert_int_equal(block->r[2 * EMU_WARP + 9], 4009);
    assert_int_equal(block->r[6 * EMU_WARP + 31], 1031);
    place(0, 1024, 32); /* another pattern there, of what the first has written */
    assert_false(access_as(false, 4, 4, to, ALL));
    put_back();
}

/* What does not go together, or not at all: nothing is lost by asking. */
static void refused(void **state)
{
    static const struct {
        int from, stride;
        bool stores;
    } second[] = {
        { 260, 4, false },        /* the neighbour's */
        { 252, 4, true },         /* the same the other way round */
        { 256, 8, false },        /* some lane's */
        { 256, 0, false },        /* one lane's, by all */
        { 2048, 0, true },        /* all store to one place: which one is last counts */
        { 2050, 4, false },       /* misaligned */
        { BYTES - 64, 4, false }, /* not all there */
    };

    (void)state;
    for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
        set_up(NULL);
        place(0, 256, 4);
        assert_true(store(ALL));
        place(0, second[i].from, second[i].stride);
        assert_false(second[i].stores ? store(ALL) : load(ALL));
        put_back();
    }
    set_up(NULL);
    place(0, 256, 4);
    *written(0, 5) += 4; /* lane 5 goes where lane 6 does */
    assert_false(store(ALL));
    put_back();
}

/* Patterns in many places are found again, however many: the last one meets the first, or goes with it. */
static void many_places(void **state)
{
    (void)state;
    for (unsigned far = 0; far < 20; far++) {
        place(0, (int)(far * 640), 4);
        assert_true(far % 2 ? load(ALL) : store(ALL));
    }
    assert_int_equal(tried->n, 20);
    for (unsigned far = 0; far < 20; far += 2) {
        place(0, (int)(far * 640), 4);
        assert_true(load(ALL));
        assert_int_equal(block->r[2 * EMU_WARP + 4], 1004);
        place(0, (int)(far * 640 + 4), 4);
        assert_false(load(ALL));
    }
    assert_int_equal(tried->n, 20);
    put_back();
}

/* For each line the patterns come in the order in which turns make the accesses. */
static void sorted(void **state)
{
    const struct emu_pattern *of;

    (void)state;
    place(0, 4096, 256); /* lines of each lane's own: what is first stays first */
    assert_true(load(ALL));
    place(0, 256, 4);
    assert_true(load(0xffff0000)); /* the later lanes of a row before the earlier ones */
    assert_true(load(0xffff));
    of = emu_tried_sorted(tried);
    assert_non_null(of);
    assert_int_equal(of[0].stride, 256);
    assert_int_equal(of[1].lanes, 0xffff);
    assert_int_equal(of[2].lanes, 0xffff0000);
    assert_true(emu_tried_begin(tried, lanes, ALL, block));
    assert_true(load(0x55555555));
    assert_true(load(0xaaaaaaaa)); /* lanes of one between those of the other */
    assert_null(emu_tried_sorted(tried));
}

/* Rows of 16 lanes are two patterns; more than a few are none. */
static void in_runs(void **state)
{
    (void)state;
    place(0, 256, 4);
    for (unsigned lane = 16; lane < EMU_WARP; lane++)
        block->r[lane] += 1000;
    assert_true(load(ALL));
    assert_int_equal(tried->n, 2);
    assert_int_equal(tried->of[0].lanes, 0xffff);
    assert_int_equal(tried->of[1].lanes, 0xffff0000);
    assert_int_equal(tried->of[1].low, tried->of[0].low + 64 + 1000);
    assert_true(load(ALL)); /* both are found again */
    assert_int_equal(tried->n, 2);
    place(0, 256, 4);
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        block->r[lane] += lane * lane * 8;
    assert_false(load(ALL));
    put_back();
}

/* Where nobody asks for the order: loads go with all other loads, and need no pattern, until something is stored there.
 */
static void in_any_order(void **state)
{
    (void)state;
    tried->any_order = true;
    place(0, 256, 4);
    assert_true(load(0xffff));
    assert_true(load(ALL)); /* of other lanes: another one */
    assert_int_equal(tried->n, 2);
    assert_true(load(ALL));
    assert_true(load(0xffff));
    assert_int_equal(tried->n, 2);
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        *written(0, lane) = 1024 + lane * lane * 8;
    const uint64_t last = block->r[2 * EMU_WARP + 31];
    assert_true(load(0x7fffffff));
    for (unsigned lane = 0; lane < EMU_WARP - 1; lane++)
        assert_int_equal(block->r[2 * EMU_WARP + lane], word(1024 + lane * lane * 8));
    assert_int_equal(block->r[2 * EMU_WARP + 31], last); /* it was not on */
    assert_int_equal(tried->scatter, 0x7fffffff);
    assert_int_equal(tried->n, 2);
    assert_null(lanes[3].pc);
    place(0, 1024 + 30 * 30 * 8, 4);
    assert_false(store(ALL)); /* where one has loaded */
    put_back();
    set_up(NULL);
    tried->any_order = true;
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        *written(0, lane) = 1024 + lane * lane * 8;
    assert_true(load(0x7fffffff));
    place(0, 1024 + 30 * 30 * 8 + 4, 4);
    assert_true(store(ALL)); /* behind all of that */
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        *written(0, lane) = 1024 + lane * lane * 8;
    assert_false(load(ALL)); /* and then there is no more of it */
    put_back();
    set_up(NULL);
    tried->any_order = true;
    for (unsigned lane = 0; lane < EMU_WARP; lane++)
        *written(0, lane) = 1024 + lane * lane * 16;
    *written(0, 7) += 2;
    assert_false(load(ALL)); /* misaligned */
    *written(0, 7) += 2 + BYTES;
    assert_false(load(ALL)); /* outside */
}

/* Lanes read each other's words: for a word the order of turns is that of lanes, so the last pattern comes first. */
static void neighbours(void **state)
{
    const struct emu_pattern *of;

    (void)state;
    for (int word = 0; word < 5; word++) {
        place(0, 512 + 4 * word, 4);
        assert_true(load(ALL));
    }
    of = emu_tried_sorted(tried);
    assert_non_null(of);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(of[i].born, 4 - i);
    assert_true(of[0].shares && !of[4].shares);
    put_back();
    set_up(NULL);
    for (int word = 0; word < 5; word++) { /* each by all lanes */
        place(0, 512 + 4 * word, 0);
        assert_true(load(ALL));
    }
    assert_non_null(emu_tried_sorted(tried));
    put_back();
}

/* Where windows were given up, fewer and fewer begin; where one ended well, all do. */
static void given_up(void **state)
{
    struct emu_op op = { .together = EMU_LOAD };
    unsigned refused[4] = { 0 };

    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        emu_tried_learn(tried, &op, false);
        while (!emu_tried_dares(tried, &op))
            refused[i]++;
    }
    for (unsigned i = 1; i < 4; i++)
        assert_true(refused[i] > refused[i - 1]);
    emu_tried_learn(tried, &op, false);
    emu_tried_learn(tried, &op, true);
    assert_true(emu_tried_dares(tried, &op));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(stored_and_put_back, set_up),
        cmocka_unit_test_setup(in_parts, set_up),
        cmocka_unit_test_setup(vectors, set_up),
        cmocka_unit_test_setup(refused, set_up),
        cmocka_unit_test_setup(many_places, set_up),
        cmocka_unit_test_setup(sorted, set_up),
        cmocka_unit_test_setup(in_runs, set_up),
        cmocka_unit_test_setup(in_any_order, set_up),
        cmocka_unit_test_setup(neighbours, set_up),
        cmocka_unit_test_setup(given_up, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
