/* Which toolkits are found, and what they are called: with folders of scripts that play a ptxas. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "harness/engines/ptxas.h"
#include "harness/engines/toolkit.h"
#include "harness/engines/toolkits.h"

static char folder[64], error[512];
static struct ck_engine found[CK_TOOLKITS_MAX];

/* A toolkit in a folder under the test's own; `version` "12.4.131", or NULL for one that says nothing. */
static void toolkit(const char *where, const char *version)
{
    char command[1024];

    snprintf(command, sizeof command,
             "mkdir -p '%s/%s/bin' && printf '#!/bin/sh\\necho \"release %s\"\\n' > '%s/%s/bin/ptxas' && "
             "chmod 755 '%s/%s/bin/ptxas'",
             folder, where, version ? version : "", folder, where, folder, where);
    assert_int_equal(system(command), 0);
}

static const char *in(const char *where)
{
    static char path[2][256];
    static int next;

    next = !next;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, where);
    return path[next];
}

static int toolkits(size_t count, const char *const *named, unsigned which)
{
    return ck_toolkits(named, count, which, found, error, sizeof error);
}

static void test_named(void **state)
{
    (void)state;
    const char *const named[] = { in("a"), "12.4" };
    assert_int_equal(toolkits(2, named, 0), 2);
    assert_string_equal(found[0].name, "ptxas-70.1");
    assert_string_equal(found[1].name, "ptxas-12.4");
    /* a file, or the folder of programs, will do */
    assert_int_equal(toolkits(1, (const char *const[]){ in("a/bin/ptxas") }, 0), 1);
    assert_int_equal(toolkits(1, (const char *const[]){ in("a/bin") }, 0), 1);
    assert_string_equal(found[0].facts, "ptxas 70.1.7");
}

static void test_same_release_twice(void **state)
{
    (void)state;
    const char *const named[] = { in("a"), in("a/bin"), "12.4", "12.4" };
    assert_int_equal(toolkits(4, named, 0), 2);
    const char *const patches[] = { in("a"), in("b") };
    assert_int_equal(toolkits(2, patches, 0), 2);
    assert_string_equal(found[0].name, "ptxas-70.1");
    assert_string_equal(found[1].name, "ptxas-70.1.9");
}

static void test_named_in_vain(void **state)
{
    (void)state;
    assert_int_equal(toolkits(1, (const char *const[]){ "12.5" }, 0), -1);
    assert_string_equal(error, "no toolkit 12.5 in build/toolkits: tools/toolkit 12.5 fetches it");
    assert_int_equal(toolkits(1, (const char *const[]){ in("nothing") }, 0), -1);
    assert_non_null(strstr(error, "no ptxas in '"));
    assert_int_equal(toolkits(1, (const char *const[]){ in("mute") }, 0), -1);
    assert_non_null(strstr(error, "does not say its version"));
    const char *many[CK_TOOLKITS_MAX + 1];
    for (int i = 0; i <= CK_TOOLKITS_MAX; i++) {
        char where[32], version[48];
        snprintf(where, sizeof where, "many/%d", i);
        snprintf(version, sizeof version, "80.%d, V80.%d.1", i, i);
        toolkit(where, version);
        many[i] = strdup(in(where));
    }
    assert_int_equal(toolkits(CK_TOOLKITS_MAX + 1, many, 0), -1);
    assert_non_null(strstr(error, "more than"));
    for (int i = 0; i <= CK_TOOLKITS_MAX; i++)
        free((char *)many[i]);
}

/* PATH comes before CUDA_HOME; an entry of PATH that is empty or has no ptxas is passed over. */
static void test_own(void **state)
{
    (void)state;
    struct ck_engine e;
    char path[512];

    snprintf(path, sizeof path, ":/nonexistent:%s/a/bin:/usr/bin:/bin", folder);
    setenv("PATH", path, 1);
    setenv("CUDA_HOME", in("home"), 1);
    assert_int_equal(toolkits(0, NULL, CK_TOOLKITS_OWN), 1);
    assert_string_equal(found[0].name, "ptxas-70.1");
    setenv("PATH", "/usr/bin:/bin", 1);
    assert_true(ck_ptxas_engine(NULL, &e, error, sizeof error));
    assert_string_equal(e.name, "ptxas-71.0");
    /* and all that were fetched, by their versions and not by their spelling */
    assert_int_equal(toolkits(0, NULL, CK_TOOLKITS_OWN | CK_TOOLKITS_FETCHED), 4);
    assert_string_equal(found[1].name, "ptxas-12.4");
    assert_string_equal(found[2].name, "ptxas-12.9");
    assert_string_equal(found[3].name, "ptxas-12.10");
    /* named ones come beside it */
    assert_int_equal(toolkits(1, (const char *const[]){ "12.4" }, CK_TOOLKITS_OWN), 2);
    assert_string_equal(found[0].name, "ptxas-71.0");
    assert_string_equal(found[1].name, "ptxas-12.4");
    toolkit("build/toolkits/12.11", NULL);
    assert_int_equal(toolkits(0, NULL, CK_TOOLKITS_OWN | CK_TOOLKITS_FETCHED), -1);
    assert_int_equal(system("rm -r build/toolkits/12.11"), 0);
    unsetenv("CUDA_HOME");
}

static void test_by_name(void **state)
{
    (void)state;
    struct ck_engine e;

    setenv("CUDA_HOME", in("home"), 1);
    setenv("PATH", "/usr/bin:/bin", 1);
    static const struct {
        const char *name, *facts;
    } good[] = { { "ptxas", "ptxas 71.0.5" },
                 { "ptxas-71.0", "ptxas 71.0.5" },
                 { "ptxas-71.0.5", "ptxas 71.0.5" },
                 { "ptxas-12.10", "ptxas 12.10.3" } };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(ck_toolkit_engine(good[i].name, &e, error, sizeof error));
        assert_string_equal(e.facts, good[i].facts);
    }
    assert_false(ck_toolkit_engine("ptxas-12.1", &e, error, sizeof error));
    assert_string_equal(error, "no ptxas 12.1 on this machine: tools/toolkit 12.1 fetches it");
    assert_false(ck_toolkit_engine("gpu", &e, error, sizeof error));
    assert_non_null(strstr(error, "'gpu' is no ptxas engine"));
    assert_false(ck_toolkit_engine("ptxas-../a", &e, error, sizeof error));
    assert_false(ck_toolkit_engine("ptxas-", &e, error, sizeof error));
    unsetenv("CUDA_HOME");
}

/* Where nothing else is, the newest fetched one is the machine's own. */
static void test_fetched_only(void **state)
{
    (void)state;
    char path[PATH_MAX];

    if (!access("/usr/local/cuda/bin/ptxas", X_OK) || !access("/usr/bin/ptxas", X_OK)) {
        print_message("this machine has a toolkit of its own\n");
        skip();
    }
    setenv("PATH", "/usr/bin:/bin", 1);
    assert_true(ck_toolkit_ptxas(NULL, path, sizeof path));
    assert_string_equal(path, "build/toolkits/12.10/bin/ptxas");
    assert_int_equal(chdir("a"), 0);
    assert_false(ck_toolkit_ptxas(NULL, path, sizeof path));
    assert_int_equal(toolkits(0, NULL, CK_TOOLKITS_OWN | CK_TOOLKITS_FETCHED), 0);
    assert_int_equal(chdir(".."), 0);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/copycheck-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder))
        return -1;
    toolkit("a", "70.1, V70.1.7");
    toolkit("b", "70.1, V70.1.9");
    toolkit("home", "71.0, V71.0.5");
    toolkit("mute", NULL);
    toolkit("build/toolkits/12.10", "12.10, V12.10.3");
    toolkit("build/toolkits/12.4", "12.4, V12.4.131");
    toolkit("build/toolkits/12.9", "12.9, V12.9.86");
    return system("mkdir build/toolkits/.wheels-12.3 && : > build/toolkits/.lock");
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];

    snprintf(command, sizeof command, "/bin/rm -r %s", folder);
    return chdir("/") || system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named),         cmocka_unit_test(test_same_release_twice),
        cmocka_unit_test(test_named_in_vain), cmocka_unit_test(test_own),
        cmocka_unit_test(test_by_name),       cmocka_unit_test(test_fetched_only),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
// SPDX-License-Identifier: Apache-2.0
