#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the fuzz targets as OSS-Fuzz wants them: OUT/fuzz-TARGET, with OUT/fuzz-TARGET_seed_corpus.zip, .dict and .options.
# OSS-Fuzz's environment has OUT, CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE.  It runs the targets on another system, so they
# are built without libraries.  By hand, with clang's libFuzzer:
#
#	flags='-O1 -g -fsanitize=address,fuzzer-no-link'
#	OUT=/tmp/out CC=clang CXX=clang++ CFLAGS=$flags CXXFLAGS=$flags LIB_FUZZING_ENGINE=-fsanitize=fuzzer tests/fuzz/oss-fuzz/build.sh

set -eu
source=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$source"
test -x configure || autoreconf -fi
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cd "$build"
export LIB_FUZZING_ENGINE
"$source/configure" --disable-shared --enable-fuzzing --without-libarchive --without-libbfd --without-libiberty --without-zlib --without-zstd
# An engine may need the library of C++.
make -j"$(nproc)" fuzz-targets CCLD="$CXX"
# The programs that make seeds are built with sanitizers, too, and leave what they have when they end.
srcdir=$source top_builddir=$build ASAN_OPTIONS=detect_leaks=0 sh "$source/tests/fuzz/seeds.sh" "$build/corpus"
mkdir -p "$OUT"
for path in tests/fuzz/fuzz-*; do
	test -x "$path" && test -f "$path" || continue
	name=$(basename "$path")
	target=${name#fuzz-}
	cp "$path" "$OUT/$name"
	rm -f "$OUT/${name}_seed_corpus.zip"
	(cd "corpus/$target" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
	dictionary=$target
	test "$target" != filter || dictionary=tokens
	test "$target" != kernel || dictionary=image
	test ! -f "$source/tests/fuzz/dict/$dictionary.dict" || cp "$source/tests/fuzz/dict/$dictionary.dict" "$OUT/$name.dict"
	printf '[libfuzzer]\nmax_len = 65536\ntimeout = 20\n' >"$OUT/$name.options"
done
