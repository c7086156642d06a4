/* Fat binaries.
 *
 * The struct around one is in the toolkit's fatbinary_section.h. The format of the image itself has no document; this
 * is what nvcc 12.0 to 13.5 write. Numbers are little endian, offsets in bytes, of 32 bits unless said otherwise.
 *
 * - Header: 0 magic 0xba55ed50, 4 version (16 bits), 6 bytes of this header (16 bits), 8 bytes of the entries behind it
 *   (64 bits).
 * - Entry: 0 kind (16 bits; 1: PTX, 2: ELF), 4 bytes of this header, 8 bytes of what follows it (64 bits), 16 how many
 *   of them are compressed data (0: it is not compressed), 28 target (90 of sm_90), 40 flags (64 bits), 56 bytes of
 *   the text (64 bits).
 * - Flags: 0x2000 LZ4, 0x8000 zstd, 0x100000 a target with an "a". */
#include "harness/inside/device/fatbin.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fatbinary_section.h>

#define IMAGE_MAGIC 0xba55ed50u
#define ELF_MAGIC   0x464c457fu

enum {
    IMAGE_HEADER = 8,
    ENTRY_KIND = 0,
    ENTRY_HEADER = 4,
    ENTRY_BYTES = 8,
    ENTRY_COMPRESSED = 16,
    ENTRY_TARGET = 28,
    ENTRY_FLAGS = 40,
    ENTRY_TEXT = 56,
    ENTRY_LEAST = 64, /* bytes of an entry's header */
    KIND_PTX = 1,
    KIND_MACHINE_CODE = 2,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_SPECIFIC = 0x100000,
    HIGHEST = 90
};

static uint64_t number_at(const unsigned char *p, unsigned bytes)
{
    uint64_t n = 0;

    memcpy(&n, p, bytes);
    return n;
}

static bool fails(char *error, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool fails(char *error, size_t size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(error, size, format, args);
    va_end(args);
    return false;
}

/* ---- compression --------------------------------------------------------------------------------------------------
 */

/* A function of a library that every distribution has; NULL where this machine has not. */
static void *function_of(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    return handle ? dlsym(handle, name) : NULL;
}

static bool unpack_zstd(char *to, size_t room, const void *from, size_t bytes, char *error, size_t size)
{
    size_t (*decompress)(void *, size_t, const void *, size_t);

    *(void **)&decompress = function_of("libzstd.so.1", "ZSTD_decompress");
    if (!decompress)
        return fails(error, size, "its PTX is compressed, and this machine has no libzstd.so.1 (Debian: libzstd1)");
    if (decompress(to, room, from, bytes) != room)
        return fails(error, size, "its PTX is damaged (zstd)");
    return true;
}

static bool unpack_lz4(char *to, size_t room, const void *from, size_t bytes, char *error, size_t size)
{
    int (*decompress)(const char *, char *, int, int);

    *(void **)&decompress = function_of("liblz4.so.1", "LZ4_decompress_safe");
    if (!decompress)
        return fails(error, size, "its PTX is compressed, and this machine has no liblz4.so.1 (Debian: liblz4-1)");
    if (room > INT32_MAX || bytes > INT32_MAX || decompress(from, to, (int)bytes, (int)room) != (int)room)
        return fails(error, size, "its PTX is damaged (LZ4)");
    return true;
}

/* ---- images -------------------------------------------------------------------------------------------------------
 */

/* Which entry is the better one to run: none below 0. */
static int rank_of(const unsigned char *entry)
{
    const uint64_t target = number_at(entry + ENTRY_TARGET, 4);
    const bool specific = number_at(entry + ENTRY_FLAGS, 8) & FLAG_SPECIFIC;

    if (number_at(entry + ENTRY_KIND, 2) != KIND_PTX || target > HIGHEST || (specific && target != HIGHEST))
        return -1;
    return 2 * (int)target + specific;
}

/* Whether an entry is PTX for a newer target that says the same there as here: of no architecture or family alone. */
static bool is_newer(const unsigned char *entry)
{
    enum { FIRST = 100, BEHIND = 1000 };
    const uint64_t target = number_at(entry + ENTRY_TARGET, 4), flags = number_at(entry + ENTRY_FLAGS, 8);

    return number_at(entry + ENTRY_KIND, 2) == KIND_PTX && target >= FIRST && target < BEHIND &&
           !(flags & FLAG_SPECIFIC);
}

/* The PTX that an entry holds. */
static bool take(const unsigned char *entry, struct fatbin *out, char *error, size_t size)
{
    const uint64_t header = number_at(entry + ENTRY_HEADER, 4), bytes = number_at(entry + ENTRY_BYTES, 8);
    const uint64_t packed = number_at(entry + ENTRY_COMPRESSED, 4), flags = number_at(entry + ENTRY_FLAGS, 8);
    const uint64_t room = packed ? number_at(entry + ENTRY_TEXT, 8) : bytes;
    struct fatbin_text *t = &out->texts[out->count];

    if (out->count == FATBIN_TEXTS)
        return fails(error, size, "it was linked from more than %d object files", FATBIN_TEXTS);
    if (packed > bytes || room > 1u << 30)
        return fails(error, size, "its fat binary is damaged");
    t->text = malloc(room + 1);
    if (!t->text)
        return fails(error, size, "no memory for its PTX of %llu bytes", (unsigned long long)room);
    out->count++;
    t->text[room] = 0;
    if (!packed)
        memcpy(t->text, entry + header, room);
    else if (!(flags & FLAG_ZSTD ? unpack_zstd : unpack_lz4)(t->text, room, entry + header, packed, error, size))
        return false;
    t->size = strnlen(t->text, room);
    return true;
}

/* An image holds several for one source file: images follow one another where that was compiled for several targets.
 * `linked`: it is one of several that were linked. A library of the toolkit may be among them, the runtime of dynamic
 * parallelism, whose PTX is for the newest target only: the machine has its functions itself.
 * Libraries are often built with machine code for this device and PTX for the newest one alone: a GPU runs the former,
 * and here the latter is what there is. */
static bool read_image(const unsigned char *image, bool linked, struct fatbin *out, char *error, size_t size)
{
    const unsigned char *at = image + number_at(image + 6, 2), *best = NULL, *newer = NULL;
    const unsigned char *const end = at + number_at(image + IMAGE_HEADER, 8);
    uint64_t machine_code = 0, higher = 0;
    bool own = false; /* machine code that this device runs */

    while (at + ENTRY_LEAST <= end) {
        const uint64_t target = number_at(at + ENTRY_TARGET, 4);
        const uint64_t header = number_at(at + ENTRY_HEADER, 4), bytes = number_at(at + ENTRY_BYTES, 8);
        const uint64_t left = (uint64_t)(end - at);
        /* each alone, as their sum may be more than 64 bits hold */
        if (header < ENTRY_LEAST || header > left || bytes > left - header)
            return fails(error, size, "its fat binary is damaged");
        if (rank_of(at) >= 0 && (!best || rank_of(at) > rank_of(best)))
            best = at;
        else if (rank_of(at) < 0 && number_at(at + ENTRY_KIND, 2) == KIND_PTX)
            higher = target;
        else if (rank_of(at) < 0)
            machine_code = target;
        if (is_newer(at) && (!newer || target < number_at(newer + ENTRY_TARGET, 4)))
            newer = at;
        own = own || (number_at(at + ENTRY_KIND, 2) == KIND_MACHINE_CODE && target == HIGHEST);
        at += header + bytes;
    }
    if (best)
        return take(best, out, error, size);
    if (higher && linked)
        return true;
    if (newer && own)
        return take(newer, out, error, size);
    if (higher)
        return fails(error, size, "its PTX is for sm_%llu only; build it with -arch=sm_90a",
                     (unsigned long long)higher);
    return fails(error, size,
                 "it holds machine code%s and no PTX; build it with -arch=sm_90a, or with -gencode "
                 "arch=compute_90a,code=compute_90a beside what it has",
                 machine_code ? "" : " of an unknown kind");
}

static bool read_any(const unsigned char *image, bool linked, struct fatbin *out, char *error, size_t size)
{
    if (number_at(image, 4) == IMAGE_MAGIC)
        return read_image(image, linked, out, error, size);
    return fails(error, size, "its image is no fat binary");
}

bool fatbin_read(const void *image, size_t size, struct fatbin *out, char *error, size_t error_size)
{
    const __fatBinC_Wrapper_t *wrapper = image;
    const uint64_t magic = size && size < 4 ? 0 : number_at(image, 4);

    *out = (struct fatbin){ 0 };
    if (magic == FATBINC_MAGIC && wrapper->version == FATBINC_LINK_VERSION) {
        for (void *const *one = wrapper->filename_or_fatbins; *one; one++)
            if (!read_any(*one, true, out, error, error_size))
                return false;
        return out->count ||
               fails(error, error_size, "it holds no PTX for sm_90a or lower; build it with -arch=sm_90a");
    }
    if (magic == FATBINC_MAGIC)
        return read_any((const unsigned char *)wrapper->data, false, out, error, error_size);
    if (magic == IMAGE_MAGIC)
        return read_image(image, false, out, error, error_size);
    if (magic == ELF_MAGIC)
        return fails(error, error_size, "it is machine code (a cubin); load PTX, or a fat binary with PTX in it");
    out->texts[0].size = size ? strnlen(image, size) : strlen(image);
    out->texts[0].text = strndup(image, out->texts[0].size);
    out->count = 1;
    return out->texts[0].text || fails(error, error_size, "no memory for its PTX");
}

void fatbin_free(struct fatbin *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->texts[i].text);
    f->count = 0;
}
// SPDX-License-Identifier: Apache-2.0
