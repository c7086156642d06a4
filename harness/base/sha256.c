/* SHA-256 after FIPS 180-4. */
#include "harness/base/sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, LENGTH = 8 };

static const uint32_t constants[ROUNDS] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
};

static uint32_t turned(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

/* Section 6.2.2: takes one block into the state. */
static void take(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[ROUNDS], s[8];

    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (size_t i = 16; i < ROUNDS; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] =
            w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < ROUNDS; i++) {
        const uint32_t e = s[4], a = s[0];
        const uint32_t t =
            s[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + constants[i] + w[i];
        const uint32_t u = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t;
        s[0] = t + u;
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += s[i];
}

void ck_sha256(const void *bytes, size_t count, unsigned char digest[CK_SHA256_BYTES])
{
    uint32_t state[8] = {
        0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19
    };
    unsigned char last[2 * BLOCK] = { 0 };
    const unsigned char *p = bytes;
    size_t left = count, size;

    for (; left >= BLOCK; left -= BLOCK, p += BLOCK)
        take(state, p);
    if (left)
        memcpy(last, p, left);
    last[left] = 0x80;
    size = left + 1 + LENGTH > BLOCK ? 2 * BLOCK : BLOCK;
    for (size_t i = 0; i < LENGTH; i++)
        last[size - 1 - i] = (unsigned char)((uint64_t)count * 8 >> 8 * i);
    take(state, last);
    if (size > BLOCK)
        take(state, last + BLOCK);
    for (size_t i = 0; i < CK_SHA256_BYTES; i++)
        digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}
// SPDX-License-Identifier: Apache-2.0
