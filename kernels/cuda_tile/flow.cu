/* Control flow in tile code. Scalars say which path a block takes and how often a loop goes round; what it did is
 * stored as single integers, or as tiles of 8. */
#include "kernels/cuda_tile/ct.cuh"

#pragma nv_diag_suppress 20344, 20345 /* an irange with a break is an ordinary loop, says a warning */

#define FLOW CT_HEAD, const int *in, int *out, int a, int b, int c, int d

/* The array as tiles of 8. */
template <class T> __tile__ auto tiles(T *p, int n)
{
    return ct::partition_view{ ct::tensor_span{ p, ct::extents{ n } }, ct::shape{ 8_ic } };
}

/* Blocks with an odd number add 100 to their tile, the others store it as it is. SWAPPED: the others add. */
__tile__ void odd_and_even(const int *in, int *out, bool odd)
{
    const int block = (int)ct::bid().x, n = 8 * (int)ct::num_blocks().x;
    auto tile = tiles(in, n).load(block);

    if (odd)
        tiles(out, n).store(tile + 100, block);
    else
        tiles(out, n).store(tile, block);
}
extern "C" __tile_global__ void flow_path(FLOW)
{
    odd_and_even(in, out, ct::bid().x % 2 == 1);
}
extern "C" __tile_global__ void flow_path__swapped(FLOW)
{
    odd_and_even(in, out, ct::bid().x % 2 == 0);
}

/* Stores which of four ways was taken. NEGATED: the inner condition is the opposite. */
__tile__ int way(bool outer, bool inner)
{
    if (outer) {
        if (inner)
            return 1;
        else
            return 2;
    } else if (inner) {
        return 3;
    }
    return 4;
}
extern "C" __tile_global__ void flow_way(FLOW)
{
    *out = way(a > 0, b > 0);
}
extern "C" __tile_global__ void flow_way__negated(FLOW)
{
    *out = way(a > 0, b <= 0);
}

/* Blocks below `a` load their tile, the others have zeros. ALSO: block `a` loads too. */
__tile__ void load_if(const int *in, int *out, bool below)
{
    const int block = (int)ct::bid().x, n = 8 * (int)ct::num_blocks().x;
    auto tile = ct::zeros<ct::tile<int, ct::shape<8>>>();

    if (below)
        tile = tiles(in, n).load(block);
    tiles(out, n).store(tile, block);
}
extern "C" __tile_global__ void flow_load_if(FLOW)
{
    load_if(in, out, (int)ct::bid().x < a);
}
extern "C" __tile_global__ void flow_load_if__also(FLOW)
{
    load_if(in, out, (int)ct::bid().x <= a);
}

/* What a loop gives: its numbers from out[1] on, and how many they are in out[0]. */
#define LIST(name) extern "C" __tile_global__ void flow_##name(FLOW)

struct list {
    int *out;
    int count;

    __tile__ list(int *to) : out(to), count(0)
    {
        out[0] = 0;
    }
    __tile__ void give(int number)
    {
        out[++count] = number;
        out[0] = count;
    }
};

LIST(irange)
{
    list l(out);

    for (auto i : ct::irange(a, b, c))
        l.give(i);
}
LIST(irange_two)
{
    list l(out);

    for (auto i : ct::irange(a, b))
        l.give(i);
}
LIST(irange_one)
{
    list l(out);

    for (auto i : ct::irange(a, b, 1))
        l.give(i);
}
LIST(for)
{
    list l(out);

    for (int i = a; i < b; i += c)
        l.give(i);
}
LIST(while)
{
    list l(out);

    int i = a;
    while (i < b) {
        l.give(i);
        i += c;
    }
}
LIST(do)
{
    list l(out);

    int i = a;
    if (i >= b)
        return;
    do {
        l.give(i);
        i += c;
    } while (i < b);
}

/* The same numbers in 64 bits, in 16, and without a sign. */
LIST(irange_s64)
{
    list l(out);

    for (auto i : ct::irange((long long)a, (long long)b, (long long)c))
        l.give((int)i);
}
LIST(irange_s16)
{
    list l(out);

    for (auto i : ct::irange((short)a, (short)b, (short)c))
        l.give((int)i);
}
LIST(irange_u32)
{
    list l(out);

    for (auto i : ct::irange((unsigned)a, (unsigned)b, (unsigned)c))
        l.give((int)i);
}

/* Loops in loops: a rounds of b rounds, of c rounds. SWAPPED: the two outer bounds change places. */
LIST(nested_2)
{
    list l(out);

    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            l.give(10 * i + j);
}
LIST(nested_2__swapped)
{
    list l(out);

    for (int i = 0; i < b; i++)
        for (int j = 0; j < a; j++)
            l.give(10 * i + j);
}
LIST(nested_3)
{
    list l(out);

    for (auto i : ct::irange(0, a))
        for (auto j : ct::irange(0, b))
            for (auto k : ct::irange(0, c))
                l.give(100 * i + 10 * j + k);
}
LIST(nested_3__swapped)
{
    list l(out);

    for (auto i : ct::irange(0, b))
        for (auto j : ct::irange(0, a))
            for (auto k : ct::irange(0, c))
                l.give(100 * i + 10 * j + k);
}

/* Rounds 0 to a - 1, left in round b (break), or of which b gives nothing (continue). */
LIST(break_for)
{
    list l(out);

    for (int i = 0; i < a; i++) {
        if (i == b)
            break;
        l.give(i);
    }
}
LIST(break_while)
{
    list l(out);

    int i = -1;
    while (++i < a) {
        if (i == b)
            break;
        l.give(i);
    }
}
LIST(break_do)
{
    list l(out);

    int i = -1;
    if (a <= 0)
        return;
    do {
        ++i;
        if (i == b)
            break;
        l.give(i);
    } while (i < a - 1);
}
LIST(break_irange)
{
    list l(out);

    for (auto i : ct::irange(0, a)) {
        if (i == b)
            break;
        l.give(i);
    }
}
LIST(continue_for)
{
    list l(out);

    for (int i = 0; i < a; i++) {
        if (i == b)
            continue;
        l.give(i);
    }
}
LIST(continue_while)
{
    list l(out);

    int i = -1;
    while (++i < a) {
        if (i == b)
            continue;
        l.give(i);
    }
}
LIST(continue_do)
{
    list l(out);

    int i = -1;
    if (a <= 0)
        return;
    do {
        ++i;
        if (i == b)
            continue;
        l.give(i);
    } while (i < a - 1);
}
LIST(continue_irange)
{
    list l(out);

    for (auto i : ct::irange(0, a)) {
        if (i == b)
            continue;
        l.give(i);
    }
}

/* What is given before a return and behind it, plain and in an if of an if. */
LIST(return_if)
{
    list l(out);

    l.give(1);
    if (a > 0)
        return;
    l.give(2);
}
LIST(return_nested)
{
    list l(out);

    l.give(1);
    if (a > 0) {
        if (b > 0)
            return;
        l.give(3);
    }
    l.give(2);
}

/* The sum of `a` tiles, from tile `d` on. */
extern "C" __tile_global__ void flow_sum(FLOW)
{
    auto sum = ct::zeros<ct::tile<int, ct::shape<8>>>();

    for (auto i : ct::irange(d, a))
        sum = sum + tiles(in, 8 * a).load(i);
    tiles(out, 8).store(sum, 0);
}
extern "C" __tile_global__ void flow_sum_for(FLOW)
{
    auto sum = ct::zeros<ct::tile<int, ct::shape<8>>>();

    for (int i = d; i < a; i++)
        sum = sum + tiles(in, 8 * a).load(i);
    tiles(out, 8).store(sum, 0);
}

#if __CUDACC_VER_MAJOR__ > 13 || __CUDACC_VER_MINOR__ >= 4 /* no switch in toolkit 13.3 */
/* A switch with a label that falls through, one that breaks, two on one statement, and a default in the middle. */
LIST(switch)
{
    list l(out);

    switch (a) {
    case 1: l.give(1);
    case 2: l.give(2); break;
    default: l.give(9); break;
    case 4:
    case 5: l.give(5);
    }
}
#endif
// SPDX-License-Identifier: Apache-2.0
