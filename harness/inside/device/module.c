/* Modules: PTX that is read and loaded when a part of it is first asked for. */
#include "harness/inside/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/forms/form.h"
#include "harness/inside/device/fatbin.h"
#include "harness/inside/device/link.h"

struct module {
    const void *image; /* where the program's own is, until it is read; NULL: it has been taken already */
    struct fatbin texts;
    char name[80]; /* of the PTX, in findings */
    struct ptx_module *ptx;
    bool tried, loaded;
    CUresult result; /* of reading and loading it */
    char error[900];
    struct function *functions; /* those that were asked for */
    struct module *next;
};

static struct module *all;
static unsigned numbers;

static CUresult fail(struct module *m, CUresult result)
{
    m->tried = true;
    m->result = result;
    return result;
}

CUresult module_new(const void *image, size_t size, bool lazily, struct module **out)
{
    struct module *m = image ? calloc(1, sizeof *m) : NULL;
    CUresult result = CUDA_SUCCESS;

    *out = NULL;
    if (!m)
        return image ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
    snprintf(m->name, sizeof m->name, "module %u", ++numbers);
    m->image = lazily ? image : NULL;
    if (!lazily && !fatbin_read(image, size, &m->texts, m->error, sizeof m->error)) {
        say_line("%s: %s", m->name, m->error);
        result = fail(m, CUDA_ERROR_NO_BINARY_FOR_GPU);
    }
    if (!lazily && result == CUDA_SUCCESS)
        result = module_load(m);
    if (result != CUDA_SUCCESS) {
        module_free(m);
        return result;
    }
    m->next = all;
    all = m;
    *out = m;
    return CUDA_SUCCESS;
}

/* The texts as one module; how it is called in findings is the name of the CUDA file, where there is one. */
static CUresult read_ptx(struct module *m)
{
    struct ptx_error error;
    char *linked = NULL;
    size_t size;

    if (m->image && !fatbin_read(m->image, 0, &m->texts, m->error, sizeof m->error))
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    m->image = NULL;
    if (m->texts.count > 1 && !link_texts(&m->texts, &linked, &size, m->error, sizeof m->error))
        return CUDA_ERROR_INVALID_PTX;
    m->ptx = linked ? ptx_read(linked, size, NULL, &error)
                    : ptx_read(m->texts.texts[0].text, m->texts.texts[0].size, NULL, &error);
    free(linked);
    if (!m->ptx) {
        ptx_error_print(&error, m->name, m->error, sizeof m->error);
        return m->texts.count == 1 && !strstr(m->texts.texts[0].text, ".version") ? CUDA_ERROR_INVALID_IMAGE
                                                                                  : CUDA_ERROR_INVALID_PTX;
    }
    for (uint32_t i = 0; i < m->ptx->n_files; i++) {
        const char *file = m->ptx->files[i].name, *slash = strrchr(file, '/');
        if (!strstr(file, "/include/")) {
            snprintf(m->name, sizeof m->name, "%s.ptx", slash ? slash + 1 : file);
            break;
        }
    }
    return CUDA_SUCCESS;
}

CUresult module_load(struct module *m)
{
    CUresult result = device_state();

    if (m->tried && (m->loaded || m->result != CUDA_SUCCESS))
        return m->result;
    if (!device.machine)
        return result;
    if (!m->ptx) {
        result = read_ptx(m);
        if (result != CUDA_SUCCESS) {
            say_line("%s: %s", m->name, m->error);
            return fail(m, result);
        }
    }
    m->tried = m->loaded = emu_load(device.machine, m->ptx, m->error, sizeof m->error);
    if (m->loaded)
        return CUDA_SUCCESS;
    say_line("%s: %s", m->name, m->error);
    return fail(m, CUDA_ERROR_OUT_OF_MEMORY);
}

void module_free(struct module *m)
{
    for (struct module **at = &all; *at; at = &(*at)->next)
        if (*at == m) {
            *at = m->next;
            break;
        }
    if (m->loaded)
        emu_unload(device.machine, m->ptx);
    while (m->functions) {
        struct function *f = m->functions;
        m->functions = f->next;
        check_result_free(&f->found);
        free(f);
    }
    fatbin_free(&m->texts);
    ptx_free(m->ptx);
    free(m);
}

void module_reset(void)
{
    for (struct module *m = all; m; m = m->next)
        if (m->loaded) {
            emu_unload(device.machine, m->ptx);
            m->tried = m->loaded = false;
        }
}

const struct ptx_module *module_ptx(struct module *m)
{
    return m->ptx;
}

bool module_owns(const struct function *f)
{
    for (const struct module *m = all; m; m = m->next)
        for (const struct function *k = m->functions; k; k = k->next)
            if (k == f)
                return true;
    return false;
}

bool module_known(const struct module *m)
{
    const struct module *k = all;

    while (k && k != m)
        k = k->next;
    return m && k;
}

const char *module_name(const struct module *m)
{
    return m->name;
}

const struct ptx_function *function_entry(const struct function *f)
{
    return &f->module->ptx->functions[f->number];
}

CUresult function_parameter(const struct function *f, size_t number, size_t *offset, size_t *bytes)
{
    const struct ptx_function *entry = function_entry(f);
    const struct ptx_variable *p;

    if (number >= entry->n_params)
        return CUDA_ERROR_INVALID_VALUE;
    p = &f->module->ptx->variables[entry->params + number];
    *offset = p->offset;
    if (bytes)
        *bytes = p->size;
    return CUDA_SUCCESS;
}

CUresult module_function(struct module *m, const char *name, struct function **out)
{
    const CUresult result = module_load(m);
    struct function *f;
    uint32_t number;

    if (result != CUDA_SUCCESS)
        return result;
    number = ptx_find_function(m->ptx, name);
    if (number == PTX_NO || !m->ptx->functions[number].is_entry)
        return CUDA_ERROR_NOT_FOUND;
    for (f = m->functions; f && f->number != number; f = f->next)
        ;
    if (!f && (f = calloc(1, sizeof *f))) {
        *f = (struct function){ .module = m, .number = number, .carveout = -1, .next = m->functions };
        m->functions = f;
    }
    *out = f;
    return f ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult module_variable(struct module *m, const char *name, uint64_t *at, size_t *bytes)
{
    const CUresult result = module_load(m);
    uint64_t size;

    if (result != CUDA_SUCCESS)
        return result;
    if (!emu_variable(device.machine, m->ptx, name, at, &size))
        return CUDA_ERROR_NOT_FOUND;
    *bytes = size;
    return CUDA_SUCCESS;
}

void module_each_variable(void (*each)(uint64_t at, uint64_t bytes, void *state), void *state)
{
    for (const struct module *m = all; m; m = m->next)
        for (uint32_t i = 0; m->loaded && i < m->ptx->n_variables; i++) {
            const struct ptx_variable *v = &m->ptx->variables[i];
            uint64_t at, bytes;
            if (v->space == PTX_global && v->function == PTX_NO && v->definition == i && v->size &&
                emu_variable(device.machine, m->ptx, v->name, &at, &bytes))
                each(at, bytes, state);
        }
}
// SPDX-License-Identifier: Apache-2.0
