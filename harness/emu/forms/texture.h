/* Operands of textures and surfaces. */
#ifndef COPYCHECK_EMU_FORMS_TEXTURE_H
#define COPYCHECK_EMU_FORMS_TEXTURE_H

#include "harness/emu/forms/candidate.h"

/* Each says whether operand k is one, by the instruction's geometry; if not, it returns false through form_fail.
 * form_texel: [texture, {coordinates}], in the independent texture mode with a sampler between the two; [surface,
 * {coordinates}] if `type` is PTX_surfref. The coordinates are of the type `coordinate`. form_opaque: [texture] or
 * [surface] alone. form_steps: a vector with one element for each dimension: an offset in texels, a gradient. */
bool form_texel(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type, uint16_t coordinate);
bool form_opaque(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type);
bool form_steps(struct form_candidate *c, const struct ptx_operand *o, unsigned k, uint16_t type);

/* Whether a texture may be asked for an attribute of its sampler: in the unified texture mode. */
bool form_sampler_query(struct form_candidate *c);

#endif
// SPDX-License-Identifier: Apache-2.0
