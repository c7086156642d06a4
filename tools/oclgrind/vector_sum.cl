/* The sum of two vectors, a work-item for each element: vector_sum.ptx does the same. */
kernel void vector_sum(global const float *a, global const float *b, global float *c, uint n)
{
    const size_t i = get_global_id(0);

    if (i < n)
        c[i] = a[i] + b[i];
}
// SPDX-License-Identifier: Apache-2.0
