# SPDX-License-Identifier: GPL-2.0-or-later
#
# Under the name addr2line, also after a triplet of MinGW, and with --fallback: files that this program cannot answer for go to
# another addr2line, which gets all that this one got.  tests/tools/next-addr2line.c says what it was given.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

unset NEXT NEXT_STATUS NEXT_SIGNAL
system=$PATH
mkdir own next
program "$PWD/own/addr2line" "$ADDR2LINE_BIN" || exit 99

small_image x.exe
build plain.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
END
build damaged.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
rossym rva=0x4000
row 0x1000 main main.c 3
row 0x1010 main main.c 4
poke rossym+4 u32=0x11
END
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\76\0 and so on' >elf
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0\76\0 and so on' >core
printf '!<arch>\n' >lib.a
printf '\114\1\1\0 and so on, which is no object' >object.obj
echo text >text
: >empty
mkdir directory

# unread PROGRAM: what it says of elf.
unread () {
	printf '%s\n' "$1: elf: file format not recognized" "$1: elf: at 0x0: an ELF file"
}

if on_windows; then
	check 'on Windows there is no other program' -s 1 -e "$(unread addr2line)" \
		own/addr2line -e elf 0 </dev/null
	check 'nor with --fallback' -s 1 -e "$(unread rossym-addr2line)" \
		rossym-addr2line --fallback=other -e elf 0 </dev/null
	check 'which is no obstacle to answers' rossym-addr2line --fallback other -e x.exe 401010 <<-'END'
		main.c:4
	END
	done_testing
fi

ln -s "$tap_build/tests/tools/next-addr2line" next/addr2line || exit 99
here=$PWD

# ours WORD...: addr2line is ours, and next comes the one that says what it was given.
ours () {
	PATH=$here/own:$here/next:$system addr2line "$@"
}
# alone WORD...: the same, but there is no other.
alone () {
	PATH=$here/own addr2line "$@"
}

on_one () {
	check "alone: $1" -s 1 -e "addr2line: $2" alone -e $1 0 </dev/null
}

# found NAME PATH [WANTED-DIRECTORY]: with this PATH, the next one is the one in that directory, or there is none.
found () {
	if test $# -eq 3; then
		check "$1" env PATH="$2" "$here/own/addr2line" -e elf <<-END
			$3
		END
	else
		check "$1" -s 1 -e "$(unread "$here/own/addr2line")" \
			env PATH="$2" "$here/own/addr2line" -e elf </dev/null
	fi
}

# named WORD...: under our own name.
named () {
	PATH=$here/own:$here/next:$system rossym-addr2line "$@"
}
cannot_run () {
	check "cannot be run: $1" -s 1 -e "rossym-addr2line: cannot run the fallback '$1': $2
$(unread rossym-addr2line)" named --fallback="$1" -e elf </dev/null
}

cases 'an image with a table does not'
if test -z "$gnu" || ! "$gnu" --version 2>/dev/null | grep -q '^GNU addr2line'; then
	no_witness 'GNU addr2line is next' 'there is none'
	done_testing
fi
before_gnu () {
	PATH=$here/own:$system addr2line "$@"
}
for file in elf lib.a text "$own_file"; do
	"$gnu" -e "$file" -f 0 main >gnu.out 2>gnu.err
	status=$?
	sed 's,^[^:]*: ,addr2line: ,' gnu.err >wanted
	check "GNU's own answer: ${file##*/}" -s $status -E wanted -O gnu.out before_gnu -e "$file" -f 0 main
done

# As perf does: a coprocess for each file, which answers before it gets the next line.  The answer to "," ends a query.
mkfifo to from
partner () {
	before_gnu -e "$1" -a -i -f <to >from &
	exec 7>to 8<from
	printf '%s\n,\n' "$2" >&7
	while IFS= read -r line <&8; do
		case $line in
		0x0000000000000000 | 0x00000000) break ;;
		*) echo "$line" ;;
		esac
	done
	exec 7>&-
	cat <&8 >/dev/null
	exec 8<&-
	wait $!
	echo "status $?"
}
elf_and_pe () {
	partner "$own_file" "$main"
	partner x.exe 401010
	partner "$own_file" "$main"
}
main=$(nm "$own_file" 2>/dev/null | sed -n 's/ T main$//p')
if test -n "$main" || skip 'ELF and PE in turn, as perf asks' 'no symbols in our own file'; then
	{
		"$gnu" -a -i -f -e "$own_file" $main; echo 'status 0'
		printf '%s\n' 0x00401010 main main.c:4 'status 0'
		"$gnu" -a -i -f -e "$own_file" $main; echo 'status 0'
	} >wanted
	check 'ELF and PE in turn, as perf asks' -O wanted elf_and_pe
fi

# The links of an installation.
installed_links () {
	for link in root/lib/rossym/bin/*; do
		test ! -h "$link" || echo "${link##*/} $(readlink "$link" | sed 's,.*/,,')"
	done
}
install_links () (
	# An outer make's options and job server are not for this one.
	unset MAKEFLAGS MFLAGS MAKELEVEL
	"${MAKE:-make}" -s -C "$tap_build" DESTDIR="$here/root" prefix= "$1"
)
if has "${MAKE:-make}" || skip 'links are installed' 'no make'; then
	cases 'one for each older program'
fi

# perf itself, where the system lets it record something: the same with us in PATH as without.
if witness perf && HOME=$tap_tmp perf record -o perf.data -e task-clock:u -q -- sh -c 'i=0; while test $i -lt 20000; do i=$((i + 1)); done' \
	>/dev/null 2>&1 && test -s perf.data; then
	HOME=$tap_tmp perf script -i perf.data -F ip,srcline >perf.want 2>/dev/null
	ok 'perf script has samples' test -s perf.want
	with_us () {
		HOME=$tap_tmp PATH=$here/own:$system perf script -i perf.data -F ip,srcline
	}
	check 'perf script' -O perf.want -g '*' with_us
else
	no_witness 'perf script' 'no perf, or it cannot record here'
fi

done_testing
