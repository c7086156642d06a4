/* libFuzzer target: record files, and what is made of them: entries, a comparison with themselves, counts.
 *
 * (`make fuzz-records` builds and runs it.) An input that begins with 2 is given the sums of schema 2, which no random
 * change would hit; one that begins with 1 is read as it is. What is refused is refused with a line, and what is read
 * twice says the same twice. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/records/chain.h"
#include "harness/records/records.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int file = -1;
static char path[64];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    file = memfd_create("records", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0)
        abort();
    return 0;
}

/* Writes the lines, each with the sum that it would have. */
static void put_with_sums(FILE *to, const char *data, size_t size)
{
    uint64_t chain = CK_CHAIN_BASIS;

    for (size_t n; size; data += n, size -= n) {
        const char *end = memchr(data, '\n', size);
        n = end ? (size_t)(end - data) + 1 : size;
        const size_t text = n - (end != NULL);
        if (text && data[text - 1] == '}')
            ck_chain_write(to, data, text - 1, &chain);
        else
            fwrite(data, 1, n, to);
    }
}

static void put(const uint8_t *data, size_t size)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);

    if (!to)
        abort();
    if (*data == '2')
        put_with_sums(to, (const char *)data + 1, size - 1);
    else
        fwrite(data + 1, 1, size - 1, to);
    fclose(to);
    if (ftruncate(file, 0) || pwrite(file, text, bytes, 0) != (ssize_t)bytes)
        abort();
    free(text);
}

static void compare(const struct ck_entries *entries)
{
    struct ck_comparison c;

    if (!ck_compare(entries, entries, false, &c))
        abort();
    if (ck_comparison_status(&c) || ck_comparison_changed(&c))
        abort();
    ck_comparison_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ck_record_file head, read;
    struct ck_entries entries;
    char error[512] = "";

    if (!size || (*data != '1' && *data != '2'))
        return -1;
    put(data, size);
    if (!ck_read_head(path, &head, error, sizeof error)) {
        if (!error[0])
            abort();
    } else {
        ck_free_records(&head);
    }
    error[0] = 0;
    if (!ck_read_records(path, &read, error, sizeof error)) {
        if (!error[0])
            abort();
        return 0;
    }
    if (!ck_entries_make(&read, &entries))
        abort();
    compare(&entries);
    for (size_t i = 0; i < read.count; i++)
        if (!ck_entries_find(&entries, read.records[i].point, read.records[i].engine))
            abort();
    ck_entries_free(&entries);
    ck_free_records(&read);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
