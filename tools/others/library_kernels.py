"""Functions of Liger-Kernel and of flash-linear-attention, forward and backward, with every launch judged by copycheck check
and their numbers held to PyTorch's.

usage: library_kernels.py liger|fla COPYCHECK FOLDER [NAME...]
Prints a line for each function and size: its name, the verdict, instructions, the greatest difference. No GPU is used."""

import sys

import torch
import torch.nn.functional as F

import judge
import judged_driver


def numbers(*shape, seed=1, scale=1.0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)) * scale


def with_gradients(function, inputs):
    """What a function gives, and the gradients of its inputs for a fixed gradient of the results."""
    inputs = [v.clone().detach().requires_grad_(v.is_floating_point()) if isinstance(v, torch.Tensor) else v for v in inputs]
    results = function(*[v * 1 if isinstance(v, torch.Tensor) and v.requires_grad else v for v in inputs])
    results = [v for v in (results if isinstance(results, tuple) else (results,)) if isinstance(v, torch.Tensor)]
    kept = [v.detach().clone() for v in results]
    torch.autograd.backward(results, [numbers(*v.shape, seed=50 + i) for i, v in enumerate(results)])
    return kept + [v.grad for v in inputs if isinstance(v, torch.Tensor) and v.requires_grad]


def difference(got, want, tolerance):
    worst = 0.0
    for g, w in zip(got, want):
        if g is not None and w is not None:
            worst = max(worst, ((g - w).abs().max() / max(1.0, w.abs().max())).item())
    return f"{worst:.2g}" + ("" if worst <= tolerance else " WRONG")


# ---- Liger-Kernel -----------------------------------------------------------------------------------------------


def rms(x, w):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w


def rotated(q, k, cos, sin):
    turn = lambda x: x * cos[:, None] + torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), -1) * sin[:, None]
    return turn(q), turn(k)


def angles(rows, columns):
    half = torch.outer(torch.arange(rows), 10000.0 ** (-torch.arange(0, columns, 2) / columns))
    both = torch.cat((half, half), -1)[None]
    return both.cos(), both.sin()


def jensen(p, q):
    m = (p.exp() + q.exp()) / 2
    return (F.kl_div(m.log(), p, reduction="sum", log_target=True) +
            F.kl_div(m.log(), q, reduction="sum", log_target=True)) / 2 / p.shape[0]


def liger(rows, n):
    """Each function for rows of n numbers: the library's, PyTorch's, the inputs."""
    from liger_kernel import ops

    x, y, w, b = numbers(rows, n), numbers(rows, n, seed=2), numbers(n, seed=3), numbers(n, seed=4)
    logs = [F.log_softmax(v, -1) for v in (x, y)]
    labels = torch.randint(0, n, (rows,), generator=torch.Generator().manual_seed(5))
    cos, sin = angles(rows, 64)
    heads = numbers(1, 4, rows, 64), numbers(1, 2, rows, 64, seed=6)
    small = numbers(rows, 32, seed=7), numbers(n, 32, seed=8)
    spread = numbers(2, 8, n, seed=9), numbers(8, seed=10), numbers(8, seed=11)
    return {
        "rms-norm": (lambda x, w: ops.LigerRMSNormFunction.apply(x, w, 1e-6, 0.0, "llama", False), rms, (x, w)),
        "layer-norm": (lambda x, w, b: ops.LigerLayerNormFunction.apply(x, w, b, 1e-5),
                       lambda x, w, b: F.layer_norm(x, (n,), w, b), (x, w, b)),
        "group-norm": (lambda x, w, b: ops.LigerGroupNormFunction.apply(x, w, b, 8, 2, 1e-5),
                       lambda x, w, b: F.group_norm(x, 2, w, b), spread),
        "fused-add-rms-norm": (lambda x, y, w: ops.LigerFusedAddRMSNormFunction.apply(x, y, w, 1e-6, 0.0, "llama", False),
                               lambda x, y, w: (rms(x + y, w), x + y), (x, y, w)),
        "swiglu": (ops.LigerSiLUMulFunction.apply, lambda a, b: F.silu(a) * b, (x, y)),
        "geglu": (ops.LigerGELUMulFunction.apply, lambda a, b: F.gelu(a, approximate="tanh") * b, (x, y)),
        "relu-squared": (ops.LigerReLUSquaredFunction.apply, lambda x: F.relu(x) ** 2, (x,)),
        "dyt": (ops.LigerDyTFunction.apply, lambda x, a, g, b: g * torch.tanh(a * x) + b, (x, numbers(1, seed=12), w, b)),
        "softmax": (ops.LigerSoftmaxFunction.apply, lambda x: F.softmax(x, -1), (x,)),
        "sparsemax": (lambda x: ops.LigerSparsemaxFunction.apply(x, -1), None, (x,)),
        "poly-norm": (lambda x, w, b: ops.LigerPolyNormFunction.apply(x, w, b, 1e-6, False), None,
                      (x, numbers(3, seed=13), numbers(seed=14))),
        "rope": (lambda q, k: ops.LigerRopeFunction.apply(q, k, cos, sin), lambda q, k: rotated(q, k, cos, sin), heads),
        "cross-entropy": (lambda x: ops.LigerCrossEntropyFunction.apply(x, labels, None)[0],
                          lambda x: F.cross_entropy(x, labels), (x,)),
        "cross-entropy-smoothed": (
            lambda x: ops.LigerCrossEntropyFunction.apply(x, labels, None, -100, 0.0, 0.1, "sum")[0],
            lambda x: F.cross_entropy(x, labels, label_smoothing=0.1, reduction="sum"), (x,)),
        "fused-linear-cross-entropy": (lambda x, w: ops.LigerFusedLinearCrossEntropyFunction.apply(x, w, labels)[0],
                                       lambda x, w: F.cross_entropy(x @ w.T, labels), small),
        "kl-div": (lambda p: ops.LigerKLDivLossFunction.apply(p, logs[1].exp(), "batchmean"),
                   lambda p: F.kl_div(p, logs[1].exp(), reduction="batchmean"), (logs[0],)),
        "jsd": (lambda p: ops.LigerJSDFunction.apply(p, logs[1], None, 0.5), lambda p: jensen(p, logs[1]), (logs[0],)),
        "tvd": (lambda p: ops.LigerTVDLossFunction.apply(p, logs[1].exp(), None, "batchmean"),
                lambda p: (p - logs[1].exp()).abs().sum() / 2 / rows, (logs[0].exp(),)),
    }


# ---- flash-linear-attention -------------------------------------------------------------------------------------


def linear(q, k, v, gates=None):
    """Causal linear attention, step by step: S = gate * S + k v^T, o = q S. Shapes: batch, time, heads, width."""
    state = torch.zeros(q.shape[0], q.shape[2], q.shape[3], v.shape[3])
    rows = []
    for t in range(q.shape[1]):
        if gates is not None:
            state = state * (gates[:, t].exp()[..., None] if gates.dim() == 4 else gates[:, t].exp()[..., None, None])
        state = state + k[:, t, :, :, None] * v[:, t, :, None, :]
        rows.append((q[:, t, :, :, None] * state).sum(-2))
    return torch.stack(rows, 1) * q.shape[-1] ** -0.5


def fla(time, width):
    """Each function for so many steps and heads of this width."""
    from fla import ops

    q, k, v = (numbers(1, time, 2, width, seed=s, scale=0.3) for s in (1, 2, 3))
    slow, gates = F.logsigmoid(numbers(1, time, 2, seed=4) + 3), F.logsigmoid(numbers(1, time, 2, width, seed=5) + 3)
    beta = torch.sigmoid(numbers(1, time, 2, seed=6))
    unit = F.normalize(k, dim=-1)
    first = lambda function: lambda *inputs: function(*inputs)[0]
    halved = lambda function: lambda *inputs: function(*(v.bfloat16() for v in inputs))[0].float()
    return {
        "chunk-linear-attention": (first(lambda q, k, v: ops.linear_attn.chunk_linear_attn(q, k, v, normalize=False)), linear,
                                   (q, k, v)),
        "recurrent-linear-attention": (
            first(lambda q, k, v: ops.linear_attn.fused_recurrent_linear_attn(q, k, v, normalize=False)), linear, (q, k, v)),
        "chunk-simple-gla": (first(ops.simple_gla.chunk_simple_gla), linear, (q, k, v, slow)),
        "chunk-gla": (first(ops.gla.chunk_gla), linear, (q, k, v, gates)),
        "recurrent-gla": (first(ops.gla.fused_recurrent_gla), linear, (q, k, v, gates)),
        "chunk-retention": (first(ops.retention.chunk_retention), None, (q, k, v)),
        "chunk-delta-rule": (halved(ops.delta_rule.chunk_delta_rule), None, (q, unit, v, beta)),
        "recurrent-delta-rule": (first(ops.delta_rule.fused_recurrent_delta_rule), None, (q, unit, v, beta)),
        "chunk-gated-delta-rule": (first(lambda q, k, v, g, b: ops.gated_delta_rule.chunk_gated_delta_rule(q, k, v, g, b)),
                                   None, (q, unit, v, slow, beta)),
        "parallel-attention": (lambda q, k, v: ops.attn.parallel_attn(q, k, v),
                               lambda q, k, v: F.scaled_dot_product_attention(
                                   q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True).transpose(1, 2),
                               (q, k, v)),
        "hgrn": (first(ops.hgrn.chunk_hgrn), None, (numbers(1, time, width, seed=7), F.logsigmoid(numbers(1, time, width, seed=8)))),
    }


# The functions, their sizes, the greatest difference allowed, the architecture: wgmma of sm_90 is not modelled.
PARTS = {"liger": (liger, [(4, 64), (3, 100), (2, 1024), (2, 5000)], 2e-3, 90),
         "fla": (fla, [(64, 32), (100, 64)], 2e-2, 80)}


def main():
    part, copycheck, folder = sys.argv.pop(1), sys.argv[1], sys.argv[2]
    functions, sizes, tolerance, arch = PARTS[part]
    verdicts = judged_driver.install(copycheck, folder, arch)
    table = judge.Table(part)
    for size in sizes:
        for name, (function, plain, inputs) in functions(*size).items():
            name += "-" + "x".join(map(str, size))
            if not judge.wanted(name):
                continue
            verdicts.reset(name)
            try:
                got = with_gradients(function, inputs)
                apart = difference(got, with_gradients(plain, inputs), tolerance) if plain else ""
            except Exception as error:  # the libraries refuse sizes and machines in many ways
                table.line(name, "not compiled", notes=[f"{type(error).__name__}: {error}".splitlines()[0][:200]] + verdicts.notes)
                continue
            table.line(name, verdicts.worst(), verdicts.instructions, apart, dict.fromkeys(verdicts.notes), verdicts.rules,
                       fault="; ".join(sorted(verdicts.known)))
    return table.end()


if __name__ == "__main__":
    sys.exit(main())
# SPDX-License-Identifier: Apache-2.0
