/* The gpu engine where one call of the driver fails, each in turn: it says which one, no bytes are taken for right that
 * are not, and the next point is what it would have been. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/engines/driver.h"
#include "harness/engines/engines.h"
#include "harness/plan/plan.h"
#include "tests/selftest/fake.h"
#include "tests/unit/gpu_apart.h"

const struct ck_suite *const ck_suites[] = { NULL };

static const char *const calls[] = {
#define F(name, parameters) #name,
    CU_FUNCTIONS(F)
#undef F
};

static const char *failing; /* the call of which one fails here */

/* The part of its name that a message has: versions and ways are told by others. */
static bool names_it(const char *message)
{
    char name[64];

    snprintf(name, sizeof name, "%s", failing);
    *(strstr(name, "_v2") ? strstr(name, "_v2") : name + strlen(name)) = 0;
    *(strstr(name, "Async") ? strstr(name, "Async") : name + strlen(name)) = 0;
    return strstr(message, name) || strstr(message, "page-locked memory") || strstr(message, "the driver refuses ");
}

/* Whether all is well; what is not well names the call that failed. */
static bool well(bool done, const struct ck_outcome *out)
{
    if (!done && !names_it(out->message))
        fprintf(stderr, "%s: %s\n", failing, out->message);
    CHECK(done || names_it(out->message));
    return done;
}

/* All that a point may ask of an engine. */
static bool point(struct ck_engine *e)
{
    static const unsigned char constant[16] = { 1 };
    struct ck_outcome out = { 0 };
    struct tensor_map map = { .rank = 2 };
    char in[64] = "what a kernel copies from here to there", back[64] = "", object[TENSOR_MAP_BYTES];
    uint64_t at[3];
    void *page;

    for (int kind = CK_MEM_DEVICE; kind <= CK_MEM_EDGE; kind++) {
        at[kind] = e->ops->alloc(e, (enum ck_memory)kind, sizeof in, &out);
        if (!well(at[kind] != 0, &out) || !well(e->ops->write(e, at[kind], in, sizeof in, &out), &out))
            return false;
    }
    const uint64_t large = e->ops->alloc(e, CK_MEM_DEVICE, 65u << 20, &out), to = e->ops->alloc(e, 0, sizeof in, &out);
    if (!well(large != 0 && to != 0, &out))
        return false;
    e->ops->encode(e, &map, object, 0, &out);
    if (!well(out.kind == CK_O_DONE, &out))
        return false;
    e->ops->replace_address(e, object, 4096, &out);
    if (!well(out.kind == CK_O_DONE, &out))
        return false;
    const struct fake_args args = { .from = at[CK_MEM_DEVICE], .to = to, .bytes = sizeof in };
    const struct ck_device_launch first = { .kernel = "copy", .args = &args, .size = sizeof args },
                                  launch = { .kernel = "copy",
                                             .args = &args,
                                             .size = sizeof args,
                                             .smem = 60000,
                                             .cluster = { 16, 1, 1 },
                                             .before = &first,
                                             .constant = "table",
                                             .constant_bytes = constant,
                                             .constant_size = sizeof constant };
    e->ops->launch(e, &launch, &out);
    if (!well(out.kind == CK_O_DONE, &out) || !well(e->ops->registers(e, "copy", &out) >= 0, &out) ||
        !well(e->ops->read(e, back, to, sizeof back, &out), &out))
        return false;
    CHECK(!memcmp(in, back, sizeof in));
    if (!well(e->ops->pinned(e, 64, &page, &out), &out))
        return false;
    memcpy(page, in, sizeof in);
    memset(back, 0, sizeof back);
    struct ck_step steps[] = {
        { .kind = CK_STEP_IN, .host = page, .device = large, .bytes = 64 },
        { .kind = CK_STEP_IN, .waits = true, .host = page, .device = large, .bytes = 64 },
        { .kind = CK_STEP_ON, .from = large, .device = at[CK_MEM_DEVICE], .bytes = 64 },
        { .kind = CK_STEP_ON, .waits = true, .from = large, .device = at[CK_MEM_DEVICE], .bytes = 64 },
        { .kind = CK_STEP_LAUNCH, .stream = 1 },
        { .kind = CK_STEP_RECORD, .stream = 1, .event = 2 },
        { .kind = CK_STEP_AFTER, .event = 2 },
        { .kind = CK_STEP_OUT, .host = page, .device = to, .bytes = 64 },
        { .kind = CK_STEP_ASK },
        { .kind = CK_STEP_WAIT_STREAM },
        { .kind = CK_STEP_WAIT_EVENT, .event = 2 },
        { .kind = CK_STEP_WAIT_DEVICE },
        { .kind = CK_STEP_OUT, .waits = true, .host = back, .device = to, .bytes = 64 },
    };
    const struct ck_device_launch launches[13] = { [4] = first };
    e->ops->steps(e, steps, launches, sizeof steps / sizeof *steps, &out);
    if (!well(out.kind == CK_O_DONE, &out))
        return false;
    CHECK(!memcmp(in, back, sizeof in));
    return true;
}

/* Two points, in the first of which a call may fail. */
static void two_points(void)
{
    struct ck_engine e;
    struct ck_outcome out = { 0 };
    char error[256];

    ck_engines_places(&(struct ck_places){ .kernels = folder });
    if (!ck_engine_find("gpu", &e, error, sizeof error)) {
        CHECK(names_it(error) || strstr(error, "the CUDA driver sees no device") ||
              strstr(error, "the CUDA driver does not say what its device is: "));
        return;
    }
    if (!well(e.ops->open(&e, &out), &out))
        return;
    const bool done = point(&e);
    e.ops->reset(&e);
    CHECK(point(&e) || done); /* what was done well once may be what fails the second time */
    e.ops->reset(&e);
    e.ops->close(&e);
}

static void each_call_fails(void **state)
{
    char what[80];

    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (int k = 0; k < 4; k++) {
            failing = calls[i];
            snprintf(what, sizeof what, "%s:%d:%d", failing, k ? k : 1, k ? 2 : 716);
            setenv("FAKE_CUDA_FAIL", what, 1);
            apart(two_points, "", library);
        }
    unsetenv("FAKE_CUDA_FAIL");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_call_fails) };

    return cmocka_run_group_tests_name("gpu_failing", tests, set_up, clean_up);
}
// SPDX-License-Identifier: Apache-2.0
