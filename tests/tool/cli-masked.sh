# SPDX-License-Identifier: GPL-2.0-or-later
#
# Names that would command a terminal, wherever a message can have one: in images, tables, debug information, logs,
# archives, dumps, answers of other programs, and on the command line.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

on_windows && skip_all 'file names have no control characters on Windows'

# ESC, BEL, CR, newline, DEL, U+009B, the byte 0x9b, U+202E.  Printable characters stay: U+00E9, and the letter 0xe9 of Latin-1.
bad=$(printf '\033]0;x\007\r\n\177\302\233\233m\303\251\351\342\200\256')
masked=$(printf '?]0;x???????m\303\251\351???')
small_image x.exe
cp x.exe "$bad"
ln -s x.exe "image$bad"

# check NAME STATUS PATTERN COMMAND...: COMMAND, whose stderr is one line that fits PATTERN.
says () {
	says_name=$1
	says_status=$2
	says_text=$3
	shift 3
	STATUS=0
	"$@" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
	grep -F -e "$says_text" "$ERR" >"$tap_tmp/found"
	tr -d '\012\040-\176\240-\377' <"$ERR" >"$tap_tmp/left"
	if test $STATUS -eq "$says_status" && test -s "$tap_tmp/found" && test ! -s "$tap_tmp/left"; then
		pass "$says_name"
	else
		fail "$says_name"
		diag "exit status $STATUS, expected $says_status; no line has '$says_text', or there are control characters:"
		od -c "$ERR" | sed 's/^/# /'
	fi
}

# ------------------------------------------------------------------------------------------- the command line

for program in rossym-addr2line rossym-embed rossym-log; do
	says "$program: an option" 1 "$program: unrecognized option '--$masked'" $program "--$bad"
	says "$program: a letter" 1 "$program: invalid option -- '?'" $program "-$bad"
	says "$program: its argument" 1 "$program: unrecognized option '--nothing=$masked'" $program "--nothing=$bad"
	ln -s "$(command -v $program)" "$program$bad"
	says "$program: its own name, help and all" 1 "$program$masked: unrecognized option '--x'" "./$program$bad" --x
done
cases 'the command line'
stab () {
	printf 'u32=%s u16=%s u16=%s u32=%s ' "$1" "$2" "$3" "$4"
}
{
	echo 'pe32 base=0x400000'
	echo 'section .text rva=0x1000 size=0x100 flags=code'
	echo 'section .stab rva=0x2000 size=84 flags=0x42000040'
	echo 'section .stabstr rva=0x3000 size=32 flags=0x42000040'
	echo 'poke data:.stab' \
		"$(stab 15 0x64 0 0x401000)" "$(stab 11 0x64 0 0x401000)" "$(stab 1 0x24 0 0x401000)" \
		"$(stab 0 0x44 65535 0)" "$(stab 0 0x44 1 16)" "$(stab 0 0x24 0 32)" "$(stab 0 0x64 0 0x401020)"
	echo 'poke data:.stabstr' "$(od -An -v -tx1 strings | tr -d '\n')"
} >stabs.img

log () {
	rossym-log -d modules -s -v "$@" log
}

cases 'what is in files'
if rossym-log --version | grep -q '^Archives: libarchive' || skip 'rossym-log: a file in an archive' 'built without libarchive'; then
	printf 'pe32 base=0x10000\nsection .text rva=0x1000 size=0x100 flags=code\nrossym\nrow 0x1000 f f.c 3\nrow 0x900 g f.c 3\n' |
		build "modules/a$bad/bad.dll"
	(cd modules && zip -qr ../modules.zip .)
	printf '<bad.dll:1000>\n' >log
	says 'rossym-log: a file in an archive' 1 'bad.dll: at 0x' rossym-log -d modules.zip log
fi

# ------------------------------------------------------------------------------------------- other programs

says 'rossym-addr2line --diff: a reference that does not answer' 2 "the reference 'true $masked' ended" \
	rossym-addr2line -e x.exe --diff=x.exe --reference="true $bad" 401000
if test -x "$REFERENCE_BIN" || skip 'rossym-bfd-reference' 'built without libbfd'; then
	says 'rossym-bfd-reference: no such file' 1 "${masked}none: No such file" "$REFERENCE_BIN" -e "${bad}none" 0
	# A symbol of a storage class that libbfd does not know.
	build "$bad" <<-'END'
		pe32 base=0x400000 symptr=0x400 nsyms=1
		section .text rva=0x1000 size=0x100 off=0x200 flags=code
		append 1b 5b 32 4a 9b 0a 66 66 u32=0 u16=1 u16=0 8a 00 u32=4
	END
	says 'rossym-bfd-reference: what libbfd says' 1 '`?[2J??ff' "$REFERENCE_BIN" -e "$bad" 0x401000
fi

done_testing
