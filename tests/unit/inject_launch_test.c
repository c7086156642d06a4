/* What capture does with each call of the driver, and with a launch, where all goes well and where a call fails: before
 * a driver of this test's own, whose device memory is the test's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/text.h"
#include "harness/inject/inject.h"

/* ---- the driver ----------------------------------------------------------------------------------------------------
 */

static struct driver {
    const char *absent;  /* the driver has no such function */
    const char *fails;   /* this one fails */
    unsigned behind;     /* after so many calls of it */
    unsigned launches;   /* made until now */
    size_t variable_has; /* bytes of the module's variable; 0: as in its PTX */
} driver;

static unsigned char data[64], table[16], far_away[4096];
static uint32_t total = 5;
static int module_is, function_is, kernel_is;

static CUresult answer(const char *name)
{
    return !driver.fails || strcmp(name, driver.fails) || driver.behind-- ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

/* Makes a handle, whatever else it is given, and answers. */
#define MAKES(name, what)                                                                                              \
    static CUresult real_##name(void **made)                                                                           \
    {                                                                                                                  \
        *made = &(what);                                                                                               \
        return answer(#name);                                                                                          \
    }
MAKES(cuModuleLoadData, module_is)
MAKES(cuModuleLoadDataEx, module_is)
MAKES(cuModuleLoadFatBinary, module_is)
MAKES(cuLibraryLoadData, module_is)
MAKES(cuModuleGetFunction, function_is)
MAKES(cuLibraryGetKernel, kernel_is)

static CUresult real_cuKernelGetFunction(void **function, const void *kernel)
{
    if (kernel != &kernel_is)
        return CUDA_ERROR_INVALID_HANDLE;
    *function = &function_is;
    return answer("cuKernelGetFunction");
}

static CUresult real_cuLinkAddData_v2(void)
{
    return answer("cuLinkAddData_v2");
}

static CUresult real_cuLinkComplete(void *state, void **image, size_t *bytes)
{
    static unsigned char code[64] = { 0x7f, 'E', 'L', 'F' };

    code[40] = sizeof code;
    (void)state;
    *image = code;
    *bytes = sizeof code;
    return answer("cuLinkComplete");
}

static CUresult real_cuTensorMapEncodeTiled(unsigned char *map)
{
    memset(map, 0xa5, TENSOR_MAP_BYTES);
    return answer("cuTensorMapEncodeTiled");
}

static CUresult real_cuTensorMapEncodeIm2col(unsigned char *map)
{
    memset(map, 0x5a, TENSOR_MAP_BYTES);
    return answer("cuTensorMapEncodeIm2col");
}

static CUresult launched(const char *name)
{
    driver.launches++;
    data[0]++;
    total++;
    return answer(name);
}

#define LAUNCHES(name)                                                                                                 \
    static CUresult real_##name(void)                                                                                  \
    {                                                                                                                  \
        return launched(#name);                                                                                        \
    }
LAUNCHES(cuLaunchKernel)
LAUNCHES(cuLaunchKernel_ptsz)
LAUNCHES(cuLaunchCooperativeKernel)
LAUNCHES(cuLaunchCooperativeKernel_ptsz)
LAUNCHES(cuLaunchKernelEx)
LAUNCHES(cuLaunchKernelEx_ptsz)

static CUresult real_cuCtxSynchronize(void)
{
    return answer("cuCtxSynchronize");
}

static CUresult real_cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t at)
{
    const struct {
        unsigned char *at;
        size_t bytes;
    } all[] = { { data, sizeof data }, { table, sizeof table }, { far_away, sizeof far_away } };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (at >= (uintptr_t)all[i].at && at - (uintptr_t)all[i].at < all[i].bytes) {
            *base = (uintptr_t)all[i].at;
            *bytes = all[i].bytes;
            return answer("cuMemGetAddressRange_v2");
        }
    return CUDA_ERROR_NOT_FOUND;
}

static CUresult real_cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return answer("cuMemcpyDtoH_v2");
}

static CUresult real_cuModuleGetGlobal_v2(uint64_t *at, size_t *bytes, const void *module, const char *name)
{
    (void)module;
    if (strcmp(name, "total") != 0)
        return CUDA_ERROR_NOT_FOUND;
    *at = (uintptr_t)&total;
    *bytes = driver.variable_has ? driver.variable_has : sizeof total;
    return answer("cuModuleGetGlobal_v2");
}

static CUresult real_cuFuncGetModule(void **module, const void *function)
{
    *module = &module_is;
    return function == &function_is ? answer("cuFuncGetModule") : CUDA_ERROR_INVALID_HANDLE;
}

static const struct {
    size_t offset, size;
} laid[] = { { 0, 8 }, { 16, 8 }, { 64, 128 } }; /* the driver aligns them by their places in memory */

static CUresult info_of(const char *name, size_t i, size_t *offset, size_t *size)
{
    if (i >= sizeof laid / sizeof *laid)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = laid[i].offset;
    *size = laid[i].size;
    return answer(name);
}

static CUresult real_cuFuncGetParamInfo(const void *function, size_t i, size_t *offset, size_t *size)
{
    return function == &function_is ? info_of("cuFuncGetParamInfo", i, offset, size) : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult real_cuKernelGetParamInfo(const void *kernel, size_t i, size_t *offset, size_t *size)
{
    return kernel == &kernel_is ? info_of("cuKernelGetParamInfo", i, offset, size) : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult real_cuDeviceGetName(char *name)
{
    strcpy(name, "a device of a test");
    return CUDA_SUCCESS;
}

static CUresult real_cuDriverGetVersion(int *version)
{
    *version = 13010;
    return CUDA_SUCCESS;
}

static CUresult find(const char *name, void **function, const char *by)
{
    *function = inject_real(strcmp(name, "cuLinkAddData") != 0 ? name : "cuLinkAddData_v2");
    return answer(by);
}

static CUresult real_cuGetProcAddress(const char *name, void **function)
{
    return find(name, function, "cuGetProcAddress");
}

static CUresult real_cuGetProcAddress_v2(const char *name, void **function)
{
    return find(name, function, "cuGetProcAddress_v2");
}

void *inject_real(const char *name)
{
    static const struct {
        const char *name;
        void *function;
    } all[] = {
#define HAS(f) { #f, (void *)(uintptr_t)real_##f }
        HAS(cuModuleLoadData),        HAS(cuModuleLoadDataEx),        HAS(cuModuleLoadFatBinary),
        HAS(cuLibraryLoadData),       HAS(cuModuleGetFunction),       HAS(cuLibraryGetKernel),
        HAS(cuKernelGetFunction),     HAS(cuLinkAddData_v2),          HAS(cuLinkComplete),
        HAS(cuTensorMapEncodeTiled),  HAS(cuTensorMapEncodeIm2col),   HAS(cuLaunchKernel),
        HAS(cuLaunchKernel_ptsz),     HAS(cuLaunchCooperativeKernel), HAS(cuLaunchCooperativeKernel_ptsz),
        HAS(cuLaunchKernelEx),        HAS(cuLaunchKernelEx_ptsz),     HAS(cuCtxSynchronize),
        HAS(cuMemGetAddressRange_v2), HAS(cuMemcpyDtoH_v2),           HAS(cuModuleGetGlobal_v2),
        HAS(cuFuncGetModule),         HAS(cuFuncGetParamInfo),        HAS(cuKernelGetParamInfo),
        HAS(cuDeviceGetName),         HAS(cuDriverGetVersion),        HAS(cuGetProcAddress),
        HAS(cuGetProcAddress_v2),
#undef HAS
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(name, all[i].name) && (!driver.absent || strcmp(name, driver.absent) != 0))
            return all[i].function;
    return NULL;
}

static CUresult none(void)
{
    return CUDA_ERROR_NOT_FOUND;
}

void *inject_own(const char *name)
{
    return inject_real(name) ? inject_real(name) : (void *)(uintptr_t)none;
}

/* ---- launches, each in a process of its own ------------------------------------------------------------------------
 */

#define KERNEL(name)                                                                                                   \
    ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 total;\n.const .u32 never;\n.visible .entry " name    \
    "(.param .u64 p, .param .u64 q, .param .align 64 .b8 map[128])\n{\nret;\n}\n"

enum way {
    KERNEL_OF_8,
    PER_THREAD,
    COOPERATIVE,
    COOPERATIVE_PER_THREAD,
    EX,
    EX_PER_THREAD,
    BLOCK,
    BLOCK_OF_KERNEL,
    UNSEEN
};

struct scenario {
    const char *about;
    enum way way;
    const char *fails; /* this function of the driver, */
    unsigned behind;   /* after so many calls */
    const char *absent, *ptx, *settings, *says;
    size_t variable_has, memory, maps;
    bool nothing; /* no capture is written */
    bool plain;   /* without tensor maps */
    bool cooperative;
    CUresult result;
};

/* ALL: data, table and far_away, which the map is of, and the variable. */
enum { ALL = 4 };

static const struct scenario scenarios[] = {
    { "a launch", .memory = ALL, .maps = 1 },
    { "a launch on a stream of each thread", PER_THREAD, .memory = ALL, .maps = 1 },
    { "a cooperative launch", COOPERATIVE, .cooperative = true, .memory = ALL, .maps = 1 },
    { "a cooperative launch of each thread", COOPERATIVE_PER_THREAD, .cooperative = true, .memory = ALL, .maps = 1 },
    { "a launch with attributes", EX, .cooperative = true, .memory = ALL, .maps = 1 },
    { "a launch with attributes of each thread", EX_PER_THREAD, .cooperative = true, .memory = ALL, .maps = 1 },
    { "parameters as a block", BLOCK, .memory = ALL, .maps = 1 },
    { "parameters of a kernel as a block", BLOCK_OF_KERNEL, .memory = ALL, .maps = 1 },
    { "no tensor map", .plain = true, .memory = 3 },
    { "a function that nobody took", UNSEEN, .nothing = true },
    { "another kernel is wanted", .settings = "name=other\n", .nothing = true },
    { "the next launch is wanted", .settings = "skip=1\n", .nothing = true },
    { "a word that is none", .settings = "this=that\n", .memory = ALL, .maps = 1 },
    { "a launch that fails", .fails = "cuLaunchKernel", .memory = ALL, .maps = 1, .result = CUDA_ERROR_UNKNOWN },
    /* calls that fail, or are not there */
    { "an error from before", .fails = "cuCtxSynchronize", .says = "could not be captured", .nothing = true },
    { "an error behind it", .fails = "cuCtxSynchronize", .behind = 1,
      .says = "the kernel ended with error 999: what memory held behind it is not in the capture", .memory = ALL,
      .maps = 1 },
    { "no cuCtxSynchronize", .absent = "cuCtxSynchronize", .says = "k was launched and could not be captured",
      .nothing = true },
    { "the variable cannot be read", .fails = "cuMemcpyDtoH_v2", .memory = ALL - 1, .maps = 1 },
    { "memory cannot be read", .fails = "cuMemcpyDtoH_v2", .behind = 1, .says = "64 bytes at 0x", .nothing = true },
    { "memory of a map cannot be read", .fails = "cuMemcpyDtoH_v2", .behind = 3, .says = "4096 bytes at 0x",
      .nothing = true },
    { "memory cannot be read behind it", .fails = "cuMemcpyDtoH_v2", .behind = 4, .memory = ALL, .maps = 1 },
    { "memory that is found only later", .fails = "cuMemGetAddressRange_v2", .memory = ALL, .maps = 1 },
    { "too much memory", .settings = "max=100\n", .says = "reaches 4096 bytes at 0x", .nothing = true },
    { "too much memory at once", .settings = "max=60\n", .says = "that is more than --max-bytes leaves",
      .nothing = true },
    { "the variable is unknown", .fails = "cuModuleGetGlobal_v2", .memory = ALL - 1, .maps = 1 },
    { "the variable is another", .variable_has = 8, .memory = ALL - 1, .maps = 1 },
    { "no cuFuncGetModule", .absent = "cuFuncGetModule", .memory = ALL - 1, .maps = 1 },
    { "cuFuncGetModule fails", .fails = "cuFuncGetModule", .memory = ALL - 1, .maps = 1 },
    { "no cuKernelGetFunction", .absent = "cuKernelGetFunction", .memory = ALL, .maps = 1 },
    { "no cuFuncGetParamInfo", BLOCK, .absent = "cuFuncGetParamInfo", .says = "it must be of CUDA 12.4 or later",
      .nothing = true },
    { "no cuKernelGetParamInfo", BLOCK, .absent = "cuKernelGetParamInfo", .says = "it must be of CUDA 12.4 or later",
      .nothing = true },
    { "a parameter whose place is unknown", BLOCK, .fails = "cuFuncGetParamInfo", .memory = ALL - 1, .maps = 1 },
    { "no name of the device", .absent = "cuDeviceGetName", .memory = ALL, .maps = 1 },
    { "no version of it", .absent = "cuDriverGetVersion", .memory = ALL, .maps = 1 },
    { "PTX that cannot be read", .ptx = ".version 8.0\n.target sm_90\n.visible .entry k(\n",
      .says = "its PTX cannot be read: line ", .nothing = true },
    { "PTX of another kernel", .ptx = KERNEL("other"), .says = "its PTX has no kernel k", .nothing = true },
    { "machine code alone", .ptx = "\177ELF", .says = "k: ", .nothing = true },
    { "a file that cannot be made", .settings = "out=/there/is/no/such/folder/capture\n",
      .says = "/there/is/no/such/folder/capture cannot be written", .nothing = true },
    { "nothing is wanted", .settings = "out=\n", .nothing = true },
};

static bool encode(void *map)
{
    const cuuint64_t dims[2] = { 16, 8 }, strides[1] = { 64 };
    const cuuint32_t box[2] = { 16, 8 }, steps[2] = { 1, 1 };

    return cuTensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, far_away, dims, strides, box, steps,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

static CUresult launch(enum way way, CUfunction f, void **params, unsigned char *block)
{
    size_t bytes = 192;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END };
    CUlaunchAttribute attrs[3] = { { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = { 1, 1, 1 } },
                                   { .id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1 },
                                   { .id = CU_LAUNCH_ATTRIBUTE_PRIORITY } };
    const CUlaunchConfig config = { 1, 1, 1, 1, 1, 1, 0, NULL, attrs, 3 };

    switch (way) {
    case PER_THREAD: return cuLaunchKernel_ptsz(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
    case COOPERATIVE: return cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params);
    case COOPERATIVE_PER_THREAD: return cuLaunchCooperativeKernel_ptsz(f, 1, 1, 1, 1, 1, 1, 0, NULL, params);
    case EX: return cuLaunchKernelEx(&config, f, params, NULL);
    case EX_PER_THREAD: return cuLaunchKernelEx_ptsz(&config, f, params, NULL);
    case BLOCK:
    case BLOCK_OF_KERNEL: return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra);
    default: return cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
    }
}

/* In a process of its own: true if the calls of the program answer as the driver's do. */
static bool program(const struct scenario *s)
{
    static _Alignas(64) unsigned char map[TENSOR_MAP_BYTES], other[TENSOR_MAP_BYTES], block[192];
    const void *p = data, *q = table, *far = far_away;
    void *params[] = { &p, &q, map };
    unsigned char code[64] = { 0x7f, 'E', 'L', 'F' };
    const bool machine = s->ptx && *s->ptx == 0x7f;
    CUmodule m;
    CUlibrary l;
    CUkernel k;
    CUfunction f;
    CUresult result;

    driver = (struct driver){ s->absent, s->fails, s->behind, 0, s->variable_has };
    setenv("TRITON_CACHE_DIR", "/there/is/no/such/folder", 1);
    code[40] = sizeof code;
    memcpy(table, &far, sizeof far); /* memory leads to memory */
    if (s->plain)
        memset(table, 0, sizeof table);
    if (cuModuleLoadData(&m, machine  ? (const void *)code
                             : s->ptx ? s->ptx
                                      : KERNEL("k")) != CUDA_SUCCESS ||
        cuModuleGetFunction(&f, m, "k") != CUDA_SUCCESS ||
        cuLibraryLoadData(&l, KERNEL("k"), NULL, NULL, 0, NULL, NULL, 0) != CUDA_SUCCESS ||
        cuLibraryGetKernel(&k, l, "k") != CUDA_SUCCESS)
        return false;
    if (s->way == BLOCK_OF_KERNEL)
        f = (CUfunction)k;
    for (int i = 0; i < 3 && !s->plain; i++)
        if (!encode(i < 2 ? map : other)) /* one of them twice */
            return false;
    memcpy(block + laid[0].offset, &p, 8);
    memcpy(block + laid[1].offset, &q, 8);
    memcpy(block + laid[2].offset, map, sizeof map);
    result = launch(s->way, s->way == UNSEEN ? (CUfunction)&driver : f, params, block);
    return result == s->result && driver.launches == 1;
}

static void check_capture(const struct scenario *s, const char *path)
{
    struct capture c = { 0 };
    char error[200] = "";
    size_t size;
    char *bytes = ck_text_load(path, &size);

    if (s->nothing != !bytes)
        fail_msg("%s: a capture is %s", s->about, bytes ? "written" : "not written");
    if (!bytes)
        return;
    if (!capture_read(bytes, size, &c, error, sizeof error))
        fail_msg("%s: %s", s->about, error);
    if (c.memory_count != s->memory || c.map_count != s->maps)
        fail_msg("%s: %zu pieces of memory, %zu maps", s->about, c.memory_count, c.map_count);
    assert_string_equal(c.entry, "k");
    assert_int_equal(c.cooperative, s->cooperative);
    capture_free(&c);
    free(bytes);
}

static void each_launch(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        const struct scenario *s = &scenarios[i];
        char folder[] = "/tmp/inject-launch-XXXXXX", out[100], said[100], settings[400];
        size_t size = 0;
        char *text;
        pid_t child;
        int status = 0;

        assert_non_null(mkdtemp(folder));
        snprintf(out, sizeof out, "%s/capture", folder);
        snprintf(said, sizeof said, "%s/said", folder);
        snprintf(settings, sizeof settings, "out=%s\n%s", out, s->settings ? s->settings : "");
        setenv(INJECT_VARIABLE, settings, 1);
        child = fork();
        assert_true(child >= 0);
        if (!child)
            _exit(!freopen(said, "w", stderr) || !program(s) || fflush(stderr));
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status)
            fail_msg("%s: status %d", s->about, status);
        text = ck_text_load(said, &size);
        if (!text || (s->says ? !strstr(text, s->says) : *text))
            fail_msg("%s: it says '%s'", s->about, text ? text : "");
        free(text);
        check_capture(s, out);
        unlink(out);
        unlink(said);
        rmdir(folder);
    }
    unsetenv(INJECT_VARIABLE);
}

/* ---- calls that fail, and how functions are found ------------------------------------------------------------------
 */

static void calls_that_fail_are_handed_on(__attribute__((unused)) void **state)
{
    const char *name;
    struct inject_module *known;
    unsigned char map[TENSOR_MAP_BYTES];
    CUmodule m;
    CUlibrary l;
    CUkernel k = NULL;
    CUfunction f = NULL;
    void *image;
    size_t bytes;
    const size_t maps = inject_map_count();

#define FAILS(function, ...)                                                                                           \
    do {                                                                                                               \
        driver.fails = #function;                                                                                      \
        driver.behind = 0;                                                                                             \
        assert_int_equal(function(__VA_ARGS__), CUDA_ERROR_UNKNOWN);                                                   \
        driver.fails = NULL;                                                                                           \
        driver.absent = #function;                                                                                     \
        assert_int_equal(function(__VA_ARGS__), CUDA_ERROR_NOT_FOUND);                                                 \
        driver.absent = NULL;                                                                                          \
    } while (0)
    FAILS(cuModuleLoadData, &m, KERNEL("k"));
    FAILS(cuModuleLoadDataEx, &m, KERNEL("k"), 0, NULL, NULL);
    FAILS(cuModuleLoadFatBinary, &m, KERNEL("k"));
    FAILS(cuLibraryLoadData, &l, KERNEL("k"), NULL, NULL, 0, NULL, NULL, 0);
    FAILS(cuModuleGetFunction, &f, (CUmodule)&module_is, "k");
    FAILS(cuLibraryGetKernel, &k, (CUlibrary)&module_is, "k");
    FAILS(cuKernelGetFunction, &f, (CUkernel)&kernel_is);
    FAILS(cuLinkComplete, (CUlinkState)&driver, &image, &bytes);
    FAILS(cuTensorMapEncodeTiled, (CUtensorMap *)(void *)map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, NULL, NULL, NULL,
          NULL, NULL, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    FAILS(cuTensorMapEncodeIm2col, (CUtensorMap *)(void *)map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, NULL, NULL, NULL,
          NULL, NULL, 1, 1, NULL, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
          CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    assert_false(inject_kernel(&function_is, &name, &known));
    assert_false(inject_kernel(&kernel_is, &name, &known));
    assert_int_equal(inject_map_count(), maps);
    driver.fails = "cuLinkAddData_v2";
    driver.behind = 0;
    assert_int_equal(cuLinkAddData((CUlinkState)&driver, CU_JIT_INPUT_CUBIN, data, 4, "", 0, NULL, NULL),
                     CUDA_ERROR_UNKNOWN);
    driver.fails = NULL;
}

static void maps_of_images_are_kept(void **state)
{
    const cuuint64_t dims[5] = { 8, 7, 6, 5, 4 }, strides[4] = { 64, 512, 4096, 32768 };
    const int lower[3] = { -1, -2, -3 }, upper[3] = { 1, 2, 3 };
    const cuuint32_t steps[5] = { 1, 1, 1, 1, 1 };
    unsigned char map[TENSOR_MAP_BYTES];

    (void)state;
    for (unsigned rank = 3; rank <= 5; rank++) {
        const struct tensor_map *m;
        assert_int_equal(cuTensorMapEncodeIm2col((CUtensorMap *)(void *)map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank,
                                                 far_away, dims, strides, lower, upper, 4, 16, steps,
                                                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                                 CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
                         CUDA_SUCCESS);
        m = &inject_map(inject_map_count() - 1)->map;
        assert_int_equal(m->mode, TENSOR_MODE_IM2COL);
        assert_int_equal(m->lower[rank - 3], lower[rank - 3]);
        assert_int_equal(m->strides[rank - 2], strides[rank - 2]);
        assert_int_equal(m->lower[2], rank == 5 ? -3 : 0);
    }
}

/* As many texts as a fat binary may have are kept, and those that are no PTX are not. */
static void many_texts_are_linked(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++)
        assert_int_equal(cuLinkAddData((CUlinkState)&table, i % 2 ? CU_JIT_INPUT_CUBIN : CU_JIT_INPUT_PTX, data, 4, "",
                                       0, NULL, NULL),
                         CUDA_SUCCESS);
}

static void functions_are_ours(void **state)
{
    static const char *const same[] = { "cuModuleLoadData",    "cuModuleLoadDataEx",  "cuModuleLoadFatBinary",
                                        "cuLibraryLoadData",   "cuModuleGetFunction", "cuLibraryGetKernel",
                                        "cuKernelGetFunction", "cuLinkAddData",       "cuLinkComplete" };
    void *f = NULL, *again = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_int_equal(cuGetProcAddress(same[i], &f, 12000, 0), CUDA_SUCCESS);
        assert_int_equal(
            cuGetProcAddress_v2(same[i], &again, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, NULL),
            CUDA_SUCCESS);
        assert_ptr_equal(f, again);
        assert_ptr_not_equal(f, inject_real(strcmp(same[i], "cuLinkAddData") != 0 ? same[i] : "cuLinkAddData_v2"));
    }
    assert_int_equal(
        cuGetProcAddress_v2("cuLaunchKernel", &f, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, NULL),
        CUDA_SUCCESS);
    assert_ptr_equal(f, (void *)(uintptr_t)cuLaunchKernel_ptsz);
    assert_int_equal(cuGetProcAddress_v2("cuLaunchKernel", &f, 13000, 0, NULL), CUDA_SUCCESS);
    assert_ptr_equal(f, (void *)(uintptr_t)cuLaunchKernel);
    assert_int_equal(cuGetProcAddress("cuDriverGetVersion", &f, 13000, 0), CUDA_SUCCESS); /* nothing of ours */
    assert_ptr_equal(f, inject_real("cuDriverGetVersion"));
    for (int version = 11000; version <= 13000; version += 2000) {
        void *const wanted =
            version < 12000 ? (void *)(uintptr_t)cuGetProcAddress : (void *)(uintptr_t)cuGetProcAddress_v2;
        assert_int_equal(cuGetProcAddress("cuGetProcAddress", &f, version, 0), CUDA_SUCCESS);
        assert_ptr_equal(f, wanted);
        assert_int_equal(cuGetProcAddress_v2("cuGetProcAddress", &f, version, 0, NULL), CUDA_SUCCESS);
        assert_ptr_equal(f, wanted);
    }
    assert_true(!cuGetProcAddress("cuNothing", &f, 13000, 0) && !f);
    assert_true(!cuGetProcAddress_v2("cuNothing", &f, 13000, 0, NULL) && !f);
    driver.fails = "cuGetProcAddress";
    driver.behind = 0;
    assert_int_equal(cuGetProcAddress("cuLaunchKernel", &f, 13000, 0), CUDA_ERROR_UNKNOWN);
    driver.fails = "cuGetProcAddress_v2";
    driver.behind = 0;
    assert_int_equal(cuGetProcAddress_v2("cuLaunchKernel", &f, 13000, 0, NULL), CUDA_ERROR_UNKNOWN);
    driver.fails = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_fail_are_handed_on),
        cmocka_unit_test(functions_are_ours),
        cmocka_unit_test(maps_of_images_are_kept),
        cmocka_unit_test(many_texts_are_linked),
        cmocka_unit_test(each_launch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
// SPDX-License-Identifier: Apache-2.0
