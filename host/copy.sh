#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# copy.sh TOP DIRECTORY VERSION LIST FILE... [LIST FILE...]...
#
# Make DIRECTORY anew: a copy of each FILE below TOP, in the folders that it has there without "src/" and "host/", and the files
# TOP/host/*.in with what they ask for in place of
#
#	@VERSION@	VERSION
#	@LIST@		the FILEs after the word LIST that end with .c or .rc, each on its own line, and a space before the first
#
# A LIST is a word without a dot.

set -eu
top=$1 directory=$2 version=$3
shift 3

rm -rf "$directory-t"
mkdir -p "$directory-t"
to=$(cd "$directory-t" && pwd)
# Copy the files of $batch, which are below TOP, to $folder; one call for many of them, for there are hundreds.
folder= batch=
copy () {
	# shellcheck disable=SC2086
	test -z "$batch" || (cd "$top" && cp $batch "$to/$folder")
	batch=
}
script="s/@VERSION@/$version/"
list= files=
# The next LIST, or the end, completes a line of the script.
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
	name=${name#host/}
	case $word in
	*.c | *.rc)
		test -z "$files" || files="$files\\
   "
		files="$files $name" ;;
	esac
	case $name in
	*/*) into=${name%/*} ;;
	*) into=. ;;
	esac
	if test "$into" != "$folder"; then
		copy
		folder=$into
		test -d "$to/$folder" || mkdir -p "$to/$folder"
	fi
	batch="$batch $word"
done
copy
complete ''
for template in CMakeLists.txt config.h; do
	sed "$script" "$top/host/$template.in" >"$directory-t/$template"
done
if grep -n '@[a-z]*@' "$directory-t/CMakeLists.txt" "$directory-t/config.h" >&2; then
	echo "copy.sh: no such list" >&2
	exit 1
fi
chmod -R u+rwX,go+rX,go-w "$directory-t"
rm -rf "$directory"
mv "$directory-t" "$directory"
