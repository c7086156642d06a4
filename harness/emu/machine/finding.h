/* A finding: what the emulator has to say about a program, as data. emu.h includes this for users; findings.h has the
 * functions that file one. */
#ifndef COPYCHECK_EMU_MACHINE_FINDING_H
#define COPYCHECK_EMU_MACHINE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expected/rule.h"
#include "harness/emu/ptx/ptx.h"

enum { EMU_ALSO = 2 };

struct emu_finding {
    const struct ck_rule *rule;           /* the one that says it best; NULL: none of the catalogue */
    const struct ck_rule *also[EMU_ALSO]; /* others that this same fault breaks, NULL behind them */
    const struct ck_rule *behind;         /* the rule of PTX, where `rule` is one of a library above it; or NULL */
    bool leads; /* it explains what is said of its mbarrier's counts and of their copies, also what is said before */
    bool flag; /* threads race at what one of them accesses by a strong operation: what it passes on has no order either
                */
    bool twins;        /* two threads have issued the same copy, where one was to */
    bool remark;       /* worth knowing, and no reason to reject the program */
    char message[400]; /* one sentence, with the numbers */
    char remedy[160];  /* one line */
    /* the access at fault, and the other one where there are two */
    struct emu_place {
        bool known;
        uint32_t ctaid[3], tid[3];
        const struct ptx_instruction *at;
        uint64_t address, bytes;
    } here, there;
    const struct ptx_instruction *cause; /* the instruction at fault, if it is neither of the two; or NULL */
    uint64_t signals; /* 1 and the offset of the mbarrier that the copy signals which it is about; 0: there is none */
    uint64_t cluster; /* in a launch's list: the number of the cluster that made it */
    char table[2000]; /* a group table, a grid of bytes, the waiters of a deadlock; "" for none */
};

/* A list of findings: of a cluster, in the order in which they were made; of a launch, sorted by cluster at its end. */
struct emu_findings {
    struct emu_finding *all;
    size_t count, room;
    bool lost; /* there was no memory for one: what the grid is judged by is not whole */
};

#endif
// SPDX-License-Identifier: Apache-2.0
