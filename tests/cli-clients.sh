# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the manual says about programs that read the output.  cli-streams.sh has those that ask line by line.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/examples.sh"

printf '%b' \
	'1000\t16\tmain\tmain.c\t1\t0\n' \
	'1010\t16\tmix(int, char)\ti o/mix.h\t3\t0\n1010\t16\tIrp::complete\t/abs/irp.cpp\t30\t1\n' \
	'1020\t16\tasm\tasm.S\t0\t0\n' \
	'1030\t16\tname\t\t0\t0\n' >rows
for bits in 32 64; do
	printf 'pe%s base=0x400000\nsection .text size=0x4000\n' $bits | "$MKIMAGE" - bare.exe || exit 99
	rossym-embed --from-dump=rows bare.exe x$bits.exe || exit 99
done
examples_of_man "$SRC/man/rossym-addr2line.1" 'USE AS A COPROCESS' | sed 's/^    //' >displays
addresses='401000 401010 401020 401030 402000 0'

# ---- vim: the errorformat is the manual's ----

if has vim && vim --version | grep -q '+quickfix'; then
	{
		echo 'set nocompatible'
		sed -n '/^let &errorformat/,/^$/p' displays
		cat <<-'END'
			cgetfile answers
			let list = map(getqflist(), {key, e -> e.valid . '|' . bufname(e.bufnr) . '|' . e.lnum . '|' . e.text})
			call writefile(list, 'list')
			qall!
		END
	} >read.vim
	vim_reads () {
		rossym-addr2line "$1" -e $2 $addresses >answers
		rm -f list
		HOME=$tap_tmp vim -es -u NONE -N -i NONE -S read.vim </dev/null >/dev/null 2>&1
		cat list
	}
	for image in x32.exe x64.exe; do
		check "vim: -p, $image" vim_reads -p $image <<-'END'
			1|main.c|1|
			1|i o/mix.h|3|
			1|asm.S|0|
		END
		check "vim: -ip, $image" vim_reads -ip $image <<-'END'
			1|main.c|1|
			1|i o/mix.h|3|
			1|/abs/irp.cpp|30|
			1|asm.S|0|
		END
		check "vim: -fp, $image" vim_reads -fp $image <<-'END'
			1|main.c|1|main
			1|i o/mix.h|3|mix(int, char)
			1|asm.S|0|asm
		END
		check "vim: -aip, $image" vim_reads -aip $image <<-'END'
			1|main.c|1|
			1|i o/mix.h|3|
			1|/abs/irp.cpp|30|
			1|asm.S|0|
		END
	done
	check 'vim: -afip' vim_reads -afip x32.exe <<-'END'
		1|main.c|1|0x00401000: main
		1|i o/mix.h|3|0x00401010: mix(int, char)
		1|/abs/irp.cpp|30| (inlined by) Irp::complete
		1|asm.S|0|0x00401020: asm
	END
else
	skip 'vim' 'no vim with lists of errors'
fi

# ---- perf: the script is the manual's ----

sed -n '/^#!\/bin\/sh/,/^$/p' displays >perf-script
check 'perf: its numbers, for an image' -i '0000000000001010\n,\n' sh perf-script -e x32.exe -i -f <<'END'
mix(int, char)
i o/mix.h:3
Irp::complete
/abs/irp.cpp:30
??
??:0
END
ok 'perf: other files go elsewhere' grep -q '^\*) exec /usr/bin/addr2line' perf-script

# ---- seastar-addr2line: the answer to an address that is no number ends a query ----

seastar () {
	echo | "$@" -Cfpia 2>/dev/null | grep -c '^0x0000000000000000: ?? ??:0$'
}
check 'seastar: a 64-bit image' seastar rossym-addr2line -e x64.exe <<'END'
1
END
check 'seastar: a 32-bit image' -s 1 seastar rossym-addr2line -e x32.exe <<'END'
0
END
if has addr2line && addr2line --help | grep -q ' pei-i386'; then
	check 'seastar: from addr2line neither' -s 1 seastar addr2line -e "$DATA/dwarf32.nostrip.exe" <<-'END'
		0
	END
else
	skip 'seastar: from addr2line neither' 'no addr2line for PE'
fi

# ---- line ends ----

crlf () {
	printf '401000\r\n401010\r\n401000' | rossym-addr2line -e x32.exe | od -An -c | tr -d ' \n'
	echo
}
check 'carriage returns come in, and none goes out' crlf <<'END'
main.c:1\nio/mix.h:3\nmain.c:1\n
END

done_testing
