/* The linear filter. CUDA Programming Guide, "Linear Filtering"; its rounding is that of an H200: docs/textures.md. */
#include "harness/emu/texture/filter.h"

static double level_of(const struct emu_taps *taps, const float values[EMU_CORNERS])
{
    double sum = 0;

    for (unsigned corner = 0; corner < 1u << taps->axes; corner++) {
        double weight = 1;
        for (unsigned k = 0; k < taps->axes; k++)
            weight *= (corner >> k & 1 ? taps->fraction[k] : 256 - taps->fraction[k]) / 256.0;
        if (weight > 0)
            sum += weight * (double)values[corner];
    }
    return sum;
}

float emu_filtered(const struct emu_sample *s, const float values[2][EMU_CORNERS])
{
    const double first = level_of(&s->levels[0], values[0]), weight = s->fraction / 256.0;

    return (float)(s->count == 1 ? first : first * (1 - weight) + level_of(&s->levels[1], values[1]) * weight);
}
