/* What a picture's page says as JSON: the events of a launch, its findings and its lines of source; what is kept of a
 * long launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/emu/emu.h"
#include "harness/emu/forms/form.h"
#include "harness/picture/log.h"

/* A copy that is read before anybody waits for it; in a loop, so many times. */
#define LOOP(times)                                                                                                    \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                                                  \
    ".visible .entry k(.param .u64 in)\n{\n"                                                                           \
    ".reg .pred %more; .reg .b32 %r<4>; .reg .b64 %in; .shared .align 16 .b8 tile[16];\n"                              \
    "ld.param.u64 %in, [in]; mov.u32 %r0, tile; mov.u32 %r1, 0; // </script>\n"                                        \
    "L: st.shared.u32 [%r0], %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %more, %r1, " times "; @%more bra L;\n"             \
    "cp.async.ca.shared.global [%r0], [%in], 16;\n"                                                                    \
    "ld.shared.u32 %r2, [%r0];\n"                                                                                      \
    "cp.async.wait_all;\nret;\n}\n"

/* A launch of one thread, and the page of it. */
struct page {
    struct ptx_module *module;
    struct picture_log *log;
    char *text;
};

static struct page launch(const char *ptx)
{
    const uint32_t one[3] = { 1, 1, 1 };
    struct page page = { .log = picture_log_new() };
    struct emu_options options = { .jobs = 1, .check_order = true, .watch = &picture_watch, .watch_state = page.log };
    struct emu *e = emu_new(&options);
    struct emu_report report;
    struct ptx_error error;
    uint64_t param;
    size_t size;
    char why[200];
    FILE *to = open_memstream(&page.text, &size);

    page.module = ptx_read(ptx, strlen(ptx), NULL, &error);
    if (!page.module)
        fail_msg("%s", error.message);
    assert_true(emu_load(e, page.module, why, sizeof why));
    param = emu_alloc(e, 64, 128, true, "in \"1\"");
    emu_launch(e, "k", one, one, one, 0, &param, sizeof param, &report);
    assert_int_equal(report.count, 1);
    const struct picture_finding finding = {
        .finding = &report.findings[0], .bytes_here = "here", .bytes_there = "there", .at_here = 1024, .at_there = 1024
    };
    const struct picture picture = { .log = page.log,
                                     .module = page.module,
                                     .ptx = ptx,
                                     .ptx_size = strlen(ptx),
                                     .file = "k.ptx",
                                     .run = "schedule 0",
                                     .verdict = "one finding",
                                     .findings = &finding,
                                     .count = 1 };
    assert_true(picture_write(to, &picture));
    assert_int_equal(fclose(to), 0);
    emu_free(e);
    return page;
}

static void end(struct page *page)
{
    free(page->text);
    picture_log_free(page->log);
    ptx_free(page->module);
}

static void holds(const struct page *page, const char *text)
{
    if (!strstr(page->text, text))
        fail_msg("no '%s' in the page", text);
}

static void events_and_findings(void **state)
{
    struct page page = launch(LOOP("2"));

    (void)state;
    holds(&page, "{\"kernel\":\"k\",\"run\":\"schedule 0\",\"verdict\":\"one finding\",\"grid\":[1,1,1],");
    holds(&page, "\"buffers\":[\"in \\\"1\\\"\"]");
    holds(&page, "\"variables\":[[\"tile\",1024,16]]");
    /* kind, step, thread, instruction, then the event's own numbers: two stores, the copy, the read, its landing */
    holds(&page, "\"events\":[[0,4,0,0,1,0,1024,4],\n[0,8,0,0,1,0,1024,4],\n"
                 "[1,12,0,1,1,0,-1,0,0,1024,16,16,0,1,0,0,-1,0],\n[0,13,0,2,0,0,1024,4],\n");
    holds(&page, "\"findings\":[{\"event\":3,\"leader\":0,\"remark\":false,\"rule\":\"cpasync.order.read-early\"");
    holds(&page, "\"here\":{\"thread\":0,\"instruction\":2,\"event\":3,\"offset\":1024,\"size\":4,\"bytes\":\"here\"}");
    holds(&page, "\"there\":{\"thread\":0,\"instruction\":1,\"event\":2,");
    holds(&page, "[10,\"ld.shared.u32 %r2, [%r0];\",0,0,null]");
    holds(&page, "\"files\":[{\"name\":\"k.ptx\",\"lines\":[");
    holds(&page, "// \\u003c/script>");
    assert_null(strstr(page.text, "// </script>"));
    end(&page);
}

/* The first events, then those around the finding, with a mark where some are left out. */
static void long_launch(void **state)
{
    struct page page = launch(LOOP("50000"));
    const struct picture_log *log = page.log;
    uint64_t gaps = 0;

    (void)state;
    assert_int_equal(log->filed_count, 1);
    for (size_t i = 0; i < log->count; i++)
        if (log->kept[i].kind == PICTURE_GAP) {
            gaps += (uint64_t)log->kept[i].of[0];
            assert_true(i < log->filed[0].event);
        }
    assert_int_equal(gaps, log->left_out);
    assert_true(gaps > 30000 && log->count < 20001);
    assert_int_equal(log->kept[log->filed[0].event].kind, PICTURE_ACCESS);
    assert_int_equal(log->kept[log->filed[0].event - 1].kind, PICTURE_ISSUE);
    assert_int_equal(log->kept[log->count - 1].kind, PICTURE_END);
    assert_true(strlen(page.text) < 2000000);
    end(&page);
}

static void nowhere_to_write(void **state)
{
    struct page page = launch(LOOP("2"));
    FILE *full = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(full);
    setvbuf(full, NULL, _IONBF, 0);
    assert_false(picture_write(
        full, &(struct picture){
                  .log = page.log, .module = page.module, .ptx = "", .file = "k.ptx", .run = "", .verdict = "" }));
    fclose(full);
    end(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_and_findings),
        cmocka_unit_test(long_launch),
        cmocka_unit_test(nowhere_to_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
