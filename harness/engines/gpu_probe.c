/* What this machine's first GPU is, and which others are like it, asked in a child process. */
#include "harness/engines/gpu_probe.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/engines/driver.h"

/* The version of the loaded kernel module, "580.159.04". */
static void module_version(char *out, size_t size)
{
    FILE *f = fopen("/sys/module/nvidia/version", "r");
    char line[256];

    if (f && fgets(line, sizeof line, f)) {
        snprintf(out, size, "%.*s", (int)strcspn(line, "\n"), line);
        fclose(f);
        return;
    }
    if (f)
        fclose(f);
    f = fopen("/proc/driver/nvidia/version", "r");
    if (!f)
        return;
    if (fgets(line, sizeof line, f))
        for (char *word = strtok(line, " \t\n"); word; word = strtok(NULL, " \t\n"))
            if (word[0] >= '1' && word[0] <= '9' && strchr(word, '.')) {
                snprintf(out, size, "%s", word);
                break;
            }
    fclose(f);
}

/* The version in the name of the library's file, libcuda.so.580.159.04: a forward compatibility library has another
 * one than the kernel module. */
static void library_version(const struct cu_driver *d, char *out, size_t size)
{
    static const char name[] = "libcuda.so.";
    char path[PATH_MAX];
    const char *found;
    Dl_info info;

    if (!dladdr(*(void *const *)&d->cuInit, &info) || !info.dli_fname || !realpath(info.dli_fname, path))
        return;
    found = strrchr(path, '/');
    found = found ? strstr(found, name) : NULL;
    if (found && strchr(found + sizeof name, '.')) /* more than the 1 of libcuda.so.1 */
        snprintf(out, size, "%s", found + sizeof name - 1);
}

/* What records say of the device beside its name. */
static void describe(const struct cu_driver *d, cu_device device, struct ck_gpu_facts *f)
{
    int ecc = 0;

    d->cuDeviceGetAttribute(&f->sms, CU_ATTRIBUTE_MULTIPROCESSORS, device);
    f->ecc = !d->cuDeviceGetAttribute(&ecc, CU_ATTRIBUTE_ECC, device) && ecc == 1;
    f->mig = strstr(f->device, " MIG ") != NULL;
    f->has_uuid = d->cuDeviceGetUuid_v2 && !d->cuDeviceGetUuid_v2(f->uuid[0], device);
    f->count = 1;
    library_version(d, f->libcuda, sizeof f->libcuda);
}

/* Whether another device would leave the same records as the first one, so that a run may share its points among
 * them. */
static bool is_alike(const struct cu_driver *d, cu_device first, cu_device other, const struct ck_gpu_facts *f)
{
    static const int attributes[] = { CU_ATTRIBUTE_SM_MAJOR, CU_ATTRIBUTE_SM_MINOR, CU_ATTRIBUTE_MULTIPROCESSORS,
                                      CU_ATTRIBUTE_ECC, CU_ATTRIBUTE_COMPUTE_MODE };
    char name[sizeof f->device] = "";

    if (d->cuDeviceGetName(name, sizeof name, other) || strcmp(name, f->device) != 0)
        return false;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        int a = 0, b = 0;
        if (d->cuDeviceGetAttribute(&a, attributes[i], first) || d->cuDeviceGetAttribute(&b, attributes[i], other) ||
            a != b)
            return false;
    }
    return true;
}

/* Adds the devices that are like the first one, of the driver's `count`. */
static void add_alike(const struct cu_driver *d, cu_device first, int count, struct ck_gpu_facts *f)
{
    cu_device other;

    for (int i = 1; i < count && f->count < CK_GPUS; i++) {
        if (d->cuDeviceGet(&other, i) || !is_alike(d, first, other, f))
            continue;
        f->ordinal[f->count] = i;
        f->has_uuid = f->has_uuid && !d->cuDeviceGetUuid_v2(f->uuid[f->count], other);
        f->count++;
    }
}

static void probe(struct ck_gpu_facts *f)
{
    struct cu_driver d;
    int count = 0, major = 0, minor = 0, version = 0, mode = 0;
    cu_device device;
    cu_result r;

    if (!cu_open(&d, f->why, sizeof f->why))
        return;
    r = d.cuInit(0);
    if (r) {
        snprintf(f->why, sizeof f->why, "the CUDA driver does not start: cuInit returns %s", cu_name(&d, r));
        return;
    }
    r = d.cuDeviceGetCount(&count);
    if (!r && count)
        r = d.cuDeviceGet(&device, 0);
    if (r || !count) {
        snprintf(f->why, sizeof f->why, "the CUDA driver sees no device%s%s", r ? ": " : "", r ? cu_name(&d, r) : "");
        return;
    }
    r = d.cuDeviceGetName(f->device, sizeof f->device, device);
    r = r ? r : d.cuDeviceGetAttribute(&major, CU_ATTRIBUTE_SM_MAJOR, device);
    r = r ? r : d.cuDeviceGetAttribute(&minor, CU_ATTRIBUTE_SM_MINOR, device);
    r = r ? r : d.cuDeviceGetAttribute(&mode, CU_ATTRIBUTE_COMPUTE_MODE, device);
    r = r ? r : d.cuDriverGetVersion(&version);
    if (r) {
        snprintf(f->why, sizeof f->why, "the CUDA driver does not say what its device is: %s", cu_name(&d, r));
        return;
    }
    f->sm = major * 10 + minor;
    f->cuda = version / 1000 * 100 + version % 1000;
    f->exclusive = mode != 0;
    snprintf(f->driver, sizeof f->driver, "CUDA %d.%d", f->cuda / 100, f->cuda % 100 / 10);
    module_version(f->driver, sizeof f->driver);
    describe(&d, device, f);
    if (f->sm < 90) {
        snprintf(f->why, sizeof f->why, "%s is sm_%d; the cases launch on compute capability 9.0 and up", f->device,
                 f->sm);
        return;
    }
    if (mode == 2) {
        snprintf(f->why, sizeof f->why, "%s is in compute mode PROHIBITED: it takes no context", f->device);
        return;
    }
    add_alike(&d, device, count, f);
    f->present = true;
}

/* A part of a GPU has a name of another form, and goes by its number. */
int ck_gpu_choose(const struct ck_gpu_facts *f, unsigned number)
{
    static const char *const form = "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x";
    const unsigned char *u = f->uuid[number % CK_GPUS];
    char name[64];

    if (f->count < 2 || !f->has_uuid || f->mig)
        return f->ordinal[number % CK_GPUS];
    snprintf(name, sizeof name, form, u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12],
             u[13], u[14], u[15]);
    setenv("CUDA_VISIBLE_DEVICES", name, 1);
    return 0;
}

/* CUDA 12.0 came with 8.0, 13.0 with 9.0; of
 * the releases between, 12.6 kept 8.5. PTX ISA, "Release Notes". */
int ck_gpu_newest_ptx(int cuda)
{
    static const int table[][2] = { { 1200, 80 }, { 1210, 81 }, { 1220, 82 }, { 1230, 83 }, { 1240, 84 },
                                    { 1250, 85 }, { 1260, 85 }, { 1270, 86 }, { 1280, 87 }, { 1290, 88 } };

    if (cuda >= 1300)
        return 90 + (cuda - 1300) / 10;
    for (size_t i = sizeof table / sizeof *table; i-- > 0;)
        if (cuda >= table[i][0])
            return table[i][1];
    return 80;
}

void ck_gpu_probe(struct ck_gpu_facts *facts)
{
    struct ck_gpu_facts *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    pid_t child;

    *facts = (struct ck_gpu_facts){ 0 };
    if (shared == MAP_FAILED) {
        snprintf(facts->why, sizeof facts->why, "mmap: %s", strerror(errno));
        return;
    }
    fflush(NULL);
    child = fork();
    if (child == 0) {
        probe(shared);
        _exit(0);
    }
    if (child > 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    *facts = *shared;
    if (child < 0 || !WIFEXITED(status)) {
        facts->present = false;
        snprintf(facts->why, sizeof facts->why, "the CUDA driver died while it was asked for its devices");
    }
    munmap(shared, sizeof *shared);
}
// SPDX-License-Identifier: Apache-2.0
