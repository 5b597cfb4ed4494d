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

cases '--help'
for bad in ':no address' ' :no address' 'main:not a hexadecimal number' '0x:not a hexadecimal number' \
	'12 13:not a hexadecimal number' '100000000:not an RVA: larger than ffffffff' '123456789abcdef01:not an RVA: larger than ffffffff'; do
	printf '1000\n%s\n' "${bad%%:*}" >list
	check "a line that is '${bad%%:*}'" -s 1 -e "rossym-embed: list:2: ${bad#*:}: '${bad%%:*}'" \
		rossym-embed --table-only --for=list s.exe never </dev/null
done
# asked TABLE: what TABLE says about the addresses of `asked'
asked () {
	rossym-addr2line -f -i -a -e "$1" <asked
}
wrong () {
	printf '0x1000\t1\tf\tf.c\t1\t0\n%b\n' "$1" >bad
	check "a dump with $1" -s 1 -e "rossym-embed: bad:2: $2" rossym-embed --from-dump=bad --table-only never </dev/null
}

cases 'a NUL'
if test -e /dev/full && ! on_windows || skip 'a full disk' 'no /dev/full'; then
	check 'a full disk' -s 1 -e 'rossym-embed: cannot write standard output: No space left on device' \
		sh -c 'exec rossym-embed --from-dump=rows --table-only - >/dev/full' </dev/null
fi
if ! on_windows && terminal --test || skip 'a terminal gets no table' 'no terminal can be made'; then
	check 'a terminal gets no table' sh -c \
		'terminal "rossym-embed --from-dump=rows --table-only -" | tr -d "\r"' </dev/null <<-'EOT'
		rossym-embed: a table is not written to a terminal
	EOT
fi

# ----------------------------------------------------------------------------------------------- paths

files () {
	rossym-embed --from-dump=rows.escaped --table-only "$@" t.sym && rossym-addr2line --dump -e t.sym | cut -f 4
}

cases '-s'
ok 'none is too long' sh -c '! rossym-addr2line --check -e t.sym | grep "too long"'
if rossym-embed --version | grep -q 'Demangler: libiberty'; then
	cases 'a C++ name loses its parameters'
fi
check 'a path keeps its end' sh -c 'rossym-addr2line -e t.sym 1000 | tail -c 19' <<-'EOT'
	directory/file.c:1
EOT

done_testing
