#!/bin/sh
# The checks of structure: a small tree with a circle of files, a circle of folders and an arrow that is not allowed,
# each named with both functions; functions that nothing
# calls; comments that name a file which is gone; and a file and a function that are too long.
top=$(cd "$(dirname "$0")/../.." && pwd)
command -v objdump > /dev/null && command -v nm > /dev/null || { echo "binutils is not installed"; exit 77; }
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree" || exit 1
mkdir -p src/low src/high
echo 'int low_one(int x);' > src/low/one.h
echo 'int high_two(int x);' > src/high/two.h
echo 'int high_three(int x);' > src/high/three.h
echo '#include "src/low/one.h"
int low_one(int x) { return x + 1; }' > src/low/one.c
echo '#include "src/high/two.h"
#include "src/low/one.h"
int high_two(int x) { return low_one(x); }' > src/high/two.c
echo '#include "src/high/three.h"
#include "src/high/two.h"
static int (*const table[])(int) = { high_two };
int high_three(int x) { return table[x & 0](x); }' > src/high/three.c
printf '%s\n' '| room | what it holds | may call or include |' '|---|---|---|' '| `src/low` | x | |' \
    '| `src/high` | x | `src/low` |' > table.md

build() {
    for f in src/*/*.c; do
        mkdir -p "objects/$(dirname "$f")"
        gcc -O0 -ffunction-sections -fdata-sections -I. -c "$f" -o "objects/${f%.c}.o" || exit 1
    done
}
refused() { # TEXT...: tools/rooms fails, and says each of them
    "$top/tools/rooms" objects table.md src > out 2>&1 && { echo "accepted, but expected: $1"; exit 1; }
    for text; do
        grep -qF "$text" out || { echo "not said: $text"; cat out; exit 1; }
    done
}

build
"$top/tools/rooms" objects table.md src > out 2>&1 || { echo "a tree without fault is refused:"; cat out; exit 1; }

# A call up, through a pointer in a table: a circle of folders, and an arrow that is not allowed.
echo 'int high_two(int x);
int (*const up[])(int) = { high_two };
int low_one(int x) { return up[0](x); }' > src/low/one.c
build
refused 'src/low may not use src/high: up (src/low/one.c) refers to high_two (src/high/two.c)' 'a circle of folders:' \
    'a circle of files:' 'high_two (src/high/two.c) refers to low_one (src/low/one.c)'

# The same as an include.
printf '#include "src/high/two.h"\nint low_one(int x) { return x; }\n' > src/low/one.c
build
refused 'src/low may not use src/high: src/low/one.c includes src/high/two.h' 'a circle of folders:'

# A circle of two files of one folder.
echo 'int low_one(int x) { return x; }' > src/low/one.c
echo '#include "src/high/three.h"
int high_two(int x) { return x ? high_three(x - 1) : 0; }' > src/high/two.c
build
refused 'a circle of files:' 'high_two (src/high/two.c) refers to high_three (src/high/three.c)' \
    'high_three (src/high/three.c) refers to high_two (src/high/two.c)'
grep -q 'circle of folders' out && { echo "a circle of folders where there is none"; exit 1; }

# A function that nothing refers to, unless another program does.
mkdir users
USERS=users "$top/tools/rooms" objects table.md src > out 2>&1
grep -qxF 'low_one (src/low/one.c): nothing refers to it' out || { cat out; exit 1; }
echo 'int low_one(int); int other(void); int other(void) { return low_one(1); }' > user.c
gcc -c user.c -o users/user.o
USERS=users "$top/tools/rooms" objects table.md src > out 2>&1
grep -q 'low_one.*nothing refers' out && { cat out; exit 1; }

# Libraries of their own that define the same name: for each, it is its own.
echo 'int low_one(int x) { return x; }' > src/low/one.c
echo '#include "src/low/one.h"
int high_two(int x) { return low_one(x); }' > src/high/two.c
mkdir -p src/inside src/inject
echo 'int same(int x); __attribute__((visibility("default"))) int same(int x) { return x; }' > src/inside/same.c
echo 'int same(int x); __attribute__((visibility("default"))) int same(int x) { return x; }' > src/inject/same.c
echo 'int same(int x); int call(int x); __attribute__((visibility("default"))) int call(int x) { return same(x); }' > src/inject/call.c
echo 'int same(int x); int high_three(int x) { return same(x); }' > src/high/three.c
printf '%s\n' '| `src/low` | x | |' '| `src/high` | x | `src/low` |' '| `src/inside` | x | |' '| `src/inject` | x | |' > table.md
build
echo 'int high_two(int); int high_three(int); int more(void); int more(void) { return high_two(1) + high_three(1); }' > user.c
gcc -c user.c -o users/more.o
USERS=users "$top/tools/rooms" objects table.md src > out 2>&1 || { echo "libraries with the same name:"; cat out; exit 1; }

# A room without a row; a row without a room.
printf '%s\n' '| `src/high` | x | `src/low` |' '| `src/attic` | x | |' > table.md
refused 'table.md: no row for the room src/low' 'table.md: the room src/attic is not there'
"$top/tools/rooms" objects /nowhere src > out 2>&1
[ $? = 2 ] || { echo "a table that is not there: not status 2"; exit 1; }

# Files that comments name.
git init -q .
printf '%s\n' '/* As in one.c and src/high/two.h, not in gone.c. */' 'const char *s = "user.md";' '// nor in src/low/two.h' \
    > cites.c
"$top/tools/citations" cites.c > out && { echo "citations: accepted"; exit 1; }
grep -qxF 'cites.c:1: names gone.c, which is no file of the tree' out || { cat out; exit 1; }
grep -qxF 'cites.c:3: names src/low/two.h, which is no file of the tree' out || { cat out; exit 1; }
[ "$(wc -l < out)" = 2 ] || { cat out; exit 1; }

# Sizes.
{ echo 'static int long_one(void)'; echo '{'; for i in $(seq 79); do echo "    x = $i;"; done; echo '}'; } > long.c
{ echo 'static const int rows[] = {'; for i in $(seq 100); do echo "    $i,"; done; echo '};'; } > rows.c
{ for i in $(seq 601); do echo "int x$i;"; done; } > big.c
cp big.c big.def
"$top/tools/sizes" long.c rows.c big.c big.def > out && { echo "sizes: accepted"; exit 1; }
grep -q '^long.c:1: long_one has 82 lines; a function has at most 80$' out || { cat out; exit 1; }
grep -q '^big.c: 601 lines; a file has at most 600$' out || { cat out; exit 1; }
[ "$(wc -l < out)" = 2 ] || { cat out; exit 1; }
# SPDX-License-Identifier: Apache-2.0
