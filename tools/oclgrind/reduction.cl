/* The sum of each work-group's elements, halved in local memory step by step: reduction.ptx does the same. */
kernel void reduction(global const uint *in, global uint *out, local uint *s)
{
    const size_t t = get_local_id(0);

    s[t] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = get_local_size(0) / 2; step; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = s[0];
}
// SPDX-License-Identifier: Apache-2.0
