/* How many processors this program may use. */
#include "harness/base/processors.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The first line of root/kind/group/name; false where there is none. */
static bool first_line(const char *root, const char *kind, const char *group, const char *name, char *line, int size)
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s%s%s/%s", root, kind, group, name);
    FILE *f = n < (int)sizeof path ? fopen(path, "r") : NULL;
    bool fine;

    if (!f)
        return false;
    fine = fgets(line, size, f);
    fclose(f);
    return fine;
}

/* What one group gives: a quota of time in each period, both in microseconds. "max" and -1 are no limit. */
static unsigned of_group(const char *root, const char *kind, const char *group)
{
    char line[64];
    long quota = 0, period = 0;

    if (first_line(root, kind, group, "cpu.max", line, sizeof line)) {
        if (sscanf(line, "%ld %ld", &quota, &period) != 2)
            return 0;
    } else if (!first_line(root, kind, group, "cpu.cfs_quota_us", line, sizeof line) ||
               sscanf(line, "%ld", &quota) != 1 ||
               !first_line(root, kind, group, "cpu.cfs_period_us", line, sizeof line) ||
               sscanf(line, "%ld", &period) != 1) {
        return 0;
    }
    if (quota <= 0 || period <= 0 || quota / period >= INT_MAX)
        return 0;
    return (unsigned)(quota / period + (quota % period != 0));
}

/* The lowest limit of the group and those it lies in. In a container the path may be the host's, and what is mounted
 * the container's own group: folders that are not there say nothing. */
static unsigned of_groups(const char *root, const char *kind, char *group)
{
    unsigned least = 0;
    char *slash;

    for (;;) {
        const unsigned n = of_group(root, kind, group);

        least = n && (!least || n < least) ? n : least;
        slash = strrchr(group, '/');
        if (!slash)
            return least;
        *slash = 0;
    }
}

/* Whether version 1's list of what a group controls, "cpu,cpuacct", has the processor's time in it. */
static bool controls_time(const char *list)
{
    for (const char *word = list; word; word = strchr(word, ',')) {
        word += *word == ',';
        if (!strncmp(word, "cpu", 3) && (!word[3] || word[3] == ','))
            return true;
    }
    return false;
}

unsigned ck_processors_granted(const char *groups, const char *root)
{
    FILE *f = fopen(groups, "r");
    char line[PATH_MAX + 64], kind[128];
    unsigned least = 0;

    while (f && fgets(line, sizeof line, f)) {
        char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
        unsigned n;

        if (!group)
            continue;
        *group++ = 0;
        list++;
        group[strcspn(group, "\n")] = 0;
        if (*list && !controls_time(list))
            continue;
        /* version 2 has no list, and lies in the root itself */
        snprintf(kind, sizeof kind, "%s%.100s", *list ? "/" : "", list);
        n = of_groups(root, kind, group);
        least = n && (!least || n < least) ? n : least;
    }
    if (f)
        fclose(f);
    return least;
}

unsigned ck_processors(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned n = online > 0 ? (unsigned)online : 1, granted;
#ifdef CPU_COUNT
    cpu_set_t set; /* of 1,024 processors; of a machine with more, all count */

    if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0)
        n = (unsigned)CPU_COUNT(&set);
#endif
    granted = ck_processors_granted("/proc/self/cgroup", "/sys/fs/cgroup");
    return granted && granted < n ? granted : n;
}
// SPDX-License-Identifier: Apache-2.0
