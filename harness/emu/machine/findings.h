/* How findings are filed. Machine, instructions, copies and judge include it. */
#ifndef COPYCHECK_EMU_MACHINE_FINDINGS_H
#define COPYCHECK_EMU_MACHINE_FINDINGS_H

#include "harness/emu/machine/finding.h"

struct emu;
struct emu_grid;
struct emu_run;
struct emu_thread;

/* Where the findings of this host thread go from now on; NULL: to the machine's list. */
void emu_file_into(struct emu_findings *to);
/* Adds what a cluster found to the machine's list and empties the cluster's. Where several clusters found the same, the
 * one with the lowest number keeps it. */
void emu_file_cluster(struct emu *e, struct emu_run *run);
/* Sorts by cluster, remarks behind all others; findings of one cluster keep their order. */
void emu_findings_sort(struct emu_findings *f);
void emu_findings_free(struct emu_findings *f);

/* Files a finding and goes on; the same rule at the same two instructions is filed once. */
void emu_file(struct emu_grid *g, const struct emu_finding *finding);
/* The same for one that may be found when its cluster is over, with others': of several clusters' the one with the
 * lowest number is kept. */
void emu_file_of(struct emu_grid *g, const struct emu_finding *finding, uint64_t cluster);
/* Whether a finding of this rule at these two instructions has been filed. */
bool emu_filed(struct emu_grid *g, const struct ck_rule *rule, const struct ptx_instruction *here,
               const struct ptx_instruction *there);
/* The thread, its current instruction (or the copy of its that is landing), and these bytes. */
void emu_place_of(const struct emu_thread *t, uint64_t address, uint64_t bytes, struct emu_place *out);
/* The same with the instruction `at`: of a thread that is not at work, which may rest at the first one of a function.
 */
void emu_place_at(const struct emu_thread *t, const struct ptx_instruction *at, uint64_t address, uint64_t bytes,
                  struct emu_place *out);

/* Files a finding about the thread's current instruction, with the remedy of its rule, and goes on; `also` may be NULL.
 */
void emu_complain(struct emu_thread *t, const struct ck_rule *rule, const struct ck_rule *also, uint64_t address,
                  uint64_t bytes, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Files a finding and ends the grid as a fault: does not return. */
void emu_fault(struct emu_thread *t, const struct emu_finding *finding) __attribute__((noreturn));
/* Ends the grid because this machine has no memory for what the thread needs: does not return. No finding: the program
 * is not to blame. */
void emu_starve(struct emu_thread *t, const char *what) __attribute__((noreturn));
/* Ends the grid as a fault of the thread's current instruction. The rule may be NULL: then it is the one that a copy
 * has set for its operands (emu_thread.bounds), or none. */
void emu_bad_access(struct emu_thread *t, const struct ck_rule *rule, uint64_t address, uint64_t bytes,
                    const char *format, ...) __attribute__((noreturn, format(printf, 5, 6)));
/* Ends the grid as unsupported, at an instruction that the grammar knows and the emulator does not model. The report's
 * message is "unsupported: LINE: TEXT". */
void emu_unsupported(struct emu_thread *t, const struct ptx_instruction *i) __attribute__((noreturn));

#endif
// SPDX-License-Identifier: Apache-2.0
