#!/bin/sh
# tools/listing-variants: each mark makes a kernel in which the marked lines are changed, and nothing else.
set -eu
cd "$(dirname "$0")/../.."
page=$(mktemp) want=$(mktemp) got=$(mktemp)
trap 'rm -f "$page" "$want" "$got"' EXIT

cat > "$page" << 'END'
int two();

extern "C" __global__ void __cluster_dims__(2) first(const int first_one,
                                                     int b)
{
    a(); //! out
    b(); //! other: c();
    //! other: d(); // to the end
    e(); //!no mark
    f(); //! out
}

extern "C" __global__ void second()
{
}
END
cat > "$want" << 'END'
#line 1 "PAGE"
int two();

extern "C" __global__ void __cluster_dims__(2) first(const int first_one,
                                                     int b)
{
    a(); //! out
    b(); //! other: c();
    //! other: d(); // to the end
    e(); //!no mark
    f(); //! out
}

#line 3 "PAGE"
extern "C" __global__ void __cluster_dims__(2) first__out(const int first_one,
                                                     int b)
{

    b(); //! other: c();
    //! other: d(); // to the end
    e(); //!no mark

}

#line 3 "PAGE"
extern "C" __global__ void __cluster_dims__(2) first__other(const int first_one,
                                                     int b)
{
    a(); //! out
c();
d(); // to the end
    e(); //!no mark
    f(); //! out
}
#line 12 "PAGE"

extern "C" __global__ void second()
{
}
#line 16 "PAGE"
END
tools/listing-variants "$page" | sed "s|$page|PAGE|" > "$got"
cmp -s "$want" "$got" || {
    diff "$want" "$got"
    exit 1
}
# SPDX-License-Identifier: Apache-2.0
