/* Modules, kernels and tensor maps that a program has made. */
#include "harness/inject/inject.h"

#include <dirent.h>
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/room.h"
#include "harness/base/text.h"
#include "harness/inside/device/fatbin.h"
#include "harness/inside/device/link.h"

struct inject_module {
    const void *handle;
    const void *image; /* the program's, of a fat binary; else a copy */
    size_t bytes;      /* of the copy; 0: it is the program's */
    struct inject_module *next;
};

struct taken {
    const void *function;
    char *name;
    struct inject_module *module;
};

/* What a linker was given, and what it made. */
struct linking {
    const void *state; /* NULL: it has made it */
    struct fatbin texts;
    void *image; /* machine code, of so many bytes */
    size_t bytes;
    struct linking *next;
};

static struct inject_module *modules;
static struct linking *linkings;
static struct taken *taken;
static size_t taken_count, taken_room;
static struct capture maps; /* only its maps */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Bytes of machine code, or of PTX text; 0 of a fat binary, which is part of the program. */
static size_t bytes_of(const void *image)
{
    const Elf64_Ehdr *elf = image;

    if (!memcmp(image, ELFMAG, SELFMAG))
        return elf->e_shoff + (size_t)elf->e_shnum * elf->e_shentsize;
    return *(const unsigned char *)image < 0x80 && *(const unsigned char *)image >= '\t' &&
                   *(const unsigned char *)image != 'P'
               ? strlen(image) + 1
               : 0;
}

void inject_loaded(const void *handle, const void *image)
{
    struct inject_module *m = calloc(1, sizeof *m);
    const size_t bytes = image ? bytes_of(image) : 0;
    void *copy = bytes ? malloc(bytes) : NULL;

    if (!m || !image || (bytes && !copy)) {
        free(copy);
        free(m);
        return;
    }
    if (copy)
        memcpy(copy, image, bytes);
    *m = (struct inject_module){ handle, copy ? copy : image, bytes, NULL };
    pthread_mutex_lock(&lock);
    m->next = modules;
    modules = m;
    pthread_mutex_unlock(&lock);
}

static struct linking *linking_of(const void *state)
{
    struct linking *l = linkings;

    while (l && l->state != state)
        l = l->next;
    return l;
}

void inject_link_added(const void *state, const void *ptx, size_t bytes)
{
    struct linking *l;

    pthread_mutex_lock(&lock);
    l = linking_of(state);
    if (!l && (l = calloc(1, sizeof *l))) {
        l->state = state;
        l->next = linkings;
        linkings = l;
    }
    if (l && l->texts.count < FATBIN_TEXTS) {
        struct fatbin_text *t = &l->texts.texts[l->texts.count];
        t->size = strnlen(ptx, bytes);
        t->text = strndup(ptx, bytes);
        l->texts.count += t->text != NULL;
    }
    pthread_mutex_unlock(&lock);
}

void inject_linked(const void *state, const void *image)
{
    struct linking *l;

    pthread_mutex_lock(&lock);
    l = linking_of(state);
    if (l) {
        l->state = NULL;
        l->bytes = bytes_of(image);
        l->image = malloc(l->bytes + 1);
        if (l->image)
            memcpy(l->image, image, l->bytes);
    }
    pthread_mutex_unlock(&lock);
}

/* The PTX that machine code was linked from, malloc'd; NULL: it was not linked here. */
static char *of_linker(const struct inject_module *m, size_t *size, char *error, size_t error_size)
{
    for (struct linking *l = linkings; l; l = l->next) {
        char *text;
        if (l->state || !l->image || l->bytes != m->bytes || memcmp(l->image, m->image, m->bytes) || !l->texts.count)
            continue;
        if (l->texts.count > 1)
            return link_texts(&l->texts, &text, size, error, error_size) ? text : NULL;
        *size = l->texts.texts[0].size;
        return strdup(l->texts.texts[0].text);
    }
    return NULL;
}

static struct taken *find(const void *function)
{
    for (size_t i = taken_count; i; i--)
        if (taken[i - 1].function == function)
            return &taken[i - 1];
    return NULL;
}

/* False where there is no room. */
static bool remember(const struct taken *t)
{
    struct taken *all = ck_room(taken, taken_count, &taken_room, 64, sizeof *all);

    if (!all)
        return false;
    taken = all;
    taken[taken_count++] = *t;
    return true;
}

void inject_took(const void *function, const void *from, const char *name)
{
    struct taken t = { .function = function };
    const struct taken *same;
    struct inject_module *m;

    pthread_mutex_lock(&lock);
    for (m = modules; m && m->handle != from; m = m->next)
        ;
    same = name ? NULL : find(from);
    if (same) {
        t.name = same->name;
        t.module = same->module;
    } else if (name && m) {
        t.name = strdup(name);
        t.module = m;
    }
    if (t.name && !remember(&t) && !same)
        free(t.name);
    pthread_mutex_unlock(&lock);
}

/* The kernel that a function is of which the program has not asked for: its launches name the kernel, and nodes of
 * graphs the function. */
static struct taken of_kernel(const void *function)
{
    CUresult (*function_of)(CUfunction *, CUkernel);
    struct taken t = { 0 };
    CUfunction own;

    *(void **)&function_of = inject_real("cuKernelGetFunction");
    for (size_t i = taken_count; i && function_of && !t.function; i--)
        if (function_of(&own, (CUkernel)(uintptr_t)taken[i - 1].function) == CUDA_SUCCESS && own == function)
            t = (struct taken){ function, taken[i - 1].name, taken[i - 1].module };
    if (t.function)
        remember(&t);
    return t;
}

bool inject_kernel(const void *function, const char **name, struct inject_module **module)
{
    const struct taken *seen;
    struct taken t;

    pthread_mutex_lock(&lock);
    seen = find(function);
    t = seen ? *seen : of_kernel(function);
    pthread_mutex_unlock(&lock);
    if (!t.name)
        return false;
    *name = t.name;
    *module = t.module;
    return true;
}

/* Triton loads machine code, and keeps the PTX that it came from beside it in its cache: the text beside a file of the
 * same bytes. */
static char *beside(const char *folder, const struct inject_module *m, size_t *size)
{
    DIR *d = opendir(folder);
    char path[4096], *found = NULL;

    for (const struct dirent *e; d && !found && (e = readdir(d));) {
        const size_t n = strlen(e->d_name);
        struct stat about;
        char *bytes;
        size_t length;
        if (e->d_name[0] == '.' || (size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= sizeof path ||
            stat(path, &about))
            continue;
        if (S_ISDIR(about.st_mode)) {
            found = beside(path, m, size);
            continue;
        }
        if (n < 7 || strcmp(e->d_name + n - 6, ".cubin") || (size_t)about.st_size < m->bytes)
            continue;
        bytes = ck_text_load(path, &length);
        if (bytes && length >= m->bytes && !memcmp(bytes, m->image, m->bytes)) {
            memcpy(path + strlen(path) - 5, "ptx", 4);
            found = ck_text_load(path, size);
        }
        free(bytes);
    }
    if (d)
        closedir(d);
    return found;
}

static char *of_triton(const struct inject_module *m, size_t *size)
{
    const char *cache = getenv("TRITON_CACHE_DIR"), *home = getenv("HOME");
    char folder[4096];

    if (cache && *cache)
        return beside(cache, m, size);
    snprintf(folder, sizeof folder, "%s/.triton/cache", home ? home : "");
    return beside(folder, m, size);
}

char *inject_ptx(struct inject_module *m, size_t *size, char *error, size_t error_size)
{
    static struct fatbin f;
    char *text = NULL;

    if (!memcmp(m->image, ELFMAG, SELFMAG) &&
        ((text = of_linker(m, size, error, error_size)) || (text = of_triton(m, size))))
        return text;
    if (!fatbin_read(m->image, 0, &f, error, error_size) ||
        (f.count > 1 && !link_texts(&f, &text, size, error, error_size))) {
        fatbin_free(&f);
        return NULL;
    }
    if (!text) {
        text = f.texts[0].text;
        *size = f.texts[0].size;
        f.texts[0].text = NULL;
    }
    fatbin_free(&f);
    return text;
}

void inject_mapped(const struct tensor_map *map, const void *object)
{
    struct capture_map *m;

    pthread_mutex_lock(&lock);
    m = capture_add_map(&maps);
    if (m) {
        m->map = *map;
        memcpy(m->object, object, TENSOR_MAP_BYTES);
    }
    pthread_mutex_unlock(&lock);
}

size_t inject_map_count(void)
{
    return maps.map_count;
}

const struct capture_map *inject_map(size_t i)
{
    return &maps.maps[i];
}
// SPDX-License-Identifier: Apache-2.0
