/* What lab.cuh needs of CUDA C++ where clang compiles without a toolkit: the words of the language, the built-in
 * variables, and a few functions. */
#ifndef LAB_CLANG_CUH
#define LAB_CLANG_CUH

typedef __INT8_TYPE__ int8_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;

#define __global__             __attribute__((global))
#define __device__             __attribute__((device))
#define __host__               __attribute__((host))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __forceinline__        __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n)           __attribute__((aligned(n)))
#include <__clang_cuda_builtin_vars.h> /* threadIdx, blockIdx, blockDim, gridDim */

#define lab_shared(p) ((uint32_t)(size_t)(__attribute__((address_space(3))) const void *)(const void *)(p))
#define lab_global(p) ((uint64_t)(__attribute__((address_space(1))) const void *)(const void *)(p))

struct alignas(64) CUtensorMap {
    uint64_t opaque[16];
};

/* The enumerators of cuda.h, in its order. */
enum CUtensorMapDataType {
    CU_TENSOR_MAP_DATA_TYPE_UINT8,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
};
enum CUtensorMapInterleave {
    CU_TENSOR_MAP_INTERLEAVE_NONE,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
};
enum CUtensorMapSwizzle {
    CU_TENSOR_MAP_SWIZZLE_NONE,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B
};
enum CUtensorMapL2promotion {
    CU_TENSOR_MAP_L2_PROMOTION_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA };

/* `const __grid_constant__ CUtensorMap map` is the map itself, 128 bytes of the kernel's parameters, whose address a
 * copy is given as `&map`. Clang knows __grid_constant__ from version 20 on only; without it `&map` would be a copy of
 * the map in local memory. So the parameter is the map's address here, in global memory, and `&map` acquires the map.
 */
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__ lab_parameter::
namespace lab_parameter
{
struct CUtensorMap {
    const ::CUtensorMap *at;
    __attribute__((device)) __forceinline__ const ::CUtensorMap *operator&() const
    {
        asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(at) : "memory");
        return at;
    }
};
} // namespace lab_parameter
#endif

struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

#undef __syncthreads
#define __syncthreads()       asm volatile("bar.sync 0;" ::: "memory")
#define __syncwarp()          asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define __threadfence()       asm volatile("membar.gl;" ::: "memory")
#define __threadfence_block() asm volatile("membar.cta;" ::: "memory")

__device__ static __forceinline__ int atomicAdd(int *p, int n)
{
    return __nvvm_atom_add_gen_i(p, n);
}
__device__ static __forceinline__ unsigned atomicAdd(unsigned *p, unsigned n)
{
    return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)n);
}
__device__ static __forceinline__ float atomicAdd(float *p, float x)
{
    return __nvvm_atom_add_gen_f(p, x);
}

/* After a word of the language clang takes no alignas, as in `__shared__ alignas(16) float tile[64]`; this it takes. */
#define alignas(n) __align__(n)

extern "C" __device__ int printf(const char *format, ...);

#endif
