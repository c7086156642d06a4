/* Pictures of boxes and swizzles as SVG. */
#include "harness/maps/svg.h"

#include <stdbool.h>

#include "expected/oracle.h"
#include "harness/maps/maps.h"

enum { CELL = 34, ROW = 26, MARGIN = 8, HEAD = 22, LINE = 128, CHUNK = 16 };

static void begin(FILE *to, int width, int height, const char *label)
{
    fprintf(to,
            "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
            "aria-label=\"%s\">\n",
            width, height, width, label);
}

static void label(FILE *to, int x, int y, const char *text)
{
    fprintf(to, "<text class=\"l\" x=\"%d\" y=\"%d\">%s</text>\n", x, y, text);
}

static void cell(FILE *to, int x, int y, const char *class, const char *text)
{
    fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%s\"/>", x, y, CELL, ROW, class);
    fprintf(to, "<text x=\"%d\" y=\"%d\">%s</text>\n", x + CELL / 2, y + ROW - 8, text);
}

void ck_swizzle_svg(FILE *to, int64_t mode)
{
    const unsigned period = tensor_swizzle_period(mode);
    const int lines = period > LINE ? (int)period / LINE : 1, left = 76;
    char text[32];

    fprintf(to, "<figure>");
    begin(to, left + LINE / CHUNK * CELL + MARGIN, HEAD + lines * ROW + MARGIN, "where a swizzle puts 16-byte chunks");
    for (int slot = 0; slot < LINE / CHUNK; slot++) {
        snprintf(text, sizeof text, "+%02x", (unsigned)slot * CHUNK);
        fprintf(to, "<text x=\"%d\" y=\"%d\">%s</text>\n", left + slot * CELL + CELL / 2, HEAD - 7, text);
    }
    for (int line = 0; line < lines; line++) {
        snprintf(text, sizeof text, "@%04x", (unsigned)line * LINE);
        label(to, MARGIN, HEAD + line * ROW + ROW - 8, text);
        for (int slot = 0; slot < LINE / CHUNK; slot++) {
            const uint64_t place = (uint64_t)line * LINE + (uint64_t)slot * CHUNK;
            const uint64_t from = tensor_swizzle(mode, place);
            const unsigned chunk = (unsigned)(from % LINE / CHUNK);

            /* A number in each cell; the tint only helps the eye to follow one chunk down. */
            snprintf(text, sizeof text, "%u%s", chunk, from & 8 ? "'" : "");
            fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" style=\"fill:hsl(%u 60%% %u%%)\"/>",
                    left + slot * CELL, HEAD + line * ROW, CELL, ROW, chunk * 45, 96 - chunk * 4);
            fprintf(to, "<text x=\"%d\" y=\"%d\">%s</text>\n", left + slot * CELL + CELL / 2,
                    HEAD + line * ROW + ROW - 8, text);
        }
    }
    fprintf(to,
            "</svg><figcaption>Swizzle %s: which 16-byte chunk of a line lies in which slot of shared memory%s. It "
            "repeats every %u bytes. Offsets are hexadecimal.</figcaption></figure>\n",
            tensor_swizzle_name(mode),
            mode == TENSOR_SWIZZLE_128B_ATOM_32B_FLIP_8B ? " (' its 8-byte halves change places)" : "", period);
}

static bool takes(const struct svg_box *b, int x, int y)
{
    return x >= b->x && x < b->x + b->across && y >= b->y && y < b->y + b->down && (y - b->y) % b->step == 0;
}

static void element(char *text, size_t size, uint32_t value)
{
    if ((value & 0x7F800000) == 0x7F800000 && value & 0x7FFFFF)
        snprintf(text, size, "NaN");
    else
        snprintf(text, size, "%u", value);
}

void svg_draw_box(FILE *to, const struct svg_box *b)
{
    const int left = b->x < 0 ? b->x : 0, top = b->y < 0 ? b->y : 0;
    const int right = b->x + b->across > b->wide ? b->x + b->across : b->wide;
    const int bottom = b->y + b->down > b->high ? b->y + b->down : b->high;
    const int rows = (b->down + b->step - 1) / b->step, shared = MARGIN * 2 + (right - left) * CELL + CELL;
    const int high = bottom - top > rows ? bottom - top : rows;
    char text[32];

    begin(to, shared + b->across * CELL + MARGIN, HEAD + high * ROW + MARGIN, "a box of a tensor, and its tile");
    label(to, MARGIN, HEAD - 7, "global memory");
    label(to, shared, HEAD - 7, "shared memory");
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const bool inside = x >= 0 && x < b->wide && y >= 0 && y < b->high, taken = takes(b, x, y);

            if (!inside && !taken)
                continue;
            *text = '\0';
            if (inside)
                element(text, sizeof text, b->tensor[y * b->wide + x]);
            cell(to, MARGIN + (x - left) * CELL, HEAD + (y - top) * ROW, !inside ? "out" : taken ? "in" : "", text);
        }
    fprintf(to, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", MARGIN + (b->x - left) * CELL,
            HEAD + (b->y - top) * ROW, b->across * CELL, b->down * ROW);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < b->across; x++) {
            const int at = b->y + y * b->step;
            const bool inside = b->x + x >= 0 && b->x + x < b->wide && at >= 0 && at < b->high;

            element(text, sizeof text, b->tile[y * b->across + x]);
            cell(to, shared + x * CELL, HEAD + y * ROW, inside ? "in" : "out", text);
        }
    fputs("</svg>", to);
}
// SPDX-License-Identifier: Apache-2.0
