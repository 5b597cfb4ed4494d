#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# copy.sh TOP DIRECTORY VERSION LIST FILE... [LIST FILE...]...
#
# Make DIRECTORY anew: copy each FILE, which is below TOP or, if the build makes it, below the current directory, and
# all files that they include, in their folders without "src/" and "host/".  Also copy TOP/host/*.in, and replace
#
#	@VERSION@	by VERSION
#	@LIST@		by the FILEs after the word LIST, each on its own line, and a space before the first
#
# A LIST is a word without a dot.

set -eu
top=$1 to=$2 version=$3
shift 3
rm -rf "$to-t"
mkdir -p "$to-t/list"
build=$(pwd)
parent=$(cd "$to-t/.." && pwd)
to=$parent/$(basename "$to")
work=$to-t
cd "$top"
# Let "sort" and "comm" use the same order.
LC_ALL=C
export LC_ALL

script="s/@VERSION@/$version/"
list= files=
# Add the line for the list that has ended to the script, and begin the next one.
complete () {
	test -z "$list" || script="$script;s|@$list@|$files|"
	list=$1 files=
}
for word in "$@"; do
	case $word in
	*.*) ;;
	*)	complete "$word"
		continue ;;
	esac
	name=${word#src/}
	test -z "$files" || files="$files\\
   "
	files="$files ${name#host/}"
	echo "$word" >>"$work/list/all"
done
complete ''

# found FILE: print its path.
found () {
	test -f "$1" && echo "$1" || echo "$build/$1"
}
# Add the files that the listed files include, until nothing new is found.
cp "$work/list/all" "$work/list/new"
while test -s "$work/list/new"; do
	while read -r file; do
		printf '"%s"\n' "$(found "$file")"
	done <"$work/list/new" >"$work/list/paths"
	xargs sed -n 's/^#[ 	]*include "\([^"]*\)".*/\1/p' <"$work/list/paths" | sort -u | while read -r name; do
		for file in "src/$name" "$name" "compat/$name"; do
			if test "$name" != config.h && test -f "$(found "$file")"; then
				echo "$file"
				break
			fi
		done
	done | sort -u >"$work/list/included"
	sort -u "$work/list/all" -o "$work/list/all"
	comm -23 "$work/list/included" "$work/list/all" >"$work/list/new"
	cat "$work/list/new" >>"$work/list/all"
done
sort "$work/list/all" | while read -r file; do
	name=${file#src/}
	name=${name#host/}
	case $name in
	*/*) test -d "$work/${name%/*}" || mkdir -p "$work/${name%/*}" ;;
	esac
	cp "$(found "$file")" "$work/$name"
done
for template in CMakeLists.txt config.h; do
	sed "$script" "host/$template.in" >"$work/$template"
done
rm -r "$work/list"
if grep -n '@[a-z]*@' "$work/CMakeLists.txt" "$work/config.h" >&2; then
	echo "copy.sh: no such list" >&2
	exit 1
fi
chmod -R u+rwX,go+rX,go-w "$work"
rm -rf "$to"
mv "$work" "$to"
