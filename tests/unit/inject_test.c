/* What capture remembers of a program's modules: which PTX machine code came from, and which kernel a handle is. */
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

#include "harness/inject/inject.h"

/* There is no driver. */
void *inject_real(const char *name)
{
    (void)name;
    return NULL;
}

static const char first[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry first()\n{\nret;\n}\n";
static const char second[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry second()\n{\nret;\n}\n";

/* Machine code: a header of 64 bytes without sections, whose bytes behind its magic number are the program's to set. */
struct code {
    unsigned char bytes[64];
};

static struct code code_of(unsigned char mark)
{
    struct code c = { { 0x7f, 'E', 'L', 'F' } };

    c.bytes[8] = mark;
    c.bytes[40] = sizeof c; /* where the sections would be: the end */
    return c;
}

/* The PTX of the module of this handle, whose kernel `name` is taken as `function`; NULL and a reason without one. */
static char *ptx_of(const void *handle, const void *function, const char *name, char *error)
{
    struct inject_module *module = NULL;
    const char *known = NULL;
    size_t size = 0;

    *error = 0;
    inject_took(function, handle, name);
    assert_true(inject_kernel(function, &known, &module));
    assert_string_equal(known, name);
    return inject_ptx(module, &size, error, 200);
}

static void texts_are_kept(void **state)
{
    static int handle, function, other;
    char error[200], *text = strdup(first);
    const char *name = NULL;
    struct inject_module *module;

    (void)state;
    inject_loaded(&handle, text);
    memset(text, 0, strlen(text)); /* the program may do so */
    free(text);
    text = ptx_of(&handle, &function, "first", error);
    assert_string_equal(text, first);
    free(text);
    inject_took(&other, &function, NULL); /* the function of a kernel */
    assert_true(inject_kernel(&other, &name, &module));
    assert_string_equal(name, "first");
    inject_loaded(&handle, NULL);
}

static void what_was_not_seen_is_unknown(void **state)
{
    static int handle, function;
    const char *name;
    struct inject_module *module;

    (void)state;
    assert_false(inject_kernel(&function, &name, &module));
    inject_took(&function, &handle, "first"); /* of a module that nobody saw */
    assert_false(inject_kernel(&function, &name, &module));
    inject_took(&function, &handle, NULL);
    assert_false(inject_kernel(&function, &name, &module));
}

static void linked_code_has_its_texts(void **state)
{
    const struct code one = code_of(1), two = code_of(2), none = code_of(3);
    static int handles[3], functions[3], states[3];
    char error[200], *text;

    (void)state;
    inject_link_added(&states[0], first, sizeof first);
    inject_linked(&states[0], &one);
    inject_link_added(&states[1], first, sizeof first);
    inject_link_added(&states[1], second, sizeof second);
    inject_linked(&states[1], &two);
    inject_linked(&states[2], &two); /* a linker that nobody saw being given something */
    inject_loaded(&handles[0], &one);
    text = ptx_of(&handles[0], &functions[0], "first", error);
    assert_string_equal(text, first);
    free(text);
    inject_loaded(&handles[1], &two);
    text = ptx_of(&handles[1], &functions[1], "second", error);
    assert_non_null(text);
    assert_non_null(strstr(text, "first()"));
    assert_non_null(strstr(text, "second()"));
    free(text);
    setenv("TRITON_CACHE_DIR", "/there/is/no/such/folder", 1);
    inject_loaded(&handles[2], &none);
    assert_null(ptx_of(&handles[2], &functions[2], "first", error));
    assert_non_null(strstr(error, "machine code"));
}

static void linked_texts_may_not_fit(void **state)
{
    const struct code c = code_of(4);
    static int handle, function, linker;
    char error[200];

    (void)state;
    inject_link_added(&linker, first, sizeof first);
    inject_link_added(&linker, first, sizeof first);
    inject_linked(&linker, &c);
    inject_loaded(&handle, &c);
    setenv("TRITON_CACHE_DIR", "/there/is/no/such/folder", 1);
    assert_null(ptx_of(&handle, &function, "first", error));
}

static void write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[200];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Triton's cache has the PTX beside the machine code, in a folder within it. */
static void code_of_a_cache_has_the_text_beside_it(void **state)
{
    const struct code wanted = code_of(5), other = code_of(6);
    char home[] = "/tmp/inject-XXXXXX", folder[200], inner[100], error[200], *text;
    static int handles[2], functions[2];

    (void)state;
    assert_non_null(mkdtemp(home));
    snprintf(folder, sizeof folder, "%s/.triton", home);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(folder, sizeof folder, "%s/.triton/cache", home);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(inner, sizeof inner, "%s/.triton/cache/abc", home);
    assert_int_equal(mkdir(inner, 0700), 0);
    write_file(inner, "k.json", "{}", 2);
    write_file(inner, "small.cubin", "x", 1);
    write_file(inner, "other.cubin", &other, sizeof other);
    write_file(inner, "other.ptx", first, sizeof first - 1);
    write_file(inner, "k.cubin", &wanted, sizeof wanted);
    write_file(inner, "k.ptx", second, sizeof second - 1);
    setenv("HOME", home, 1);
    setenv("TRITON_CACHE_DIR", "", 1);
    inject_loaded(&handles[0], &wanted);
    text = ptx_of(&handles[0], &functions[0], "second", error);
    assert_string_equal(text, second);
    free(text);
    setenv("TRITON_CACHE_DIR", folder, 1);
    inject_loaded(&handles[1], &other);
    text = ptx_of(&handles[1], &functions[1], "first", error);
    assert_string_equal(text, first);
    free(text);
    unsetenv("HOME");
    unsetenv("TRITON_CACHE_DIR");
    assert_null(ptx_of(&handles[1], &functions[1], "first", error));
    assert_non_null(strstr(error, "machine code"));
    for (const char *const *name =
             (const char *const[]){ "k.json", "small.cubin", "other.cubin", "other.ptx", "k.cubin", "k.ptx", NULL };
         *name; name++) {
        snprintf(folder, sizeof folder, "%s/%s", inner, *name);
        unlink(folder);
    }
    rmdir(inner);
    snprintf(folder, sizeof folder, "%s/.triton/cache", home);
    rmdir(folder);
    snprintf(folder, sizeof folder, "%s/.triton", home);
    rmdir(folder);
    rmdir(home);
}

static void maps_are_kept(void **state)
{
    const struct tensor_map map = { .rank = 3 };
    const unsigned char object[TENSOR_MAP_BYTES] = { 7 };
    const size_t before = inject_map_count();

    (void)state;
    inject_mapped(&map, object);
    assert_int_equal(inject_map_count(), before + 1);
    assert_int_equal(inject_map(before)->map.rank, 3);
    assert_memory_equal(inject_map(before)->object, object, sizeof object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_kept),
        cmocka_unit_test(what_was_not_seen_is_unknown),
        cmocka_unit_test(linked_code_has_its_texts),
        cmocka_unit_test(linked_texts_may_not_fit),
        cmocka_unit_test(code_of_a_cache_has_the_text_beside_it),
        cmocka_unit_test(maps_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
