/* A module loaded into the machine: its variables get addresses, its initialisers are carried out. */
#include "harness/emu/machine/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/emu/machine/address.h"
#include "harness/emu/machine/code.h"
#include "harness/emu/machine/regions.h"
#include "harness/emu/machine/shared.h"

static uint64_t aligned(uint64_t n, uint64_t align)
{
    return align > 1 ? (n + align - 1) / align * align : n;
}

/* A variable of global memory is an allocation; 0 where there is no room for it. */
static uint64_t place_global(struct emu *e, const struct ptx_variable *v)
{
    struct emu_region *r;
    char name[32];

    snprintf(name, sizeof name, "variable %.22s", v->name);
    r = emu_region_add(e, v->size, v->align, name);
    if (!r)
        return 0;
    r->variable = r->written = r->always = true;
    return r->at;
}

static bool place_others(struct emu *e, struct emu_image *image, char *error, size_t size)
{
    const struct ptx_module *m = image->module;

    for (uint32_t i = 0; i < m->n_variables; i++) {
        const struct ptx_variable *v = &m->variables[i];
        if (v->definition != i || v->function != PTX_NO) {
            if (v->space == PTX_param || v->space == PTX_local)
                image->address[i] = v->offset;
            if (v->function == PTX_NO || (v->space != PTX_global && v->space != PTX_const))
                continue;
        }
        if (v->space == PTX_global) {
            image->address[i] = place_global(e, v);
            if (!image->address[i]) {
                snprintf(error, size, "no memory for %s of %llu bytes", v->name, (unsigned long long)v->size);
                return false;
            }
        } else if (v->space == PTX_const) {
            image->address[i] = aligned(image->const_bytes, v->align);
            image->const_bytes = image->address[i] + v->size;
        }
    }
    image->constants = calloc(1, image->const_bytes + 16);
    if (!image->constants)
        snprintf(error, size, "no memory for %llu bytes of constants", (unsigned long long)image->const_bytes);
    return image->constants != NULL;
}

/* What an initialiser's symbol stands for. A function's address is its index plus 1: only a call takes it. */
static uint64_t address_of(const struct emu_image *image, const struct ptx_reloc *r)
{
    const struct ptx_variable *v;
    uint64_t address;

    if (r->is_function)
        return r->symbol + 1ull;
    v = &image->module->variables[r->symbol];
    address = image->address[v->definition];
    if (r->generic)
        address += emu_window_of(v->space);
    return address + (uint64_t)r->addend;
}

/* Writes over a global or constant variable, from `offset` bytes on. */
static bool write_variable(struct emu *e, struct emu_image *image, uint32_t variable, uint64_t offset, const void *from,
                           uint64_t bytes)
{
    const uint64_t at = image->address[variable] + offset;

    switch (image->module->variables[variable].space) {
    case PTX_global: return emu_region_write(e, at, from, bytes);
    case PTX_const: memcpy(image->constants + at, from, bytes); return true;
    default: return false;
    }
}

static void initialise(struct emu *e, struct emu_image *image)
{
    const struct ptx_module *m = image->module;

    for (uint32_t i = 0; i < m->n_variables; i++) {
        const struct ptx_variable *v = &m->variables[i];
        if (!v->has_init || v->definition != i)
            continue;
        write_variable(e, image, i, 0, v->init, v->init_bytes);
        for (uint32_t k = 0; k < v->n_relocs; k++) {
            const struct ptx_reloc *r = &m->relocs[v->relocs + k];
            const uint64_t value = address_of(image, r) >> r->shift;
            write_variable(e, image, i, r->offset, &value, r->size);
        }
    }
}

/* Whether a function of the module reads where the workspace of a cooperative grid is: %envreg1 and %envreg2 hold its
 * address, by which CUDA's grid_group::sync finds it. */
static bool wants_workspace(const struct ptx_module *m)
{
    for (uint32_t i = 0; i < m->n_operands; i++)
        if (m->operands[i].kind == PO_special && (m->operands[i].reg == SR_envreg1 || m->operands[i].reg == SR_envreg2))
            return true;
    return false;
}

bool emu_image_load(struct emu *e, const struct ptx_module *m, emu_ready *ready, char *error, size_t size)
{
    struct emu_image *image = calloc(1, sizeof *image);

    if (image) {
        image->module = m;
        image->ready = ready;
        image->wants_workspace = wants_workspace(m);
        image->address = calloc(m->n_variables + 1, sizeof *image->address);
        image->code = calloc(m->n_functions + 1, sizeof(struct emu_code *));
        pthread_mutex_init(&image->lock, NULL);
    }
    if (!image || !image->address || !image->code) {
        snprintf(error, size, "out of memory");
        if (image) {
            free(image->address);
            free(image->code);
            free(image);
        }
        return false;
    }
    image->next = e->images;
    e->images = image;
    if (!emu_shared_place(image)) {
        snprintf(error, size, "out of memory");
        return false;
    }
    if (!place_others(e, image, error, size))
        return false;
    initialise(e, image);
    return true;
}

static void image_free(struct emu_image *image)
{
    for (uint32_t i = 0; image->code && i < image->module->n_functions; i++)
        emu_code_free(image->code[i]);
    free(image->code);
    free(image->address);
    free(image->shared);
    free(image->constants);
    free(image->timed);
    free(image->judged);
    pthread_mutex_destroy(&image->lock);
    free(image);
}

void emu_images_free(struct emu *e)
{
    while (e->images) {
        struct emu_image *image = e->images;
        e->images = image->next;
        image_free(image);
    }
}

void emu_image_unload(struct emu *e, const struct ptx_module *m)
{
    struct emu_image **at = &e->images, *image;

    while (*at && (*at)->module != m)
        at = &(*at)->next;
    if (!*at)
        return;
    image = *at;
    *at = image->next;
    for (uint32_t i = 0; i < m->n_variables; i++)
        if (m->variables[i].space == PTX_global && m->variables[i].definition == i)
            emu_region_drop(e, image->address[i]);
    image_free(image);
}

struct emu_image *emu_image_of(struct emu *e, const struct ptx_module *m)
{
    struct emu_image *image = e->images;

    while (image && image->module != m)
        image = image->next;
    return image;
}

/* Where the host finds a global or constant variable, by its definition. */
static uint64_t place_of(const struct emu_image *image, const struct ptx_variable *v)
{
    return image->address[v->definition] + (v->space == PTX_const ? (uint64_t)(uintptr_t)image->constants : 0);
}

bool emu_image_variable(struct emu *e, const struct ptx_module *m, const char *name, uint64_t *at, uint64_t *bytes)
{
    const struct emu_image *image = emu_image_of(e, m);
    const uint32_t i = ptx_find_variable(m, name);

    if (!image || i == PTX_NO || (m->variables[i].space != PTX_global && m->variables[i].space != PTX_const))
        return false;
    *at = place_of(image, &m->variables[m->variables[i].definition]);
    *bytes = m->variables[m->variables[i].definition].size;
    return true;
}

bool emu_image_variable_at(const struct emu *e, uint64_t address, uint64_t *at, uint64_t *bytes)
{
    for (const struct emu_image *image = e->images; image; image = image->next)
        for (uint32_t i = 0; i < image->module->n_variables; i++) {
            const struct ptx_variable *v = &image->module->variables[i];
            if (v->definition != i || (v->space != PTX_global && v->space != PTX_const))
                continue;
            *at = place_of(image, v);
            *bytes = v->size;
            if (address - *at < *bytes)
                return true;
        }
    return false;
}

bool emu_image_set(struct emu *e, const struct ptx_module *m, const char *name, const void *bytes, size_t size)
{
    struct emu_image *image = emu_image_of(e, m);
    const uint32_t i = ptx_find_variable(m, name);

    if (!image || i == PTX_NO || size > m->variables[i].size)
        return false;
    return write_variable(e, image, i, 0, bytes, size);
}

const struct emu_code *emu_code_of(struct emu_image *image, uint32_t function)
{
    const struct ptx_module *m = image->module;
    const uint32_t number = m->functions[function].definition;
    struct emu_code *code;

    pthread_mutex_lock(&image->lock);
    if (!image->code[number] && m->functions[number].has_body)
        image->code[number] = image->ready(image, &m->functions[number]);
    code = image->code[number];
    pthread_mutex_unlock(&image->lock);
    return code;
}
// SPDX-License-Identifier: Apache-2.0
