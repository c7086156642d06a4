"""Fixes of public projects by the commits before and behind them, from GitHub."""

from host import OLDER
from pieces import PULL, Piece

CUTLASS = dict(project="CUTLASS", repository="NVIDIA/cutlass")
CUTLASS_4 = ("nvidia-cutlass", "4.2.0.0", ["cutlass_library/source/include/*"], ["cutlass_library/source/include"])
CCCL_BELOW = ["cub", "libcudacxx/include", "thrust"]
CCCL = dict(repository="NVIDIA/cccl", members=["cub/cub", "libcudacxx/include", "thrust/thrust"], includes=CCCL_BELOW)
KDA = dict(project="FlashKDA", repository="MoonshotAI/FlashKDA", before="d2ff19a6a0c82f39f796f637ebd1c36090b1268f",
           after="5fdc7b2a212231603f9092ca7fe5650c265206a2", fix=PULL.format("MoonshotAI/FlashKDA", 25), launch="flash_kda.cu",
           members=["csrc"], includes=["csrc", "csrc/smxx"], needs=[CUTLASS_4], cut="csrc/smxx/fwd_launch.cu",
           edits=[(r"^INSTANTIATE_STATE_VARIANTS\(.*?$", "")], rules=["tensor.store.fence"], flags=["--extended-lambda", *OLDER],
           still="the store of the last state is committed, and the CTA ends without `wait_group.read`: "
           "`bulk.exit.source-alive`, see below")
FAST = dict(project="fast.cu", repository="pranjalssh/fast.cu", before="38eb642e0c081231d6f695978be63604bd7c689b",
            after="38eb642e0c081231d6f695978be63604bd7c689b", fix="https://github.com/pranjalssh/fast.cu/issues/8",
            launch="fast_matmul.cu", members=["examples"], includes=["."], rules=["tmap.host.acquire-sys"], args=["2048", "2048", "64"])
ROWS = "torchao/csrc/cuda/mx_kernels"
TORCHAO = dict(project="torchao", repository="pytorch/ao", before="00ef3690694ad6b9580b9cc00a0904379e7a8754",
               after="de873d151eb66d3b2e5793cadc090acd73918e5a", fix=PULL.format("pytorch/ao", 4278), launch="mxfp8.cu",
               members=[ROWS], includes=[ROWS], cut=ROWS + "/mx_block_rearrange_2d_M_groups.cu", flags=OLDER,
               rules=["bulk.proxy.s2g-needs-fence"], options="--schedules 2 --ask writers",
               seen="\"A bad ordering between a syncthreads and an async-proxy fence\": the fence came after the barrier. Named with "
               "`--ask writers` alone: the thread that issues the store executes the fence too, and by the text a fence anywhere on "
               "the way counts ([order.md](order.md#decisions-where-the-text-leaves-room)).")

COMMITS = [
    Piece("flash-kda", "A tensor store of what threads stored, with __syncthreads alone", options="--schedules 1",
          seen="An audit: the recurrence kernel with a state of fp32 converts it in shared memory and stores it by the TMA unit; of "
          "two fences that are there neither lies between.", **KDA),
    Piece("flash-kda-empty", "The same where the loop with the fence makes no turn", flags_before=["-DEMPTY"],
          flags_after=["-DEMPTY"], options="--schedules 1",
          seen="The audit: of an empty sequence the zeros are stored, and the fence in the loop is not executed.", **KDA),
    Piece("fast-map", "Tensor maps copied to global memory, which no kernel acquires", flags_before=["-DKERNEL=2"],
          flags_after=["-DKERNEL=6"],
          seen="A review asks where the fence is. Kernels 2 to 5 read the map from global memory; kernel 6 takes it as a "
          "parameter.", **FAST),
    Piece("tutorial-tail", "Copies of tiles that are not there", before="431d070fcb87a7b652e24ab40cd5ab4506b49223",
          after="0edaa6e47dcc83e7f09576034cc74e3f85c235ae", fix=PULL.format("NVIDIA/cutlass", 2945),
          launch="examples/cute/tutorial/hopper/wgmma_tma_sm90.cu", args=["256", "128", "256"],
          members=["include", "tools/util/include", "examples/cute/tutorial/hopper"], includes=["include", "tools/util/include"],
          rules=["bulk.exit.dst-alive"], options="--schedules 1",
          seen="\"Out-of-bounds TMA access\" in the tutorial wgmma_tma_sm90: after the last tile it goes on to copy. Nobody waits "
          "for those copies, and the CTA ends before they have landed.", **CUTLASS),
    Piece("mixed-input", "Registers of a wgmma in flight are written", before="d656afbd2a01112c0e4d90aafe0f8f78145c6585",
          after="8aa95dbb888be6d81c6fbf7169718c5244b53227", fix=PULL.format("NVIDIA/cutlass", 1931),
          launch="examples/55_hopper_mixed_dtype_gemm/55_hopper_mixed_dtype_gemm.cu", flags=OLDER,
          members=["include", "tools/util/include", "examples/common", "examples/55_hopper_mixed_dtype_gemm"],
          includes=["include", "tools/util/include", "examples/common", "examples/55_hopper_mixed_dtype_gemm"],
          args=["--m=128", "--n=128", "--k=256", "--g=128", "--mode=0", "--iterations=0"],
          rules=["wgmma.regs.in-flight"], options="--schedules 1",
          still="all 32 lanes of a warp issue each tensor store of the result: by the text 32 copies to one "
          "place, `tensor.order.none`, see below",
          seen="\"Fix the racing condition of mixed-input gemm when writing the registers\": the A of a product in flight is in "
          "registers, and the conversion of the next one writes them.", **CUTLASS),
    Piece("mxfp8", "A fence behind the barrier in place of before it", **TORCHAO),
    Piece("mxfp8-simple", "The same in the kernel beside it", flags_before=["-DSIMPLE"], flags_after=["-DSIMPLE"], **TORCHAO),
    Piece("merge-states", "A CTA's next row begins while its threads still read the last", project="FlashInfer",
          repository="flashinfer-ai/flashinfer", before="f7defbf9905b0d897c59afe84763fb6752ca8c22",
          after="6dff34d1b8aadec626bd507715a5f45999458329", fix=PULL.format("flashinfer-ai/flashinfer", 1661),
          launch="merge_states.cu", members=["include"], includes=["include"], rules=["order.data-race", "cpasync.order.war-dst"],
          options="--schedules 1",
          seen="\"Fix __syncthreads in mergestate\": a barrier at the head of the loop, \"necessary to prevent hazard on smaller "
          "`num_index_sets`\"."),
    Piece("block-reduce", "Lanes that still read what others have given a second use", project="CUB",
          before="5e0f9222c4211f50ad2b0ae3b374846b3854c8de", after="cb8707cbba4b019b52b62c04f9e5cb93b7fa01f2",
          fix=PULL.format("NVIDIA/cccl", 2699), launch="block_reduce.cu", rules=["order.data-race"],
          seen="\"Fix race condition in block_reduce_raking\": the sums of the rows and the sum of the warp have one storage.", **CCCL),
    Piece("run-length", "A count written behind the end of the temporary storage", project="CUB",
          before="a792a2b1068b4a3af0a9a1087f2a110d2433706f", after="faab6a08cf7972a32352bb9bfe0ad177b7239a94",
          fix=PULL.format("NVIDIA/cccl", 10504), launch="run_length.cu", rules=["access.bounds"],
          seen="\"Fix OOB write in CUB streaming reduce-by-key and RLE for single-partition invocations\".", **CCCL),
    Piece("mbarrier-init", "A generic address in 32 bits", project="libcu++",
          before="285cb159b4ebcf87f69cfd614b793c8461536c97", after="cefa6b843451c833fbc55ad9d6685ccd6e303997",
          fix=PULL.format("NVIDIA/cccl", 1636), launch="mbarrier_init.cu",
          rules=["mbarrier.object.space"],
          seen="\"Fix mbarrier.init addressing\": `mbarrier.init.b64` without `.shared` was given the 32 bits of a shared address.",
          **CCCL),
    Piece("group-copy", "One leader for the two groups of a warp", project="libcu++",
          before="5f744037905c0aec26c554b6b57c26f1cea50e77", after="ace13cd23f72370b841c96ce8fca686fc6edf37f",
          fix=PULL.format("NVIDIA/cccl", 6710), launch="group_copy.cu", rules=["order.unwritten"],
          seen="\"Fix electing leader from any group in cuda::memcpy_async\": the leader was elected among the lanes of a warp, so "
          "that of two groups in it one copied nothing.", **CCCL),
    Piece("softmax", "A maximum read where the sum is written", project="llm.c", repository="karpathy/llm.c",
          before="8fb966bc319ab8a81a5ed6d8b100a74b2e4885d2", after="c73fa8842a48ef4e6194dde44caacea3c7c7d50a",
          fix="https://github.com/karpathy/llm.c/commit/c73fa8842a48ef4e6194dde44caacea3c7c7d50a", launch="whole.cu",
          members=["dev/cuda"], includes=["dev/cuda"], cut="dev/cuda/softmax_forward.cu", args=["2"],
          edits=[(r"int B = 8;\s*int T = 1024;\s*int V = 50257;", "int B = 2, T = 2, V = 1000;"),
                 (r"int block_sizes\[\] = .*?;", "int block_sizes[] = {128};")],
          rules=["order.data-race"], seen="\"An existing race condition in kernel 2\": a barrier stood behind the read of the maximum "
          "in place of before it."),
]
# SPDX-License-Identifier: Apache-2.0
