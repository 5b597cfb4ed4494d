# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-addr2line --diff with references that do not do what they should: a message, status 2, and always an end.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/truth.sh"

truth_needs
need timeout
nostrip=$DATA/dwarf32.nostrip.exe
truth_table "$nostrip" | truth_image "$nostrip" x.exe

# stand_in NAME: a reference of that name, the script on standard input.  "gnu" in it is the real one.
stand_in () {
	{ echo '#!/bin/sh'; echo 'gnu () { addr2line "$@"; }'; cat; } >"$1"
	chmod +x "$1"
}

# compare REFERENCE [ARGUMENT...]
compare () {
	compare_reference=$1
	shift
	timeout 60 rossym-addr2line -f --diff="$nostrip" -e x.exe --reference="$compare_reference" "$@"
}
five='401610 401622 40163e 401651 401656'

# ------------------------------------------------------------------------------------ such as must work

stand_in buffers <<'EOT'
cat >asked
gnu "$@" <asked >answers
cat answers
EOT
check 'one that answers when all has been asked' compare ./buffers --diff-all=100000 </dev/null
ok 'and it was asked for all, and answered more than a pipe holds' test "$(wc -c <asked)/$(($(wc -c <answers) > 65536))" = 58248/1

stand_in does-not-listen <<'EOT'
exec <&-
cat answers
EOT
check 'one that answers without reading what it is asked' compare ./does-not-listen --diff-all=100000 </dev/null

stand_in one-by-one <<'EOT'
while read -r address; do gnu "$@" "$address"; done
EOT
check 'one that answers at once' compare ./one-by-one $five </dev/null

stand_in crlf <<'EOT'
gnu "$@" | sed "s/$/$(printf '\r')/"
EOT
check 'one from Windows' compare ./crlf $five </dev/null

stand_in discriminators <<'EOT'
gnu "$@" | sed 's/:\([0-9]*\)$/:\1 (discriminator 3)/'
EOT
check 'one with discriminators' compare ./discriminators $five </dev/null

stand_in leaves-a-child <<'EOT'
gnu "$@"
sleep 8 &
EOT
check 'one that leaves the pipe to a process that stays' compare ./leaves-a-child $five </dev/null

mkdir 'a b' && cp crlf 'a b/crlf'
check 'a command with arguments' compare "env A=1 './a b/crlf'" $five </dev/null
cp crlf 'a$b;c'
check 'a name that a shell would take for something else' compare './a$b;c' $five </dev/null

stand_in commands-terminals <<'EOT'
gnu "$@" | sed "s/bug/b$(printf '\033')[2Jg/"
EOT
check 'one with control characters in names' -s 1 \
	-e 'rossym-addr2line: 1 address compared: 1 differs, 0 differ only in what is ignored
rossym-addr2line:         1 line' compare ./commands-terminals 401610 <<'EOT'
0x00401610: line
< KeBugCheckEx@20
< /src/ke/bug.c:16
> KeBugCheckEx@20
> /src/ke/b?[2Jg.c:16
EOT

# ------------------------------------------------------------------------------------ such as are not there

check 'none of that name' -s 2 -e "rossym-addr2line: cannot run the reference 'nosuch-program': No such file or directory" \
	compare nosuch-program $five </dev/null
check 'none of that path' -s 2 -e "rossym-addr2line: cannot run the reference './nosuch': No such file or directory" \
	compare ./nosuch $five </dev/null
check 'none of that name in a command' -s 2 \
	-g "*the reference 'nosuch-program -x' ended after 0 of 5 answers: exit status 127: *" \
	compare 'nosuch-program -x' $five </dev/null
mkdir directory
check 'a directory' -s 2 -e "rossym-addr2line: cannot run the reference './directory': Permission denied" \
	compare ./directory $five </dev/null
check 'one that does not take the arguments' -s 2 \
	-g "*the reference 'addr2line --nonsense' ended after 0 of 5 answers: exit status 1" \
	compare 'addr2line --nonsense' $five </dev/null

# ------------------------------------------------------------------------------------ such as stop

# refuses MESSAGE NAME: about five addresses
refuses () {
	check "$2: $1" -s 2 -e "rossym-addr2line: the reference './$2' $1" compare "./$2" $five </dev/null
}

stand_in silent <<'EOT'
exit 0
EOT
refuses 'ended after 0 of 5 answers' silent

stand_in fails <<'EOT'
exit 3
EOT
refuses 'ended after 0 of 5 answers: exit status 3' fails

stand_in some <<'EOT'
gnu "$@" | head -n 6
EOT
refuses 'ended after 2 of 5 answers' some

stand_in some-and-fails <<'EOT'
gnu "$@" | head -n 6
exit 9
EOT
refuses 'ended after 2 of 5 answers: exit status 9' some-and-fails

stand_in killed <<'EOT'
gnu "$@" | head -n 6
kill -9 $$
EOT
refuses 'ended after 2 of 5 answers: it was killed by signal 9' killed

stand_in all-and-fails <<'EOT'
gnu "$@"
exit 4
EOT
refuses 'answered everything, but: exit status 4' all-and-fails

stand_in hangs-up <<'EOT'
gnu "$@" | head -n 6
exec sleep 100 >&-
EOT
refuses 'ended after 2 of 5 answers: it did not end and was killed' hangs-up

stand_in cut-in-a-line <<'EOT'
gnu "$@" | head -c 20
EOT
refuses 'printed too few lines at answer 1 of 5' cut-in-a-line

stand_in cut-and-fails <<'EOT'
gnu "$@" | head -c 20
exit 6
EOT
refuses 'printed too few lines at answer 1 of 5: exit status 6' cut-and-fails

stand_in stalls <<'EOT'
gnu "$@" | head -n 6
exec sleep 100
EOT
check 'one that stops without going' -s 2 \
	-e "rossym-addr2line: the reference './stalls' did nothing for 1 seconds (--diff-timeout) at answer 2 of 5" \
	compare ./stalls --diff-timeout=1 $five </dev/null

stand_in never-reads <<'EOT'
exec sleep 100
EOT
check 'one that does not even read' -s 2 \
	-e "rossym-addr2line: the reference './never-reads' did nothing for 1 seconds (--diff-timeout) at answer 1 of 6472" \
	compare ./never-reads --diff-timeout=1 --diff-all=100000 </dev/null

# ------------------------------------------------------------------------------------ such as say something else

stand_in no-places <<'EOT'
gnu "$@" | grep -v :
EOT
refuses 'printed too few lines at answer 1 of 5' no-places

stand_in no-frames <<'EOT'
gnu "$@" | grep ^0x
EOT
refuses 'printed too few lines at answer 1 of 5' no-frames

stand_in no-addresses <<'EOT'
gnu "$@" | grep -v ^0x
EOT
refuses 'printed something that is no address at answer 1 of 5' no-addresses

stand_in skips <<'EOT'
gnu "$@" | sed 4,6d
EOT
refuses 'answered for another address at answer 2 of 5' skips

stand_in one-more <<'EOT'
gnu "$@"
printf '0x00401610\nf\nf.c:1\n'
EOT
refuses 'answered more than was asked at answer 6 of 5' one-more

stand_in chatters <<'EOT'
gnu "$@"
echo goodbye
EOT
refuses 'printed too few lines at answer 5 of 5' chatters

stand_in greets <<'EOT'
echo 'Welcome to addr2line'
gnu "$@"
EOT
refuses 'printed something that is no address at answer 1 of 5' greets

stand_in no-place <<'EOT'
gnu "$@" | sed 's/^.*:.*$/nowhere/'
EOT
refuses 'printed something that is no place in a file at answer 1 of 5' no-place

stand_in endless-frames <<'EOT'
echo 0x00401610
exec yes 'f
f.c:1'
EOT
refuses 'prints without end at answer 1 of 5' endless-frames

stand_in endless-line <<'EOT'
echo 0x00401610
exec tr '\0' x </dev/zero
EOT
refuses 'printed a line of more than 1048576 bytes at answer 1 of 5' endless-line

stand_in binary <<'EOT'
exec cat "$0" /dev/urandom
EOT
check 'noise' -s 2 -g 'rossym-addr2line: *' compare ./binary $five </dev/null

# ------------------------------------------------------------------------------- machines that it does not know

# arm MACHINE: an image with a table for that machine; the same image has no other debug information.
arm () {
	printf '%s\n' "pe64 base=0x140000000 machine=$1" 'section .text rva=0x1000 size=0x100 flags=code' \
		rossym 'row 0x1000 main main.c 3' | build arm.exe
}
hint () {
	check "$1" -s 2 -e "rossym-addr2line: the reference './silent' ended after 0 of 1 answers$2" \
		rossym-addr2line --diff=arm.exe -e arm.exe --reference=./silent 140001000 </dev/null
}
arm 0xaa64
hint 'ARM64' '
rossym-addr2line: hint: the reference may not know machine 0xaa64; see --reference=llvm-addr2line'
arm 0x8664
hint 'x86-64: no hint' ''
arm 0xaa64
if witness llvm-addr2line; then
	check 'llvm-addr2line knows ARM64' -s 1 -g 'rossym-addr2line: 1 address compared: 1 differs*' \
		rossym-addr2line --diff=arm.exe -e arm.exe --reference=llvm-addr2line --brief --diff-ignore=none 140001000 </dev/null
else
	no_witness 'llvm-addr2line knows ARM64' 'no llvm-addr2line'
fi

done_testing
