# SPDX-License-Identifier: GPL-2.0-or-later
#
# Steps from each instruction of ARM64 programs to the caller.  Two witnesses: a model that runs the instructions
# (tests/tools/arm64-steps), and "llvm-readobj --unwind", which decodes the unwind data.

. "${srcdir:-.}/tests/lib/tap.sh"

steps=$tap_build/tests/tools/arm64-steps
test -x "$steps" || skip_all 'tests/tools/arm64-steps runs on another system'
clang=$(newest clang)
link=$(newest lld-link)
readobj=$(newest llvm-readobj)

# No step is wrong, of at least $2 in the output of $1; the last line of that is a diagnostic.
right () {
	sed -n '$s/^/# /p' "$1"
	ok "$3" awk -v least="$2" '{ text = text $0 "\n" } END { print text; exit !(/ 0 wrong/ && steps(text) >= least) }
		function steps(all) { match(all, /[0-9]+ steps/); return substr(all, RSTART) + 0 }' "$1"
}

# Whether there is a witness for codes.
codes_are_right () {
	test -n "$readobj" && ! known_difference "$readobj" arm64-codes
}

# $2, on which $1 is the name of the image.
both () {
	"$steps" run "$2" >run
	right run "$3" "$1: each instruction"
	if codes_are_right || skip "$1: the codes of each prolog" "no llvm-readobj that knows all codes"; then
		"$readobj" --unwind "$2" >text
		"$steps" codes "$2" <text >codes
		right codes "$4" "$1: the codes of each prolog"
	fi
}

fixture=$SRC/../shared/fixtures/dumps/images/arm64-test.exe
if test -f "$fixture" || skip 'a program of MSVC' 'files of others are not here'; then
	both 'a program of MSVC' "$fixture" 33000 3300
fi

test -z "$readobj" || beside "$readobj"
has "$clang" && has "$link" || { skip 'programs of Clang' 'no clang, or no lld-link'; done_testing; }
echo 'void f(void) { }' >f.c
"$clang" --target=aarch64-pc-windows-msvc -c f.c 2>/dev/null || { skip 'programs of Clang' 'clang makes none'; done_testing; }

beside "$clang" "$link" ${readobj:+"$readobj"}
# program NAME OPTION...  How much code there is, is the compiler's choice.
program () {
	name=$1
	shift
	if "$clang" "$@" -w -ffreestanding -fasynchronous-unwind-tables -c -o x.obj "$SRC/tests/witness/witness-arm64/functions.c" &&
		"$link" -entry:start -subsystem:console -nodefaultlib -out:x.exe x.obj; then
		both "$name" x.exe 700 100
	else
		fail "$name: compiles"
	fi
}
for option in O0 O1 O2 O3 Os; do
	for target in msvc gnu; do
		program "$target -$option" --target=aarch64-pc-windows-$target -$option
	done
	if ! known_difference "$clang" arm64-signed || skip "msvc -$option, signed" "$clang does not say where it signs"; then
		program "msvc -$option, signed" --target=aarch64-pc-windows-msvc -$option -mbranch-protection=standard
	fi
	program "msvc -$option, frame pointers" --target=aarch64-pc-windows-msvc -$option -fno-omit-frame-pointer -fno-optimize-sibling-calls
done

# All kinds of packed entries.  Nothing runs where they point to.  "%d" is for numbers of 31 bits in some awks.
awk 'BEGIN {
	print ".section .pdata,\"dr\""
	for (s = split("2 5 9 12 40 41 300 511", sizes); s > 0; s--)
		for (integers = 0; integers < 11; integers++)
			for (reals = 0; reals < 8; reals++)
				for (homes = 0; homes < 2; homes++)
					for (chain = 0; chain < 4; chain++)
						printf ".long %.0f, %.0f\n", 65536 + 512 * n++, 1 + 100 * 4 + reals * 8192 + integers * 65536 + homes * 1048576 + chain * 2097152 + sizes[s] * 8388608
	print ".text\n.globl start\nstart: ret\n.space", 65536 + 512 * n
}' >packed.s
if codes_are_right || skip 'packed entries of all kinds' "no llvm-readobj that knows all codes"; then
	"$clang" --target=aarch64-pc-windows-msvc -c packed.s
	"$link" -entry:start -subsystem:console -nodefaultlib -out:packed.exe packed.o
	"$readobj" --unwind packed.exe >text
	"$steps" codes packed.exe <text >codes
	right codes 30000 'packed entries of all kinds'
fi

done_testing
