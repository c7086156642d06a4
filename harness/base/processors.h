/* How many processors this program may use. */
#ifndef COPYCHECK_BASE_PROCESSORS_H
#define COPYCHECK_BASE_PROCESSORS_H

/* How many threads can compute at once: the processors that this process may run on (taskset), and no more than its
 * control group has time for (a container with --cpus 2). Where nothing says, the processors of the machine. At least
 * 1. */
unsigned ck_processors(void);

/* The time that control groups give a process, in processors, rounded up. `groups` is a file as /proc/self/cgroup, and
 * `root` the folder that the groups are mounted in. Of a group and those it lies in, the lowest limit counts, of
 * version 2 (cpu.max) and of version 1 (cpu.cfs_quota_us). 0: there is no limit, or nothing can be read. */
unsigned ck_processors_granted(const char *groups, const char *root);

#endif
// SPDX-License-Identifier: Apache-2.0
