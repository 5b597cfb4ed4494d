# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our own long options on the command line, and their place in the usage text.  GNU's are in witness-gnu.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe

# refused NAME MESSAGE ARGUMENT...: two lines, of which the second says where help is.
refused () {
	refused_name=$1
	refused_message=$2
	shift 2
	check "$refused_name" -s 1 -e "rossym-addr2line: $refused_message
Try 'rossym-addr2line --help' for more information." rossym-addr2line "$@" </dev/null
}

# Options of llvm-symbolizer for what has another name here, whole only.
alike () {	# WHAT OURS THEIRS
	# shellcheck disable=SC2086
	rossym-addr2line $2 >alike.want
	# shellcheck disable=SC2086
	check "$1" -O alike.want rossym-addr2line $3 </dev/null
}

cases 'option=ADDR'
on_windows || {
	printf '#!/bin/sh\necho "$@"\n' >other
	chmod +x other
	echo text >none.exe
	cases 'the fallback gets synonyms translated'
}

done_testing
