// Fetches of textures and accesses of surfaces on a GPU, for tools/record-textures: reads a record, makes its objects,
// has the driver compile its instructions, and prints the record with the answers.
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static void check(CUresult result, const char *what)
{
    const char *name = "?";

    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    std::fprintf(stderr, "record-textures: %s: %s\n", what, name);
    std::exit(1);
}
#define CHECK(call) check(call, #call)

// ---- objects, as the words of copycheck check --arg describe them

struct Object {
    bool surface = false, cube = false, memory = false, linear = false, normalized = false, as_float = false;
    bool linear_levels = false;
    char kind = 'u';
    unsigned bits = 8, channels = 1, width = 1, height = 0, depth = 0, layers = 0, levels = 1;
    CUaddress_mode mode = CU_TR_ADDRESS_MODE_CLAMP;

    unsigned texel() const { return bits / 8 * channels; }
    unsigned slices() const { return (layers ? layers : 1) * (cube ? 6 : 1); }
};

static unsigned halved(unsigned n, unsigned level)
{
    return n >> level ? n >> level : 1;
}

static std::vector<std::string> split(const std::string &text, char by)
{
    std::vector<std::string> out(1);

    for (char c : text)
        if (c == by)
            out.emplace_back();
        else
            out.back() += c;
    return out;
}

static Object parse(const std::string &words)
{
    static const char *const modes[] = { "wrap", "clamp", "mirror", "border" };
    const std::vector<std::string> all = split(words, ',');
    const std::string format = all[0].substr(all[0].find(':') + 1);
    Object o;

    o.surface = words.rfind("surf:", 0) == 0;
    o.kind = format[0];
    o.bits = std::atoi(format.c_str() + 1);
    if (format.find('x') != std::string::npos)
        o.channels = std::atoi(format.c_str() + format.find('x') + 1);
    std::sscanf(all[1].c_str(), "%ux%ux%u", &o.width, &o.height, &o.depth);
    for (const std::string &word : all) {
        std::sscanf(word.c_str(), "layers=%u", &o.layers);
        std::sscanf(word.c_str(), "levels=%u", &o.levels);
        o.cube |= word == "cube";
        o.memory |= word == "memory";
        o.linear |= word == "linear";
        o.normalized |= word == "normalized";
        o.as_float |= word == "float";
        o.linear_levels |= word == "levels-linear";
        for (int k = 0; k < 4; k++)
            if (word == modes[k])
                o.mode = static_cast<CUaddress_mode>(k);
    }
    return o;
}

static CUarray_format format_of(const Object &o)
{
    if (o.kind == 'f')
        return o.bits == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    if (o.kind == 'u')
        return o.bits == 8    ? CU_AD_FORMAT_UNSIGNED_INT8
               : o.bits == 16 ? CU_AD_FORMAT_UNSIGNED_INT16
                              : CU_AD_FORMAT_UNSIGNED_INT32;
    return o.bits == 8 ? CU_AD_FORMAT_SIGNED_INT8 : o.bits == 16 ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_SIGNED_INT32;
}

// Element number k, over all levels and layers: the same as in tests/unit/emu_texture_test.c.
static uint32_t element(const Object &o, uint32_t k)
{
    uint32_t h = k * 2654435761u + 12345;

    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    h ^= h >> 16;
    if (o.kind != 'f')
        return o.bits == 32 ? h : h >> (32 - o.bits);
    if (o.bits == 32)
        return (h & 0x80000000) | (120 + (h >> 23 & 15)) << 23 | (h & 0x7fffff);
    return (h >> 16 & 0x8000) | (10 + (h >> 10 & 7)) << 10 | (h & 0x3ff);
}

// An object on the device.
struct Made {
    Object o;
    CUarray array = nullptr;
    CUmipmappedArray levels = nullptr;
    CUdeviceptr memory = 0;
    CUtexObject texture = 0;
    CUsurfObject surface = 0;
    std::vector<unsigned char> texels;
};

static size_t level_bytes(const Object &o, unsigned level)
{
    return size_t(o.texel()) * halved(o.width, level) * (o.height ? halved(o.height, level) : 1) *
           (o.depth ? halved(o.depth, level) : 1) * o.slices();
}

// Copies the texels of a level to the device, or back.
static void move(Made &m, unsigned level, unsigned char *bytes, bool back)
{
    CUarray array = m.array;
    CUDA_MEMCPY3D c = {};

    if (m.levels)
        CHECK(cuMipmappedArrayGetLevel(&array, m.levels, level));
    c.WidthInBytes = size_t(m.o.texel()) * halved(m.o.width, level);
    c.Height = m.o.height ? halved(m.o.height, level) : 1;
    c.Depth = m.o.depth ? halved(m.o.depth, level) : m.o.slices();
    c.srcMemoryType = back ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
    c.dstMemoryType = back ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
    (back ? c.srcArray : c.dstArray) = array;
    if (back)
        c.dstHost = bytes;
    else
        c.srcHost = bytes;
    (back ? c.dstPitch : c.srcPitch) = c.WidthInBytes;
    (back ? c.dstHeight : c.srcHeight) = c.Height;
    CHECK(cuMemcpy3D(&c));
}

static void make_memory(Made &m, CUDA_RESOURCE_DESC &r)
{
    const Object &o = m.o;
    const size_t row = size_t(o.texel()) * o.width, pitch = o.height ? (row + 511) / 512 * 512 : row;

    CHECK(cuMemAlloc(&m.memory, pitch * (o.height ? o.height : 1)));
    for (unsigned y = 0; y < (o.height ? o.height : 1); y++)
        CHECK(cuMemcpyHtoD(m.memory + y * pitch, m.texels.data() + y * row, row));
    if (o.height) {
        r.resType = CU_RESOURCE_TYPE_PITCH2D;
        r.res.pitch2D = { m.memory, format_of(o), o.channels, o.width, o.height, pitch };
    } else {
        r.resType = CU_RESOURCE_TYPE_LINEAR;
        r.res.linear = { m.memory, format_of(o), o.channels, row };
    }
}

static void make_array(Made &m, CUDA_RESOURCE_DESC &r, bool gathers)
{
    const Object &o = m.o;
    CUDA_ARRAY3D_DESCRIPTOR a = {};
    size_t at = 0;

    a.Width = o.width;
    a.Height = o.height;
    a.Depth = o.depth ? o.depth : o.cube || o.layers ? o.slices() : 0;
    a.Format = format_of(o);
    a.NumChannels = o.channels;
    a.Flags = (o.cube ? CUDA_ARRAY3D_CUBEMAP : 0) | (o.layers ? CUDA_ARRAY3D_LAYERED : 0) |
              (o.surface ? CUDA_ARRAY3D_SURFACE_LDST : 0) | (gathers ? CUDA_ARRAY3D_TEXTURE_GATHER : 0);
    if (o.levels > 1) {
        CHECK(cuMipmappedArrayCreate(&m.levels, &a, o.levels));
        r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        r.res.mipmap.hMipmappedArray = m.levels;
    } else {
        CHECK(cuArray3DCreate(&m.array, &a));
        r.resType = CU_RESOURCE_TYPE_ARRAY;
        r.res.array.hArray = m.array;
    }
    for (unsigned level = 0; level < o.levels; at += level_bytes(o, level), level++)
        move(m, level, m.texels.data() + at, false);
}

static Made make(const Object &o, bool gathers)
{
    CUDA_RESOURCE_DESC r = {};
    CUDA_TEXTURE_DESC t = {};
    size_t bytes = 0;
    Made m;

    m.o = o;
    for (unsigned level = 0; level < o.levels; level++)
        bytes += level_bytes(o, level);
    m.texels.resize(bytes);
    for (size_t at = 0, k = 0; at < bytes; at += o.bits / 8, k++) {
        const uint32_t v = element(o, uint32_t(k));
        std::memcpy(&m.texels[at], &v, o.bits / 8);
    }
    if (o.memory)
        make_memory(m, r);
    else
        make_array(m, r, gathers);
    if (o.surface) {
        CHECK(cuSurfObjectCreate(&m.surface, &r));
        return m;
    }
    for (CUaddress_mode &mode : t.addressMode)
        mode = o.mode;
    t.filterMode = o.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    t.mipmapFilterMode = o.linear_levels ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    t.maxMipmapLevelClamp = float(o.levels - 1);
    t.flags = (o.as_float || o.kind == 'f' ? 0 : CU_TRSF_READ_AS_INTEGER) |
              (o.normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0);
    CHECK(cuTexObjectCreate(&m.texture, &r, &t, nullptr));
    return m;
}

static void release(Made &m)
{
    if (m.texture)
        CHECK(cuTexObjectDestroy(m.texture));
    if (m.surface)
        CHECK(cuSurfObjectDestroy(m.surface));
    if (m.levels)
        CHECK(cuMipmappedArrayDestroy(m.levels));
    if (m.array)
        CHECK(cuArrayDestroy(m.array));
    if (m.memory)
        CHECK(cuMemFree(m.memory));
    m = Made();
}

// ---- instructions

static bool has(const std::string &text, const char *part)
{
    return text.find(part) != std::string::npos;
}

static bool stores(const std::string &fetch)
{
    return fetch.rfind("sust", 0) == 0 || fetch.rfind("sured", 0) == 0;
}

// A kernel that executes the instruction: thread i has words i of `in` in %c0 to %c7, and stores %d0 to %d3.
static std::string kernel_of(const std::string &fetch)
{
    const bool halves = has(fetch, "%h"), wide = has(fetch, "%w"), in = stores(fetch);
    std::string text =
        ".version 8.1\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 tex, .param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
        ".reg .pred %p; .reg .b16 %h<4>; .reg .b32 %c<8>, %d<4>, %n, %i; .reg .b64 %t, %a, %o, %x, %w<2>;\n"
        "ld.param.u64 %t, [tex]; ld.param.u64 %a, [in]; ld.param.u64 %o, [out];\n"
        "mov.u32 %i, %ctaid.x; mov.u32 %n, %tid.x; mad.lo.u32 %i, %i, 64, %n;\n"
        "ld.param.u32 %n, [n]; setp.ge.u32 %p, %i, %n; @%p ret;\n"
        "mul.wide.u32 %x, %i, 32; add.u64 %a, %a, %x; mul.wide.u32 %x, %i, 16; add.u64 %o, %o, %x;\n"
        "ld.global.v4.u32 {%c0, %c1, %c2, %c3}, [%a]; ld.global.v4.u32 {%c4, %c5, %c6, %c7}, [%a+16];\n"
        "mov.u32 %d0, 0; mov.u32 %d1, 0; mov.u32 %d2, 0; mov.u32 %d3, 0;\n";

    if (halves)
        text += in ? "cvt.u16.u32 %h0, %c4; cvt.u16.u32 %h1, %c5; cvt.u16.u32 %h2, %c6; cvt.u16.u32 %h3, %c7;\n"
                   : "mov.b16 %h0, 0; mov.b16 %h1, 0; mov.b16 %h2, 0; mov.b16 %h3, 0;\n";
    if (wide)
        text += in ? "mov.b64 %w0, {%c4, %c5}; mov.b64 %w1, {%c6, %c7};\n" : "mov.b64 %w0, 0; mov.b64 %w1, 0;\n";
    text += fetch + "\n";
    if (halves && !in)
        text += "mov.b32 %d0, {%h0, %h1}; mov.b32 %d1, {%h2, %h3};\n";
    if (wide && !in)
        text += "mov.b64 {%d0, %d1}, %w0; mov.b64 {%d2, %d3}, %w1;\n";
    return text + "st.global.v4.u32 [%o], {%d0, %d1, %d2, %d3};\nret;\n}\n";
}

// ---- a record

enum { WORDS = 8, RESULTS = 4, MOST = 4096 };

// An object, an instruction, and the lines with what is asked.
struct Block {
    std::string object, fetch;
    std::vector<std::string> lines; // up to the mark
    std::vector<char> marks;
    std::vector<uint32_t> in; // WORDS for each line
};

// The number of the first byte that a store changed, and what lies there and behind; or "none".
static std::string changed(Made &m)
{
    std::vector<unsigned char> now(m.texels.size());
    size_t first = 0, end = now.size();
    char part[32];

    move(m, 0, now.data(), true);
    while (first < end && now[first] == m.texels[first])
        first++;
    while (end > first && now[end - 1] == m.texels[end - 1])
        end--;
    if (first == end)
        return "none";
    std::snprintf(part, sizeof part, "%zx ", first);
    std::string out = part;
    for (; first < end; first++) {
        std::snprintf(part, sizeof part, "%02x", now[first]);
        out += part;
    }
    return out;
}

static void launch(CUfunction kernel, const Made &m, CUdeviceptr in, CUdeviceptr out, unsigned n)
{
    unsigned long long handle = m.o.surface ? m.surface : m.texture;
    void *params[] = { &handle, &in, &out, &n };

    CHECK(cuLaunchKernel(kernel, (n + 63) / 64, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr));
    CHECK(cuCtxSynchronize());
}

static void ask(const Block &b, CUdeviceptr in, CUdeviceptr out)
{
    const unsigned n = unsigned(b.lines.size());
    const Object o = parse(b.object);
    Made m = make(o, b.fetch.rfind("tld4", 0) == 0 && !o.cube && !o.memory);
    std::vector<uint32_t> results(size_t(n) * RESULTS);
    CUmodule module;
    CUfunction kernel;

    CHECK(cuModuleLoadData(&module, kernel_of(b.fetch).c_str()));
    CHECK(cuModuleGetFunction(&kernel, module, "k"));
    CHECK(cuMemcpyHtoD(in, b.in.data(), b.in.size() * sizeof b.in[0]));
    if (!stores(b.fetch)) {
        launch(kernel, m, in, out, n);
        CHECK(cuMemcpyDtoH(results.data(), out, results.size() * sizeof results[0]));
    }
    for (unsigned k = 0; k < n; k++) {
        const uint32_t *d = &results[size_t(k) * RESULTS];
        if (stores(b.fetch)) {
            move(m, 0, m.texels.data(), false);
            launch(kernel, m, in + size_t(k) * WORDS * 4, out, 1);
            std::printf("%s %c %s\n", b.lines[k].c_str(), b.marks[k], changed(m).c_str());
        } else {
            std::printf("%s %c %08x %08x %08x %08x\n", b.lines[k].c_str(), b.marks[k], d[0], d[1], d[2], d[3]);
        }
    }
    CHECK(cuModuleUnload(module));
    release(m);
}

static void take(Block &b, const std::string &line)
{
    const size_t mark = line.find_first_of("=~");
    const char *p = line.c_str();

    b.lines.push_back(line.substr(0, mark ? mark - 1 : 0));
    b.marks.push_back(line[mark]);
    for (int k = 0; k < WORDS; k++) {
        char *end;
        b.in.push_back(uint32_t(std::strtoul(p, &end, 16)));
        p = end;
    }
}

int main(int argc, char **argv)
{
    std::FILE *record = argc == 2 ? std::fopen(argv[1], "r") : nullptr;
    char text[1024];
    CUdevice device;
    CUcontext context;
    CUdeviceptr in, out;
    Block b;

    if (!record) {
        std::fprintf(stderr, "usage: record-textures RECORD\n");
        return 2;
    }
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuMemAlloc(&in, MOST * WORDS * 4));
    CHECK(cuMemAlloc(&out, MOST * RESULTS * 4));
    for (bool more = true; more;) {
        more = std::fgets(text, sizeof text, record) != nullptr;
        const std::string line = more ? std::string(text, std::strcspn(text, "\n")) : "";
        const bool object = line.rfind("object ", 0) == 0, fetch = line.rfind("fetch ", 0) == 0;
        if ((!more || object || fetch) && !b.lines.empty()) {
            ask(b, in, out);
            b.lines.clear();
            b.marks.clear();
            b.in.clear();
        }
        if (object)
            b.object = line.substr(7);
        if (fetch)
            b.fetch = line.substr(6);
        if (object || fetch || line[0] == '#')
            std::printf("%s\n", line.c_str());
        else if (line.find_first_of("=~") != std::string::npos)
            take(b, line);
    }
    std::fclose(record);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
