/* What keeps all threads of a grid waiting. */
#ifndef COPYCHECK_EMU_JUDGE_DEADLOCK_H
#define COPYCHECK_EMU_JUDGE_DEADLOCK_H

#include <stddef.h>

struct emu_cluster;

/* Files a finding with every waiter of this cluster; the same sentence goes into `message`. others: how many clusters
 * wait beside it. */
void deadlock_report(struct emu_cluster *c, size_t others, char *message, size_t size);

#endif
