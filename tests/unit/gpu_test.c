/* The gpu and jit engines on a driver without a device: what they ask of it, and what they make of its answers. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "harness/commands/cmd.h"
#include "harness/engines/driver.h"
#include "harness/engines/engines.h"
#include "harness/plan/plan.h"
#include "tests/selftest/fake.h"
#include "tests/unit/capture.h"
#include "tests/unit/gpu_apart.h"

static const struct ck_rule rule = {
    .id = "fake.copy", .family = "fake", .needs = "sm_90", .sentence = "S.", .source = "s"
};

static void copies(struct ck *t)
{
    const struct ck_buf from = ck_input(t, 64), to = ck_output(t, 64);
    const struct fake_args a = { .to = to.device, .from = from.device, .bytes = 64 };

    ck_launch(t, &(struct ck_launch){ .kernel = ck_word(t, "kernel"), .args = &a, .size = sizeof a });
    ck_equal(t, to, from.host);
}

static const struct ck_case cases[] = {
    { .rule = &rule, .at = "x.c:1", .run = copies, .axes = { { "kernel", "copy fault absent" } }, .no_mutant = "x" },
    { .rule = &rule,
      .at = "x.c:2",
      .name = "row",
      .assemble = "$;",
      .target = "sm_90",
      .version = "8.0",
      .accept = "fine",
      .refuse = "wrong" },
    { .rule = &rule, .at = "x.c:3", .name = "encode", .encode = "rank=$", .accept = "2", .refuse = "6" },
    { 0 },
};
static const struct ck_suite suite = { "fake", cases };
const struct ck_suite *const ck_suites[] = { &suite, NULL };

static void prints_why(void)
{
    struct ck_gpu_facts f;

    ck_gpu_probe(&f);
    printf("%s%s\n", f.present ? "present " : "", f.present ? f.device : f.why);
    CHECK(f.present == !strcmp(f.why, ""));
    CHECK(strstr(f.present ? f.device : f.why, getenv("EXPECTED")));
}

static void machines_are_distinguished(void **state)
{
    static const struct {
        const char *words, *expected;
    } rows[] = {
        { "", "NVIDIA H200" },
        { "exclusive", "NVIDIA H200" },
        { "empty", "the CUDA driver sees no device" },
        { "uncounted", "the CUDA driver sees no device: CUDA_ERROR_NO_DEVICE" },
        { "silent", "the CUDA driver does not start: cuInit returns CUresult 999" },
        { "sm_80", "NVIDIA A100 is sm_80; the cases launch on compute capability 9.0 and up" },
        { "prohibited", "NVIDIA H200 is in compute mode PROHIBITED" },
        { "dies", "the CUDA driver died while it was asked for its devices" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv("EXPECTED", rows[i].expected, 1);
        apart(prints_why, rows[i].words, library);
    }
    setenv("EXPECTED", "the CUDA driver is too old: it has no cuTensorMapEncodeTiled", 1);
    apart(prints_why, "", old_library);
}

static void prints_how_many(void)
{
    struct ck_gpu_facts f;
    char said[64] = "";

    ck_gpu_probe(&f);
    for (int i = 0; i < f.count; i++)
        snprintf(said + strlen(said), sizeof said - strlen(said), "%d:%d ", f.ordinal[i], f.uuid[i][0]);
    if (strcmp(said, getenv("EXPECTED")) != 0)
        fprintf(stderr, "%s\n", said);
    CHECK(!strcmp(said, getenv("EXPECTED")) && f.has_uuid);
}

static void devices_that_are_alike(void **state)
{
    static const struct {
        const char *words, *expected;
    } rows[] = { { "", "0:0 " }, { "three", "0:0 1:1 2:2 " }, { "three unlike", "0:0 2:2 " } };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv("EXPECTED", rows[i].expected, 1);
        apart(prints_how_many, rows[i].words, library);
    }
}

static struct ck_engine open_engine(const char *name, bool opens, const char *message)
{
    struct ck_engine e;
    struct ck_outcome out = { 0 };
    char error[256];

    ck_engines_places(&(struct ck_places){ .kernels = folder });
    if (!ck_engine_find(name, &e, error, sizeof error)) {
        CHECK(!opens);
        CHECK(strstr(error, message));
        return e;
    }
    CHECK(e.ops->open(&e, &out) == opens);
    if (!opens && !strstr(out.message, message))
        fprintf(stderr, "%s\n", out.message);
    CHECK(opens || (out.kind == CK_O_UNSUPPORTED && strstr(out.message, message)));
    return e;
}

/* Buffers that lie next to each other are copied at once, and what lies between two of them stays as it is. */
static void pieces(struct ck_engine *e)
{
    enum { COUNT = 6, LARGE = 900000 };
    static const size_t sizes[COUNT] = { 3000, 16, LARGE, LARGE, 1, 5000 };
    static unsigned char here[COUNT][LARGE], back[COUNT][LARGE];
    struct ck_piece to[COUNT], from[COUNT], some[COUNT];
    struct ck_outcome out = { 0 };
    size_t few = 0;

    for (size_t i = 0; i < COUNT; i++) {
        memset(here[i], (int)i + 1, sizes[i]);
        to[i] = (struct ck_piece){ e->ops->alloc(e, i == 4 ? CK_MEM_HOST : CK_MEM_DEVICE, sizes[i], &out), here[i],
                                   sizes[i] };
        from[i] = (struct ck_piece){ to[i].at, back[i], sizes[i] };
    }
    CHECK(to[1].at == to[0].at + 3072);
    CHECK(e->ops->write_all(e, to, COUNT, &out) && e->ops->read_all(e, from, COUNT, &out));
    CHECK(!memcmp(here, back, sizeof here));
    memset(here, 99, sizeof here);
    for (size_t i = 0; i < COUNT; i += 2)
        some[few++] = to[i];
    CHECK(e->ops->write_all(e, some, few, &out) && e->ops->read_all(e, from, COUNT, &out));
    for (size_t i = 0; i < COUNT; i++)
        CHECK(back[i][0] == (i % 2 ? i + 1 : 99) && back[i][sizes[i] - 1] == back[i][0]);
    e->ops->reset(e);
}

static void memory(void)
{
    struct ck_engine e = open_engine("gpu", true, "");
    struct ck_outcome out = { 0 };
    char bytes[16] = "fifteen letters", back[16] = "";
    uint64_t a;

    CHECK(!strcmp(e.facts, "NVIDIA H200 sm_90 driver CUDA 13.0") || strstr(e.facts, "NVIDIA H200 sm_90 driver "));
    CHECK(e.sm == 90 && e.ptx == 90);
    for (int kind = CK_MEM_DEVICE; kind <= CK_MEM_EDGE; kind++) {
        a = e.ops->alloc(&e, (enum ck_memory)kind, 16, &out);
        CHECK(a);
        CHECK(e.ops->write(&e, a, bytes, 16, &out) && e.ops->read(&e, back, a, 16, &out));
        CHECK(!memcmp(bytes, back, 16));
        memset(back, 0, sizeof back);
    }
    CHECK(((a + 16) & 0x1FFFFF) == 0 || (a + 16) % 4096 == 0); /* the last byte of a page */
    for (int i = 1; i < 16; i++)
        CHECK(e.ops->alloc(&e, CK_MEM_EDGE, 100, &out));
    CHECK(!e.ops->alloc(&e, CK_MEM_EDGE, 100, &out) && out.kind == CK_O_UNSUPPORTED);
    CHECK(!e.ops->alloc(&e, CK_MEM_HOST, 16 << 20, &out) && strstr(out.message, "more than 16 MiB of slow memory"));
    for (int i = 0; i < 16; i++)
        CHECK(e.ops->alloc(&e, CK_MEM_DEVICE, 64 << 20, &out));
    CHECK(!e.ops->alloc(&e, CK_MEM_DEVICE, 64 << 20, &out) && strstr(out.message, "more than 16 large buffers"));
    e.ops->reset(&e);
    CHECK(e.ops->alloc(&e, CK_MEM_EDGE, 100, &out));
    e.ops->reset(&e);
    pieces(&e);
    e.ops->close(&e);
    e.ops->close(&e);
}

static void no_memory(void)
{
    struct ck_engine e = open_engine("gpu", true, "");
    struct ck_outcome out = { 0 };

    CHECK(!e.ops->alloc(&e, CK_MEM_DEVICE, 16, &out) && out.kind == CK_O_REFUSED &&
          !strcmp(out.message, "cuMemAlloc: CUresult 2"));
    CHECK(!e.ops->alloc(&e, CK_MEM_EDGE, 16, &out) && strstr(out.message, "cuMemCreate"));
}

static struct ck_outcome launched(struct ck_engine *e, struct ck_device_launch l)
{
    struct ck_outcome out = { 0 };

    e->ops->launch(e, &l, &out);
    return out;
}

static void launches(void)
{
    struct ck_engine e = open_engine("gpu", true, "");
    struct ck_outcome out = { 0 };
    struct fake_args a = { .bytes = 8 };
    struct ck_device_launch l = { .kernel = "copy", .args = &a, .size = sizeof a };
    char bytes[64] = "12345678", back[8];

    a.from = e.ops->alloc(&e, CK_MEM_DEVICE, 8, &out);
    a.to = e.ops->alloc(&e, CK_MEM_DEVICE, 8, &out);
    CHECK(e.ops->write(&e, a.from, bytes, 8, &out));
    CHECK(launched(&e, l).kind == CK_O_DONE);
    CHECK(e.ops->read(&e, back, a.to, 8, &out) && !memcmp(back, bytes, 8));
    l.cluster[0] = l.cluster[1] = l.cluster[2] = 3;
    l.smem = 100 * 1024;
    CHECK(launched(&e, l).kind == CK_O_DONE);
    l.smem = 300 * 1024;
    out = launched(&e, l);
    CHECK(out.kind == CK_O_REFUSED && !strcmp(out.message, "cuFuncSetAttribute: CUDA_ERROR_INVALID_VALUE"));
    l = (struct ck_device_launch){ .kernel = "copy",
                                   .args = &a,
                                   .size = sizeof a,
                                   .constant = "table",
                                   .constant_bytes = bytes,
                                   .constant_size = 64 };
    CHECK(launched(&e, l).kind == CK_O_DONE);
    l.constant_size = 65;
    CHECK(strstr(launched(&e, l).message, "the symbol table is too small"));
    l.constant = "chair";
    CHECK(strstr(launched(&e, l).message, "cuModuleGetGlobal: CUDA_ERROR_NOT_FOUND"));
    l = (struct ck_device_launch){ .kernel = "refused", .args = &a, .size = sizeof a };
    out = launched(&e, l);
    CHECK(out.kind == CK_O_REFUSED && out.code == 1);
    l.kernel = "absent";
    CHECK(!strcmp(launched(&e, l).message, "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND"));
    l.kernel = "unheard";
    CHECK(launched(&e, l).kind == CK_O_UNSUPPORTED && strstr(launched(&e, l).message, "no kernel unheard in "));
    l.kernel = "elsewhere";
    CHECK(strstr(launched(&e, l).message, "gone.cubin: this toolkit did not build it"));
    l.kernel = "never";
    out = launched(&e, l);
    CHECK(out.kind == CK_O_UNSUPPORTED && strstr(out.message, "the driver refuses "));
    CHECK(strstr(out.message, "CUDA_ERROR_NO_BINARY_FOR_GPU"));
    l.kernel = "fault";
    out = launched(&e, l);
    CHECK(out.kind == CK_O_FAULT && out.code == 716);
    CHECK(!strcmp(out.message, "cuStreamSynchronize: CUDA_ERROR_MISALIGNED_ADDRESS"));
    CHECK(!e.ops->read(&e, back, a.to, 8, &out) && out.kind == CK_O_FAULT);
    l.kernel = "never"; /* its module is loaded now: the fault is the context's */
    CHECK(launched(&e, l).kind == CK_O_FAULT);
    e.ops->close(&e);
}

/* A host's calls; the driver's streams do at once what they are given. */
static void streams(void)
{
    struct ck_engine e = open_engine("gpu", true, "");
    struct ck_outcome out = { 0 };
    void *p, *more;
    char back[8] = "", own[8], kept[8] = "";
    const uint64_t a = e.ops->alloc(&e, CK_MEM_DEVICE, 8, &out), b = e.ops->alloc(&e, CK_MEM_DEVICE, 8, &out);
    const uint64_t c = e.ops->alloc(&e, CK_MEM_DEVICE, 8, &out);
    const struct fake_args args = { .from = b, .to = c, .bytes = 8 };
    const struct ck_device_launch launches[16] = { [2] = { .kernel = "copy", .args = &args, .size = sizeof args } };
    CHECK(e.ops->pinned(&e, 8, &p, &out));
    struct ck_step steps[] = {
        { .kind = CK_STEP_IN, .host = p, .device = a, .bytes = 8 },
        { .kind = CK_STEP_ON, .from = a, .device = b, .bytes = 8 },
        { .kind = CK_STEP_LAUNCH, .stream = 1 },
        { .kind = CK_STEP_RECORD, .stream = 1, .event = 2 },
        { .kind = CK_STEP_AFTER, .event = 2 },
        { .kind = CK_STEP_OUT, .host = back, .device = c, .bytes = 8 },
        { .kind = CK_STEP_ASK },
        { .kind = CK_STEP_WAIT_STREAM },
        { .kind = CK_STEP_WAIT_EVENT, .event = 2 },
        { .kind = CK_STEP_WAIT_DEVICE },
        { .kind = CK_STEP_KEEP, .host = back, .kept = kept, .bytes = 8 },
        { .kind = CK_STEP_FILL, .host = back, .value = 'x', .bytes = 8 },
        { .kind = CK_STEP_ASK, .waits = true },
        { .kind = CK_STEP_OUT, .waits = true, .host = own, .device = a, .bytes = 8 },
    };
    const size_t count = sizeof steps / sizeof *steps;

    memcpy(p, "1234567", 8);
    e.ops->steps(&e, steps, launches, count, &out);
    CHECK(out.kind == CK_O_DONE && !memcmp(kept, "1234567", 8) && !memcmp(own, "1234567", 8));
    CHECK(!memcmp(back, "xxxxxxxx", 8) && steps[6].busy && !steps[12].busy);
    CHECK(e.ops->is_pinned(&e, p) && !e.ops->is_pinned(&e, own));
    e.ops->unpin(&e, p);
    CHECK(!e.ops->is_pinned(&e, p));
    for (int i = 0; i < 8; i++)
        CHECK(e.ops->pinned(&e, 8, &more, &out));
    CHECK(!e.ops->pinned(&e, 8, &more, &out) && strstr(out.message, "no 8 bytes of page-locked memory"));
    CHECK(e.ops->entry_point(&e, "cuTensorMapEncodeTiled", 12000) && !e.ops->entry_point(&e, "cuNothing", 12000) &&
          !e.ops->entry_point(&e, "cuTensorMapEncodeTiled", 11080));
    e.ops->reset(&e);
    e.ops->close(&e);
}

static void encodes(void)
{
    struct ck_engine e = open_engine("gpu", true, "");
    struct ck_outcome out = { .kind = CK_O_FAULT };
    struct tensor_map map = { .rank = 2 };
    char object[TENSOR_MAP_BYTES], error[128];

    e.ops->encode(&e, &map, object, 0, &out);
    CHECK(out.kind == CK_O_DONE);
    for (unsigned bit = 0; bit < 6; bit++) {
        e.ops->encode(&e, &map, object, 1u << bit, &out);
        CHECK((out.kind == CK_O_REFUSED) == (bit != 1)); /* a null address is the fake's to take */
    }
    for (const int64_t *rank = (const int64_t[]){ 0, 6, -1, 64, INT64_MAX, 99 }; *rank != 99; rank++) {
        map.rank = *rank;
        e.ops->encode(&e, &map, object, 0, &out);
        CHECK(out.kind == CK_O_REFUSED && out.code == 1);
    }
    CHECK(gpu_encode_open(error, sizeof error));
    CHECK(gpu_encode(&(struct tensor_map){ .rank = 3 }, object) == 0);
    CHECK(gpu_encode(&(struct tensor_map){ .rank = 6 }, object) == 1);
}

static void encoder_without_a_driver(void)
{
    char error[128];

    CHECK(!gpu_encode_open(error, sizeof error));
    CHECK(strstr(error, getenv("EXPECTED")));
}

static struct ck_outcome assembled(struct ck_engine *e, const char *text, int version, const char *target)
{
    const struct ck_ptx ptx = { .text = text, .size = strlen(text), .version = version, .target = target };
    struct ck_outcome out = { 0 };

    e->ops->assemble(e, &ptx, &out);
    return out;
}

static void compiles(void)
{
    struct ck_engine e = open_engine("jit", true, "");
    struct ck_outcome out;
    const struct fake_args a = { .bytes = 0 };
    struct ck_device_launch l = { .kernel = "copy", .args = &a, .size = sizeof a };

    CHECK(assembled(&e, "fine", 80, "sm_90").kind == CK_O_DONE);
    out = assembled(&e, "wrong", 80, "sm_90");
    CHECK(out.kind == CK_O_REFUSED && out.code == 218 && out.line == 7 && !strcmp(out.message, "No such thing"));
    out = assembled(&e, "unexplained", 80, "sm_90");
    CHECK(out.kind == CK_O_REFUSED && !strcmp(out.message, "CUDA_ERROR_INVALID_PTX"));
    out = assembled(&e, "wrong", 91, "sm_90");
    CHECK(out.kind == CK_O_UNSUPPORTED &&
          strstr(out.message, "needs PTX ISA 9.1; this driver's compiler takes up to 9.0"));
    out = assembled(&e, "sm_100", 90, "sm_100");
    CHECK(out.kind == CK_O_UNSUPPORTED && strstr(out.message, "takes no module of .version 9.0 .target sm_100 here"));
    CHECK(launched(&e, l).kind == CK_O_DONE);
    l.kernel = "elsewhere";
    CHECK(strstr(launched(&e, l).message, "gone.ptx: make kernels builds it"));
    l.kernel = "misspelt";
    CHECK(launched(&e, l).kind == CK_O_UNSUPPORTED);
    e.ops->close(&e);
    /* Another worker finds what this one compiled. */
    e = open_engine("jit", true, "");
    l.kernel = "copy";
    CHECK(launched(&e, l).kind == CK_O_DONE);
    CHECK(ck_engine_cost.launches == 2);
    e.ops->close(&e);
    ck_engines_done();
}

static void old_driver(void)
{
    struct ck_engine e = open_engine("jit", true, "");

    CHECK(e.ptx == 85); /* CUDA 12.6 kept PTX ISA 8.5 */
}

static void exclusive(void)
{
    open_engine("gpu", false, "cuCtxCreate: CUDA_ERROR_INVALID_DEVICE; the GPU is in an exclusive compute mode");
}

static void busy(void)
{
    open_engine("gpu", false, "cuCtxCreate: CUDA_ERROR_INVALID_DEVICE");
}

static void absent(void)
{
    open_engine("gpu", false, "engine gpu: the CUDA driver sees no device");
    open_engine("jit", false, "engine jit: the CUDA driver sees no device");
    open_engine("gpus", false, "no engine 'gpus': there are ");
}

static void without_kernels(void)
{
    struct ck_engine e = open_engine("gpu@12.4", false, "no kernels in ");

    CHECK(!strcmp(e.name, "gpu@12.4"));
}

/* The whole way, with a point that faults. */
static void a_run(void)
{
    char line[512];
    int status;

    snprintf(line, sizeof line,
             "run --engine gpu,jit --kernels %s --out %s/out.jsonl --no-recorded --mutants --profile", folder, folder);
    status = capture(cmd_run, line);
    if (status != 1 || !strstr(captured_out, "fake.copy  FAULT on gpu"))
        fprintf(stderr, "%d\n%s%s\n", status, captured_out, captured_err);
    CHECK(status == 1);
    CHECK(strstr(captured_out, "H200 sm_90  driver "));
    CHECK(strstr(captured_out, "  toolkit 13.0.88  seed 0x5eed  7 points\n"));
    CHECK(strstr(captured_out, "fake.copy  FAULT on gpu"));
    CHECK(strstr(captured_out, "cuStreamSynchronize: CUDA_ERROR_MISALIGNED_ADDRESS"));
    CHECK(strstr(captured_out, "4 of 4 mutants killed"));
    CHECK(strstr(captured_out, "\nprofile   the run took "));
    CHECK(strstr(captured_out, "added up over all workers: "));
    snprintf(line, sizeof line, "run fake.copy:kernel=copy --kernels %s --out %s/copy.jsonl --no-recorded --engine gpu",
             folder, folder);
    CHECK(capture(cmd_run, line) == 0);
    snprintf(line, sizeof line, "run fake.copy:kernel=copy --kernels %s --out %s/again.jsonl --recorded %s/copy.jsonl",
             folder, folder, folder);
    status = capture(cmd_run, line); /* every engine of this machine, that is gpu and jit and perhaps ptxas */
    CHECK(status == 0 && strstr(captured_out, "as recorded for H200"));
    capture_free();
}

static void engines_are_asked(void **state)
{
    (void)state;
    apart(memory, "", library);
    apart(no_memory, "full", library);
    apart(launches, "", library);
    apart(streams, "", library);
    apart(encodes, "", library);
    setenv("EXPECTED", "cuInit: CUresult 999", 1);
    apart(encoder_without_a_driver, "silent", library);
    setenv("EXPECTED", "cuCtxCreate: CUDA_ERROR_INVALID_DEVICE", 1);
    apart(encoder_without_a_driver, "busy", library);
    setenv("EXPECTED", "the CUDA driver is too old", 1);
    apart(encoder_without_a_driver, "", old_library);
    apart(compiles, "", library);
    apart(old_driver, "old", library);
}

static void what_does_not_open_says_why(void **state)
{
    (void)state;
    apart(exclusive, "exclusive", library);
    apart(busy, "busy", library);
    apart(absent, "empty", library);
    apart(without_kernels, "", library);
}

static void runs_end_to_end(void **state)
{
    (void)state;
    apart(a_run, "", library);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_are_distinguished),
        cmocka_unit_test(devices_that_are_alike),
        cmocka_unit_test(engines_are_asked),
        cmocka_unit_test(what_does_not_open_says_why),
        cmocka_unit_test(runs_end_to_end),
    };

    return cmocka_run_group_tests_name("gpu", tests, set_up, clean_up);
}
// SPDX-License-Identifier: Apache-2.0
