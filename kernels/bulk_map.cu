/* Bulk groups and the reading of a tensor map in global memory. The map's fences need PTX 8.3. */
#include "kernels/bulk.cuh"
#include "kernels/bulk_group.h"

enum { NONE, EARLY };

__device__ static void write_map(unsigned char *to, const ck_tmap &map)
{
    for (uint32_t i = 0; i < 128; i += 16)
        *(uint4 *)(to + i) = *(const uint4 *)(map.bytes + i);
}

/* One thread writes the map, and the fences order the write before its own use of the map. */
__device__ static void put_map(unsigned char *to, const ck_tmap &map)
{
    write_map(to, map);
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(to) : "memory");
}

/* Replaces a map; the fence makes the write known to the whole GPU. */
__device__ static void overwrite_map(unsigned char *to, const ck_tmap &map)
{
    write_map(to, map);
    __threadfence();
}

/* Stores through the first map, which is replaced after the wait. EARLY: it is replaced before the wait. */
template <int M> __device__ static void bulk_map_store_body(const bulk_map_args &a)
{
    fill_for_store(a.in, a.size);
    if (threadIdx.x == 0)
        for (uint32_t r = 0; r < a.rounds; r++) {
            unsigned char *const map = a.place + r * a.place_step;
            put_map(map, a.first);
            asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%1}], [%2];" ::"l"(map),
                         "r"(r * (a.size / 4)), "r"(ck_shared(ck_smem))
                         : "memory");
            commit_group();
            if (M != EARLY) {
                if (a.full)
                    wait_group<0>();
                else
                    wait_group_read<0>();
            }
            overwrite_map(map, a.second);
            wait_group<0>();
        }
}
CK_KERNEL(bulk_map_store, bulk_map_args)
CK_MUTANT(bulk_map_store, early, EARLY, bulk_map_args)

/* A load through the first map, a commit and wait_group.read, then the map is replaced. No document says that the group
 * tracks anything; EARLY leaves the commit and the wait out. */
template <int M> __device__ static void bulk_map_load_body(const bulk_map_args &a)
{
    const uint32_t bar = image_and_barrier(a.size);

    if (threadIdx.x == 0) {
        put_map(a.place, a.first);
        mbarrier_arrive_expect_tx(bar, a.size);
        asm volatile(
            "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}],"
            " [%3];" ::"r"(ck_shared(ck_smem)),
            "l"(a.place), "r"(0), "r"(bar)
            : "memory");
        if (M != EARLY) {
            commit_group();
            wait_group_read<0>();
        }
        overwrite_map(a.place, a.second);
    }
    mbarrier_wait_parity(a.head, bar, 0, 0);
    dump_shared(a.out, 0, a.size);
}
CK_KERNEL(bulk_map_load, bulk_map_args)
CK_MUTANT(bulk_map_load, early, EARLY, bulk_map_args)
// SPDX-License-Identifier: Apache-2.0
