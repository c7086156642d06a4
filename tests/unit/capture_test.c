/* Captures: what is written is read again, and what is no capture is refused with what is wrong and where. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expected/oracle.h"
#include "harness/base/hash.h"
#include "harness/capture/capture.h"

enum { BYTES = 300 };

static char *copy_of(const void *bytes, size_t size)
{
    char *p = malloc(size + 1);

    assert_non_null(p);
    memcpy(p, bytes, size);
    p[size] = 0;
    return p;
}

/* A launch with memory that it changes, a variable, and a tensor map. */
static struct capture made(void)
{
    static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p) { ret; }\n";
    unsigned char before[BYTES] = { 0 }, after[BYTES] = { 0 };
    struct capture c = { .machine = copy_of("a GPU", 5),
                         .ptx = copy_of(text, strlen(text)),
                         .entry = copy_of("k", 1),
                         .ptx_bytes = strlen(text),
                         .grid = { 3, 2, 1 },
                         .block = { 32, 1, 1 },
                         .cluster = { 0 },
                         .smem = 1024,
                         .cooperative = 1,
                         .params = (unsigned char *)copy_of("12345678", 8),
                         .param_bytes = 8 };

    memset(before + 100, 7, 40);
    memcpy(after, before, BYTES);
    after[0] = 1; /* at both ends, where a step is cut short */
    after[BYTES - 1] = 2;
    for (int i = 0; i < 20; i++) { /* more than there is room for at first */
        struct capture_bytes *m = capture_add(&c);
        assert_non_null(m);
        m->at = 4096u * (unsigned)(i + 1);
        m->bytes = BYTES;
        m->before = (unsigned char *)copy_of(before, BYTES);
        m->after = i % 2 ? (unsigned char *)copy_of(after, BYTES) : NULL;
    }
    struct capture_bytes *v = capture_add(&c);
    assert_non_null(v);
    v->variable = copy_of("counter", 7);
    v->bytes = 4;
    v->before = (unsigned char *)copy_of("\0\0\0\0", 4);
    struct capture_map *m = capture_add_map(&c);
    assert_non_null(m);
    m->map = tensor_map_default(0, 2);
    m->map.address = 4096;
    memset(m->object, 9, sizeof m->object);
    return c;
}

static char *written(const struct capture *c, size_t *size)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, size);

    assert_non_null(to);
    assert_true(capture_write(to, c));
    fclose(to);
    return text;
}

static void test_written_and_read(void **state)
{
    struct capture c = made(), read;
    size_t size, again;
    char error[200], *text = written(&c, &size);

    (void)state;
    assert_true(capture_is(text, size));
    assert_true(capture_read(text, size, &read, error, sizeof error));
    assert_string_equal(read.machine, "a GPU");
    assert_string_equal(read.entry, "k");
    assert_int_equal(read.grid[0], 3);
    assert_int_equal(read.smem, 1024);
    assert_int_equal(read.cooperative, 1);
    assert_int_equal(read.memory_count, 21);
    assert_null(read.memory[0].after);
    assert_int_equal(read.memory[1].after[BYTES - 1], 2);
    assert_int_equal(read.memory[1].before[139], 7);
    assert_string_equal(read.memory[20].variable, "counter");
    assert_int_equal(read.map_count, 1);
    assert_int_equal(read.maps[0].map.address, 4096);
    char *second = written(&read, &again);
    assert_int_equal(size, again);
    assert_memory_equal(text, second, size);
    free(text);
    free(second);
    capture_free(&read);
    capture_free(&c);
}

static void test_stream_that_takes_nothing(void **state)
{
    struct capture c = made();
    FILE *to = fopen("/dev/full", "w");

    (void)state;
    if (to) {
        assert_false(capture_write(to, &c));
        fclose(to);
    }
    capture_free(&c);
}

/* No file that lacks something of its end is read, wherever it stops. */
static void test_cut_and_changed(void **state)
{
    struct capture c = made(), read;
    size_t size;
    char error[200], *text = written(&c, &size);

    (void)state;
    for (size_t cut = strlen(CAPTURE_MAGIC); cut < size; cut += cut < 600 ? 1 : 37) {
        error[0] = 0;
        assert_false(capture_read(text, cut, &read, error, sizeof error));
        assert_int_equal(strncmp(error, "byte ", 5), 0);
        capture_free(&read);
    }
    for (size_t at = strlen(CAPTURE_MAGIC); at < size; at += 11) {
        text[at] ^= 1;
        error[0] = 0;
        if (capture_read(text, size, &read, error, sizeof error))
            fail_msg("byte %zu was changed, and nothing said so", at);
        assert_int_equal(strncmp(error, "byte ", 5), 0);
        capture_free(&read);
        text[at] ^= 1;
    }
    assert_false(capture_is("copycheck", 9));
    free(text);
    capture_free(&c);
}

#define START   "machine 0 1\nm\nptx 0 1\np\nentry 0 1\nk\n"
#define LAUNCH  "launch 1 1 1 32 1 1 0 0 0 0 0 0\n\n"
#define PARAMS  "params 0 1\nx\n"
#define PIECE   "\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00z"
#define OUTSIDE "\x08\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00z"

/* Texts whose digest is right, and what is said of them; "" where they are captures. */
static const struct {
    const char *text;
    size_t size;
    const char *says;
} texts[] = {
#define TEXT(t, says)                                                                                                  \
    {                                                                                                                  \
        t, sizeof(t) - 1, says                                                                                         \
    }
    TEXT(START LAUNCH PARAMS, ""),
    TEXT(START LAUNCH PARAMS "memory 64 8 17\n" PIECE "\n", ""),
    TEXT(LAUNCH PARAMS, "a section is missing: machine, ptx, entry, launch or params"),
    TEXT(START PARAMS, "a section is missing"),
    TEXT(START LAUNCH, "a section is missing"),
    TEXT("launch 1 1 1 32 1 1 0 0 0 0 0\n\n", "a launch has 11 numbers"),
    TEXT("launch 1 1 1 4294967296 1 1 0 0 0 0 0 0\n\n", "a launch's number is too large"),
    TEXT("MACHINE 0 1\nm\n", "this line is none of a capture"),
    TEXT("machine\n", "this line is none of a capture"),
    TEXT("machine x 1\nm\n", "this line is none of a capture"),
    TEXT("machine 0 -1\nm\n", "this line is none of a capture"),
    TEXT("machine 0 1 m\n", "this line is none of a capture"),
    TEXT("machine 0 1\nmm", "section machine has other than 1 bytes"),
    TEXT("machine 0 100000\nm\n", "section machine: it stops before its 100000 bytes"),
    TEXT("thing 0 1\nm\n", "no section 'thing' in a capture"),
    TEXT("bytes 0 4 0\n\n", "bytes of no variable"),
    TEXT("variable 0 1\nv\nbytes 0 4 0\n\nbytes 0 4 0\n\n", "bytes of no variable"),
    TEXT(START LAUNCH PARAMS "variable 0 1\nv\n", "variable v has no bytes"),
    TEXT("after 64 8 0\n\n", "after: it belongs to no memory of its size"),
    TEXT("memory 64 8 0\n\nafter 64 9 0\n\n", "after: it belongs to no memory of its size"),
    TEXT("memory 64 8 0\n\nafter 64 8 0\n\nafter 64 8 0\n\n", "after: it belongs to no memory of its size"),
    TEXT("memory 64 0 0\n\n", "section memory has an address and a size"),
    TEXT("memory 64 0\n\n", "section memory has an address and a size"),
    TEXT("memory 64 9999999999999999 0\n\n", "section memory has an address and a size"),
    TEXT("memory 64 8 3\nabc\n", "section memory: a piece is cut off"),
    TEXT("memory 64 8 17\n" OUTSIDE "\n", "section memory: a piece lies outside"),
    TEXT("map 1 2 3 1\nx\n", "a tensor map has other numbers"),
#undef TEXT
};

/* The sections between the first line and an end whose digest is theirs, with `behind` it. */
static char *with_end(const char *sections, size_t size, const char *behind, size_t *out)
{
    const size_t magic = strlen(CAPTURE_MAGIC);
    char *text = malloc(magic + size + strlen(behind) + 64);

    assert_non_null(text);
    memcpy(text, CAPTURE_MAGIC, magic);
    memcpy(text + magic, sections, size);
    *out = magic + size;
    *out += (size_t)sprintf(text + *out, "end %" PRIu64 " 0\n\n%s", fnv1a(FNV1A_BASIS, text, *out), behind);
    return text;
}

static void test_what_is_wrong(void **state)
{
    struct capture read;
    char error[200], *text;
    size_t size;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        text = with_end(texts[i].text, texts[i].size, "", &size);
        error[0] = 0;
        assert_int_equal(capture_read(text, size, &read, error, sizeof error), !*texts[i].says);
        if (!strstr(error, texts[i].says))
            fail_msg("%s: says '%s', not '%s'", texts[i].text, error, texts[i].says);
        capture_free(&read);
        free(text);
    }
    text = with_end(START LAUNCH PARAMS, strlen(START LAUNCH PARAMS), "more", &size);
    assert_false(capture_read(text, size, &read, error, sizeof error));
    assert_non_null(strstr(error, "something follows its end"));
    capture_free(&read);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_and_read),
        cmocka_unit_test(test_stream_that_takes_nothing),
        cmocka_unit_test(test_cut_and_changed),
        cmocka_unit_test(test_what_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
