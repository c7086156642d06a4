/* What is read of a cubin: an ELF file with a section ".text.ENTRY" for each kernel. */
#ifndef COPYCHECK_CUBIN_H
#define COPYCHECK_CUBIN_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a of the machine code of an entry; 0 where the file has none of this name, or is none. The same instructions
 * with the same operands give the same hash: debugging information, names and attributes are in other sections. */
uint64_t ck_cubin_code(const void *image, size_t size, const char *entry);

#endif
// SPDX-License-Identifier: Apache-2.0
