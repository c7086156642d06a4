/* One temporary file of a test program. Include after cmocka's header. */
#ifndef COPYCHECK_ONE_FILE_H
#define COPYCHECK_ONE_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/copycheck_test_XXXXXX";

/* For the group's setup and teardown. */
static int make_path(void **state)
{
    const int fd = mkstemp(path);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static int drop_path(void **state)
{
    (void)state;
    return unlink(path);
}

/* Makes these bytes all that the file holds. */
static void put(const char *bytes, size_t size)
{
    FILE *to = fopen(path, "wb");

    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, size, to), size);
    assert_int_equal(fclose(to), 0);
}

#endif
// SPDX-License-Identifier: Apache-2.0
