# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line of rossym-embed.

. "${srcdir:-.}/tests/lib/tap.sh"

# refused MESSAGE ARGUMENT...: two lines, of which the second says where help is.
refused () {
	refused_message=$1
	shift
	check "refused: $*" -s 1 -e "rossym-embed: $refused_message
Try 'rossym-embed --help' for more information." rossym-embed "$@" </dev/null
}

# asked TABLE: what TABLE says about the addresses of `asked'
asked () {
	rossym-addr2line -f -i -a -e "$1" <asked
}
wrong () {
	printf '0x1000\t1\tf\tf.c\t1\t0\n%b\n' "$1" >bad
	check "a dump with $1" -s 1 -e "rossym-embed: bad:2: $2" rossym-embed --from-dump=bad --table-only never </dev/null
}

files () {
	rossym-embed --from-dump=rows.escaped --table-only "$@" t.sym && rossym-addr2line --dump -e t.sym | cut -f 4
}

cases '--help'

done_testing
