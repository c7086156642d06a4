// Calls the runtime as a program of toolkit 12 does, in which some structs are shorter: what lies behind stays.
#include <cstdio>
#include <cstring>

enum { BEHIND = 64, FILL = 0x5a };

// What these were in toolkit 12.
struct attributes {
    int type, device;
    void *device_pointer, *host_pointer;
};
struct resource {
    int type;
    union {
        struct {
            void *at;
            int format[5];
            size_t bytes;
        } linear;
        size_t all[7];
    } of;
};

extern "C" {
int cudaMalloc(void **out, size_t bytes);
int cudaFree(void *at);
int cudaPointerGetAttributes(struct attributes *out, const void *pointer);
int cudaCreateTextureObject(unsigned long long *out, const struct resource *from, const void *how, const void *view);
int cudaGetTextureObjectResourceDesc(struct resource *out, unsigned long long texture);
int cudaDestroyTextureObject(unsigned long long texture);
int cudaRuntimeGetVersion(int *version);
}

static union {
    struct attributes pointer;
    struct resource resource;
    unsigned char bytes[256];
} out;

static bool kept(size_t from)
{
    for (size_t i = from; i < from + BEHIND; i++)
        if (out.bytes[i] != FILL)
            return false;
    return true;
}

int main()
{
    const int how[32] = { 0 }; // a struct cudaTextureDesc whose words all are 0
    unsigned long long texture;
    int version = 0, wrong = 0;
    void *numbers;

    wrong += cudaRuntimeGetVersion(&version) || version / 1000 != 12;
    wrong += cudaMalloc(&numbers, 512) != 0;
    memset(&out, FILL, sizeof out);
    wrong += cudaPointerGetAttributes(&out.pointer, numbers) || !kept(sizeof out.pointer) || out.pointer.type != 2 ||
             out.pointer.device_pointer != numbers;
    resource from = {};
    from.type = 2;
    from.of.linear = { numbers, { 32, 0, 0, 0, 1 }, 512 };
    wrong += cudaCreateTextureObject(&texture, &from, how, nullptr) != 0;
    memset(&out, FILL, sizeof out);
    wrong += cudaGetTextureObjectResourceDesc(&out.resource, texture) || !kept(sizeof from) ||
             out.resource.of.linear.at != numbers;
    wrong += cudaDestroyTextureObject(texture) || cudaFree(numbers);
    puts(wrong ? "FAILED" : "passed");
    return wrong;
}
// SPDX-License-Identifier: Apache-2.0
