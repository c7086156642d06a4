/* The machine code of a cubin's entries. */
#include "harness/engines/cubin.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "harness/base/hash.h"

/* The i-th section's header; false where it is not within the file. */
static bool section(const unsigned char *image, size_t size, const Elf64_Ehdr *head, size_t i, Elf64_Shdr *out)
{
    const uint64_t at = head->e_shoff + (uint64_t)i * sizeof *out;

    if (i >= head->e_shnum || head->e_shoff > size || at + sizeof *out > size)
        return false;
    memcpy(out, image + at, sizeof *out);
    return true;
}

static bool is_within(const Elf64_Shdr *s, size_t size)
{
    return s->sh_type != SHT_NOBITS && s->sh_offset <= size && s->sh_size <= size - s->sh_offset;
}

uint64_t ck_cubin_code(const void *image, size_t size, const char *entry)
{
    static const char prefix[] = ".text.";
    const unsigned char *bytes = image;
    Elf64_Ehdr head;
    Elf64_Shdr names, code;

    if (size < sizeof head || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return 0;
    memcpy(&head, bytes, sizeof head);
    if (head.e_shentsize != sizeof code || !section(bytes, size, &head, head.e_shstrndx, &names) ||
        !is_within(&names, size))
        return 0;
    const size_t length = strlen(prefix) + strlen(entry) + 1; /* with the NUL */
    for (size_t i = 0; section(bytes, size, &head, i, &code); i++) {
        if (!is_within(&code, size) || code.sh_name > names.sh_size || length > names.sh_size - code.sh_name)
            continue;
        const char *name = (const char *)bytes + names.sh_offset + code.sh_name;
        if (!memcmp(name, prefix, strlen(prefix)) && !memcmp(name + strlen(prefix), entry, strlen(entry) + 1))
            return fnv1a(FNV1A_BASIS, bytes + code.sh_offset, code.sh_size);
    }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
