/* A program that uses the driver API without a toolkit's headers, for tests of what stands between a program and its
 * driver: it finds libcuda.so.1 when it runs.
 *
 * usage: launcher FILE.ptx KERNEL... launches each kernel on 32 threads, with the addresses of 4096 bytes of zeros and
 * of 4096 further bytes, waits for it, and prints the first words of the latter launcher -call NAME         calls a
 * function of the API with zeros, and prints what it returns */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 4096, THREADS = 32 };

static void *library;

static void *find(const char *name)
{
    void *f = dlsym(library, name);

    if (!f) {
        fprintf(stderr, "launcher: no %s\n", name);
        exit(9);
    }
    return f;
}

static void held(const char *name, int result)
{
    if (result) {
        fprintf(stderr, "launcher: %s: %d\n", name, result);
        exit(8);
    }
}

/* Calls a function with its arguments; another result than 0 ends the program. */
#define CALL(name, types, ...)                                                                                         \
    do {                                                                                                               \
        int(*f) types;                                                                                                 \
        *(void **)&f = find(#name);                                                                                    \
        held(#name, f(__VA_ARGS__));                                                                                   \
    } while (0)

static char *load(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *f = fopen(path, "r");

    if (!f || !text || !fread(text, 1, (1 << 20) - 1, f))
        exit(7);
    fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    static uint32_t words[BYTES / 4];
    int device;
    void *context, *module, *function;
    uint64_t in, out;
    void *params[] = { &in, &out };

    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library || argc < 3)
        return 6;
    CALL(cuInit, (unsigned), 0);
    if (!strcmp(argv[1], "-call")) {
        int (*f)(void *, void *, void *, void *, void *, void *);
        *(void **)&f = find(argv[2]);
        printf("%s: %d\n", argv[2], f(NULL, NULL, NULL, NULL, NULL, NULL));
        return 0;
    }
    CALL(cuDeviceGet, (int *, int), &device, 0);
    CALL(cuCtxCreate_v2, (void **, unsigned, int), &context, 0, device);
    CALL(cuCtxSetCurrent, (void *), context);
    CALL(cuModuleLoadData, (void **, const void *), &module, load(argv[1]));
    CALL(cuMemAlloc_v2, (uint64_t *, size_t), &in, BYTES);
    CALL(cuMemAlloc_v2, (uint64_t *, size_t), &out, BYTES);
    CALL(cuMemcpyHtoD_v2, (uint64_t, const void *, size_t), in, words, BYTES);
    for (int i = 2; i < argc; i++) {
        CALL(cuModuleGetFunction, (void **, void *, const char *), &function, module, argv[i]);
        CALL(cuLaunchKernel,
             (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **),
             function, 1, 1, 1, THREADS, 1, 1, 0, NULL, params, NULL);
        CALL(cuCtxSynchronize, (void), );
    }
    CALL(cuMemcpyDtoH_v2, (void *, uint64_t, size_t), words, out, BYTES);
    printf("%u %u\n", words[0], words[1]);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
