/* copycheck swizzle: the permutation that a mode makes of 16-byte slots. */
#include "harness/commands/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expected/oracle.h"
#include "harness/base/number.h"

enum { SLOT = 16, LINE = 128, SLOTS = LINE / SLOT };

static const char help[] =
    "usage: copycheck swizzle --mode MODE [--base ADDRESS] [--lines N]\n"
    "\n"
    "Prints where a tile that starts at shared address ADDRESS (default 0) has its 16-byte slots: the number of\n"
    "each slot in the unswizzled tile, at its place in shared memory. MODE is none, 32B, 64B, 128B,\n"
    "128B-atom-32B, 128B-atom-32B-flip-8B or 128B-atom-64B. A slot whose 8-byte halves are swapped is marked ~.\n";

static void formula(int64_t mode)
{
    static const char *const text[TENSOR_SWIZZLE_COUNT] = {
        [TENSOR_SWIZZLE_NONE] = "every byte stays where it is",
        [TENSOR_SWIZZLE_32B] = "a ^ (a >> 3 & 0x10): bit 4 changes with bit 7",
        [TENSOR_SWIZZLE_64B] = "a ^ (a >> 3 & 0x30): bits 5:4 change with bits 8:7",
        [TENSOR_SWIZZLE_128B] = "a ^ (a >> 3 & 0x70): bits 6:4 change with bits 9:7",
        [TENSOR_SWIZZLE_128B_ATOM_32B] = "a ^ (a >> 2 & 0x60): bits 6:5 change with bits 8:7",
        [TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B] =
            "a ^ (a >> 2 & 0x60) ^ (a >> 4 & 8): bits 6:5 change with bits 8:7, bit 3 with bit 7",
        [TENSOR_SWIZZLE_128B_ATOM_64B] = "a ^ (a >> 1 & 0x40): bit 6 changes with bit 7",
    };

    printf("%s, a being the byte address in shared memory; repeats every %u bytes\n\n", text[mode],
           tensor_swizzle_period(mode));
}

static void print_permutation(int64_t mode, uint64_t base, uint64_t lines)
{
    static const char *const colours[SLOTS] = { "\033[31m", "\033[32m", "\033[33m", "\033[34m",
                                                "\033[35m", "\033[36m", "\033[91m", "\033[94m" };
    const bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    int width = 1;

    for (uint64_t n = lines * SLOTS - 1; n >= 10; n /= 10)
        width++;
    printf("%10s", "address");
    for (int i = 0; i < SLOTS; i++)
        printf("  %*s+%x0", width > 2 ? width - 2 : 0, "", i);
    putchar('\n');
    for (uint64_t l = 0; l < lines; l++) {
        printf("%#10" PRIx64, base + l * LINE);
        for (uint64_t i = 0; i < SLOTS; i++) {
            /* Each mode is its own inverse: what is found at an address is what the address would be swizzled to. */
            const uint64_t from = tensor_swizzle(mode, base + l * LINE + i * SLOT);
            const uint64_t slot = (from - base) / SLOT;

            printf("  %s%*" PRIu64 "%s%s", colour ? colours[slot % SLOTS] : "", width > 2 ? width : 2, slot,
                   from % SLOT ? "~" : " ", colour ? "\033[0m" : "");
        }
        putchar('\n');
    }
}

int cmd_swizzle(int argc, char **argv)
{
    struct tensor_map map = { .swizzle = -1 };
    uint64_t base = 0, lines = 0;
    char words[64], error[160];

    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        const char *next = i + 1 < argc ? argv[i + 1] : "";

        if (!strcmp(a, "--help") || !strcmp(a, "-h"))
            return cmd_help(help);
        if (!strcmp(a, "--mode")) {
            snprintf(words, sizeof words, "swizzle=%s", next);
            if (!*next || strpbrk(next, " \t\n=") || !tensor_map_set(&map, words, error, sizeof error) ||
                map.swizzle < 0 || map.swizzle >= TENSOR_SWIZZLE_COUNT)
                return ck_bad("swizzle: no mode '%s'; copycheck swizzle --help lists them", next);
        } else if (!strcmp(a, "--base")) {
            if (!ck_number(next, 0, UINT32_MAX, &base))
                return ck_bad("swizzle: --base '%s': not a 32-bit address", next);
        } else if (!strcmp(a, "--lines")) {
            if (!ck_number(next, 1, 1 << 16, &lines))
                return ck_bad("swizzle: --lines '%s': not a number from 1 to 65536", next);
        } else {
            return ck_bad("swizzle: '%s' is no option of it; copycheck swizzle --help lists them", a);
        }
        i++;
    }
    if (map.swizzle < 0) {
        cmd_help(help);
        return 2;
    }
    if (base % LINE)
        return ck_bad(
            "swizzle: --base %" PRIu64 " is no multiple of 128: the documents demand that of a tile's address", base);
    if (!lines)
        lines = tensor_swizzle_period(map.swizzle) < LINE ? 1 : tensor_swizzle_period(map.swizzle) / LINE;
    formula(map.swizzle);
    print_permutation(map.swizzle, base, lines);
    return cmd_end(0);
}
// SPDX-License-Identifier: Apache-2.0
