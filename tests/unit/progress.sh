#!/bin/sh
# On a terminal a long launch says how far it has come, and wipes that away when it ends; in a file nothing of it stands.
# The line does not go by the clock that somebody may set back.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
command -v python3 > /dev/null || { echo 'needs python3'; exit 77; }

cat > "$aside/long.ptx" << 'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
    .reg .pred %p;
    .reg .b32 %r<2>;
    mov.u32 %r1, 0;
L:  add.u32 %r1, %r1, 1;
    setp.ne.u32 %p, %r1, 0;
@%p bra L;
    ret;
}
PTX
# until: when the line has come, the launch is interrupted as by Ctrl-C; without it, it would run into the test's limit
cat > "$aside/terminal.py" << 'PY'
import os, pty, select, signal, sys, time
child, terminal = pty.fork()
if not child:
    os.execv(sys.argv[1], sys.argv[1:])
said, limit, sent = b"", time.monotonic() + 60, False
while time.monotonic() < limit:
    if select.select([terminal], [], [], 0.2)[0]:
        try:
            said += os.read(terminal, 4096)
        except OSError:
            break  # it has ended
    if b"million instructions" in said and not sent:
        os.write(terminal, b"\x03")
        sent = True
if not sent:
    os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
sys.stdout.write(said.decode(errors="replace"))
PY
python3 "$aside/terminal.py" "$copycheck" check "$aside/long.ptx" --block 1 --max-instructions 100000000000 > "$aside/out" 2>&1
tr '\r' '\n' < "$aside/out" | grep -Eq '^schedule [0-9]+: [0-9]+\.[0-9] million instructions, 0 of 1 clusters have ended' ||
    wrong "on a terminal: $(cat -v "$aside/out")"
"$copycheck" check "$aside/long.ptx" --block 1 --max-instructions 60000000 > "$aside/out" 2>&1 # more than a second
grep -q 'million instructions, ' "$aside/out" && wrong "in a file: $(cat "$aside/out")"
exit $failed
# SPDX-License-Identifier: Apache-2.0
