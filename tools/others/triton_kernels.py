"""Kernels in Triton's language, compiled by Triton to PTX and judged by copycheck check; their numbers are held to numpy.

usage: triton_kernels.py COPYCHECK FOLDER [NAME...]
Prints a line for each kernel: its name, the verdict, instructions, the greatest difference. No GPU is used."""

import os
import re
import sys

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma

import judge

# ---- kernels ----------------------------------------------------------------------------------------------------


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


@triton.jit
def softmax(x, out, rows, columns, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        at = tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
        e = tl.exp(v - tl.max(v, 0))
        tl.store(out + row * columns + at, e / tl.sum(e, 0), mask=at < columns)


@triton.jit
def layer_norm(x, w, b, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    s = tl.zeros([BLOCK], tl.float32)
    for at in range(0, columns, BLOCK):
        k = at + tl.arange(0, BLOCK)
        s += tl.load(x + row * columns + k, mask=k < columns, other=0.0)
    mean = tl.sum(s, 0) / columns
    s = tl.zeros([BLOCK], tl.float32)
    for at in range(0, columns, BLOCK):
        k = at + tl.arange(0, BLOCK)
        d = tl.where(k < columns, tl.load(x + row * columns + k, mask=k < columns, other=0.0) - mean, 0.0)
        s += d * d
    r = 1 / tl.sqrt(tl.sum(s, 0) / columns + eps)
    for at in range(0, columns, BLOCK):
        k = at + tl.arange(0, BLOCK)
        m = k < columns
        v = (tl.load(x + row * columns + k, mask=m) - mean) * r
        tl.store(out + row * columns + k, v * tl.load(w + k, mask=m) + tl.load(b + k, mask=m), mask=m)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ACC: tl.constexpr,
           PREC: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    pa = a + m[:, None] * K + k[None, :]
    pb = b + k[:, None] * N + n[None, :]
    acc = tl.zeros((BM, BN), ACC)
    for at in range(0, K, BK):
        x = tl.load(pa, mask=(m[:, None] < M) & (k[None, :] < K - at), other=0.0)
        y = tl.load(pb, mask=(n[None, :] < N) & (k[:, None] < K - at), other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PREC, out_dtype=ACC)
        pa += BK
        pb += BK * N
    tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def split_k(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.program_id(2) * BK + tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for at in range(0, K, BK * SPLIT):
        x = tl.load(a + m[:, None] * K + at + k[None, :], mask=k[None, :] + at < K, other=0)
        y = tl.load(b + (at + k[:, None]) * N + n[None, :], mask=k[:, None] + at < K, other=0)
        acc = tl.dot(x, y, acc)
    tl.atomic_add(c + m[:, None] * N + n[None, :], acc)


@triton.jit
def attention(q, k, v, out, n, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr,
              STAGES: tl.constexpr):
    head = tl.program_id(1) * n * D
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    x = tl.load(q + head + m[:, None] * D + d[None, :])
    top = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    end = (tl.program_id(0) + 1) * BM if CAUSAL else n
    for at in tl.range(0, end, BN, num_stages=STAGES):
        j = at + tl.arange(0, BN)
        s = tl.dot(x, tl.load(k + head + j[None, :] * D + d[:, None])) * scale
        if CAUSAL:
            s = tl.where(m[:, None] >= j[None, :], s, -float("inf"))
        now = tl.maximum(top, tl.max(s, 1))
        p = tl.math.exp2(s - now[:, None])
        fade = tl.math.exp2(top - now)
        total = total * fade + tl.sum(p, 1)
        acc = acc * fade[:, None]
        acc = tl.dot(p.to(x.dtype), tl.load(v + head + j[:, None] * D + d[None, :]), acc)
        top = now
    tl.store(out + head + m[:, None] * D + d[None, :], (acc / total[:, None]).to(x.dtype))


@triton.jit
def described_copy(x, out, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [rows, columns], [columns, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out, [rows, columns], [columns, 1], [BM, BN])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    target.store([m, n], source.load([m, n]))


@triton.jit
def described_matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, STAGES: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for at in tl.range(0, K, BK, num_stages=STAGES):
        acc = tl.dot(da.load([m, at]), db.load([at, n]), acc)
    dc.store([m, n], acc.to(tl.float16))


@triton.jit
def described_add(x, out, rows, columns, BM: tl.constexpr, BN: tl.constexpr, STAGES: tl.constexpr):
    """Row blocks summed, through a pipelined map; the sum is added into the output by a reduction."""
    source = tl.make_tensor_descriptor(x, [rows, columns], [columns, 1], [BM, BN])
    target = tl.make_tensor_descriptor(out, [BM, columns], [columns, 1], [BM, BN])
    n = tl.program_id(0) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for m in tl.range(0, rows, BM, num_stages=STAGES):
        acc += source.load([m, n])
    target.atomic_add([0, n], acc)


@triton.jit
def scan(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + tl.program_id(0) * n + at, tl.cumsum(tl.load(x + tl.program_id(0) * n + at), 0))


@triton.jit
def sort(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + tl.arange(0, BINS), tl.histogram(tl.load(x + at), BINS))


@triton.jit
def transpose(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    tl.store(out + n[:, None] * M + m[None, :], tl.trans(tl.load(x + m[:, None] * N + n[None, :])))


@triton.jit
def gather(x, index, out, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    at = m[:, None] * N + n[None, :]
    tl.store(out + at, tl.gather(tl.load(x + at), tl.load(index + at), 0))


@gluon.jit
def im2col(source, target, n: int, h: int, w: int, c: int, dh: gl.constexpr, dw: gl.constexpr):
    """Pixels of a batch of images through shared memory, by maps that the host encodes."""
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, source.block_type.nbytes)
    tma.async_load_im2col(source, [n, h, w, c], [dh, dw], bar, tile)
    mbarrier.wait(bar, phase=0)
    mbarrier.invalidate(bar)
    tma.async_store(target, [0, 0], tile)
    tma.store_wait(pendings=0)


# ---- inputs and what they give ----------------------------------------------------------------------------------

NAMES = {"f16": "fp16", "f32": "fp32", "i8": "i8", "i32": "i32", "bf16": "bf16", "f64": "fp64", "f8": "fp8e4nv"}


def to_type(values, kind):
    if kind == "bf16":
        bits = values.astype(np.float32).view(np.uint32)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    if kind == "f8":  # e4m3, of the few values that are used here: k / 8, |k| < 16
        table = {}
        for code in range(256):
            e, f = code >> 3 & 15, code & 7
            value = (1 + f / 8) * 2.0 ** (e - 7) if e else f / 8 * 2.0**-6
            table[-value if code & 128 else value] = code
        return np.vectorize(lambda v: table[v])(values).astype(np.uint8)
    return values.astype(judge.TYPES[kind])


class Case:
    """A kernel, its arguments (arrays, ("out", count, kind), ints, floats), its constants, and what it should give."""

    def __init__(self, kernel, args, constants, grid, expected, sm=80, warps=4, stages=3, kinds=None, tolerance=1e-5,
                 ctas=1):
        self.kernel, self.args, self.constants, self.grid, self.expected = kernel, args, constants, grid, expected
        self.sm, self.warps, self.stages, self.kinds, self.tolerance = sm, warps, stages, kinds or {}, tolerance
        self.ctas = ctas


def dice(seed):
    return np.random.default_rng(seed)


def eighths(rng, *shape):
    return rng.integers(-15, 16, shape) / 8.0


def matmul_case(kind, M, N, K, BM, BN, BK, sm=80, warps=4, stages=3, kernel=None, precision="ieee"):
    rng = dice(M + 7 * N + K + BM)
    whole = kind == "i8"
    x, y = (rng.integers(-100, 100, s) if whole else eighths(rng, *s) for s in ((M, K), (K, N)))
    acc = "i32" if whole else "f64" if kind == "f64" else "f32"
    accumulators = {"i32": tl.int32, "f64": tl.float64, "f32": tl.float32}
    constants = {"BM": BM, "BN": BN, "BK": BK, "ACC": accumulators[acc], "PREC": precision}
    args = [(to_type(x, kind), kind), (to_type(y, kind), kind), ("out", (M, N), acc), M, N, K]
    grid = (-(-M // BM), -(-N // BN), 1)
    want = x.astype(np.float64) @ y.astype(np.float64)
    return Case(matmul, args, constants, grid, {2: want}, sm, warps, stages)


def attention_case(kind, n, heads, D, BM, BN, causal, sm=80, warps=4, stages=2):
    rng = dice(n + D)
    q, k, v = (eighths(rng, heads, n, D) / 4 for _ in range(3))
    scale = 1.44269504 / D**0.5
    s = q @ k.transpose(0, 2, 1) / D**0.5
    if causal:
        s = np.where(np.tril(np.ones((n, n), bool)), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    want = p / p.sum(-1, keepdims=True) @ v
    args = [(to_type(q, kind), kind), (to_type(k, kind), kind), (to_type(v, kind), kind), ("out", want.shape, kind), n,
            float(scale)]
    constants = {"D": D, "BM": BM, "BN": BN, "CAUSAL": causal, "STAGES": stages}
    return Case(attention, args, constants, (n // BM, heads, 1), {3: want}, sm, warps, stages, tolerance=2e-2)


def softmax_case(rows, columns, programs, sm, stages, warps):
    x = eighths(dice(rows), rows, columns)
    e = np.exp(x - x.max(1, keepdims=True))
    return Case(softmax, [(to_type(x, "f32"), "f32"), ("out", x.shape, "f32"), rows, columns],
                {"BLOCK": triton.next_power_of_2(columns), "STAGES": stages}, (programs, 1, 1),
                {1: e / e.sum(1, keepdims=True)}, sm, warps, stages)


def norm_case(rows, columns, block, sm, warps):
    x = eighths(dice(3), rows, columns)
    w, b = eighths(dice(4), columns), eighths(dice(5), columns)
    want = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * w + b
    return Case(layer_norm, [(to_type(v, "f32"), "f32") for v in (x, w, b)] + [("out", x.shape, "f32"), columns, 1e-5],
                {"BLOCK": block}, (rows, 1, 1), {3: want}, sm, warps)


def described_case(kernel, kind, M, N, BM, BN, grid, want_of, stages=3, warps=4, **more):
    x = eighths(dice(M), M, N)
    constants = {"BM": BM, "BN": BN, **more}
    want = want_of(x)
    out = "zero" if kernel is described_add else "out"
    return Case(kernel, [(to_type(x, kind), kind), (out, want.shape, kind), M, N], constants, grid, {1: want}, 90, warps,
                stages)


def described_matmul_case(M, N, K, BM, BN, BK, warps, stages):
    x, y = eighths(dice(M), M, K), eighths(dice(N), K, N)
    return Case(described_matmul, [(to_type(x, "f16"), "f16"), (to_type(y, "f16"), "f16"), ("out", (M, N), "f16"), M, N, K],
                {"BM": BM, "BN": BN, "BK": BK, "STAGES": stages}, (M // BM, N // BN, 1), {2: x @ y}, 90, warps, stages,
                tolerance=1e-2)


def others():
    cases = {}
    v = [eighths(dice(k), 1000) for k in (1, 2)]
    for sm in (80, 90):
        cases[f"add-sm{sm}"] = Case(add, [(to_type(v[0], "f32"), "f32"), (to_type(v[1], "f32"), "f32"),
                                          ("out", (1000,), "f32"), 1000], {"BLOCK": 256}, (4, 1, 1), {2: v[0] + v[1]}, sm)
        cases[f"softmax-sm{sm}"] = softmax_case(37, 300, 4, sm, 3, 4)
        cases[f"softmax-8-warps-sm{sm}"] = softmax_case(9, 1000, 2, sm, 4, 8)
        cases[f"layer-norm-sm{sm}"] = norm_case(3, 700, 256, sm, 4)
        scanned = dice(6).integers(0, 9, (2, 1024))
        cases[f"scan-sm{sm}"] = Case(scan, [(to_type(scanned, "i32"), "i32"), ("out", (2, 1024), "i32"), 1024],
                                     {"BLOCK": 1024}, (2, 1, 1), {1: scanned.cumsum(1)}, sm)
        some = dice(7).permutation(1024).reshape(2, 512)
        cases[f"sort-sm{sm}"] = Case(sort, [(to_type(some, "i32"), "i32"), ("out", (2, 512), "i32")], {"BLOCK": 512},
                                     (2, 1, 1), {1: np.sort(some, 1)}, sm)
        binned = dice(8).integers(0, 64, 2048)
        cases[f"histogram-sm{sm}"] = Case(histogram, [(to_type(binned, "i32"), "i32"), ("zero", (64,), "i32"), 2048],
                                          {"BLOCK": 1024, "BINS": 64}, (2, 1, 1), {1: np.bincount(binned, minlength=64)},
                                          sm)
        turned = eighths(dice(9), 64, 128)
        cases[f"transpose-sm{sm}"] = Case(transpose, [(to_type(turned, "f16"), "f16"), ("out", (128, 64), "f16"), 64, 128],
                                          {"BM": 32, "BN": 64}, (2, 2, 1), {1: turned.T}, sm)
        index = dice(10).integers(0, 16, (16, 32))
        base = eighths(dice(11), 16, 32)
        cases[f"gather-sm{sm}"] = Case(gather, [(to_type(base, "f32"), "f32"), (to_type(index, "i32"), "i32"),
                                                ("out", (16, 32), "f32")], {"M": 16, "N": 32}, (1, 1, 1),
                                       {2: np.take_along_axis(base, index, 0)}, sm)
    for kind in ("f16", "bf16", "f32", "i8", "f64"):
        for stages in (1, 2, 3, 4):
            if kind == "f64" and stages > 2:
                continue
            precision = "tf32" if kind == "f32" else "ieee"
            cases[f"matmul-{kind}-{stages}-stages"] = matmul_case(kind, 64, 64, 128, 32, 32, 32, stages=stages,
                                                                  precision=precision)
    cases["matmul-f32-ieee"] = matmul_case("f32", 32, 32, 64, 32, 32, 32)
    cases["matmul-f32-tf32x3"] = matmul_case("f32", 64, 64, 64, 32, 32, 32, precision="tf32x3")
    cases["matmul-f8-sm89"] = matmul_case("f8", 64, 64, 128, 32, 32, 64, sm=89)
    cases["matmul-f16-ragged"] = matmul_case("f16", 100, 72, 88, 32, 64, 32)
    cases["matmul-f16-8-warps"] = matmul_case("f16", 128, 128, 128, 128, 128, 64, warps=8)
    cases["matmul-f16-128x64x32-4-stages"] = matmul_case("f16", 128, 64, 256, 128, 64, 32, stages=4)
    cases["matmul-f16-sm90-2-warps"] = matmul_case("f16", 64, 64, 128, 32, 32, 32, sm=90, warps=2)
    cases["matmul-f16-sm90-small-m"] = matmul_case("f16", 32, 64, 128, 32, 64, 32, sm=90)
    cases["matmul-f16-sm90-wgmma"] = matmul_case("f16", 64, 64, 128, 64, 64, 32, sm=90)
    cases["matmul-f16-sm90-512"] = matmul_case("f16", 512, 512, 512, 128, 128, 64, sm=90, warps=8)
    x, y = eighths(dice(12), 32, 256), eighths(dice(13), 256, 32)
    cases["split-k"] = Case(split_k, [(to_type(x, "f16"), "f16"), (to_type(y, "f16"), "f16"), ("zero", (32, 32), "f32"),
                                      32, 32, 256], {"BM": 32, "BN": 32, "BK": 32, "SPLIT": 4}, (1, 1, 4), {2: x @ y}, 80)
    for causal in (False, True):
        word = "-causal" if causal else ""
        cases[f"attention-f16{word}"] = attention_case("f16", 128, 2, 64, 64, 32, causal)
        cases[f"attention-bf16{word}-3-stages"] = attention_case("bf16", 128, 1, 32, 32, 32, causal, stages=3)
        cases[f"attention-f16{word}-sm90"] = attention_case("f16", 64, 1, 32, 32, 32, causal, sm=90, warps=2)
    same = lambda x: x
    for kind in ("f16", "f32", "bf16"):
        cases[f"described-copy-{kind}"] = described_case(described_copy, kind, 64, 128, 16, 32, (4, 4, 1), same)
    cases["described-copy-ragged"] = described_case(described_copy, "f32", 50, 120, 16, 32, (4, 4, 1), same)
    for stages in (1, 2, 3):
        cases[f"described-add-{stages}-stages"] = described_case(
            described_add, "f32", 64, 64, 8, 32, (2, 1, 1), lambda x: x.reshape(8, 8, 64).sum(0), stages, STAGES=stages)
    cases["described-matmul-mma"] = described_matmul_case(32, 32, 128, 32, 32, 32, 2, 3)
    cases["described-matmul-small-m"] = described_matmul_case(32, 64, 128, 16, 32, 32, 4, 4)
    cases["described-matmul-wgmma"] = described_matmul_case(64, 64, 128, 64, 64, 64, 4, 3)
    cases["described-matmul-512"] = described_matmul_case(512, 512, 512, 128, 128, 64, 8, 3)
    return cases


def im2col_launch(folder, name, images, corner, at, offset, pixels):
    """Of images of 4 x 4 pixels, counted from 1, with 32 channels that are all the same: which pixels come."""
    layout = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=32, rank=2)
    signature = {"source": f"tensordesc_im2col<fp32[16, 32],input_rank=4,{layout!r}>",
                 "target": f"tensordesc<fp32[16, 32],{layout!r}>", "n": "i32", "h": "i32", "w": "i32", "c": "i32",
                 "dh": "constexpr", "dw": "constexpr"}
    source = GluonASTSource(im2col, signature, {(6,): offset, (7,): offset}, {})
    kernel = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 1})
    path = os.path.join(folder, name + ".ptx")
    with open(path, "w") as f:
        f.write(kernel.asm["ptx"])
    tensor = np.repeat(np.arange(1, 16 * images + 1, dtype=np.float32), 32)
    maps = [f"A=type=f32,mode=im2col,rank=4,buffer=18,dims=32x4x4x{images},strides=128x512x2048,channels=32,pixels=16,"
            f"lower={corner}x{corner},upper={corner}x{corner},swizzle=128B",
            "B=type=f32,rank=2,buffer=19,dims=32x16,strides=128,box=32x16,swizzle=128B"]
    args = ["map:A", *(f"s32:{v}" for v in (images, 4, 4, 32)), *(f"s64:{v}" for v in (512, 128, 32, 1)), "map:B", "s32:16",
            "s32:32", "s64:32", "s64:1", *(f"s32:{v}" for v in at), (tensor, "f32"), ("out", (16, 32), "f32")]
    want = np.repeat(np.array(pixels, np.float64), 32).reshape(16, 32)
    return judge.Launch(path, None, (1,), (32,), args, {19: want}, kernel.metadata.shared,
                        options=[word for m in maps for word in ("--map", m)])


PADDED = [0, 0, 0, 0, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11]
IM2COL = {  # images, both corners along H and W, coordinates, offsets, the pixels that come
    "im2col": (1, 0, (0, 0, 0, 0), 0, range(1, 17)),
    "im2col-padded": (1, -1, (0, -1, -1, 0), 0, PADDED),
    "im2col-offset": (1, -1, (0, -1, -1, 0), 1, range(1, 17)),
    "im2col-two-images": (2, 0, (0, 1, 3, 0), 0, range(8, 24)),
}


# ---- running ----------------------------------------------------------------------------------------------------


def compile_case(case):
    names = case.kernel.arg_names
    signature, attributes = {}, {}
    values = iter(case.args)
    for i, name in enumerate(names):
        if name in case.constants:
            signature[name] = "constexpr"
            continue
        value = next(values)
        if isinstance(value, tuple):
            signature[name] = "*" + NAMES[value[-1]]
            attributes[(i,)] = [["tt.divisibility", 16]]
        elif isinstance(value, int):
            signature[name] = "i32"
            if value % 16 == 0:
                attributes[(i,)] = [["tt.divisibility", 16]]
        else:
            signature[name] = "fp32"
    source = ASTSource(case.kernel, signature, {(names.index(k),): v for k, v in case.constants.items()}, attributes)
    return triton.compile(source, target=GPUTarget("cuda", case.sm, 32),
                          options={"num_warps": case.warps, "num_stages": case.stages, "num_ctas": case.ctas})


def launch_of(case, ptx, path, meta):
    entry = ptx.split(".visible .entry ")[1]
    further = entry[: entry.index(")")].count(".param") - len(case.args)  # scratch memory: of the grid, of a profiler
    size = max(1024, getattr(meta, "global_scratch_size", 0) * int(np.prod(case.grid)))
    return judge.Launch(path, None, case.grid, (case.warps * 32,), case.args, case.expected, meta.shared, [size] * further,
                        case.tolerance)


# What is broken on purpose in each kernel that has it: a word for it, what becomes of the PTX, rules that say so.
BROKEN = [
    ("waits weakened", r"(cp\.async\.wait_group\s+)(?:0x)?(\d+)", lambda m: f"{m[1]}{int(m[2]) + 1}",
     r"group\.wait\.n|cpasync\.order\.read-early|wgmma\.smem\.written"),
    ("no acquire", r"@\S+ fence\.proxy\.tensormap::generic\.acquire[^;]*;", "", r"tensor\.proxy\.map|tmap\."),
    ("no proxy fence", r"fence\.proxy\.async[^;]*;", "", r"fence\.proxy_async|tensor\.|bulk\.proxy|wgmma\.proxy"),
]


def main():
    copycheck, folder = sys.argv[1], sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    table = judge.Table("triton")
    for name, case in others().items():
        if not judge.wanted(name):
            continue
        base = os.path.join(folder, name)
        try:
            kernel = compile_case(case)
        except Exception as error:  # Triton refuses a kernel in many ways
            table.line(name, "not compiled", notes=[str(error).strip().splitlines()[-1][:200]])
            continue
        ptx = kernel.asm["ptx"]
        with open(base + ".ptx", "w") as f:
            f.write(ptx)
        verdict, instructions, difference, notes, rules = launch_of(case, ptx, base + ".ptx", kernel.metadata).run(
            copycheck, base)
        table.line(name, verdict, instructions, difference, notes, rules)
        for word, pattern, instead, rules in BROKEN if verdict == "clean" else ():
            broken = re.sub(pattern, instead, ptx)
            if broken != ptx:
                path = f"{base}-{word.replace(' ', '-')}"
                with open(path + ".ptx", "w") as f:
                    f.write(broken)
                result = launch_of(case, broken, path + ".ptx", kernel.metadata).run(copycheck, path)
                table.line(f"{name}, {word}", *result, broken=rules)
    for name, case in IM2COL.items():
        if judge.wanted(name):
            launch = im2col_launch(folder, name, *case)
            table.line(name, *launch.run(copycheck, os.path.join(folder, name)))
    return table.end()


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
