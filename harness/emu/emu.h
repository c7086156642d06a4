/* The emulator as its users see it (engines, check, tests, tools): a machine that runs checked PTX modules on the CPU
 * and says what it found. Nothing below harness/emu includes this header except emu.c.
 *
 * The layers below it, each of which calls only those before it:
 *   ptx/           PTX text into a module
 *   forms/         the table of instructions: what is well formed, and which rule says so
 *   machine/       state as data, memory, findings, code
 *   instructions/, copies/, texture/   what each instruction does
 *   decode.c       instructions of a function made ready
 *   schedule/      which thread, cluster and host thread runs when
 * judge/ watches a launch, and only emu.c knows it. */
#ifndef COPYCHECK_EMU_EMU_H
#define COPYCHECK_EMU_EMU_H

#include "expected/tensor_map.h"
#include "harness/emu/machine/address.h" /* struct emu_spot, for addresses in findings */
#include "harness/emu/machine/finding.h"
#include "harness/emu/machine/options.h"
#include "harness/emu/machine/swap.h"
#include "harness/emu/ptx/ptx.h"
#include "harness/emu/texture/object.h"

struct emu;

struct emu *emu_new(const struct emu_options *options); /* NULL: out of memory */
void emu_free(struct emu *e);

/* Adds a module: variables get memory, initialisers their addresses. The module stays the caller's and must outlive
 * the machine. False with a line. */
bool emu_load(struct emu *e, const struct ptx_module *m, char *error, size_t size);
/* Takes it out again: its variables go. */
void emu_unload(struct emu *e, const struct ptx_module *m);
/* Where a module's global variable is; of a constant variable: where its bytes are in the host's memory. False where
 * there is none. */
bool emu_variable(struct emu *e, const struct ptx_module *m, const char *name, uint64_t *at, uint64_t *bytes);
/* The variable of any module that an address, as emu_variable gives it, lies in. False: it lies in none. */
bool emu_variable_at(const struct emu *e, uint64_t address, uint64_t *at, uint64_t *bytes);
/* Bytes of static shared memory that an entry of a loaded module uses, by its number. */
uint64_t emu_static_shared(struct emu *e, const struct ptx_module *m, uint32_t entry);
/* Writes a module's global or constant variable from its start; false where there is none, or it is smaller. */
bool emu_set_variable(struct emu *e, const struct ptx_module *m, const char *name, const void *bytes, size_t size);

/* Global memory, filled with zeros, at an address that is a multiple of `align` bytes and of 256; 0 where max_memory is
 * reached. It counts as never written unless `written`. The name is for findings. */
uint64_t emu_alloc(struct emu *e, uint64_t bytes, unsigned align, bool written, const char *name);
/* Memory of the host's own becomes global memory, at its own address, until emu_release; false where memory is short.
 */
bool emu_adopt(struct emu *e, void *bytes, uint64_t size, const char *name);
/* Frees the allocation that begins at this address; false: none does. `by`, the call that does ("cudaFree 2"), is in
 * findings of later accesses to it; NULL: they know of none. */
bool emu_release(struct emu *e, uint64_t at, const char *by);
void emu_release_all(struct emu *e); /* all allocations, but not the modules' variables */
/* Copies between the host and global memory; false where the bytes do not lie in one allocation. */
bool emu_write(struct emu *e, uint64_t to, const void *from, uint64_t bytes);
bool emu_read(struct emu *e, void *to, uint64_t from, uint64_t bytes);

/* Which bytes of global memory have a value, which is what order.unwritten asks for. The host has written n bytes at
 * `to` otherwise than by emu_write; has copied them from `from`: they have a value where those have, and the host's own
 * memory has; what they held is lost, as of memory that is new. */
void emu_wrote(struct emu *e, uint64_t to, uint64_t n);
void emu_copied(struct emu *e, uint64_t to, uint64_t from, uint64_t n);
void emu_lost(struct emu *e, uint64_t at, uint64_t n);
/* Whether any of these bytes has one; of memory that is in no allocation: yes. */
bool emu_has_value(struct emu *e, uint64_t at, uint64_t n);

/* What the address of a finding lies in: see struct emu_spot. */
void emu_where(const struct emu *e, uint64_t address, struct emu_spot *out);

/* Makes a texture or surface object; the texels are global memory of the caller's (emu_alloc) at x->at. Its handle, as
 * a kernel takes it in a parameter or a .texref or .surfref variable: 1, 2 ... in the order of the calls; 0: no memory.
 */
uint64_t emu_texture(struct emu *e, const struct emu_texture *x);

/* Puts the object of a legal tensor map into 128 bytes: equal maps make equal objects. */
void emu_map_encode(const struct tensor_map *map, void *object);
/* The map that such an object was made from; false if it is none. */
bool emu_map_read(const void *object, struct tensor_map *map);

/* Whether the emulator runs instruction `at` of function `f`, both by their numbers in a loaded module; whether there
 * is a function f to call: one with a body, or one of the system. */
bool emu_knows_instruction(struct emu *e, const struct ptx_module *m, uint32_t f, uint32_t at);
bool emu_knows_function(const struct ptx_module *m, uint32_t f);

/* Runs a grid to its end. `grid` is in CTAs, `block` in threads, `cluster` in CTAs; NULL or a 0 in front: the cluster
 * that the kernel asks for. `smem` is dynamic shared memory in bytes. The report's findings live until the next
 * launch. */
enum emu_end emu_launch(struct emu *e, const char *entry, const uint32_t grid[3], const uint32_t block[3],
                        const uint32_t cluster[3], uint32_t smem, const void *params, size_t param_bytes,
                        struct emu_report *report);

/* The same of an entry of this module by its number, with other options than those of emu_new if `options` is not NULL;
 * max_memory stays as it was. */
enum emu_end emu_launch_of(struct emu *e, const struct ptx_module *m, uint32_t entry, const struct emu_options *options,
                           const uint32_t grid[3], const uint32_t block[3], const uint32_t cluster[3], uint32_t smem,
                           const void *params, size_t param_bytes, struct emu_report *report);

/* Where an instruction of the finding comes from a function of libcu++, cooperative groups or the pipeline primitives,
 * and a rule of theirs stands on the finding's (expected/layers.def), that becomes the finding's rule, and the rule of
 * PTX the one behind it. */
void emu_name_layer(const struct ptx_module *m, struct emu_finding *f);

/* Around two launches of which the second may begin while the first is at work: emu_before before both, emu_between
 * between them, emu_behind after them. What the second reads of the first's bytes without griddepcontrol.wait is then
 * found fault with. False: out of memory; emu_behind follows all the same. */
bool emu_before(struct emu *e);
bool emu_between(struct emu *e);
void emu_behind(struct emu *e);

/* What a launch has put into options.swaps. */
void emu_swaps_free(struct emu_swaps *s);

#endif
// SPDX-License-Identifier: Apache-2.0
