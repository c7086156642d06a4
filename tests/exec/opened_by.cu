// Opens libraries as Python does, with names that nobody else sees: one with a CUDA runtime of its own, over and over,
// NVRTC, and nvJitLink. What they make is PTX for the emulated device.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>

static const char source[] = "extern \"C\" __global__ void k(int *p) { *p = 1; }";

template <typename F> static F *function_of(void *library, const char *name)
{
    return reinterpret_cast<F *>(dlsym(library, name));
}

static bool doubles(const char *path)
{
    int from[32], to[32];
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    auto *const doubled = library ? function_of<int(const int *, int *)>(library, "doubled") : nullptr;

    for (int i = 0; i < 32; i++)
        from[i] = i;
    if (!doubled || doubled(from, to)) {
        printf("%s: %s\n", path, library ? "an error of the runtime" : dlerror());
        return false;
    }
    for (int i = 0; i < 32; i++)
        if (to[i] != 2 * i)
            return false;
    return true;
}

// "nvrtc: PTX", or what came instead.
static std::string compiled(void *nvrtc)
{
    const char *const options[] = { "-arch=sm_90" };
    void *program;
    size_t bytes = 0;

    if (function_of<int(void **, const char *, const char *, int, void *, void *)>(nvrtc, "nvrtcCreateProgram")(
            &program, source, "k.cu", 0, nullptr, nullptr) ||
        function_of<int(void *, int, const char *const *)>(nvrtc, "nvrtcCompileProgram")(program, 1, options) ||
        function_of<int(void *, size_t *)>(nvrtc, "nvrtcGetCUBINSize")(program, &bytes))
        return "";
    std::string text(bytes, 0);
    function_of<int(void *, char *)>(nvrtc, "nvrtcGetCUBIN")(program, &text[0]);
    return text;
}

static std::string linked(void *library, const std::string &ptx, const std::string &more)
{
    const char *const options[] = { "-arch=sm_90" };
    auto *const add = function_of<int(void *, int, const void *, size_t, const char *)>(library, "nvJitLinkAddData");
    void *handle;
    size_t bytes = 0;

    if (function_of<int(void **, unsigned, const char *const *)>(library, "nvJitLinkCreate")(&handle, 1, options) ||
        add(handle, 2, ptx.data(), ptx.size(), "k") || add(handle, 2, more.data(), more.size(), "m") ||
        function_of<int(void *)>(library, "nvJitLinkComplete")(handle) ||
        function_of<int(void *, size_t *)>(library, "nvJitLinkGetLinkedCubinSize")(handle, &bytes))
        return "";
    std::string text(bytes, 0);
    function_of<int(void *, char *)>(library, "nvJitLinkGetLinkedCubin")(handle, &text[0]);
    function_of<int(void **)>(library, "nvJitLinkDestroy")(&handle);
    return text;
}

static bool has(const std::string &text, const char *words)
{
    return text.find(words) != std::string::npos;
}

int main(int argc, char **argv)
{
    bool fine = true;

    for (int i = 1; i < argc; i++)
        fine = doubles(argv[i]) && fine;
    printf("libraries: %s\n", fine ? "right" : "wrong");
    void *const nvrtc = dlopen("libnvrtc.so.13", RTLD_NOW | RTLD_LOCAL);
    const std::string ptx = nvrtc ? compiled(nvrtc) : "";
    printf("nvrtc: %s\n", !nvrtc ? "not here" : has(ptx, ".entry k") ? "PTX" : "no PTX");
    void *const jitlink = dlopen("libnvJitLink.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!jitlink || !has(ptx, ".entry k")) {
        printf("nvJitLink: not here\n");
        return !fine;
    }
    std::string other = ptx;
    other.replace(other.find(".entry k"), 8, ".entry m");
    for (size_t at; (at = other.find("k_param")) != std::string::npos;)
        other.replace(at, 1, "m");
    const std::string both = linked(jitlink, ptx, other);
    printf("nvJitLink: %s\n", has(both, ".entry k") && has(both, ".entry m") ? "PTX" : "no PTX");
    return !fine;
}
// SPDX-License-Identifier: Apache-2.0
