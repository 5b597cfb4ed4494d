# SPDX-License-Identifier: GPL-2.0-or-later
#
# GNU addr2line and ours side by side, for witness-gnu.sh and witness-departures.sh.  Source it after tap.sh.
#
# gnu_unstripped=yes	set before: the images of ours are unstripped as well
# gnu_setup		makes the directories gnu and ours with the same files in them, but for the images: unstripped
#			in gnu, with a table in ours; and bin-gnu and bin-ours with a program addr2line each.  Skips
#			the whole test where there is no fitting GNU addr2line.
# gnu_run SIDE ROWS	runs each line of ROWS as a command line in SIDE (gnu or ours); output in SIDE.out and SIDE.err
# gnu_normalise SIDE [raw]	writes SIDE.all from these, lines NUMBER<tab>TEXT, TEXT beginning with "| " for stdout, "! "
#			for stderr, "= " for the status; takes out what is known to differ, unless raw
# as_results ROWS	runs the command lines of file ROWS on both sides: a TAP result for each
# as_one_result ROWS NAME	the same, as one TAP result
# gnu_filter		copies command lines from stdin to stdout, without those this build cannot run, and without those with
#			response files that only a newer witness reads as ours does: @FILE-2.44 at the end
# gnu_triplets PATTERN	copies lines from stdin to stdout, without those that match if the witness takes no triplet for images
# gnu_posix		of these, copies those about what only POSIX has: bytes of no code page, a slash behind a name, devices,
#			FIFOs, links in a circle, long names, streams that are closed or directories, the program as it was called
#
# "addr2line" in PATH is the witness; GNU_ADDR2LINE may name another one.

gnu_setup () {
	witness=$(command -v "${GNU_ADDR2LINE:-addr2line}") || skip_all 'no GNU addr2line'
	"$witness" --version 2>/dev/null | grep -q '^GNU addr2line' || skip_all "$witness is not GNU's"
	for gnu_target in pei-i386 pei-x86-64; do
		"$witness" --help | grep -q "supported targets:.* $gnu_target" ||
			skip_all "$witness cannot read $gnu_target"
	done
	# What is compared is what ours says, not what it lets another addr2line say.
	ROSSYM_FALLBACK=off
	export ROSSYM_FALLBACK
	mkdir gnu ours bin-gnu bin-ours
	# Not a copy: it may find its libraries by where it stands.
	ln -s "$witness" bin-gnu/addr2line
	program "$PWD/bin-ours/addr2line" "$ADDR2LINE_BIN" || exit 99
	for gnu_side in gnu ours; do
		(cd $gnu_side && gnu_files $gnu_side) || exit 99
	done
	test "$(bin-gnu/addr2line -e gnu/x.sys main+32)" = /src/main.c:16 ||
		skip_all "$witness is too old: it does not know symbols as addresses"
	gnu_differ_program >"$tap_tmp/differ.awk"
	gnu_demangler=yes
	case $(bin-ours/addr2line -C -f -e ours/x.sys 117a0 2>&1) in
	*'without a demangler'*) gnu_demangler=no ;;
	esac
}

# The files of one side, made in the current directory.
gnu_files () {
	case ${gnu_unstripped:-$1} in
	gnu | yes)	nostrip=.nostrip; cp "$DATA/dwarf64.nostrip.exe" q.exe ;;
	ours)	nostrip=; gnu_image64 | "$MKIMAGE" - q.exe ;;
	esac &&
	cp "$DATA/driver/driver$nostrip.sys" x.sys &&
	cp "$DATA/dwarf32$nostrip.exe" y.exe &&
	cp "$DATA/stabs32$nostrip.exe" z.exe &&
	chmod u+w x.sys y.exe z.exe q.exe &&
	mkdir dir aout r-dir &&
	ln -s ../x.sys aout/a.out &&
	ln -s x.sys link.sys && ln -s nowhere dangling && ln -s loop loop &&
	ln -s "../bin-$1/addr2line" weird && ln -s "../bin-$1/addr2line" 'odd %s name' &&
	cp x.sys 'a b.sys' && cp x.sys "$(printf 'high\351.sys')" &&
	{ cat x.sys && printf 'data after the image\n'; } >overlay.sys &&
	: >empty && echo 'just text' >text.txt && printf x >onebyte && printf MZ >mz &&
	dd if=/dev/zero of=zeros bs=512 count=8 2>/dev/null &&
	{ printf MZ && dd if=/dev/zero bs=62 count=1 2>/dev/null; } >mz64 &&
	{ printf MZ && dd if=/dev/zero bs=58 count=1 2>/dev/null && printf '\100\0\0\0no PE header here' &&
		dd if=/dev/zero bs=512 count=1 2>/dev/null; } >mz-no-pe &&
	dd if=x.sys of=short.exe bs=200 count=1 2>/dev/null &&
	gnu_patched badlfanew.exe 60 '\360\377\377\177' &&
	gnu_patched machine.exe 132 '\1\2' &&
	gnu_patched manysections.exe 134 '\377\377' &&
	printf '!<arch>\n' >emptylib.a && printf '!<thin>\n' >thin.a &&
	{ printf '!<arch>\n%-16s%-12s%-6s%-6s%-8s%-10s`\n' x.txt/ 0 0 0 644 10 && echo 123456789; } >lib.a &&
	mkfifo r-fifo &&
	gnu_response_files &&
	echo 117a0 >in-one &&
	printf '%s\n' 117a0 0x117ab 11910 '' 17000 main+0x20 zz 18000 ffffffffffffffff 16b80 >in-many &&
	printf '\n\r\n,\n-f\n117a0 # x\n+\n117a0\r\n[x]\n@r-addr\n-1\n11910' >in-odd
}

# The sections and some of the code of dwarf64.nostrip.exe, which has no final image: ReactOS's rsym cannot write a
# table for 64 bits.  The rows are what its DWARF says at their addresses.
gnu_image64 () {
	cat <<-'END'
		pe64 base=0x140000000
		section .text rva=0x1000 size=0x1a60 flags=code
		section INIT rva=0x3000 size=0x50 flags=code
		section PAGE rva=0x4000 size=0x20 flags=code
		rossym rva=0x5000
		row 0x15df KeBugCheckEx /src/ke/bug.c 22
		# padding after a function: the line is known, the function is not
		row 0x15e4 "" /src/ke/bug.c 22
		row 0x15f0 KefBreak /src/ke/bug.c 27
		row 0x1600 KefBreak /src/ke/bug.c 29
		row 0x1603 KefBreak /src/ke/bug.c 27
		row 0x160c KefBreak /src/ke/bug.c 30
		row 0x1610 _ZN2io7ReadIrp8completeEi /src/io/irp.cpp 34
		row 0x1615 _ZN2io7ReadIrp8completeEi /src/io/irp.cpp 35
		row 0x1660 _ZN2io5QueueIjE4pushERKj /src/io/irp.cpp 11
		row 0x1672 "" /src/io/irp.cpp 11
		row 0x1680 _ZN2io3Irp8completeEi /src/io/irp.cpp 23
		row 0x1687 _ZN2io3Irp8completeEi /src/io/irp.cpp 24
		row 0x16c0 IoDispatch /src/io/irp.cpp 46
		row 0x16cf IoDispatch /src/io/irp.cpp 51
		row 0x29f0 main /src/main.c 30
		row 0x3000 InitializePhase0 /src/main.c 13
		row 0x4000 PagedTeardown /src/main.c 21
	END
}

# gnu_patched FILE OFFSET BYTES: FILE is x.sys with BYTES at OFFSET.  0x80 is where the PE header stands.
gnu_patched () {
	cp x.sys "$1" && printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

gnu_response_files () {
	printf '%s\n' '-e x.sys' '-f 117a0' >r-args &&
	printf '%s\n' '117a0 11910' >r-addr &&
	printf '%s\n' '-e x.sys' >r-exe &&
	printf '%s\n' x.sys >r-name &&
	printf '%s\n' "'-e' \"x.sys\" '-a' \"117a0\" 1'17'a0 \"11\"'910'" >r-quotes &&
	printf '%s\n' "\"117a0 11910\" '117ab 1' \"main + 0x20\" 'a\"b' \"it's\"" >r-dquotes &&
	printf '%s\n' "117\\a0 main\\ +\\ 0x20 \\\\117a0 \\'117a0 \"117\\\"a0\" \"117\\\\\\\\a0\" \"117\\\`a0 \\\$\" 11910" >r-escapes &&
	printf '%s\n' "\"ma\\in\" 'ma\\in' 'x\\y\\' '\\\\' \"\\'x\" 117\\" "a0 \"119\\" "10\" '11\\" "910' \\" "17000" \\ >r-escapes-2.44 &&
	printf '%s' '117a0 11910\' >r-backslash-end &&
	printf '%s\n' '117a0 "11910 17000' >r-open-quote &&
	printf '%s\n' "'' 117a0 \"\" ''117a0" >r-empty-words &&
	printf ' \t\n\v\f\r117a0\t11910\v17000\f18000\r117a0\n\n' >r-spaces &&
	printf '117a0\r\n11910\r\n' >r-crlf &&
	printf '117a0' >r-no-newline &&
	printf '%s\n' '@r-exe -f @r-addr' >r-nested &&
	printf '%s\n' '@r-nested @r-nested 17000' >r-nested-twice &&
	printf '%s\n' '@nosuch 117a0' >r-nested-missing &&
	printf '%s\n' "'@r-addr' \"@\"r-addr \\@r-addr" >r-nested-quoted &&
	: >r-empty && printf ' \n\t\r\n' >r-blank &&
	printf '117a0 11\000910 17000\n' >r-nul &&
	printf '117a0\351 \351 \302\240117a0\n' >r-high &&
	printf '%s\n' '@r-self' >r-self &&
	printf '%s\n' '@r-loop2' >r-loop1 && printf '%s\n' '@r-loop1' >r-loop2 &&
	printf '%s\n' -- >r-dashdash &&
	printf '%s\n' '-e x.sys -z' >r-bad-option &&
	printf '%s\n' --help >r-help
}

# Each command line in a subshell of one shell; after its output a line "=== NUMBER STATUS".
gnu_run () {
	(
		trap - EXIT
		cd "$1" || exit 99
		PATH=$PWD/../bin-$1:$PATH
		long=a_function_whose_name_is_longer_than_the_eight_bytes_of_a_coff_short_name
		long=${long}_and_then_some_more_so_that_it_lives_in_the_string_table
		number=0
		while IFS= read -r gnu_row <&3; do
			number=$((number + 1))
			gnu_status=0
			(eval "$gnu_row") </dev/null 2>&4 3<&- 4>&- || gnu_status=$?
			printf '\n=== %d %d\n' $number $gnu_status
			printf '\n=== %d\n' $number >&4
		done
	) 3<"$2" 4>"$1.err" >"$1.out"
}

gnu_normalise () {
	(cd "$1" && PATH=$PWD/../bin-$1:$PATH && addr2line --help) >"$1.help"
	(cd "$1" && PATH=$PWD/../bin-$1:$PATH && addr2line --version) >"$1.version"
	awk -v side="$1" -v raw="${2-}" '
	BEGIN {
		hint = "[^\n]*: hint: no address was inside the image, 0x[0-9a-f]+-0x[0-9a-f]+; " \
			"see --rva and --load-address\n$"
		# Once for a text that is no address; other messages can come before and after it.
		text_hint = "[^\n]*: hint: \47[^\n]*\47: (give the image with -e|--output-style=LLVM|that is neither)[^\n]*\n"
	}
	FNR == 1 { file++ }
	file == 1 {
		full = full $0 "\n"
		if ($0 !~ /^Report bugs to /)
			usage = usage $0 "\n"
		next
	}
	file == 2 { version = version $0 "\n"; next }
	/^=== [0-9]+( [0-9]+)?$/ {
		# The newline before the mark is not the output of the command.
		text = substr(text, 1, length(text) - 1)
		if (file == 3) {
			status[$2] = $3
			out[$2] = text
			last = $2
		} else
			err[$2] = text
		text = ""
		next
	}
	{ text = text $0 "\n" }
	END {
		for (n = 1; n <= last; n++) {
			lines(n, "|", fold(out[n]))
			e = fold(err[n])
			if (side == "ours" && !raw) {
				sub(text_hint, "", e)
				sub(hint, "", e)
			}
			lines(n, "!", e)
			print n "\t= " status[n]
		}
	}
	# Replaces in S the text of --help if S is that, the shorter one of an error if it comes behind a message, and the
	# text of --version.  The program that printed S may have had another name.
	function fold(s,   name, block) {
		if (raw)
			return s
		if (s == version)
			return "<version>\n"
		if (!match(s, /Usage: [^\n]* \[option\(s\)\] \[addr\(s\)\]\n/))
			return s
		name = substr(s, RSTART + 7, RLENGTH - 7 - length(" [option(s)] [addr(s)]\n"))
		block = renamed(RSTART == 1 ? full : usage, name)
		if (substr(s, RSTART, length(block)) != block)
			return s
		return substr(s, 1, RSTART - 1) (RSTART == 1 ? "<help> " : "<usage> ") name "\n" \
			substr(s, RSTART + length(block))
	}
	function renamed(s, name,   i) {
		s = "Usage: " name substr(s, length("Usage: addr2line") + 1)
		i = index(s, "\naddr2line: supported targets")
		return i ? substr(s, 1, i) name substr(s, i + length("\naddr2line")) : s
	}
	function lines(n, mark, s,   part, count, i) {
		count = split(s, part, "\n")
		for (i = 1; i < count; i++)
			print n "\t" mark " " part[i]
		if (part[count] != "")
			print n "\t" mark " " part[count] "<no newline>"
	}' "$1.help" "$1.version" "$1.out" "$1.err" >"$1.all"
}

gnu_filter () {
	if known_difference "$witness" response-escapes >/dev/null; then
		grep -v '@[a-z-]*-2\.44$'
	else
		cat
	fi |
	gnu_triplets '86[_0-9]*-[a-z0-9]*-mingw' |
	if test "$gnu_demangler" = no; then
		grep -v -e ' -[a-zA-Z]*C' -e ' --d'
	else
		cat
	fi | if on_windows; then
		gnu_posix -v
	else
		cat
	fi
}

gnu_triplets () {
	if known_difference "$witness" triplets >/dev/null; then
		grep -v -e "$1"
	else
		cat
	fi
}

gnu_posix () {
	grep "$@" -e '\$(printf[^)]*\\[23][0-9][0-9]' -e ' @*[a-z.-]*/ ' -e 'x\.sys/foo' -e '[ @]/dev/' -e r-fifo -e ' loop' -e '%05000d' \
		-e '<&-' -e '<dir' -e '^\./'
}

# Runs the command lines of file $1 on both sides.  Leaves one line per difference in "bad".
compare () {
	gnu_run gnu "$1"
	gnu_run ours "$1"
	gnu_normalise gnu
	gnu_normalise ours
	awk -f "$tap_tmp/differ.awk" "$1" gnu.all ours.all >bad
}

# Rows as TAP results, one each.
as_results () {
	compare "$1"
	while IFS= read -r row <&3; do
		number=${row%%	*}
		row=${row#*	}
		case $row in
		'ok	'*) pass "${row#*	}" ;;
		*) fail "${row#*	}"; sed -n "s/^$number	# /#   /p" bad ;;
		esac
	done 3<<-END
	$(grep -v '^[0-9]*	# ' bad)
	END
}

# Rows as one TAP result called $2.
as_one_result () {
	compare "$1"
	if grep -q '^[0-9]*	not ok	' bad; then
		fail "$2"
		diag "$(grep -c '^[0-9]*	not ok	' bad) of $(grep -c . "$1") command lines; the first:"
		sed -n 's/^[0-9]*	\(not ok	\|# \)/  /p' bad | sed 's/^/#/; 80q'
	else
		pass "$2"
	fi
}

gnu_differ_program () {
	cat <<'EOF_AWK'
# Files: the command lines, then both sides' output as gnu_normalise writes it: lines "NUMBER<tab>text".
FNR == 1 { file++ }
file == 1 { row[++rows] = $0; next }
{
	tab = index($0, "\t")
	n = substr($0, 1, tab - 1) + 0
	text[file, n] = text[file, n] substr($0, tab + 1) "\n"
}
END {
	for (n = 1; n <= rows; n++) {
		same = text[2, n] == text[3, n] && text[2, n] != ""
		printf "%d\t%s\t%s\n", n, same ? "ok" : "not ok", row[n]
		if (same)
			continue
		show(n, "GNU ", text[2, n])
		show(n, "ours", text[3, n])
	}
}
function show(n, who, s,   line, count, i) {
	count = split(s, line, "\n")
	for (i = 1; i < count; i++)
		printf "%d\t# %s %s\n", n, who, line[i]
}
EOF_AWK
}
