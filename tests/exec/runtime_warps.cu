// Lanes of a warp that took different ways meet at operations of the warp: each way has an instruction of its own, with
// the same qualifiers and member mask. PTX ISA 9.0, shfl.sync, vote.sync, match.sync, redux.sync, elect.sync,
// bar.warp.sync.
#include "expect.cuh"

enum operation { UP, DOWN, BFLY, INDEX, BALLOT, ANY, MATCH, SUM, LEAST, ELECT, BARRIER, OPERATIONS };
enum { LANES = 32, WAYS = 3 };

struct warp {
    unsigned mask; // of members: the others do nothing
    unsigned char way[LANES];
    unsigned value[LANES], b[LANES]; // what a lane brings; lane, or distance
};

// Operations of three operands and of two, and a barrier. The comment keeps the instructions of two ways apart: of two
// that are alike a compiler makes one.
#define OF_3(words) asm volatile(words " // %4" : "=r"(r) : "r"(v), "r"(b), "r"(mask), "n"(WAY))
#define OF_2(words) asm volatile(words " // %3" : "=r"(r) : "r"(v), "r"(mask), "n"(WAY))
template <int OP, int WAY>
__device__ static unsigned operate(unsigned mask, unsigned v, unsigned b, volatile unsigned *words)
{
    unsigned r = 0;

    switch (OP) {
    case UP: OF_3("shfl.sync.up.b32 %0, %1, %2, 0, %3;"); break;
    case DOWN: OF_3("shfl.sync.down.b32 %0, %1, %2, 31, %3;"); break;
    case BFLY: OF_3("shfl.sync.bfly.b32 %0, %1, %2, 31, %3;"); break;
    case INDEX: OF_3("shfl.sync.idx.b32 %0, %1, %2, 31, %3;"); break;
    case BALLOT: OF_2("{ .reg .pred p; setp.gt.u32 p, %1, 50; vote.sync.ballot.b32 %0, p, %2; }"); break;
    case ANY:
        OF_2("{ .reg .pred p; setp.gt.u32 p, %1, 90; vote.sync.any.pred p, p, %2; selp.u32 %0, 1, 0, p; }");
        break;
    case MATCH: OF_2("match.any.sync.b32 %0, %1, %2;"); break;
    case SUM: OF_2("redux.sync.add.s32 %0, %1, %2;"); break;
    case LEAST: OF_2("redux.sync.min.u32 %0, %1, %2;"); break;
    case ELECT: OF_2("{ .reg .pred p; elect.sync %0|p, %2; @p add.u32 %0, %0, 100; }"); break;
    default:
        words[threadIdx.x] = v;
        asm volatile("bar.warp.sync %0; // %1" ::"r"(mask), "n"(WAY) : "memory");
        r = words[b];
    }
    return r;
}

// out[lane]: what the lane gets, and 1000 more for each way before its own. The lanes of way `late` come late.
template <int OP> __global__ void meet(const warp *w, unsigned late, unsigned *out)
{
    __shared__ volatile unsigned words[LANES];
    const unsigned lane = threadIdx.x, mask = w->mask, v = w->value[lane], b = w->b[lane];
    unsigned r;

    words[lane] = 0;
    __syncthreads();
    if (!(mask >> lane & 1))
        return;
    if (w->way[lane] == late)
        __nanosleep(20000);
    if (w->way[lane] == 0)
        r = operate<OP, 0>(mask, v, b, words);
    else if (w->way[lane] == 1)
        r = operate<OP, 1>(mask, v, b, words) + 1000;
    else
        r = operate<OP, 2>(mask, v, b, words) + 2000;
    out[lane] = r;
}

// What lane `lane` gets; UINT_MAX where it names a lane that is no member, whose value is unpredictable.
static unsigned expected(const warp *w, int op, unsigned lane)
{
    const unsigned b = w->b[lane];
    unsigned ballot = 0, same = 0, sum = 0, least = ~0u, from = lane;

    for (unsigned i = 0; i < LANES; i++) {
        if (!(w->mask >> i & 1))
            continue;
        ballot |= (unsigned)(w->value[i] > (op == ANY ? 90 : 50)) << i;
        same |= (unsigned)(w->value[i] == w->value[lane]) << i;
        sum += w->value[i];
        least = w->value[i] < least ? w->value[i] : least;
    }
    switch (op) {
    case UP: from = lane >= b ? lane - b : lane; break;
    case DOWN: from = lane + b < LANES ? lane + b : lane; break;
    case BFLY: from = lane ^ b; break;
    case BALLOT: return ballot;
    case ANY: return ballot != 0;
    case MATCH: return same;
    case SUM: return sum;
    case LEAST: return least;
    case ELECT: from = __builtin_ctz(w->mask); return from + (from == lane ? 100 : 0);
    default: from = b; break;
    }
    return w->mask >> from & 1 ? w->value[from] : ~0u;
}

// Lanes of each way, and which of them are members.
static void set_ways(warp *w, int pattern)
{
    static const unsigned masks[] = { ~0u, ~0u, ~0u, 0x0ff00ff0, 0xfffffffe };

    w->mask = masks[pattern];
    for (unsigned i = 0; i < LANES; i++) {
        w->way[i] = pattern == 0 ? i / 16 : pattern == 1 ? i % WAYS : pattern == 2 ? i == 31 : i / 4 % WAYS;
        w->value[i] = (i * 37 + pattern * 11) % 97 / 2;
        w->b[i] = (i * 5 + pattern) % LANES;
    }
}

typedef void kernel(const warp *, unsigned, unsigned *);

int main()
{
    static kernel *const kernels[OPERATIONS] = { meet<UP>,     meet<DOWN>,  meet<BFLY>,   meet<INDEX>,
                                                 meet<BALLOT>, meet<ANY>,   meet<MATCH>,  meet<SUM>,
                                                 meet<LEAST>,  meet<ELECT>, meet<BARRIER> };
    warp *w;
    unsigned *out;

    FINE(cudaMallocManaged(&w, sizeof *w));
    FINE(cudaMallocManaged(&out, 4 * LANES));
    for (int pattern = 0; pattern < 5; pattern++)
        for (int op = 0; op < OPERATIONS; op++)
            for (unsigned late = 0; late <= WAYS; late++) {
                set_ways(w, pattern);
                kernels[op]<<<1, LANES>>>(w, late, out);
                FINE(cudaDeviceSynchronize());
                for (unsigned i = 0; i < LANES; i++) {
                    const unsigned e = expected(w, op, i);
                    if (!(w->mask >> i & 1) || e == ~0u || out[i] == e + 1000 * w->way[i])
                        continue;
                    printf("operation %d, ways %d, way %u late: lane %u has %u, not %u\n", op, pattern, late, i, out[i],
                           e + 1000 * w->way[i]);
                    failures++;
                }
            }
    return end_of_test();
}
// SPDX-License-Identifier: Apache-2.0
