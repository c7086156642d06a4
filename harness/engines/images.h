/* The images in an object that nvcc wrote. */
#ifndef COPYCHECK_IMAGES_H
#define COPYCHECK_IMAGES_H

#include <stddef.h>

/* Names the images in an object that nvcc wrote uncompressed (an ELF file of a GPU each): "tile", "simt" or "simt
 * tile"; "" where there is none. */
void ck_images(const unsigned char *object, size_t bytes, char *names, size_t size);

#endif
// SPDX-License-Identifier: Apache-2.0
