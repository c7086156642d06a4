/* What keeps all threads of a grid waiting. */
#ifndef COPYCHECK_EMU_JUDGE_DEADLOCK_H
#define COPYCHECK_EMU_JUDGE_DEADLOCK_H

#include <stddef.h>

struct emu_standstill;

/* Files a finding with every waiter of the cluster that shows best why they wait; the same sentence goes into
 * `message`.
 */
void deadlock_report(const struct emu_standstill *all, char *message, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
