# SPDX-License-Identifier: GPL-2.0-or-later
#
# With the styles LLVM and JSON and without -e, lines name their images, as for llvm-symbolizer.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe
cp "$DATA/dwarf32.exe" 'two words.exe'
cp "$DATA/dwarf64.nostrip.exe" debug.exe
main=$(rossym-addr2line --dump -e 'two words.exe' | awk -F '\t' '$3 == "main" { print $1; exit }')
main=$(printf '0x%x' $((0x400000 + main)))

# ---- forms of lines ----

cat >lines <<END
x.exe 0x401000
CODE x.exe 0x401010
 CODE   FILE:x.exe   401020
DATA ./x.exe 0x401020
"two words.exe" $main
CODE FILE:'two words.exe' main
x.exe KeBugCheckEx+1
debug.exe KeBugCheckEx
END
one () {
	style=$1
	shift
	for line; do
		printf '%s\n' "$line" | rossym-addr2line -f --output-style=$style -e "$image"
	done
}
one_by_one () {
	image=x.exe one $1 0x401000 'CODE 0x401010' 401020 >want
	image=./x.exe one $1 'DATA 0x401020' >>want
	image='two words.exe' one $1 "$main" 'CODE main' >>want
	image=x.exe one $1 KeBugCheckEx+1 >>want
	image=debug.exe one $1 KeBugCheckEx >>want
}
for style in LLVM JSON; do
	one_by_one $style
	ok "$style: the answers are there" grep -q main.c want
	check "$style: the answers of -e" -I lines -O want rossym-addr2line -f --output-style=$style
done
indented () {
	rossym-addr2line -fp --output-style=JSON <lines | grep -c '^    *"FunctionName": "main"'
}
check 'indented' indented <<'EOT'
4
EOT
for indent in '' -p; do
	array () {
		rossym-addr2line -f $indent --output-style=JSON 'x.exe 0x401000' 'debug.exe KeBugCheckEx' nosuch\ 0x10 'x.exe 0x401010' 2>/dev/null |
			python3 -c 'import json, sys; print(*(x["ModuleName"] for x in json.load(sys.stdin)))'
	}
	check "an array for operands${indent:+, indented}" array <<-'EOT'
		x.exe debug.exe nosuch x.exe
	EOT
done
cases 'named images'

# ---- a process that waits for each answer, and one whose helper is killed ----

converse () {
	mkfifo in out
	rossym-addr2line -f --output-style=JSON <in >out 2>killed &
	exec 4>in 5<out
	for line in 'x.exe 0x401000' 'debug.exe KeBugCheckEx' 'x.exe 0x401010'; do
		echo "$line" >&4
		IFS= read -r answer <&5
		echo "$answer" | grep -o '"FunctionName":"[^"]*"'
	done
	for process in $(children $!); do
		kill -9 "$process"
	done
	echo 'x.exe 0x401020' >&4
	IFS= read -r answer <&5
	echo "$answer"
	exec 4>&-
	wait $!
	echo $?
	cat killed
}
children () {
	for status in /proc/[0-9]*/status; do
		grep -qs "^PPid:	$1\$" "$status" && status=${status#/proc/} && echo "${status%/status}"
	done
}
if test -e "/proc/$$/status" || skip 'each line has its answer at once; a killed process is a message' 'no /proc'; then
	check 'each line has its answer at once; a killed process is a message' converse <<'EOT'
"FunctionName":"main"
"FunctionName":"KeBugCheckEx"
"FunctionName":"main"
{"Address":"0x401020","Error":{"Message":"the image cannot be read"},"ModuleName":"x.exe"}
1
rossym-addr2line: x.exe: the process that reads it: it was killed by signal 9
rossym-addr2line: debug.exe: the process that reads it: it was killed by signal 9
EOT
fi

# ---- many images, in any order ----

for i in $(seq 0 69); do ln x.exe "$i.exe"; done
awk 'BEGIN {
	for (i = 0; i < 3000; i++)
		printf "%d.exe 0x%x\n", i * 37 % 70, 4198400 + i % 64 * 16
}' >many
sed 's/.* //' many | rossym-addr2line -f --output-style=LLVM -e x.exe >want
check 'seventy images, of which 64 are open' -O want -I many rossym-addr2line -f --output-style=LLVM

# A parent that ignores the end of its children hands this down.
check 'the end of children is ignored' -I many -O want \
	sh -c 'trap "" CHLD; exec rossym-addr2line -f --output-style=LLVM'

# ---- who reads the images ----

opens_images () {
	grep -c 'open.*\.exe"' "$1"
}
if witness strace && strace -qq -f -o trace true 2>/dev/null || no_witness 'only the processes open the images' 'no strace, or it may not trace'; then
	strace -qq -e trace=open,openat -o alone rossym-addr2line --output-style=LLVM <lines >/dev/null
	strace -qq -f -e trace=open,openat -o all rossym-addr2line --output-style=LLVM <lines >/dev/null
	check 'only the processes open the images' -s 1 opens_images alone <<'EOT'
0
EOT
	ok '... and they do' opens_images all
fi

# ---- beside LLVM ----

if witness llvm-symbolizer || no_witness 'beside llvm-symbolizer' 'no llvm-symbolizer'; then
	symbolizer=$(newest llvm-symbolizer)
	beside "$symbolizer"
	printf '%s\n' 'CODE debug.exe 0x140001600' '"debug.exe" 0x140001610' 'debug.exe 0x140001605' "'debug.exe' 0x140001600" \
		'nosuch 0x10' >common
	for style in LLVM JSON; do
		$symbolizer --no-inlines --no-demangle --output-style=$style <common 2>/dev/null | sed 's/No such file or directory/the image cannot be read/' >want
		check "as $symbolizer, $style" -s 1 -e "rossym-addr2line: 'nosuch': No such file" -O want -I common \
			rossym-addr2line -f --output-style=$style
	done
	beside
fi

done_testing
