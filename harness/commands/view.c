/* copycheck view: what a tile-space load of CUDA Tile returns. */
#include "harness/commands/cmd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expected/random.h"
#include "expected/view.h"
#include "harness/base/hash.h"
#include "harness/base/number.h"
#include "harness/maps/maps.h"

enum { WIDTH = 80, INDENT = 2, TEXT = 400 };

static const char help[] =
    "usage: copycheck view --extents N,... --tile N,... [OPTION...]   draws one tile-space load\n"
    "       copycheck view --batch [FILE]                          a digest for each line\n"
    "\n"
    "Draws the tile that load_masked of CUDA Tile returns: for each element its coordinates in the array, or the\n"
    "padding. Lists have the slowest dimension first, as in C++.\n"
    "\n"
    "  --extents N,...  the array's elements in each dimension\n"
    "  --tile N,...     the tile's, powers of two\n"
    "  --at N,...       the tile's index (default 0,0,...)\n"
    "  --strides N,...  elements from one element of a dimension to the next (default: row-major, dense)\n"
    "  --steps N,...    of a strided view: elements from one tile to the next (default: a partition view's, --tile)\n"
    "  --type TYPE      u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64 e4m3 e5m2 (default f32)\n"
    "  --padding P      zero -zero inf -inf nan, or none for load, which has no mask (default zero)\n"
    "  --lines N        rows that are drawn at most (default 32)\n"
    "\n"
    "Extents, strides and index are run-time values of the kernel; nvcc refuses further what is static, such as an\n"
    "extent or a stride of 0. A load that the documents leave undefined, or that nvcc 13.5 refuses, is answered with\n"
    "the rule that it breaks, and exit status 1.\n"
    "\n"
    "--batch reads a load a line, six columns separated by tabs: type, extents, strides, tile, index, padding. The\n"
    "array's element at offset k (in elements) has the bits (k * 0x9E3779B97F4A7C15) >> (64 - width). For each line\n"
    "it prints the 64-bit FNV-1a digest of the tile's elements in row-major order, little-endian, in 16\n"
    "hexadecimal digits; or `undefined`, where the documents leave the load undefined; or `refuse`, where the\n"
    "compiler refuses it.\n";

/* ---- digests ----------------------------------------------------------------------------------------------------- */

struct digest {
    uint64_t hash, padding;
    size_t size;
};

static void add_element(void *context, const struct view_element *e)
{
    struct digest *d = context;
    const uint64_t bits = e->inside ? ((uint64_t)e->offset * SPLITMIX64_STEP) >> (64 - 8 * d->size) : d->padding;
    unsigned char bytes[8] = { 0 };

    for (size_t i = 0; i < d->size; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    d->hash = fnv1a(d->hash, bytes, d->size);
}

static void digest_line(void *context, const struct view_access *load)
{
    struct digest d = { FNV1A_BASIS, view_padding_bits(load->type, load->padding), view_type_bytes(load->type) };
    struct view_reason why;

    (void)context;
    switch (view_check(load, &why)) {
    case VIEW_REFUSED: puts("refuse"); break;
    case VIEW_UNDEFINED: puts("undefined"); break;
    case VIEW_DEFINED:
        view_each(load, add_element, &d);
        printf("%016" PRIx64 "\n", d.hash);
        break;
    }
}

/* ---- the picture ------------------------------------------------------------------------------------------------- */

struct picture {
    const struct view_access *load;
    bool colour;
    int cell;      /* columns of an element, a space before it included */
    size_t across; /* elements of a row that are drawn */
    uint64_t lines, most;
    size_t inside; /* elements */
};

/* "2 x 4", "(2, 8)" */
static const char *list_text(char *text, size_t size, const int64_t *of, int count, const char *between)
{
    int n = 0;

    text[0] = 0;
    for (int i = 0; i < count && n < (int)size; i++)
        n += snprintf(text + n, size - (size_t)n, "%s%" PRId64, i ? between : "", of[i]);
    return text;
}

static void element_text(const struct picture *p, const struct view_element *e, char *text, size_t size)
{
    if (e->inside)
        list_text(text, size, e->at, p->load->extents.count, ",");
    else
        snprintf(text, size, "%s", view_padding_name(p->load->padding));
}

static void measure(void *context, const struct view_element *e)
{
    struct picture *p = context;
    char text[TEXT];

    p->inside += e->inside;
    element_text(p, e, text, sizeof text);
    if ((int)strlen(text) + 1 > p->cell)
        p->cell = (int)strlen(text) + 1;
}

static void draw_element(void *context, const struct view_element *e)
{
    static const char *const rows[] = { "\033[31m", "\033[32m", "\033[33m", "\033[34m", "\033[35m", "\033[36m" };
    struct picture *p = context;
    const int rank = p->load->tile.count;
    const size_t width = (size_t)p->load->tile.of[rank - 1], c = e->number % width;
    const size_t slab = rank > 1 ? width * (size_t)p->load->tile.of[rank - 2] : width;
    char text[TEXT];

    if (p->lines == p->most)
        return;
    if (rank > 2 && e->number && e->number % slab == 0)
        putchar('\n');
    if (c < p->across) {
        element_text(p, e, text, sizeof text);
        printf("%*s%s%*s%s", c ? 0 : INDENT, "",
               !p->colour   ? ""
               : !e->inside ? "\033[7m"
                            : rows[rank > 1 ? e->at[rank - 2] % 6 : 0],
               p->cell, text, p->colour ? "\033[0m" : "");
    }
    if (c == width - 1) {
        puts(p->across < width ? " ..." : "");
        p->lines++;
    }
}

static int draw(const struct view_access *load, uint64_t most)
{
    struct picture p = { .load = load, .colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"), .most = most };
    const int rank = load->extents.count;
    const size_t elements = view_elements(load), width = (size_t)load->tile.of[rank - 1];
    char text[TEXT];
    int64_t tiles[VIEW_RANK_MAX];

    for (int i = 0; i < rank; i++)
        tiles[i] = view_tiles(load, i);
    view_each(load, measure, &p);
    p.across = (size_t)((WIDTH - INDENT - 4) / p.cell);
    p.across = p.across < 1 ? 1 : p.across > width ? width : p.across;
    printf("tile (%s)\n", list_text(text, sizeof text, load->index.of, rank, ", "));
    printf("of a tile space of %s,\n", list_text(text, sizeof text, tiles, rank, " x "));
    printf("in an array of %s %s\n", list_text(text, sizeof text, load->extents.of, rank, " x "),
           view_type_name(load->type));
    printf("%zu elements, %zu inside the array", elements, p.inside);
    if (p.inside < elements)
        printf(", %zu padded: %s is 0x%0*" PRIx64, elements - p.inside, view_padding_name(load->padding),
               (int)view_type_bytes(load->type) * 2, view_padding_bits(load->type, load->padding));
    puts("\n");
    view_each(load, draw_element, &p);
    if (p.lines < elements / width)
        printf("%*s%" PRIu64 " more rows: --lines %zu\n", INDENT, "", elements / width - p.lines, elements / width);
    return cmd_end(0);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

struct options {
    struct view_access load;
    uint64_t lines;
    bool batch, single;
    const char *file;
};

static int read_name(const char *option, const char *name, struct view_access *load)
{
    const bool type = !strcmp(option, "--type");
    const int found = type ? view_type_find(name) : view_padding_find(name);

    if (found < 0)
        return ck_bad("view: no %s '%s'; copycheck view --help lists them", option + 2, name);
    if (type)
        load->type = (enum view_type)found;
    else
        load->padding = (enum view_padding)found;
    return -1;
}

/* The option at argv[i], which takes a value: -1, or an exit status after a message. */
static int read_option(struct options *o, const char *option, const char *value)
{
    static const char *const names[] = { "--extents", "--strides", "--tile", "--at", "--steps" };
    struct view_list *const lists[] = { &o->load.extents, &o->load.strides, &o->load.tile, &o->load.index,
                                        &o->load.steps };
    char error[120];

    if (!value)
        return ck_bad("view: %s needs a value", option);
    if (!strcmp(option, "--type") || !strcmp(option, "--padding"))
        return read_name(option, value, &o->load);
    if (!strcmp(option, "--lines"))
        return ck_number(value, 0, UINT64_MAX, &o->lines) ? -1 : ck_bad("view: --lines '%s': not a number", value);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(option, names[i]) != 0)
            continue;
        if (!*value)
            return ck_bad("view: %s needs a list of numbers", option);
        return view_list_read(value, lists[i], error, sizeof error) ? -1 : ck_bad("view: %s: %s", option, error);
    }
    return ck_bad("view: '%s' is no option of it; copycheck view --help lists them", option);
}

static int read_options(struct options *o, int argc, char **argv)
{
    int status = -1;

    for (int i = 1; i < argc && status < 0; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "--help") || !strcmp(a, "-h"))
            return cmd_help(help);
        if (!strcmp(a, "--batch")) {
            o->batch = true;
        } else if (o->batch && !o->file && (a[0] != '-' || !a[1])) {
            o->file = a;
        } else {
            o->single = true;
            status = read_option(o, a, argv[i + 1]);
            i++;
        }
    }
    return status;
}

/* Strides and an index that were not given: a dense array in row-major order, the first tile. */
static void complete(struct view_access *load)
{
    int64_t stride = 1;

    if (!load->strides.count) {
        load->strides.count = load->extents.count;
        for (int i = load->extents.count - 1; i >= 0; i--) {
            load->strides.of[i] = stride;
            if (__builtin_mul_overflow(stride, load->extents.of[i], &stride))
                stride = INT64_MAX;
        }
    }
    if (!load->index.count)
        load->index.count = load->extents.count;
}

int cmd_view(int argc, char **argv)
{
    struct options o = { .load = { .type = VIEW_F32 }, .lines = 32 };
    const int status = read_options(&o, argc, argv);
    struct view_reason why;

    if (status >= 0)
        return status;
    if (o.batch) {
        if (o.single)
            return ck_bad("view: options of a single load do not go with --batch");
        const int read = view_lines_each(o.file, digest_line, NULL);
        return read ? read : cmd_end(0);
    }
    if (!o.load.extents.count || !o.load.tile.count) {
        cmd_help(help);
        return 2;
    }
    complete(&o.load);
    switch (view_check(&o.load, &why)) {
    case VIEW_REFUSED: printf("refused: %s (%s)\n", why.text, why.rule); return cmd_end(1);
    case VIEW_UNDEFINED: printf("undefined: %s (%s)\n", why.text, why.rule); return cmd_end(1);
    case VIEW_DEFINED: break;
    }
    return draw(&o.load, o.lines);
}
// SPDX-License-Identifier: Apache-2.0
