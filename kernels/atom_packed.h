/* Arguments of the kernels in atom_packed.cu. */
#ifndef COPYCHECK_ATOM_PACKED_H
#define COPYCHECK_ATOM_PACKED_H

#include "kernels/args.h"

/* The instructions, with the register for a result that some have: in shared memory, at a generic address there, and in
 * global memory. */
#define ATOM_PACKED_FORMS(X)                                                                                           \
    X("atom.shared.add.noftz.f16x2", "old, ")                                                                          \
    X("atom.shared.add.noftz.bf16x2", "old, ")                                                                         \
    X("red.shared.add.noftz.f16x2", "")                                                                                \
    X("red.shared.add.noftz.bf16x2", "")                                                                               \
    X("atom.add.noftz.f16x2", "old, ")                                                                                 \
    X("atom.add.noftz.bf16x2", "old, ")                                                                                \
    X("red.add.noftz.f16x2", "")                                                                                       \
    X("red.add.noftz.bf16x2", "")                                                                                      \
    X("atom.global.add.noftz.f16x2", "old, ")                                                                          \
    X("atom.global.add.noftz.bf16x2", "old, ")                                                                         \
    X("red.global.add.noftz.f16x2", "")                                                                                \
    X("red.global.add.noftz.bf16x2", "")
enum { ATOM_PACKED_GENERIC = 4, ATOM_PACKED_GLOBAL = 8 }; /* the first form of each kind */

struct atom_packed_args {
    struct ck_head head;
    CK_PTR(const uint64_t) addend; /* the addend is one half of it, or its low half alone */
    CK_PTR(uint32_t) word;         /* what memory holds before, and then after */
    uint32_t form;                 /* number in ATOM_PACKED_FORMS */
};

#endif
// SPDX-License-Identifier: Apache-2.0
