/* The driver's types as harness/engines/driver.h declares them are those of cuda.h, where this machine has one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if __has_include(<cuda.h>)
#include <cuda.h>
#define HAVE_CUDA_H 1
#elif __has_include("/usr/local/cuda/include/cuda.h")
#include "/usr/local/cuda/include/cuda.h"
#define HAVE_CUDA_H 1
#endif

#ifdef HAVE_CUDA_H
#include "harness/engines/driver.h"

static void types_are_those_of_cuda_h(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct cu_launch_attribute), sizeof(CUlaunchAttribute));
    assert_int_equal(offsetof(struct cu_launch_attribute, value), offsetof(CUlaunchAttribute, value));
    assert_int_equal(sizeof(struct cu_launch_config), sizeof(CUlaunchConfig));
    assert_int_equal(offsetof(struct cu_launch_config, block), offsetof(CUlaunchConfig, blockDimX));
    assert_int_equal(offsetof(struct cu_launch_config, smem), offsetof(CUlaunchConfig, sharedMemBytes));
    assert_int_equal(offsetof(struct cu_launch_config, stream), offsetof(CUlaunchConfig, hStream));
    assert_int_equal(offsetof(struct cu_launch_config, attributes), offsetof(CUlaunchConfig, attrs));
    assert_int_equal(offsetof(struct cu_launch_config, count), offsetof(CUlaunchConfig, numAttrs));
    assert_int_equal(sizeof(struct cu_allocation_prop), sizeof(CUmemAllocationProp));
    assert_int_equal(offsetof(struct cu_allocation_prop, location), offsetof(CUmemAllocationProp, location));
    assert_int_equal(offsetof(struct cu_allocation_prop, flags), offsetof(CUmemAllocationProp, allocFlags));
    assert_int_equal(sizeof(struct cu_access), sizeof(CUmemAccessDesc));
    assert_int_equal(offsetof(struct cu_access, flags), offsetof(CUmemAccessDesc, flags));
    assert_int_equal(sizeof(cu_deviceptr), sizeof(CUdeviceptr));
    assert_int_equal(sizeof(cu_handle), sizeof(CUmemGenericAllocationHandle));
    assert_int_equal(TENSOR_MAP_BYTES, sizeof(CUtensorMap));
}

static void numbers_are_those_of_cuda_h(void **state)
{
    (void)state;
    assert_int_equal(CU_ATTRIBUTE_SM_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    assert_int_equal(CU_ATTRIBUTE_SM_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    assert_int_equal(CU_ATTRIBUTE_COMPUTE_MODE, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE);
    assert_int_equal(CU_ATTRIBUTE_MULTIPROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    assert_int_equal(CU_ATTRIBUTE_ECC, CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
    assert_int_equal(CU_ATTRIBUTE_TENSOR_MAP, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED);
    assert_int_equal(CU_STREAM_NO_WAIT, CU_STREAM_NON_BLOCKING);
    assert_int_equal(CU_LAUNCH_CLUSTER, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
    assert_int_equal(CU_FUNC_SHARED_DYNAMIC, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    assert_int_equal(CU_FUNC_NON_PORTABLE_CLUSTER, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
    assert_int_equal(CU_INPUT_PTX, CU_JIT_INPUT_PTX);
    assert_int_equal(TENSOR_F32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
    assert_int_equal(TENSOR_TF32_FTZ, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
    assert_int_equal(TENSOR_SWIZZLE_128B, CU_TENSOR_MAP_SWIZZLE_128B);
    assert_int_equal(TENSOR_FILL_NAN, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_those_of_cuda_h),
        cmocka_unit_test(numbers_are_those_of_cuda_h),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 0; /* no cuda.h to compare with */
}
#endif
// SPDX-License-Identifier: Apache-2.0
