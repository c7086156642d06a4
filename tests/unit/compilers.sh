#!/bin/sh
# The engines that ask a compiler, with compilers that are scripts: what is accepted, refused, broken or not to be run
# becomes which outcome; a toolkit that is not what its name says is none.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/unit/common
cd "$aside" || exit 2
own_program
kit=own/toolkits/13.5
mkdir -p $kit/bin $kit/nvvm/bin own/toolkits/cutile-1.7 bin

# script FILE LINE...: a program
script()
{
    file=$1
    shift
    { echo '#!/bin/sh'; printf '%s\n' "$@"; } > "$file.new"
    chmod +x "$file.new"
    mv "$file.new" "$file" # a program that runs may not be written to
}
# nvcc LINE...: what the compiler does with a source; the object's file is the last argument
nvcc()
{
    script $kit/bin/nvcc 'case $1 in --version) echo "Cuda compilation tools, release 13.5, V13.5.27"; exit;; esac' \
        'while [ $# -gt 1 ]; do shift; done' 'cat > /dev/null' "$@"
}
script $kit/bin/ptxas 'echo "Cuda compilation tools, release 13.5, V13.5.27"'
script $kit/bin/tileiras
script $kit/nvvm/bin/cicc
script bin/python3 'exit 9'
PATH=$aside/bin:$PATH
export PATH

# row ENGINE POINT VERDICT [WORDS]: the point's verdict on the engine, and what its record says
row()
{
    rm -f records
    timeout 60 "$program" run --engine "$1" --no-recorded --out records --jobs 1 "$2" > out 2>&1
    grep -q "\"verdict\":\"$3\"" records && grep -qF -- "${4:-}" records ||
        wrong "$1 $2: not $3 with '${4:-}': $(grep '"point"' records || cat out)"
}

# ---- nvcc: an error's line and message, whoever of it says so; what the object holds ----
trivial=cxx.memcpy.trivial:refuse=own
nvcc 'echo "in.cu(7): error: memcpy_async requires a trivially copyable type"; exit 2'
row nvcc-13.5 $trivial pass
row nvcc-13.5 cxx.memcpy.trivial:accept=int fail 'memcpy_async requires a trivially copyable type'
nvcc 'echo "in.cu(7): error #20: something else"; exit 2'
row nvcc-13.5 $trivial fail 'must say'
for said in 'nvcc fatal   : no such option' 'error: no memory' 'a.h:1:2: error: no such file'; do
    nvcc "echo '$said'; exit 1"
    row nvcc-13.5 cxx.memcpy.explicit:refuse==_64 pass
    row nvcc-13.5 cxx.memcpy.explicit:accept=_64_ fail "${said##*: }"
done
nvcc 'exit 3'
row nvcc-13.5 cxx.memcpy.explicit:accept=_64_ fail 'exit status 3 without a message'
nvcc 'echo "Signal caught, how odd"; exit 139'
row nvcc-13.5 cxx.memcpy.explicit:refuse==_64 fail 'exit status 139 without a message'
nvcc 'kill -SEGV $$'
row nvcc-13.5 cxx.memcpy.explicit:refuse==_64 fail 'ended by signal 11'
for said in 'Internal error: x' 'internal compiler error' 'Assertion failed in nvcc'; do
    nvcc "echo 'in.cu(1): error: $said'; exit 2"
    row nvcc-13.5 cxx.memcpy.explicit:refuse==_64 fail "$said"
done
nvcc 'echo "in.cu(1): error: static assertion failed"; exit 2'
row nvcc-13.5 cxx.memcpy.explicit:refuse==_64 pass
nvcc 'exit 0' # an object of no bytes
row nvcc-13.5 cxx.memcpy.explicit:accept=_64_ pass
row nvcc-13.5 cxx.memcpy.dispatch-bulk:seen=8 seen 'none of the words'
nvcc 'echo "cp.async.bulk.shared::cluster.global mbarrier.expect_tx" > "$1"'
row nvcc-13.5 cxx.memcpy.dispatch-bulk:seen=8 seen 'cp.async.bulk.shared::cluster.global mbarrier.expect_tx'

# ---- CUDA Tile C++: which images the object holds ----
tag=tile.mem.atomic-order-tag:call=add,accept=__relaxed
nvcc 'echo "in.cu(3): error: no such tag"; exit 2'
row tile-13.5 $tag fail 'no such tag'
row tile-13.5 tile.mem.atomic-order-tag:call=add,refuse=none fail 'must say  no instance of'
nvcc 'echo "in.cu(3): error: no instance of this function"; exit 2'
row tile-13.5 tile.mem.atomic-order-tag:call=add,refuse=none pass
nvcc 'exit 0'
row tile-13.5 $tag pass
# image MARK: an ELF file's head whose machine is 190, and a symbol
image='image() { printf "\177ELF"; head -c 14 /dev/zero; printf "\276\000"; head -c 60 /dev/zero; echo "$1"; }'
images=tile.build.silent-without-flag:seen=-cubin
nvcc "$image" '{ image x; image __CUDA_TILEIR; } > "$1"'
row tile-13.5 $images seen 'holds simt tile'
nvcc "$image" 'image __CUDA_TILEIR > "$1"'
row tile-13.5 $images seen 'holds tile'
nvcc 'echo text > "$1"'
row tile-13.5 $images seen 'holds no image'

# ---- cuTile Python: the last line is its answer ----
load=tile.py.load-form:refuse=a___0_____16__1_
# python LINE...: what it does with a row; first it is asked for its version
python() { script bin/python3 'for last; do :; done' '[ "$last" != version ] || { echo "cuTile 1.7.2"; exit; }' 'cat > /dev/null' "$@"; }
python 'echo "a warning"; echo "refused: 4: index must be scalar"'
row cutile-1.7 $load pass
row cutile tile.py.load-form:accept=a__0__16 fail 'index must be scalar'
python 'echo "done: 0: "'
row cutile $load fail
row cutile tile.py.load-form:accept=a__0__16 pass
python 'echo "failed: 0: KeyError: x"'
row cutile $load fail 'KeyError: x'
python 'exit 5'
row cutile $load fail 'exit status 5 without an answer'
python 'kill -ABRT $$'
row cutile $load fail 'ended by signal 6'

# ---- what is no compiler, or not the one that is named ----
refused() # ENGINE WORDS
{
    refuses "$program" run --engine "$1" --no-recorded --out records $trivial $load
    grep -qF -- "$2" out || wrong "--engine $1: no '$2' in: $(cat out)"
}
refused nvccs "'nvccs'"
refused nvcc-12.4 'no nvcc 12.4 on this machine: tools/toolkit 12.4 fetches one'
refused tile-12.4 'no compiler of CUDA Tile 12.4 on this machine: tools/toolkit 12.4 fetches one'
refused cutile-1.0 'no cutile-1.0 on this machine'
refused ptxas-9.9 'no ptxas 9.9 on this machine: tools/toolkit 9.9 fetches it'
script bin/python3 'exit 9'
refused cutile 'the python3 of this machine cannot load cuda.tile from'
rm -r own/toolkits/cutile-1.7
refused cutile 'no cutile on this machine: tools/toolkit cutile-1.7 fetches it'
mkdir own/toolkits/cutile-1.7
python
rm $kit/bin/tileiras
refused cutile 'needs the tileiras of a toolkit from 13.3 on'
refused tile-13.5 "no nvcc with a tileiras beside it in '$aside/own/toolkits/13.5'"
script $kit/bin/tileiras
script $kit/bin/nvcc 'echo "Cuda compilation tools, release 13.1, V13.1.1"'
refused tile-13.5 'toolkit 13.1 does not compile tile kernels for sm_90: 13.3 and newer do'
script $kit/bin/nvcc 'echo nothing'
refused nvcc-13.5 '--version does not say its version'
script $kit/bin/nvcc 'exit 1'
refused nvcc-13.5 '--version does not say its version'
rm -r $kit/nvvm
refused nvcc-13.5 "no nvcc with a cicc beside it in '$aside/own/toolkits/13.5'"
exit $failed
# SPDX-License-Identifier: Apache-2.0
