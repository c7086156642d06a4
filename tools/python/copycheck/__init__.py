"""copycheck from Python: runs a kernel's PTX on an emulator, without a GPU, and names the rules that it breaks.

    import copycheck, numpy as np
    x = np.arange(64, dtype=np.float32)
    result = copycheck.check(ptx, "add", grid=1, block=64, args=[x, np.int32(64)])
    assert result.clean, result

Arrays are global memory and hold afterwards what the kernel left there. A scalar takes the type of the kernel's
parameter. copycheck.Map is a tensor map over one of the arrays; copycheck.empty() an array that has no value yet.
"""
import ctypes
import html
import os

import numpy as np

__all__ = ["check", "encode", "assemble", "Map", "empty", "Result", "Finding", "Place", "Error"]

CLEAN, DIAGNOSED, NO_VERDICT = 0, 1, 2
VALUE, BUFFER, UNWRITTEN, MAP = range(4)


class Error(Exception):
    """No verdict could be reached: bad input, a limit, or something that the emulator does not model."""


class _Argument(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t), ("map", ctypes.c_size_t)]


class _Map(ctypes.Structure):
    _fields_ = [("words", ctypes.c_char_p), ("buffer", ctypes.c_size_t), ("offset", ctypes.c_size_t)]


class _Launch(ctypes.Structure):
    _fields_ = [("ptx", ctypes.c_char_p), ("ptx_bytes", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("entry", ctypes.c_char_p), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3),
                ("cluster", ctypes.c_uint * 3), ("dynamic_bytes", ctypes.c_uint),
                ("arguments", ctypes.POINTER(_Argument)), ("argument_count", ctypes.c_size_t),
                ("maps", ctypes.POINTER(_Map)), ("map_count", ctypes.c_size_t),
                ("options", ctypes.POINTER(ctypes.c_char_p))]


class _Place(ctypes.Structure):
    _fields_ = [("ptx_line", ctypes.c_uint), ("ptx", ctypes.c_char_p), ("source", ctypes.c_char_p),
                ("thread", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("where", ctypes.c_char_p)]


class _Finding(ctypes.Structure):
    _fields_ = [("rule", ctypes.c_char_p), ("remark", ctypes.c_int), ("message", ctypes.c_char_p),
                ("sentence", ctypes.c_char_p), ("remedy", ctypes.c_char_p), ("here", _Place), ("other", _Place)]


def _load():
    folder = os.path.dirname(os.path.abspath(__file__))
    path = os.environ.get("COPYCHECK_LIBRARY") or os.path.join(folder, "libcopycheck.so")
    library = ctypes.CDLL(path)
    library.copycheck_check.restype = ctypes.c_void_p
    library.copycheck_finding.restype = ctypes.POINTER(_Finding)
    library.copycheck_count.restype = ctypes.c_size_t
    library.copycheck_version.restype = ctypes.c_char_p
    for name in ("message", "text", "json", "printed"):
        getattr(library, "copycheck_" + name).restype = ctypes.c_char_p
    for name in ("free", "status", "count", "message", "text", "json", "printed"):
        getattr(library, "copycheck_" + name).argtypes = [ctypes.c_void_p]
    library.copycheck_finding.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    if library.copycheck_interface() < 1:
        raise ImportError(f"{path} is of an older interface")
    return library


_library = _load()
__version__ = _library.copycheck_version().decode()


class Map:
    """A tensor map over an array among the arguments: words as `copycheck encode` takes them, such as
    Map(array, dims=(64, 128), box=(64, 32), swizzle="128B"); type, dims and strides follow from the array where they
    are not given (dims and strides fastest first, strides in bytes)."""

    _types = {"uint8": "u8", "int8": "u8", "uint16": "u16", "uint32": "u32", "int32": "s32", "uint64": "u64",
              "int64": "s64", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16"}

    def __init__(self, array, offset=0, **words):
        self.array, self.offset = array, offset
        words.setdefault("type", self._types.get(str(array.dtype), "u8"))
        words.setdefault("dims", tuple(reversed(array.shape)))
        words.setdefault("rank", len(words["dims"]))
        if len(words["dims"]) > 1:
            words.setdefault("strides", tuple(reversed(array.strides))[1:])
        words.setdefault("box", words["dims"])
        self.words = " ".join(f"{name.replace('_', '-')}={_word(value)}" for name, value in words.items())


def _word(value):
    return "x".join(str(int(v)) for v in value) if isinstance(value, (tuple, list)) else str(value)


def empty(shape, dtype=np.float32):
    """An array without a value: what a kernel reads of it before it has written it is a finding."""
    return np.zeros(shape, dtype).view(_Empty)


class _Empty(np.ndarray):
    pass


class Place:
    """Where a finding is: the PTX line and its text, the CUDA line, the thread and its CTA, the bytes."""

    def __init__(self, p):
        self.ptx_line, self.ptx, self.source = p.ptx_line, p.ptx.decode(), p.source.decode()
        self.thread, self.block, self.where = tuple(p.thread), tuple(p.block), p.where.decode()

    def __bool__(self):
        return self.ptx_line > 0


class Finding:
    """A broken rule, or a remark."""

    def __init__(self, f):
        self.rule, self.remark = f.rule.decode(), bool(f.remark)
        self.message, self.sentence, self.remedy = f.message.decode(), f.sentence.decode(), f.remedy.decode()
        self.here, self.other = Place(f.here), Place(f.other)

    def __repr__(self):
        return f"<{self.rule or 'finding'}: {self.message}>"


class Result:
    """What came of a launch. True in a condition where no rule was broken."""

    def __init__(self, handle):
        self.status = _library.copycheck_status(handle)
        self.message = _library.copycheck_message(handle).decode()
        self.text = _library.copycheck_text(handle).decode()
        self.json = _library.copycheck_json(handle).decode()
        self.printed = _library.copycheck_printed(handle).decode()
        self.findings = [Finding(_library.copycheck_finding(handle, i).contents)
                         for i in range(_library.copycheck_count(handle))]

    @property
    def clean(self):
        return self.status == CLEAN

    @property
    def rules(self):
        """The ids of the rules that were broken."""
        return [f.rule for f in self.findings if not f.remark]

    def __bool__(self):
        return self.clean

    def __repr__(self):
        return self.text or self.message

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td><b>{html.escape(f.rule)}</b></td><td>{html.escape(f.message)}<br>"
            + "".join(f"<code>{html.escape(p.source or str(p.ptx_line))}: {html.escape(p.ptx)}</code><br>"
                      for p in (f.here, f.other) if p)
            + f"<i>{html.escape(f.remedy)}</i></td></tr>" for f in self.findings)
        last = (self.text.strip() or self.message).splitlines()
        return f"<table>{rows}</table><pre>{html.escape(last[-1] if last else '')}</pre>"


def _extent(value):
    value = tuple(value) if isinstance(value, (tuple, list)) else (value or 0,)
    return (ctypes.c_uint * 3)(*value, *([1 if value[0] else 0] * (3 - len(value))))


_FORMATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def _parameter(ptx, entry, i):
    size, kind, error = ctypes.c_size_t(), ctypes.create_string_buffer(16), ctypes.create_string_buffer(1000)
    status = _library.copycheck_parameter(ptx, ctypes.c_size_t(len(ptx)), entry, ctypes.c_size_t(i), ctypes.byref(size),
                                          kind, error, ctypes.c_size_t(1000))
    if status == 2:
        raise Error(error.value.decode())
    if status == 1:
        raise Error(f"there is no parameter for argument {i}")
    return size.value, kind.value.decode()


def _scalar(value, ptx, entry, i):
    """The bytes of a scalar, in the type of its parameter."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if isinstance(value, np.generic):
        return value.tobytes()
    size, kind = _parameter(ptx, entry, i)
    if isinstance(value, float) and kind not in _FORMATS:
        if kind[0] != "b" or size not in (4, 8):
            raise Error(f"argument {i} is {value!r}, and the parameter is a .{kind}; give it as numpy's scalar")
        return np.array(value, np.float32 if size == 4 else np.float64).tobytes()
    if kind in _FORMATS:
        return _FORMATS[kind](value).tobytes()
    return (int(value) & (1 << 8 * size) - 1).to_bytes(size, "little")


def check(ptx, entry=None, grid=1, block=None, args=(), cluster=None, smem=0, options=(), name=None):
    """Runs a kernel and judges it. `args`, one for each parameter: numpy arrays (memory; they are changed in place),
    scalars, bytes (structs), copycheck.Map, None (a null pointer). `options`: further options of `copycheck check`, such
    as "--schedules=10". Raises Error where there is no verdict."""
    text = ptx.encode() if isinstance(ptx, str) else bytes(ptx)
    kernel = entry.encode() if entry else None
    arguments, maps, keep, arrays = [], [], [], {}
    for value in args:  # arrays first: maps name them by their numbers
        if isinstance(value, np.ndarray):
            arrays.setdefault(id(value), len(arrays))
    for i, value in enumerate(args):
        a = _Argument()
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous or not value.flags.writeable:
                raise Error(f"argument {i}: the array has to be contiguous and writeable")
            a.kind, a.data = UNWRITTEN if isinstance(value, _Empty) else BUFFER, value.ctypes.data
            a.bytes = value.nbytes
        elif isinstance(value, Map):
            number = next((k for k, other in enumerate(args) if other is value.array), None)
            if number is None:
                raise Error(f"argument {i}: the map's array has to be an argument too")
            a.kind, a.map = MAP, len(maps)
            maps.append(_Map(value.words.encode(), number, value.offset))
        else:
            data = _scalar(0 if value is None else value, text, kernel, i)
            keep.append(ctypes.create_string_buffer(data, len(data)))
            a.kind, a.data, a.bytes = VALUE, ctypes.addressof(keep[-1]), len(data)
        arguments.append(a)
    words = [o.encode() for o in options] + [None]
    launch = _Launch(text, len(text), (name or "module.ptx").encode(), kernel, _extent(grid), _extent(block),
                     _extent(cluster), smem, (_Argument * (len(arguments) + 1))(*arguments), len(arguments),
                     (_Map * (len(maps) + 1))(*maps), len(maps), (ctypes.c_char_p * len(words))(*words))
    handle = _library.copycheck_check(ctypes.byref(launch))
    if not handle:
        raise MemoryError()
    try:
        result = Result(handle)
    finally:
        _library.copycheck_free(handle)
    if result.status == NO_VERDICT:
        raise Error(result.message)
    return result


def _explain(function, *arguments):
    text = ctypes.create_string_buffer(20000)
    return function(*arguments, text, ctypes.c_size_t(20000)), text.value.decode()


def encode(**words):
    """Which limits a call of cuTensorMapEncodeTiled breaks: "" where it is accepted. Words as in copycheck.Map."""
    status, text = _explain(_library.copycheck_encode,
                            " ".join(f"{n.replace('_', '-')}={_word(v)}" for n, v in words.items()).encode())
    if status == 2:
        raise Error(text)
    return text


def assemble(ptx):
    """Raises Error with the first mistake of PTX that is not well formed."""
    text = ptx.encode() if isinstance(ptx, str) else bytes(ptx)
    status, message = _explain(_library.copycheck_assemble, text, ctypes.c_size_t(len(text)))
    if status:
        raise Error(message)
# SPDX-License-Identifier: Apache-2.0
