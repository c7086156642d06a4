/* Addresses, and the host bytes behind them. Instructions, copies and judge include it.
 *
 * Global memory is host memory at its own address, in allocations with bounds. Each other space has a window of generic
 * addresses, 2^40 bytes wide, where Linux on x86-64 and AArch64 puts no memory unless asked. */
#ifndef COPYCHECK_EMU_MACHINE_ADDRESS_H
#define COPYCHECK_EMU_MACHINE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu;
struct emu_cta;
struct emu_thread;

#define EMU_SHARED_WINDOW 0x3e0000000000u /* + an address of the cluster window */
#define EMU_LOCAL_WINDOW  0x3d0000000000u /* + offset in the thread's local memory */
#define EMU_PARAM_WINDOW  0x3c0000000000u /* + offset in the kernel's parameters */
#define EMU_CONST_WINDOW  0x3b0000000000u /* + offset in the module's constants */
#define EMU_WINDOW_BYTES  (1ull << 40)

static inline bool emu_is_global(uint64_t address)
{
    return address < EMU_CONST_WINDOW || address >= EMU_SHARED_WINDOW + EMU_WINDOW_BYTES;
}

/* Where the window of a space begins; 0 of the global space, which has none. */
uint64_t emu_window_of(uint16_t space);

/* Where an address lies, as a reader knows it: which memory or allocation, and how many bytes from its start. */
struct emu_spot {
    char name[48]; /* "--arg 1", "shared memory of CTA rank 2", "local memory", "global memory" */
    uint64_t offset;
    char freed[32]; /* the call that has freed the allocation; "": it is there */
    bool outside;   /* of all allocations: `offset` is the address itself */
};

/* `address` is generic, or an address of the cluster window, which is below 2^32. An allocation is named for bytes just
 * behind it too. */
void emu_spot_of(const struct emu *e, uint64_t address, struct emu_spot *out);
/* The same of an address of a space (PTX_none: generic) in a few words, for a message: "offset 4 of --arg 1". */
void emu_spot_words(const struct emu_thread *t, uint16_t space, uint64_t address, char *out, size_t size);

/* A 32-bit address of the cluster window is ((rank + 1) << EMU_RANK_SHIFT) + offset, or the offset alone in the
 * thread's own CTA. */
enum { EMU_RANK_SHIFT = 24 };

/* What cvta.to.shared makes of an address that is not in shared memory: in the place of the rank, and of no CTA. */
enum { EMU_NOT_SHARED = 0xff };

/* For the judge. EMU_DISCARD: a write that leaves the bytes without a value. EMU_WRITE_SAME: a store that finds the
 * bytes there that it stores. EMU_ATOMIC_IDLE: an atomic with a result that leaves the bytes as they are. */
enum emu_access { EMU_READ, EMU_WRITE, EMU_ATOMIC, EMU_WRITE_SAME, EMU_ATOMIC_IDLE, EMU_DISCARD };

/* The host bytes behind [address, address + n) of a space (PTX_none: generic), checked for bounds and alignment of
 * `align` bytes, a power of two; a violation ends the thread's grid with a fault (does not return). `*offset` receives
 * the offset within what it lies in, `*cta` the CTA of a shared address, where the pointers are not NULL. The judge
 * does not learn of it: emu_access_bytes does that. */
unsigned char *emu_bytes(struct emu_thread *t, uint16_t space, uint64_t address, uint64_t n, unsigned align,
                         enum emu_access access, uint64_t *offset, struct emu_cta **cta);

#endif
// SPDX-License-Identifier: Apache-2.0
