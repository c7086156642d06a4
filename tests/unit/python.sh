#!/bin/sh
# The Python package: verdicts, arrays that come back, scalars in the types of their parameters, errors, the fixture; and a
# wheel that two runs make alike.
set -eu
cd "$(dirname "$0")/../.."
. tests/unit/common
no_sanitizer 'the address sanitizer must come first in a program'

build=${BUILD:-build}
tools/wheel "$build/libcopycheck.so.1" 0.0 "$aside/one" > /dev/null
tools/wheel "$build/libcopycheck.so.1" 0.0 "$aside/two" > /dev/null
cmp "$aside"/one/*.whl "$aside"/two/*.whl || wrong 'two wheels of the same files differ'
python3 -c 'import numpy' 2> /dev/null || { echo 'needs numpy and pytest for python3 (pip install numpy pytest)'; exit $((failed ? 1 : 77)); }
cat > "$aside/test_package.py" << 'EOF'
import numpy as np
import pytest
import copycheck as package

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
ADD = HEAD + """.visible .entry add(.param .u64 p, .param .u32 n, .param .f32 v)
{ .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %d<4>; .reg .pred %p;
  mov.u32 %r0, %tid.x; ld.param.u32 %r1, [n]; setp.ge.u32 %p, %r0, %r1; @%p ret;
  ld.param.u64 %d0, [p]; ld.param.f32 %f1, [v]; mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;
  ld.global.f32 %f0, [%d0]; add.f32 %f0, %f0, %f1; st.global.f32 [%d0], %f0; ret; }"""
EARLY = HEAD + """.visible .entry early(.param .u64 in, .param .u64 out)
{ .reg .b32 %r<3>; .reg .b64 %rd<3>; .shared .align 16 .b8 tile[16];
  mov.u32 %r1, tile; ld.param.u64 %rd1, [in]; cp.async.ca.shared.global [%r1], [%rd1], 16;
  cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r2, [%r1];
  ld.param.u64 %rd2, [out]; st.global.u32 [%rd2], %r2; ret; }"""


def test_clean():
    x = np.zeros(64, np.float32)
    result = package.check(ADD, "add", 1, 64, [x, 50, 1.5])
    assert result and result.clean and not result.findings and x.sum() == 75
    package.check(ADD, None, grid=(1, 1), block=[64], args=[x, np.int32(1), np.float32(0.25)])
    assert x[0] == 1.75 and x[1] == 1.5


def test_diagnosed():
    x = np.arange(64, dtype=np.uint32)
    result = package.check(EARLY, block=1, args=[x, package.empty(64, np.uint32)])
    assert not result and result.rules == ["group.wait.n"] and result.status == 1
    assert result.findings[0].here.ptx.startswith("ld.shared") and "wait_group" in repr(result)
    assert "<table>" in result._repr_html_()


def test_unwritten():
    result = package.check(ADD, block=64, args=[package.empty(64), 50, 1.0])
    assert result.rules == ["order.unwritten"]


def test_errors():
    x = np.zeros(64, np.float32)
    for args in ([x], [x, 50, 1.0, 2.0], [x, 1.5, 1.0], [x[::2], 5, 1.0]):
        with pytest.raises(package.Error):
            package.check(ADD, "add", 1, 64, args)
    with pytest.raises(package.Error, match="no kernel"):
        package.check(ADD, "sub", 1, 64, [x, 50, 1.0])
    with pytest.raises(package.Error, match="no --|no option"):
        package.check(ADD, "add", 1, 64, [x, 50, 1.0], options=["--nonsense=1"])


def test_maps():
    assert package.encode(type="f32", dims=(64, 64), strides=(256,), box=(32, 8)) == ""
    assert "gstride16" in package.encode(type="f32", dims=(64, 64), strides=(257,), box=(32, 8))
    x = np.zeros((16, 64), np.uint8)
    takes = HEAD + ".visible .entry takes(.param .align 64 .b8 map[128], .param .u64 x) { ret; }"
    assert package.check(takes, block=1, args=[package.Map(x, box=(64, 8)), x])
    with pytest.raises(package.Error, match="boxDim"):
        package.check(takes, block=1, args=[package.Map(x, box=(64, 300)), x])


def test_assemble():
    package.assemble(ADD)
    with pytest.raises(package.Error, match="error:"):
        package.assemble(ADD.replace("add.f32", "add.f33"))


def test_fixture(copycheck):
    copycheck(ADD, "add", 1, 64, [np.zeros(64, np.float32), 50, 1.5])
EOF
export COPYCHECK_LIBRARY=$PWD/$build/libcopycheck.so.1 PYTHONPATH=$PWD/tools/python:${PYTHONPATH:-}
if python3 -c 'import pytest' 2> /dev/null; then
    (cd "$aside" && python3 -m pytest -q -p copycheck.pytest_plugin -p no:cacheprovider test_package.py) > "$aside/out" 2>&1 ||
        wrong "$(tail -n 40 "$aside/out")"
else
    echo 'skipped: python3 has no pytest'
fi
exit $failed
# SPDX-License-Identifier: Apache-2.0
