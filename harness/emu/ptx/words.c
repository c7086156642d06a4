/* The words, instruction names and special registers of PTX, and finding them by their text. */
#include <pthread.h>
#include <string.h>

#include "harness/base/hash.h"
#include "harness/emu/ptx/parser.h"

const char *const ptx_word_text[PTX_WORDS] = {
    [PTX_none] = "",
#define WORD(symbol, text, class) [PTX_##symbol] = text,
#include "harness/emu/ptx/words.def"
#undef WORD
};

const uint8_t ptx_word_class[PTX_WORDS] = {
#define WORD(symbol, text, class) [PTX_##symbol] = PC_##class,
#include "harness/emu/ptx/words.def"
#undef WORD
};

const char *const ptx_op_text[OP_COUNT] = {
    [OP_none] = "",
#define OP(symbol, text) [OP_##symbol] = text,
#include "harness/emu/ptx/ops.def"
#undef OP
};

const struct ptx_special_info ptx_specials[SR_COUNT] = {
    [SR_none] = { .text = "" },
#define SPECIAL(symbol, text, type, vector, version, target) [SR_##symbol] = { text, type, vector, version, target },
#include "harness/emu/ptx/specials.def"
#undef SPECIAL
};

/* One open-addressed table for all three, made once. An entry is the kind in the high bits and the index. */
enum { SLOTS = 4096, K_WORD = 1 << 16, K_OP = 2 << 16, K_PREFIX = 3 << 16, K_SPECIAL = 4 << 16 };

static struct slot {
    const char *text;
    uint32_t length;
    uint32_t entry;
} table[SLOTS];

static uint32_t hash_of(const char *text, size_t length, uint32_t kind)
{
    const uint64_t h = fnv1a(FNV1A_BASIS ^ kind, text, length);

    return (uint32_t)(h ^ h >> 32);
}

static void put(const char *text, size_t length, uint32_t kind, uint32_t index)
{
    uint32_t i = hash_of(text, length, kind) % SLOTS;
    while (table[i].text) {
        if ((table[i].entry & ~0xFFFFu) == kind && table[i].length == length && !memcmp(table[i].text, text, length))
            return;
        i = (i + 1) % SLOTS;
    }
    table[i] = (struct slot){ text, (uint32_t)length, kind | index };
}

static void make_table(void)
{
    for (uint32_t i = 1; i < PTX_WORDS; i++)
        put(ptx_word_text[i], strlen(ptx_word_text[i]), K_WORD, i);
    for (uint32_t i = 1; i < OP_COUNT; i++) {
        const char *t = ptx_op_text[i];
        put(t, strlen(t), K_OP, i);
        for (const char *dot = strchr(t, '.'); dot; dot = strchr(dot + 1, '.'))
            put(t, (size_t)(dot - t), K_PREFIX, i);
    }
    for (uint32_t i = 1; i < SR_COUNT; i++)
        put(ptx_specials[i].text, strlen(ptx_specials[i].text), K_SPECIAL, i);
}

static uint16_t find(const char *text, size_t length, uint32_t kind)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_table);
    for (uint32_t i = hash_of(text, length, kind) % SLOTS; table[i].text; i = (i + 1) % SLOTS)
        if ((table[i].entry & ~0xFFFFu) == kind && table[i].length == length && !memcmp(table[i].text, text, length))
            return (uint16_t)table[i].entry;
    return 0;
}

uint16_t ptx_find_word(const char *text, size_t length)
{
    return find(text, length, K_WORD);
}

uint16_t op_find(const char *text, size_t length)
{
    return find(text, length, K_OP);
}

bool op_is_prefix(const char *text, size_t length)
{
    return find(text, length, K_PREFIX) != 0;
}

uint16_t special_find(const char *text, size_t length)
{
    return find(text, length, K_SPECIAL);
}

unsigned ptx_type_size(uint16_t type)
{
    static const uint8_t size[PTX_WORDS] = {
        [PTX_b8] = 1,      [PTX_u8] = 1,         [PTX_s8] = 1,     [PTX_pred] = 1,       [PTX_e4m3] = 1,
        [PTX_e5m2] = 1,    [PTX_b16] = 2,        [PTX_u16] = 2,    [PTX_s16] = 2,        [PTX_f16] = 2,
        [PTX_bf16] = 2,    [PTX_e4m3x2] = 2,     [PTX_e5m2x2] = 2, [PTX_b32] = 4,        [PTX_u32] = 4,
        [PTX_s32] = 4,     [PTX_f32] = 4,        [PTX_f16x2] = 4,  [PTX_bf16x2] = 4,     [PTX_tf32] = 4,
        [PTX_u16x2] = 4,   [PTX_s16x2] = 4,      [PTX_e4m3x4] = 4, [PTX_e5m2x4] = 4,     [PTX_b64] = 8,
        [PTX_u64] = 8,     [PTX_s64] = 8,        [PTX_f64] = 8,    [PTX_f32x2] = 8,      [PTX_texref] = 8,
        [PTX_surfref] = 8, [PTX_samplerref] = 8, [PTX_b128] = 16,  [PTX_e2m1x2] = 1,     [PTX_e2m3x2] = 2,
        [PTX_e3m2x2] = 2,  [PTX_ue8m0x2] = 2,    [PTX_e2m1x4] = 2, [PTX_e2m3x4] = 4,     [PTX_e3m2x4] = 4,
        [PTX_u8x4] = 4,    [PTX_s8x4] = 4,       [PTX_b4x16] = 8,  [PTX_b4x16_p64] = 16, [PTX_b6x16_p32] = 16,
        [PTX_s2f6x2] = 2,
    };
    return type < PTX_WORDS ? size[type] : 0;
}

/* The number of elements that a word such as .v4 stands for. */
static uint8_t vector_of(uint16_t word)
{
    switch (word) {
    case PTX_v2: return 2;
    case PTX_v4: return 4;
    case PTX_v8: return 8;
    default: return 16;
    }
}

void ptx_classify(struct ptx_instruction *i, const uint16_t *words)
{
    unsigned types = 0, spaces = 0;

    memset(i->type, 0, sizeof i->type);
    memset(i->space, 0, sizeof i->space);
    i->vector = 1;
    for (unsigned k = 0; k < i->n_words; k++)
        switch (ptx_word_class[words[k]]) {
        case PC_type:
            if (types < PTX_TYPES_OF)
                i->type[types] = words[k];
            types++;
            break;
        case PC_space:
            if (spaces < PTX_SPACES_OF)
                i->space[spaces] = words[k];
            spaces++;
            break;
        case PC_vector: i->vector = vector_of(words[k]); break;
        default: break;
        }
}
// SPDX-License-Identifier: Apache-2.0
