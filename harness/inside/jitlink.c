/* A program that links with nvJitLink asks for machine code. It gets PTX in its place, which cuModuleLoadData takes as
 * well: what nvJitLink itself makes of code for link-time optimisation, or the program's own PTX, as one text. All else
 * of nvJitLink is NVIDIA's.
 *
 * Each function of nvJitLink is a jump to another one, which is called from here. One that is not stays as it is. */
#include "harness/inside/jitlink.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/inside/device/link.h"

/* Of nvJitLink.h, which not every toolkit's headers have: a handle is a pointer, nvJitLinkResult an int. */
enum { INPUT_PTX = 2, INPUT_FATBIN = 4, FINE = 0, INTERNAL_ERROR = 6 };

/* A link that has PTX for its inputs. */
struct jitlink {
    void *handle;
    bool optimised; /* -lto: nvJitLink makes the PTX */
    struct fatbin from;
    char *linked;
    size_t bytes;
    struct jitlink *next;
};

static struct jitlink *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of that list */

static int (*real_create)(void **, uint32_t, const char **);
static int (*real_destroy)(void **);
static int (*real_add)(void *, int, const void *, size_t, const char *);
static int (*real_cubin_size)(void *, size_t *);
static int (*real_cubin)(void *, void *);
static int (*real_ptx_size)(void *, size_t *);
static int (*real_ptx)(void *, char *);

static struct jitlink *link_of(const void *handle)
{
    struct jitlink *j;

    pthread_mutex_lock(&lock);
    for (j = all; j && j->handle != handle;)
        j = j->next;
    pthread_mutex_unlock(&lock);
    return j;
}

static int create(void **out, uint32_t count, const char **options)
{
    const char **more = calloc((size_t)count + 1, sizeof *more);
    struct jitlink *j = calloc(1, sizeof *j);
    int result = INTERNAL_ERROR;

    if (more && j) {
        for (uint32_t i = 0; i < count; i++) {
            more[i] = options[i];
            j->optimised = j->optimised || !strcmp(options[i], "-lto") || !strcmp(options[i], "--link-time-opt");
        }
        more[count] = "-ptx";
        result = real_create(out, count + j->optimised, more);
    }
    if (result == FINE) {
        j->handle = *out;
        pthread_mutex_lock(&lock);
        j->next = all;
        all = j;
        pthread_mutex_unlock(&lock);
    } else {
        free(j);
    }
    free(more);
    return result;
}

static int destroy(void **handle)
{
    struct jitlink **at = &all, *j;

    pthread_mutex_lock(&lock);
    while (*at && handle && (*at)->handle != *handle)
        at = &(*at)->next;
    j = handle ? *at : NULL;
    if (j)
        *at = j->next;
    pthread_mutex_unlock(&lock);
    if (j) {
        fatbin_free(&j->from);
        free(j->linked);
    }
    free(j);
    return real_destroy(handle);
}

static int add(void *handle, int kind, const void *data, size_t bytes, const char *name)
{
    struct jitlink *j = link_of(handle);
    struct fatbin one = { 0 };
    char error[200];

    if (j && !j->optimised && (kind == INPUT_PTX || kind == INPUT_FATBIN) &&
        fatbin_read(data, kind == INPUT_PTX ? bytes : 0, &one, error, sizeof error))
        for (size_t i = 0; i < one.count && j->from.count < FATBIN_TEXTS; i++) {
            j->from.texts[j->from.count++] = one.texts[i];
            one.texts[i].text = NULL;
        }
    fatbin_free(&one);
    return real_add(handle, kind, data, bytes, name);
}

/* Makes one text of a link's inputs; false where there is none to be had. */
static bool link_now(struct jitlink *j)
{
    char error[200];

    if (!j || j->optimised || !j->from.count)
        return false;
    return j->linked || link_texts(&j->from, &j->linked, &j->bytes, error, sizeof error);
}

static int cubin_size(void *handle, size_t *bytes)
{
    struct jitlink *j = link_of(handle);

    if (j && j->optimised)
        return real_ptx_size(handle, bytes);
    if (!link_now(j) || !bytes)
        return real_cubin_size(handle, bytes);
    *bytes = strlen(j->linked) + 1;
    return FINE;
}

static int cubin(void *handle, void *out)
{
    struct jitlink *j = link_of(handle);

    if (j && j->optimised)
        return real_ptx(handle, out);
    if (!link_now(j) || !out)
        return real_cubin(handle, out);
    memcpy(out, j->linked, strlen(j->linked) + 1);
    return FINE;
}

/* Where a function jumps to with its first instruction; NULL where it does not. */
static void *target_of(const unsigned char *code)
{
#if defined __x86_64__
    static const unsigned char landing[] = { 0xf3, 0x0f, 0x1e, 0xfa }; /* endbr64 */
    int32_t distance;

    code += memcmp(code, landing, sizeof landing) ? 0 : sizeof landing;
    memcpy(&distance, code + 1, sizeof distance);
    return *code == 0xe9 ? (void *)(uintptr_t)(code + 5 + distance) : NULL; /* jmp */
#else
    uint32_t word;

    memcpy(&word, code, sizeof word);
    return word >> 26 == 5 ? (void *)(uintptr_t)(code + ((int64_t)((uint64_t)word << 38) >> 36)) : NULL; /* b */
#endif
}

/* Whether a name is `plain`, or the same with a version: __nvJitLinkCreate_13_0. */
static bool is_named(const char *name, const char *plain)
{
    const size_t n = strlen(plain);

    if (!strcmp(name, plain))
        return true;
    return !strncmp(name, "__", 2) && !strncmp(name + 2, plain, n) && name[2 + n] == '_' && name[3 + n] >= '1' &&
           name[3 + n] <= '9';
}

#define REPLACED(function) (const void *)(uintptr_t)(function)

const void *jitlink_instead(const char *name, const unsigned char *function)
{
    const struct {
        const char *name;
        void *real; /* a pointer to a function */
        const void *ours;
    } list[] = {
        { "nvJitLinkGetLinkedPtxSize", &real_ptx_size, NULL },
        { "nvJitLinkGetLinkedPtx", &real_ptx, NULL },
        { "nvJitLinkCreate", &real_create, REPLACED(create) },
        { "nvJitLinkDestroy", &real_destroy, REPLACED(destroy) },
        { "nvJitLinkAddData", &real_add, REPLACED(add) },
        { "nvJitLinkGetLinkedCubinSize", &real_cubin_size, REPLACED(cubin_size) },
        { "nvJitLinkGetLinkedCubin", &real_cubin, REPLACED(cubin) },
    };

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        void *const real = is_named(name, list[i].name) ? target_of(function) : NULL;
        if (!real)
            continue;
        memcpy(list[i].real, &real, sizeof real);
        return list[i].ours;
    }
    return NULL;
}
// SPDX-License-Identifier: Apache-2.0
