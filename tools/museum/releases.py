"""Fixes of public projects by the releases before and behind them, from the Python package index."""

from pieces import PULL, Piece

FLASHINFER = dict(project="FlashInfer", package="flashinfer-python")
HEADERS = dict(members=["flashinfer/data/include/*"], includes=["flashinfer/data/include"])
GEMM = dict(FLASHINFER, launch="tinygemm.cu", members=["flashinfer/data/csrc/tinygemm2.cu"], cut="flashinfer/data/csrc/tinygemm2.cu",
            edits=[(r'#include "tvm_ffi_utils.h"', "#include <iostream>\n#include <vector>\n#define TVM_FFI_ICHECK(x) if (!(x)) std::cerr"),
                   (r"^void tinygemm2_op.*", "}\n}\n")])
CUTLASS = dict(project="CUTLASS", package="nvidia-cutlass", members=["cutlass_library/source/include/*"],
               includes=["cutlass_library/source/include"])
CCCL = dict(package="nvidia-cuda-cccl", members=["nvidia/cu13/include/cccl/*"], includes=["nvidia/cu13/include/cccl"])
TRITON = dict(project="Triton", package="triton", launch="triton_language.py",
              members=["triton/*.py", "triton/_C/*", "triton/backends/nvidia/*", "*.dist-info/*"])

RELEASES = [
    Piece("tinygemm-wait", "A loop that waits on the mbarriers of the first stage", before="0.6.13", after="0.6.14",
          fix=PULL.format("flashinfer-ai/flashinfer", 3630), rules=["mbarrier.wait.async-not-covered", "mbarrier.wait.pass-early"],
          seen="A user reported wrong results and wrote a script that shows them. The wait before a stage is used polled mbarriers "
          "whose address had been taken once, before the loop.",
          flags=["-DBIASED"], **GEMM),
    Piece("sampling", "CUB's storage used again without a barrier", before="0.6.12", after="0.6.13", launch="sampling.cu",
          fix=PULL.format("flashinfer-ai/flashinfer", 3624), rules=["order.data-race"],
          seen="A test failed at times: a sampled token lay outside the vocabulary. racecheck reported hundreds of hazards.",
          **FLASHINFER, **HEADERS),
    Piece("filtered-topk", "A histogram cleared while others still read it", before="0.6.13", after="0.6.14", launch="topk.cu",
          fix=PULL.format("flashinfer-ai/flashinfer", 3529), rules=["order.data-race"], flags=["-DBY_ONE"],
          seen="racecheck reported it for inputs with so many equal values that the candidates overflow.", **FLASHINFER, **HEADERS),
    Piece("radix-topk", "A counter set back while a CTA still waits for it", before="0.6.13", after="0.6.14", launch="topk.cu",
          fix=PULL.format("flashinfer-ai/flashinfer", 3615), rules=["order.data-race"],
          seen="Streams hung for ever on consumer GPUs: the leading CTA had cleared the counter that another one was polling.",
          same=True,
          still="another fault hides this one: in the barrier of a group of CTAs, thread 0 arrives for its CTA with no "
          "__syncthreads behind what the other threads added to the histogram", **FLASHINFER, **HEADERS),
    Piece("device-topk", "A CTA that counts itself done before its threads are", before="13.3.3.3.1", after="13.3.5.0.6",
          project="CUB", launch="device_topk.cu", fix=PULL.format("NVIDIA/cccl", 10627), rules=["order.data-race"],
          seen="\"Fixes a race condition in DeviceTopK\": each thread fenced what it had added to the histogram, and thread 0 "
          "counted the CTA as done without a barrier in between.",
          same=True,
          still="the barrier is there, but by the text thread 0 has no fence between it and its count, and the last CTA none "
          "behind the count that it reads: nothing is released or acquired for the other threads", **CCCL),
    Piece("barrier-try-wait", "A timed wait that throws its answer away", before="13.2.27", after="13.3.3.3.1",
          project="libcu++", launch="barrier.cu", fix=PULL.format("NVIDIA/cccl", 7538), rules=["too-long"],
          seen="`try_wait_for` always said that the phase was not over, and read a duration before it was set.", **CCCL),
    Piece("pipeline-init", "mbarriers of a pipeline without fence.mbarrier_init", before="3.6.0.0", after="3.7.0.0",
          launch="pipeline.cu", fix=PULL.format("NVIDIA/cutlass", 2030), rules=["fence.mbarrier_init.publishes"],
          seen="The change says \"fix mem fence\"; FlashAttention took it over the next day under the same words.", **CUTLASS),
    Piece("barrier-invalidate", "An instruction with a letter missing", before="3.5.0.0", after="3.5.1.0", launch="invalidate.cu",
          fix=PULL.format("NVIDIA/cutlass", 1494), rules=["refused"],
          seen="`mbarrier.ival` in place of `mbarrier.inval`: the function did not assemble for anybody who called it.", **CUTLASS),
    Piece("triton-fence", "A compiler that leaves out the proxy fence between cp.async and wgmma", before="3.7.0", after="3.7.1",
          fix=PULL.format("triton-lang/triton", 10537), args=["matmul"], rules=["wgmma.proxy"],
          seen="vLLM's test of batch invariance gave other answers in three runs of five on a B200, and passed on an H100 "
          "([the issue](https://github.com/pytorch/pytorch/issues/181248)). The pass that inserts fences did not count the "
          "tensor core's reads. The kernel here is a plain product by `tl.dot` for sm_90, where the same pass works.", **TRITON),
    Piece("triton-exit", "A compiler that lets a CTA end while the other one reads its shared memory", before="3.8.0", after="3.9.0",
          fix=PULL.format("triton-lang/triton", 10656), args=["tickets"], rules=["dsmem.exit"],
          seen="Triton's own tests of atomics over several CTAs failed on a GPU of sm_120, with an error that stayed for the 932 "
          "tests behind them ([the issue](https://github.com/triton-lang/triton/issues/11730)): the others of the cluster read "
          "one CTA's result from its shared memory, and nothing kept that CTA there. The fix puts a cluster barrier before "
          "each return. The kernel here takes a number by `tl.atomic_add`.",
          **TRITON),
]
# SPDX-License-Identifier: Apache-2.0
