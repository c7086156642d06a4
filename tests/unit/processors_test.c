/* How many processors a process may use: those it may run on, and the limits of control groups. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "harness/base/processors.h"

static char root[] = "/tmp/processors.XXXXXX";
static char groups[64];

/* Writes a file below the root, and makes its folders. */
static void put(const char *path, const char *text)
{
    char whole[256];
    FILE *f;

    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *p = whole + sizeof root; (p = strchr(p, '/')); *p++ = '/') {
        *p = 0;
        mkdir(whole, 0700);
    }
    f = fopen(whole, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int begin(void **state)
{
    (void)state;
    strcpy(root, "/tmp/processors.XXXXXX");
    if (!mkdtemp(root))
        return -1;
    snprintf(groups, sizeof groups, "%s/groups", root);
    return 0;
}

static int end(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

static void test_version_2_rounds_up(void **state)
{
    (void)state;
    put("groups", "0::/a/b\n");
    assert_int_equal(ck_processors_granted(groups, root), 0);
    put("a/b/cpu.max", "max 100000\n");
    assert_int_equal(ck_processors_granted(groups, root), 0);
    put("a/b/cpu.max", "200000 100000\n");
    assert_int_equal(ck_processors_granted(groups, root), 2);
    put("a/b/cpu.max", "250000 100000\n");
    assert_int_equal(ck_processors_granted(groups, root), 3);
    put("a/b/cpu.max", "1000 100000\n");
    assert_int_equal(ck_processors_granted(groups, root), 1);
}

/* A group has no more than those it lies in; in a container it may be the root's own file that counts. */
static void test_the_lowest_limit_counts(void **state)
{
    (void)state;
    put("groups", "0::/a/b\n");
    put("a/b/cpu.max", "800000 100000\n");
    put("a/cpu.max", "300000 100000\n");
    assert_int_equal(ck_processors_granted(groups, root), 3);
    put("cpu.max", "100000 50000\n");
    assert_int_equal(ck_processors_granted(groups, root), 2);
    put("groups", "0::/\n");
    assert_int_equal(ck_processors_granted(groups, root), 2);
    put("groups", "0::/elsewhere/of/the/host\n");
    assert_int_equal(ck_processors_granted(groups, root), 2);
}

static void test_version_1(void **state)
{
    (void)state;
    put("groups", "12:cpuset:/c\n4:cpu,cpuacct:/c\n1:name=systemd:/c\n0::/c\n");
    put("cpu,cpuacct/c/cpu.cfs_quota_us", "-1\n");
    put("cpu,cpuacct/c/cpu.cfs_period_us", "100000\n");
    assert_int_equal(ck_processors_granted(groups, root), 0);
    put("cpu,cpuacct/c/cpu.cfs_quota_us", "150000\n");
    assert_int_equal(ck_processors_granted(groups, root), 2);
    /* a set of processors is no time */
    put("cpuset/c/cpu.cfs_quota_us", "100000\n");
    put("cpuset/c/cpu.cfs_period_us", "100000\n");
    assert_int_equal(ck_processors_granted(groups, root), 2);
}

static void test_what_is_no_limit(void **state)
{
    (void)state;
    assert_int_equal(ck_processors_granted("/there/is/no/such/file", root), 0);
    put("groups", "no colons\n0::/a\n");
    put("a/cpu.max", "\n");
    assert_int_equal(ck_processors_granted(groups, root), 0);
    put("a/cpu.max", "100000 0\n");
    assert_int_equal(ck_processors_granted(groups, root), 0);
}

static void test_one_processor_of_this_machine(void **state)
{
    cpu_set_t all, one;
    size_t first = 0;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(ck_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_true(ck_processors() >= 1 && ck_processors() <= (unsigned)CPU_COUNT(&all));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_version_2_rounds_up, begin, end),
        cmocka_unit_test_setup_teardown(test_the_lowest_limit_counts, begin, end),
        cmocka_unit_test_setup_teardown(test_version_1, begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_no_limit, begin, end),
        cmocka_unit_test(test_one_processor_of_this_machine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
