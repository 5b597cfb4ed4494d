# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tables made of PDBs, against llvm-symbolizer: for every byte of code of images compiled here in many ways, and of real ones by
# Microsoft's tools where they are.  tests/tools/pdb-compare.py says what is compared, and how a difference is settled; its counts
# are printed, and are in tests/pdb.tsv of the build.
#
# PDB_SET=all		all combinations of machine, optimisation and linker, and every byte of the real images (else: a part)
# PDB_FIXTURES=PATH	a directory with real images, NAME/x.exe or NAME/x.dll with NAME/x.pdb and perhaps NAME/expected-dia.sym

. "${srcdir:-.}/tests/lib/tap.sh"

: "${PDB_SET:=part}" "${PDB_FIXTURES:=$SRC/../shared/fixtures/pdb}"

witness=$(newest llvm-symbolizer) || skip_all 'no llvm-symbolizer'
pdbutil=$(newest llvm-pdbutil) || skip_all 'no llvm-pdbutil'
compare=$SRC/tests/tools/pdb-compare.py
! known_difference "$witness" inlined-lines || skip_all "$witness prints other lines for inlined code"
clang=$(newest clang-cl) lld=$(newest lld-link) || clang=
beside "$witness" "$pdbutil" ${clang:+"$clang" "$lld"}

# -------------------------------------------------------------------------------------------- the answers

mkdir done
# witnessed NAME IMAGE: the witness's answers.  Where it crashes, the address is taken out, and asked is the rest.
witnessed () {
	cp "$1/addresses" "$1/left" && : >"$1/llvm" && : >"$1/crashed" || return
	while test -s "$1/left"; do
		timeout 60 "$witness" --obj="$2" --relative-address --no-demangle -a -f -i --output-style=GNU \
			<"$1/left" >"$1/some" 2>>"$1/witness.errors" && witnessed_status=0 || witnessed_status=$?
		cat "$1/some" >>"$1/llvm"
		test $witnessed_status -ne 0 || break
		answered=$(grep -c '^0x[0-9a-f]*$' "$1/some")
		sed -n "$((answered + 1))p" "$1/left" >>"$1/crashed"
		sed "1,$((answered + 1))d" "$1/left" >"$1/rest" && mv "$1/rest" "$1/left"
		test "$(wc -l <"$1/crashed")" -lt 1000 || return
	done
	grep -vxF -f "$1/crashed" "$1/addresses" >"$1/rest"
	mv "$1/rest" "$1/addresses"
}

# proved NAME IMAGE PDB STEP [-c]: leaves the counts in done/NAME, what differs in done/NAME.shown
proved () {
	proved_name=$1 image=$2 pdb=$3 step=$4 compiler=${5-}
	mkdir -p "$proved_name" &&
		rossym-embed --table-only --pdb="$pdb" "$image" "$proved_name/table" &&
		"$compare" addresses "$image" | awk -v n="$step" 'NR % n == 1 % n' >"$proved_name/addresses" &&
		witnessed "$proved_name" "$image" &&
		rossym-addr2line -a -f -i -e "$proved_name/table" <"$proved_name/addresses" >"$proved_name/ours" || return
	dumped "$proved_name" "$pdb"
	compared "$proved_name" "$image" $compiler
}

# dumped NAME PDB: what there is to settle differences
dumped () {
	# Of a damaged stream, the rest is still dumped in a run of its own.
	timeout 60 "$pdbutil" dump --symbols --publics --l --section-contribs "$2" >"$1/dump" 2>"$1/dump.errors" ||
		for part in symbols publics l section-contribs; do
			timeout 60 "$pdbutil" dump --$part "$2"
		done >"$1/dump" 2>"$1/dump.errors"
	:
}

# compared NAME SECTIONS [-c]
compared () {
	compared_status=0
	# shellcheck disable=SC2086
	"$compare" ${3-} compare "$2" "$1/dump" "$1/llvm" "$1/ours" >"done/$1.counts" 2>"done/$1.shown" || compared_status=$?
	test $compared_status -le 1 && mv "done/$1.counts" "done/$1"
}

# stream PDB NAME: the bytes of a stream, as decimal numbers
stream () {
	"$pdbutil" export --stream="$("$pdbutil" dump --streams "$1" | sed -n "s/^ *Stream *\([0-9]*\) .*\[$2\]/\1/p")" --out=stream.bytes "$1" \
		>/dev/null && od -An -v -tu1 stream.bytes
}

# moved NAME IMAGE PDB: as proved(), for an image whose code was moved after the link.  The witness does not know of that: it is
# asked where the code came from, and what is said about the image's own addresses is compared with that.
moved () {
	mkdir -p "$1" &&
		rossym-embed --table-only --pdb="$3" "$2" "$1/table" &&
		"$compare" addresses "$2" | awk -v n=$step 'NR % n == 1 % n' >"$1/all" &&
		stream "$3" 'Section Header Data' >/dev/null && mv stream.bytes "$1/sections" &&
		stream "$3" 'Omap To Source Data' >"$1/omap" || return
	# Each entry: u32 RVA, u32 source address.  It holds up to the next; the last one and 0 are for what is new.
	awk -v new="$1/new" -v old="$1/old" '
		FNR == 1 { files++ }
		files == 1 {
			for (i = 1; i <= NF; i++) {
				value += $i * 256 ^ (count % 4)
				if (++count % 4 == 0) {
					word[words++] = value
					value = 0
				}
			}
		}
		files == 2 {
			at = 0
			for (i = 3; i <= length($0); i++)
				at = at * 16 + index("0123456789abcdef", substr($0, i, 1)) - 1
			while (next_word < words && word[next_word] <= at)
				next_word += 2
			source = next_word ? word[next_word - 1] : 0
			if (source == 0 || source >= 2147483648) {
				print >new
			} else {
				print >old
				printf "0x%x\n", source + at - word[next_word - 2]
			}
		}' "$1/omap" "$1/all" >"$1/addresses" || return
	rossym-addr2line -a -f -i -e "$1/table" <"$1/new" >"$1/of-new" &&
		rossym-addr2line -a -f -i -e "$1/table" <"$1/old" |
		awk '/^0x/ { getline <from } { print }' from="$1/addresses" >"$1/ours" &&
		witnessed "$1" "$2" && test ! -s "$1/crashed" && dumped "$1" "$3" && compared "$1" "$1/sections" -c
}

# result NAME: one test result of what proved() left
result () {
	if ! test -f "done/$1"; then
		fail "$1: made and asked"
		cat "done/$1.log" "done/$1.shown" 2>/dev/null | sed 's/^/# /; 20q'
		return
	fi
	ok "$1: all $(awk '{ print $2 }' "done/$1") bytes" no_difference "done/$1"
	diag "$(awk '{ for (i = 3; i < NF; i += 2) if ($(i + 1)) printf "%s %s, ", $(i + 1), $i }' "done/$1")"
	sed 's/^/# /' "done/$1.shown"
	# The first line has the names of the columns.
	awk -v name="$1" -v OFS='\t' -v header="$(test -s table || echo image)" '
		{
			for (i = 1; i < NF; i += 2) {
				header = header OFS $i
				name = name OFS $(i + 1)
			}
			print (header ~ /^image/ ? header "\n" : "") name
		}' "done/$1" >>table
}

no_difference () {
	awk '{ for (i = 1; i < NF; i += 2) bad += $i ~ /^different/ ? $(i + 1) : 0 } END { exit bad > 0 || NR != 1 }' "$1"
}
: >table

# ------------------------------------------------------------------------------------------- the programs

# Lines of: part or all, name, target, format, flags of the compiler, "+", flags of the linker.
matrix () {
	for machine in i386 x86_64 aarch64; do
		for level in d 1 2; do
			echo all $machine-O$level $machine cl /O$level + /debug
			echo all $machine-O$level-icf $machine cl /O$level + /debug /opt:ref,icf /pdbpagesize:32768
		done
		for size in 8192 16384 32768; do
			echo all $machine-O2-$size $machine cl /O2 + /debug /pdbpagesize:$size
		done
		echo all $machine-O1-ref $machine cl /O1 /Oy- + /debug /opt:ref
		echo all $machine-O2-merged $machine cl /O2 + /debug /merge:.rdata=.text
		echo all $machine-O2-tail $machine cl /O2 /GS- + /debug /opt:lldtailmerge /filealign:4096
	done
	for machine in i686 x86_64; do
		for level in 0 1 2; do
			echo all $machine-mingw-O$level $machine mingw -O$level +
		done
		echo all $machine-ld-O1 $machine ld -O1 +
	done | grep -v aarch64
}
part=' i386-O2-icf x86_64-O2-16384 aarch64-Od x86_64-mingw-O2 x86_64-ld-O1 '

# compiled NAME MACHINE FORMAT FLAG...: makes NAME.exe and NAME.pdb
compiled () {
	name=$1 machine=$2 format=$3
	shift 3
	flags= link=
	while test $# -gt 0; do
		case $1 in
		+) shift; link=$*; break ;;
		esac
		flags="$flags $1"
		shift
	done
	objects=
	# Objects of the same flags are made once.
	key=$(echo "$machine-$format$flags" | tr -d '/ =')
	for source in one.cc two.cc plain.c; do
		object=$key-$source.obj
		objects="$objects $object"
		test ! -f "$object" || continue
		# shellcheck disable=SC2086
		case $format in
		cl) "$clang" --target=$machine-pc-windows-msvc /nologo /c /Z7 $flags /GS- /GR- /Gy /Gw "/Fo$object" \
			-Wno-everything -- "src/$source" ;;
		*)
			case $source in
			*.cc) language='-x c++ -fno-exceptions -fno-rtti' ;;
			*) language='-x c' ;;
			esac
			# GNU ld 2.40 crashes on LLVM's types.
			debug='-g -gcodeview'
			test $format = mingw || debug=
			"$driver" --target=$machine-w64-mingw32 -c $debug $flags -fms-extensions $language -o "$object" "src/$source"
			;;
		esac || return
	done
	rm -f "$name.exe"
	# shellcheck disable=SC2086
	case $format in
	cl) "$lld" /nologo /nodefaultlib /entry:start /subsystem:console "/out:$name.exe" "/pdb:$name.pdb" \
		$link $objects ;;
	mingw) "$mingw_lld" -m $(pe_of $machine) -e $(start_of $machine) --pdb="$name.pdb" -o "$name.exe" $objects ;;
	ld) $machine-w64-mingw32-ld -s -e $(start_of $machine) --pdb="$name.pdb" -o "$name.exe" $objects ;;
	esac && test -f "$name.exe"
}

pe_of () {
	case $1 in
	i686) echo i386pe ;;
	*) echo i386pep ;;
	esac
}

start_of () {
	case $1 in
	i686) echo _start ;;
	*) echo start ;;
	esac
}

one () {
	one_name=$1
	compiled "$@" >"done/$one_name.log" 2>&1 &&
		proved "$one_name" "$one_name.exe" "$one_name.pdb" 1 >>"done/$one_name.log" 2>&1
}

driver=$(newest clang) mingw_lld=$(newest ld.lld) || driver=
mkdir src && cp "$SRC"/tests/witness/witness-pdb/* src/ || exit 99
matrix >all
if test "$PDB_SET" != all; then
	awk -v part="$part" 'index(part, " " $2 " ")' all >list
else
	cp all list
fi
while read -r kind name machine format rest <&3; do
	case $format in
	cl) test -n "$clang" || { skip "$name" 'no clang-cl with lld-link'; continue; } ;;
	mingw) test -n "$driver" || { skip "$name" 'no clang with ld.lld'; continue; } ;;
	ld) test -n "$driver" && has $machine-w64-mingw32-ld || { skip "$name" 'no clang with GNU ld'; continue; } ;;
	esac
	# shellcheck disable=SC2086
	(trap - EXIT; one "$name" "$machine" "$format" $rest)
	result "$name"
done 3<list

# ---------------------------------------------------------------------------------------- the real images

# Recorded is another name than x.pdb, which the witness wants beside the image.
put_recorded () {
	mkdir -p "real-$1" && ln -s "$2" "real-$1/" && ln -s "$3" "real-$1/$(strings_of "$2" | sed -n 's/.*[\\/]//; /\.pdb$/p' | sed 1q)"
}
strings_of () {
	tr -c '[:print:]' '\n' <"$1" | grep '\.pdb$'
}
real_image () {
	for path in "$1"/x.exe "$1"/x.dll; do
		test ! -f "$path" || echo "$path"
	done
}

# with_dia NAME SYM: the same table, against what Microsoft's own reader has dumped
with_dia () {
	awk -v asked=$asked -f "$SRC/tests/tools/pdb-dia.awk" "$2" | sort >"real-$1/asked" &&
		rossym-addr2line -a -f -i -e "real-$1/table" <"real-$1/asked" >"real-$1/answers" || exit 99
	ok "$1: $(wc -l <"real-$1/asked") addresses as DIA has them" awk -f "$SRC/tests/tools/pdb-dia.awk" "$2" "real-$1/answers"
	diag "$(cat "$OUT")"
	# A part of the answers will do to be wrong.
	sed '/^main$/{n;s/[0-9]*$/1/;};300q' "real-$1/answers" >"real-$1/edited"
	ok 'noticed: a line that DIA does not have' sh -c 'awk -f "$@" | grep " different-line"' \
		sh "$SRC/tests/tools/pdb-dia.awk" "$2" "real-$1/edited"
	sed 's/^main$/mainly/;300q' "real-$1/answers" >"real-$1/edited"
	ok 'noticed: a name' sh -c 'awk -f "$@" | grep " different-name"' \
		sh "$SRC/tests/tools/pdb-dia.awk" "$2" "real-$1/edited"
}

# The witness crashes at each 15th address of one of them.
step=257 asked=1
test "$PDB_SET" != all || step=1 asked=2
for directory in "$PDB_FIXTURES"/[a-z]*; do
	name=$(basename "$directory")
	image=$(real_image "$directory")
	if ! test -f "$directory/x.pdb" || test -z "$image"; then
		skip 'real images' 'files of others are not here'
		break
	fi
	case $name in
	*_resonly)
		check "$name: it has no code" -s 1 -g '*: nothing to embed: no debug information and no symbols of code were found' \
			rossym-embed --table-only --pdb="$directory/x.pdb" "$image" none </dev/null
		;;
	*_omap_*)
		put_recorded "$name" "$image" "$directory/x.pdb" &&
			moved "real-$name" "real-$name/$(basename "$image")" "$directory/x.pdb" >"done/real-$name.log" 2>&1
		result "real-$name"
		diag "$(wc -l <"real-$name/new") bytes have no source"
		ok "$name: nothing is known about them" sh -c '! grep -v "^0x" "$1" | grep -vx "??" | grep -vxF "??:0"' \
			sh "real-$name/of-new"
		;;
	*)
		put_recorded "$name" "$image" "$directory/x.pdb" &&
			proved "real-$name" "real-$name/$(basename "$image")" "$directory/x.pdb" $step -c >"done/real-$name.log" 2>&1
		test ! -s "real-$name/crashed" || diag "the witness crashed at $(wc -l <"real-$name/crashed") addresses"
		result "real-$name"
		test ! -f "$directory/expected-dia.sym" || with_dia "$name" "$directory/expected-dia.sym"
		;;
	esac
done
for directory in "$PDB_FIXTURES"/_refuse/*; do
	test -f "$directory/x.pdb" || continue
	check "$(basename "$directory") is refused" -s 1 -g 'rossym-embed: *' \
		rossym-embed --table-only --pdb="$directory/x.pdb" "$(real_image "$directory")" refused </dev/null
	ok 'and nothing written' test ! -e refused
done

# ------------------------------------------------------------------------------ whether it would be noticed

# wrong WHAT SED-COMMAND: the answers of one image, edited, do not pass
wrong () {
	sed "$2" "$kept/ours" >"$kept/edited"
	ok "noticed: $1" sh -c '! cmp -s "$1/ours" "$1/edited" && ! "$2" compare "$1.exe" "$1/dump" "$1/llvm" "$1/edited"' sh "$kept" "$compare"
}
kept=i386-O2-icf
if test -f done/$kept; then
	ok 'the same passes unedited' "$compare" compare $kept.exe $kept/dump $kept/llvm $kept/ours
	wrong 'another line' 's/plain\.c:40$/plain.c:41/'
	wrong 'another file' 's/one\.cc:17$/two.cc:17/'
	wrong 'another function' 's/^chosen$/start/'
	wrong 'decoration' 's/^standard$/_standard@8/'
	wrong 'another inlined function' 's/^lib::twice$/lib::thrice/'
	wrong 'an answer in padding' '/^??$/{s/.*/sink/;}'
fi

# ------------------------------------------------------------------------------------------- with --diff

kept=x86_64-O2-16384
if test -f done/$kept; then
	ok 'a table in the image' rossym-embed --pdb=$kept.pdb $kept.exe tabled.exe
	awk '/^0x/ { at = substr($0, 7) } /^(chosen|sink|start)$/ { print "0x14000" at }' $kept/ours >asked
	check '--diff asks llvm-symbolizer without being told' -I asked -e \
		"rossym-addr2line: $(wc -l <asked) addresses compared: no differences" \
		rossym-addr2line -f -i --brief --diff=$kept.exe -e tabled.exe </dev/null
	awk '/^0x/ { at = substr($0, 7) } /^fold::first$/ { print "0x14000" at }' $kept/ours >asked
	check 'parameters are another form of a name' -I asked -g '*: 0 differ, [1-9]* differ only in what is ignored*decoration (ignored)' \
		rossym-addr2line -f -i --brief --diff=$kept.exe -e tabled.exe </dev/null
	check '--diff without it' -s 2 -e "rossym-addr2line: $kept.exe: its symbols are in a PDB file, and there is no llvm-symbolizer to ask; see --reference" \
		env PATH="$tap_tmp/bin" rossym-addr2line -f --diff=$kept.exe -e tabled.exe --diff-all </dev/null
fi
mv table "$tap_build/tests/pdb.tsv"
done_testing
