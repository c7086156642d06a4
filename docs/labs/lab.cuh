/* The operations of the labs, each named as its instruction of PTX.
 *
 * Each is a macro around one asm statement, so that a finding shows your line and not a line of this file. A pointer
 * to shared memory is an ordinary C++ pointer here (`&tile[0]`, `bar`); the macro turns it into the 32-bit address
 * that PTX wants. Sizes are in bytes. `bar` points to an mbarrier, which is a uint64_t in shared memory.
 *
 * It compiles with nvcc, and with clang where there is no CUDA toolkit:
 *     nvcc -ptx -arch=sm_90a -lineinfo FILE
 *     clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_86 -S -O2 -gline-tables-only FILE
 * after which the lines .version and .target of the PTX are set to 8.6 and sm_90a.
 */
#ifndef LAB_CUH
#define LAB_CUH

#if defined(__CUDACC__) && !defined(__clang__)
#include <cuda.h> /* CUtensorMap */
#include <stdint.h>

#define lab_shared(p) ((uint32_t)__cvta_generic_to_shared((const void *)(p)))
#define lab_global(p) ((uint64_t)__cvta_generic_to_global((const void *)(p)))
#else
#include "lab_clang.cuh"
#endif

/* ---- cp.async: 4, 8 or 16 bytes by one thread, from global into shared memory ----------------------------------- */

#define lab_cp_async(how, size, dst, src)                                                                              \
    asm volatile("cp.async." how ".shared.global [%0], [%1], " size ";" ::"r"(lab_shared(dst)), "l"(lab_global(src))   \
                 : "memory")
#define cp_async_4(dst, src)  lab_cp_async("ca", "4", dst, src)
#define cp_async_8(dst, src)  lab_cp_async("ca", "8", dst, src)
#define cp_async_16(dst, src) lab_cp_async("cg", "16", dst, src)
/* Copies the first `bytes` of 16 bytes, 0 to 16, and fills the rest with zeros. */
#define cp_async_16_zfill(dst, src, bytes)                                                                             \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(lab_shared(dst)), "l"(lab_global(src)),         \
                 "r"((uint32_t)(bytes))                                                                                \
                 : "memory")

/* Closes the group of this thread's copies since the last commit. */
#define cp_async_commit_group() asm volatile("cp.async.commit_group;" ::: "memory")
/* Waits until at most the `n` newest groups of this thread are in flight; `n` is a constant. */
#define cp_async_wait_group(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
/* Waits for all copies of this thread. */
#define cp_async_wait_all() asm volatile("cp.async.wait_all;" ::: "memory")

/* An arrival at `bar` when all copies that this thread has issued are complete. It adds one to the arrivals that the
 * phase waits for, so that it does not count among those of mbarrier_init; the form noinc does count among them. */
#define cp_async_mbarrier_arrive(bar)                                                                                  \
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(lab_shared(bar)) : "memory")
#define cp_async_mbarrier_arrive_noinc(bar)                                                                            \
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(lab_shared(bar)) : "memory")

/* ---- mbarriers -------------------------------------------------------------------------------------------------- */

/* Makes an mbarrier that needs `count` arrivals in each phase. */
#define mbarrier_init(bar, count)                                                                                      \
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(lab_shared(bar)), "r"((uint32_t)(count)) : "memory")
/* Ends it: its eight bytes may hold something else. */
#define mbarrier_inval(bar) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(lab_shared(bar)) : "memory")

/* One arrival. Its value is the state, which names the phase that this thread has arrived in. */
#define mbarrier_arrive(bar)                                                                                           \
    __extension__({                                                                                                    \
        uint64_t lab_state;                                                                                            \
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(lab_state) : "r"(lab_shared(bar)) : "memory");      \
        lab_state;                                                                                                     \
    })
/* The phase also waits for `bytes` that copies will bring. */
#define mbarrier_expect_tx(bar, bytes)                                                                                 \
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(lab_shared(bar)),                    \
                 "r"((uint32_t)(bytes))                                                                                \
                 : "memory")
/* Both: expects `bytes`, then arrives. */
#define mbarrier_arrive_expect_tx(bar, bytes)                                                                          \
    __extension__({                                                                                                    \
        uint64_t lab_state;                                                                                            \
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"                                              \
                     : "=l"(lab_state)                                                                                 \
                     : "r"(lab_shared(bar)), "r"((uint32_t)(bytes))                                                    \
                     : "memory");                                                                                      \
        lab_state;                                                                                                     \
    })

#define lab_ask(form, bar, phase, type)                                                                                \
    __extension__({                                                                                                    \
        uint32_t lab_done;                                                                                             \
        asm volatile("{ .reg .pred p; mbarrier." form " p, [%1], %2; selp.b32 %0, 1, 0, p; }"                          \
                     : "=r"(lab_done)                                                                                  \
                     : "r"(lab_shared(bar)), type(phase)                                                               \
                     : "memory");                                                                                      \
        lab_done != 0;                                                                                                 \
    })
#define lab_until(form, bar, phase, type)                                                                              \
    asm volatile("{ .reg .pred p; again: mbarrier." form " p, [%0], %1; @!p bra again; }" ::"r"(lab_shared(bar)),      \
                 type(phase)                                                                                           \
                 : "memory")
/* Is the phase of `state` over? And: waits until it is. */
#define mbarrier_test_wait(bar, state) lab_ask("test_wait.shared.b64", bar, (uint64_t)(state), "l")
#define mbarrier_wait(bar, state)      lab_until("try_wait.shared.b64", bar, (uint64_t)(state), "l")
/* The same of the phase with this parity: 0 for phases 0, 2, 4 ..., 1 for phases 1, 3, 5 ... */
#define mbarrier_test_wait_parity(bar, parity) lab_ask("test_wait.parity.shared.b64", bar, (uint32_t)(parity), "r")
#define mbarrier_wait_parity(bar, parity)      lab_until("try_wait.parity.shared.b64", bar, (uint32_t)(parity), "r")

/* ---- bulk copies: a multiple of 16 bytes, by one thread --------------------------------------------------------- */

/* From global into shared memory; its bytes count at `bar`. */
#define cp_async_bulk_load(dst, src, bytes, bar)                                                                       \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(      \
                     lab_shared(dst)),                                                                                 \
                 "l"(lab_global(src)), "r"((uint32_t)(bytes)), "r"(lab_shared(bar))                                    \
                 : "memory")
/* To the same place in every CTA of the cluster whose rank is a bit of `ctas`; counts at each one's own `bar`. */
#define cp_async_bulk_load_multicast(dst, src, bytes, bar, ctas)                                                       \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], "   \
                 "%2, [%3], %4;" ::"r"(lab_shared(dst)),                                                               \
                 "l"(lab_global(src)), "r"((uint32_t)(bytes)), "r"(lab_shared(bar)), "h"((uint16_t)(ctas))             \
                 : "memory")
/* From shared memory of this CTA to shared memory of another one; `dst` and `bar` come from mapa. */
#define cp_async_bulk_to_cluster(dst, src, bytes, bar)                                                                 \
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"( \
                     lab_shared(dst)),                                                                                 \
                 "r"(lab_shared(src)), "r"((uint32_t)(bytes)), "r"(lab_shared(bar))                                    \
                 : "memory")
/* From shared into global memory; it belongs to this thread's open group of bulk copies. */
#define cp_async_bulk_store(dst, src, bytes)                                                                           \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(lab_global(dst)),                 \
                 "r"(lab_shared(src)), "r"((uint32_t)(bytes))                                                          \
                 : "memory")
/* The same, adding unsigned numbers to those that are there. */
#define cp_reduce_async_bulk_add_u32(dst, src, bytes)                                                                  \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(lab_global(dst)),  \
                 "r"(lab_shared(src)), "r"((uint32_t)(bytes))                                                          \
                 : "memory")

/* Closes the group of this thread's bulk copies since the last commit. */
#define cp_async_bulk_commit_group() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
/* Waits until at most the `n` newest groups of this thread are not complete; with `read`, until their sources have
 * been read and may be written again. */
#define cp_async_bulk_wait_group(n)      asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory")
#define cp_async_bulk_wait_group_read(n) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")

/* ---- tensor copies: a box of a tensor, by one thread; x counts elements of dimension 0 --------------------------- */

#define cp_async_bulk_tensor_2d_load(dst, map, x, y, bar)                                                              \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "        \
                 "{%2, %3}], [%4];" ::"r"(lab_shared(dst)),                                                            \
                 "l"(map), "r"((int32_t)(x)), "r"((int32_t)(y)), "r"(lab_shared(bar))                                  \
                 : "memory")
#define cp_async_bulk_tensor_2d_load_multicast(dst, map, x, y, bar, ctas)                                              \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes."                   \
                 "multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(lab_shared(dst)),                          \
                 "l"(map), "r"((int32_t)(x)), "r"((int32_t)(y)), "r"(lab_shared(bar)), "h"((uint16_t)(ctas))           \
                 : "memory")
#define cp_async_bulk_tensor_2d_store(map, x, y, src)                                                                  \
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),        \
                 "r"((int32_t)(x)), "r"((int32_t)(y)), "r"(lab_shared(src))                                            \
                 : "memory")
#define cp_async_bulk_tensor_3d_load(dst, map, x, y, z, bar)                                                           \
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "        \
                 "{%2, %3, %4}], [%5];" ::"r"(lab_shared(dst)),                                                        \
                 "l"(map), "r"((int32_t)(x)), "r"((int32_t)(y)), "r"((int32_t)(z)), "r"(lab_shared(bar))               \
                 : "memory")

/* ---- fences ------------------------------------------------------------------------------------------------------ */

/* Orders what this thread wrote to shared memory by ordinary stores before later bulk and tensor copies. */
#define fence_proxy_async_shared() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define fence_proxy_async_global() asm volatile("fence.proxy.async.global;" ::: "memory")
#define fence_proxy_async()        asm volatile("fence.proxy.async;" ::: "memory")
/* Makes the mbarriers that this thread made known to copies and to the cluster. */
#define fence_mbarrier_init()   asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define fence_acq_rel_cluster() asm volatile("fence.acq_rel.cluster;" ::: "memory")
#define fence_acq_rel_gpu()     asm volatile("fence.acq_rel.gpu;" ::: "memory")

/* ---- clusters ---------------------------------------------------------------------------------------------------- */

#define lab_register(name)                                                                                             \
    __extension__({                                                                                                    \
        uint32_t lab_value;                                                                                            \
        asm volatile("mov.u32 %0, %%" name ";" : "=r"(lab_value));                                                     \
        lab_value;                                                                                                     \
    })
/* The rank of this CTA in its cluster, from 0, and how many CTAs the cluster has. */
#define cluster_ctarank()  lab_register("cluster_ctarank")
#define cluster_nctarank() lab_register("cluster_nctarank")

/* Every thread of the cluster waits for every other, and sees what they wrote before. In two halves: arrive, wait. */
#define cluster_arrive() asm volatile("barrier.cluster.arrive.release;" ::: "memory")
#define cluster_wait()   asm volatile("barrier.cluster.wait.acquire;" ::: "memory")
#define cluster_sync()   asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory")

/* What the CTA of this rank has where this CTA has `pointer`. */
#define mapa(pointer, rank)                                                                                            \
    __extension__({                                                                                                    \
        uint64_t lab_there;                                                                                            \
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(lab_there) : "l"(pointer), "r"((uint32_t)(rank)));                  \
        (__typeof__(&(pointer)[0]))lab_there;                                                                          \
    })
/* An arrival at the mbarrier of another CTA; `bar` comes from mapa. */
#define mbarrier_arrive_cluster(bar)                                                                                   \
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(lab_shared(bar)) : "memory")
#define mbarrier_arrive_expect_tx_cluster(bar, bytes)                                                                  \
    asm volatile("mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;" ::"r"(lab_shared(bar)),  \
                 "r"((uint32_t)(bytes))                                                                                \
                 : "memory")
/* Waits for arrivals that come from other CTAs too, and sees what these wrote before. */
#define mbarrier_wait_parity_cluster(bar, parity)                                                                      \
    lab_until("try_wait.parity.acquire.cluster.shared::cta.b64", bar, (uint32_t)(parity), "r")
/* Stores four bytes into another CTA's shared memory, which count at its mbarrier; both pointers come from mapa. */
#define st_async_u32(pointer, value, bar)                                                                              \
    asm volatile(                                                                                                      \
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(lab_shared(pointer)),        \
        "r"((uint32_t)(value)), "r"(lab_shared(bar))                                                                   \
        : "memory")

/* ---- tensor maps that the kernel changes ------------------------------------------------------------------------- */

#define lab_replace(field, map, value, type)                                                                           \
    asm volatile("tensormap.replace.tile." field " [%0], %1;" ::"l"((uint64_t)(map)), type(value) : "memory")
#define lab_replace_at(field, map, dim, value, type)                                                                   \
    asm volatile("tensormap.replace.tile." field " [%0], %1, %2;" ::"l"((uint64_t)(map)), "n"(dim), type(value)        \
                 : "memory")
/* `map` is in shared or global memory; `dim` is a constant; strides are in bytes. */
#define tensormap_replace_global_address(map, pointer)                                                                 \
    lab_replace("global_address.b1024.b64", map, lab_global(pointer), "l")
#define tensormap_replace_global_dim(map, dim, value)                                                                  \
    lab_replace_at("global_dim.b1024.b32", map, dim, (uint32_t)(value), "r")
#define tensormap_replace_global_stride(map, dim, value)                                                               \
    lab_replace_at("global_stride.b1024.b64", map, dim, (uint64_t)(value), "l")
#define tensormap_replace_box_dim(map, dim, value) lab_replace_at("box_dim.b1024.b32", map, dim, (uint32_t)(value), "r")

/* Copies a map from shared to global memory and releases it there; all 32 lanes of a warp together. */
#define tensormap_cp_fenceproxy(dst, src)                                                                              \
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], " \
                 "128;" ::"l"(lab_global(dst)),                                                                        \
                 "r"(lab_shared(src))                                                                                  \
                 : "memory")
/* The two sides of a change to a map in global memory: after the change, and before the map is used. */
#define fence_proxy_tensormap_release() asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory")
#define fence_proxy_tensormap_acquire(map)                                                                             \
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"((uint64_t)(map)) : "memory")

/* ---- tensor maps that the host makes ----------------------------------------------------------------------------- */

/* One call of cuTensorMapEncodeTiled, of rank 2: its arguments, in their order. A lab's host makes the map from these;
 * it runs no code of yours. */
struct lab_encode {
    uint64_t arguments[14];
};
/* `address` is an offset into the tensor's buffer, in bytes. */
#define cuTensorMapEncodeTiled_args(out, dataType, rank, address, dim0, dim1, stride0, box0, box1, elementStride0,     \
                                    elementStride1, interleave, swizzle, l2Promotion, oobFill)                         \
    (*(out) = lab_encode{ { (uint64_t)(dataType), (uint64_t)(rank), (uint64_t)(address), (uint64_t)(dim0),             \
                            (uint64_t)(dim1), (uint64_t)(stride0), (uint64_t)(box0), (uint64_t)(box1),                 \
                            (uint64_t)(elementStride0), (uint64_t)(elementStride1), (uint64_t)(interleave),            \
                            (uint64_t)(swizzle), (uint64_t)(l2Promotion), (uint64_t)(oobFill) } })

/* ---- flags in global memory, between CTAs ------------------------------------------------------------------------ */

#define st_release_gpu(pointer, value)                                                                                 \
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(lab_global(pointer)), "r"((uint32_t)(value)) : "memory")
#define ld_acquire_gpu(pointer)                                                                                        \
    __extension__({                                                                                                    \
        uint32_t lab_value;                                                                                            \
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(lab_value) : "l"(lab_global(pointer)) : "memory");   \
        lab_value;                                                                                                     \
    })

#endif
