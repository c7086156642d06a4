// FlashKDA's forward pass: one head, a sequence of 48 tokens, a state of fp32; EMPTY: a sequence without tokens before it,
// no state to begin with, and one of bf16 at the end.
#include "piece.cuh"

#include <vector>

template <typename T> static T *make(size_t count, float scale)
{
    std::vector<T> values(count);
    T *to;

    for (size_t i = 0; i < count; i++)
        values[i] = T(float(int(i * 7 % 19) - 9) * scale);
    cudaMalloc(&to, count * sizeof *to);
    cudaMemcpy(to, values.data(), count * sizeof *to, cudaMemcpyHostToDevice);
    return to;
}

int main()
{
    using T = cutlass::bfloat16_t;
    const int tokens = 48, heads = 1, dim = 128, chunk = 16;
#ifdef EMPTY
    const int64_t starts[] = { 0, 0, tokens };
    const int count = 2, tiles = tokens / chunk + count;
    int64_t *there;
    cudaMalloc(&there, sizeof starts);
    cudaMemcpy(there, starts, sizeof starts, cudaMemcpyHostToDevice);
#else
    const int count = 1, tiles = tokens / chunk;
    int64_t *there = nullptr;
#endif
    const size_t numbers = size_t(tokens) * heads * dim, states = size_t(count) * heads * dim * dim;
    char *work;
    cudaMalloc(&work, size_t(heads) * tiles * (3 * chunk * dim * 2 + dim * 4 + 2 * chunk * chunk * 2));
#ifdef EMPTY
    T *final_state = make<T>(states, 0), *first_state = nullptr;
    launch_fwd<128, false, true, false, true>
#else
    float *final_state = make<float>(states, 0), *first_state = make<float>(states, 0.01f);
    launch_fwd<128, true, true, true, false>
#endif
        (make<T>(numbers, 0.01f), make<T>(numbers, 0.01f), make<T>(numbers, 0.1f), make<T>(numbers, 0.1f), make<T>(tokens, 0.1f),
         first_state, 0.088f, final_state, make<T>(numbers, 0), work, tiles, tokens, heads, count, there, make<float>(heads, 0.1f),
         make<float>(heads * dim, 0.1f), -5.0f * 1.4426950408889634f, 0);
}
// SPDX-License-Identifier: Apache-2.0
