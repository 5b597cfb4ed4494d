# SPDX-License-Identifier: GPL-2.0-or-later
#
# For every byte of code of images compiled here, in many ways: whether rossym-addr2line says of the final image what GNU
# addr2line says of the one with debug information.  tests/tools/proof-compare.py says what is compared, and how a difference is
# settled; its counts are printed, and stand in tests/proof.tsv of the build.
#
# PROOF_STEP=N		every Nth byte (7; 1 in make check-long)
# PROOF_SET=all		all combinations of machine, compiler, optimisation and format; none: only the images in tests/data
#			(else: a part of the combinations)
# PROOF_IMAGES=PATH	also this image with debug information, or those in this directory (BIG=PATH of make check-long)
# PROOF_FRAMES=-i	outer frames of inlined code, too

proof_directory=$(pwd)
. "${srcdir:-.}/tests/lib/tap.sh"

case ${CFLAGS-} in
*-fsanitize*) skip_all 'the sanitizers make it slow, and it is about answers' ;;
esac

: "${PROOF_STEP:=7}" "${PROOF_SET:=part}" "${PROOF_IMAGES:=}" "${PROOF_FRAMES:=}"
need llvm-addr2line
machines=
for machine in i686 x86_64; do
	for tool in gcc g++ addr2line nm objdump objcopy c++filt; do
		has $machine-w64-mingw32-$tool || continue 2
	done
	machines="$machines $machine"
done
test -n "$machines" || skip_all 'no mingw compilers'
compare=$SRC/tests/tools/proof-compare.py
mkdir src done
cp "$SRC"/tests/witness/witness-proof/proof* src/ && cp "$SRC"/tests/witness/witness-proof/library.cc src/ || exit 99

# ----------------------------------------------------------------------------------------------- the images

# Lines of: part or all, name, machine, compiler, C++ source, flags for all; the linker's are the last ones, after "+".  No word
# has a blank.
matrix () {
	for machine in $machines; do
		for level in 0 1 2 s; do
			for format in dwarf-2 dwarf-3 dwarf-4 dwarf-5; do
				echo all $machine-O$level-$format $machine gcc proof -O$level -g$format
			done
			echo all $machine-O$level-dwarf-2-strict $machine gcc proof -O$level -gdwarf-2 -gstrict-dwarf
			echo all $machine-O$level-stabs $machine gcc proof -O$level -gstabs+
			for format in dwarf-2 dwarf-3 dwarf-4; do
				echo all $machine-clang-O$level-$format $machine clang proof -O$level -g$format
			done
		done
		for format in dwarf-2 dwarf-4 dwarf-5 stabs+; do
			echo all $machine-O2-lto-$format $machine gcc proof -O2 -g$format -flto
			echo all $machine-O2-sections-$format $machine gcc proof \
				-O2 -g$format -ffunction-sections -fdata-sections + -Wl,--gc-sections
			for level in 0 2; do
				echo all $machine-O$level-library-$format $machine gcc library -O$level -g$format
			done
		done
	done | awk '
	BEGIN {
		part = " i686-O0-dwarf-2-strict i686-O1-dwarf-4 i686-O2-dwarf-2 i686-O2-dwarf-5 i686-Os-dwarf-3 i686-O1-stabs " \
			"i686-O2-lto-dwarf-5 i686-O2-sections-dwarf-4 i686-clang-O2-dwarf-4 " \
			"x86_64-O0-dwarf-5 x86_64-O1-dwarf-3 x86_64-O2-dwarf-2-strict x86_64-Os-dwarf-4 x86_64-O2-stabs " \
			"x86_64-O2-lto-dwarf-4 x86_64-O2-sections-dwarf-5 x86_64-clang-O1-dwarf-2 "
	}
	index(part, " " $2 " ") { $1 = "part" }
	{ print }'
}

# compiled NAME MACHINE COMPILER SOURCE FLAG...: makes NAME.nostrip.exe
compiled () {
	name=$1 prefix=$2-w64-mingw32- machine=$2 compiler=$3 source=$4
	shift 4
	flags= link=
	while test $# -gt 0; do
		case $1 in
		+) shift; link=$*; break ;;
		esac
		flags="$flags $1"
		shift
	done
	assembler=-g cc=${prefix}gcc cxx=${prefix}g++
	case $flags in
	*-gstabs*)
		assembler=-Wa,--gstabs
		# Its addresses have 32 bits.
		test $machine = i686 || link="$link -Wl,--image-base,0x400000"
		;;
	esac
	test $source != proof || cxxflags='-fno-exceptions -fno-rtti'
	test $source = proof || cxxflags=
	if test $compiler = clang; then
		cc="clang --target=$machine-w64-mingw32" cxx="clang++ --target=$machine-w64-mingw32"
	fi
	$cc $flags -c -o "$name.c.o" src/proof.c &&
		$cxx $flags $cxxflags -c -o "$name.cc.o" src/$source.cc &&
		${prefix}gcc $assembler -c -o "$name.S.o" src/proof.S &&
		${prefix}g++ $flags $link -static -o "$name.nostrip.exe" "$name.c.o" "$name.cc.o" "$name.S.o" &&
		rm -f "$name".*.o
}

# ---------------------------------------------------------------------------------------------- the answers

# proved NAME MACHINE IMAGE: leaves the counts in done/NAME, what differs in done/NAME.shown
proved () {
	prefix=$2-w64-mingw32- image=$3
	case $2 in
	i686) machine=i386 ;;
	*) machine=x86-64 ;;
	esac
	mkdir "$1" || return
	rossym-embed "$image" "$1/final" &&
		"$compare" addresses "$image" "$PROOF_STEP" >"$1/addresses" &&
		rossym-addr2line -af $PROOF_FRAMES -e "$1/final" <"$1/addresses" >"$1/ours" &&
		${prefix}addr2line -af $PROOF_FRAMES -e "$image" <"$1/addresses" >"$1/gnu" &&
		llvm-addr2line -af -i -e "$image" <"$1/addresses" >"$1/llvm" &&
		${prefix}nm "$image" >"$1/symbols" &&
		${prefix}objdump --dwarf=decodedline "$image" >"$1/lines" &&
		${prefix}objdump -G "$image" >"$1/stabs" || return
	: >"$1/without" >"done/$1.formats"
	if ${prefix}objdump -h "$image" | grep -q ' \.stab '; then
		echo stabs >"done/$1.formats"
		${prefix}objcopy -R .stab -R .stabstr "$image" "$1/nostabs" &&
			${prefix}addr2line -af $PROOF_FRAMES -e "$1/nostabs" <"$1/addresses" >"$1/without" || return
	fi
	awk 'length > 255 && !/^0x/ && !/:[0-9?]*$/' "$1/gnu" "$1/without" | sort -u |
		if test $machine = i386; then sed 's/@[0-9]*$//'; else cat; fi >"$1/names"
	${prefix}c++filt -p <"$1/names" | paste "$1/names" - >"$1/long"
	proved_status=0
	"$compare" $PROOF_FRAMES $machine "$1/ours" "$1/gnu" "$1/llvm" "$1/symbols" "$1/lines" "$1/stabs" "$1/without" \
		"$1/long" >"done/$1.counts" 2>"done/$1.shown" || proved_status=$?
	test $proved_status -le 1 && mv "done/$1.counts" "done/$1"
}

# Whether the compilers do.  gcc 13 and newer have no stabs, and only warn.
makes_stabs () {
	for machine in $machines; do
		echo 'int x;' | $machine-w64-mingw32-gcc -gstabs+ -S -o - -x c - 2>/dev/null | grep -q '\.stabs' || return
	done
}

# one KIND NAME MACHINE REST: what is to be done for one line of the list
one () {
	one_name=$2 one_machine=$3
	case $1 in
	image) one_image=$4 ;;
	*)
		one_image=$one_name.nostrip.exe
		# shellcheck disable=SC2086
		compiled "$one_name" "$one_machine" $4 >"done/$one_name.log" 2>&1 || return
		;;
	esac
	proved "$one_name" "$one_machine" "$one_image" >>"done/$one_name.log" 2>&1
	rm -rf "$one_name" "$one_name.nostrip.exe"
}

machine_of () {
	for machine in $machines; do
		case $($machine-w64-mingw32-objdump -f "$1" 2>/dev/null) in
		*pei-i386*) test $machine = i686 && echo i686 ;;
		*pei-x86-64*) test $machine = x86_64 && echo x86_64 ;;
		esac
	done
}

extra_images () {
	# The last ones are stabs for both machines, which newer compilers do not make.
	for path in "$DATA"/*.nostrip.* "$DATA"/*/*.nostrip.* "$DATA"/made/cli-embed-ends/*stabs+/nostrip.exe; do
		echo "$path"
	done
	test -n "$PROOF_IMAGES" || return 0
	case $PROOF_IMAGES in
	/*) path=$PROOF_IMAGES ;;
	*) path=$proof_directory/$PROOF_IMAGES ;;
	esac
	if test -d "$path"; then
		for image in "$path"/*.nostrip.*; do
			echo "$image"
		done
	else
		echo "$path"
	fi
}

{
	extra_images | while read -r path; do
		machine=$(machine_of "$path")
		case $path in
		*/nostrip.exe) name=$(basename "${path%/*}").exe ;;
		*) name=$(basename "$path" | tr ' ' _) ;;
		esac
		test -z "$machine" || echo "image $name $machine $path"
	done
	matrix | case $PROOF_SET in
	all) cat ;;
	none) : ;;
	*) grep '^part' ;;
	esac |
		if has clang; then cat; else grep -v ' clang '; fi |
		if makes_stabs; then cat; else grep -v -e '-gstabs'; fi
} >list

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
running=0
while read -r kind name machine rest; do
	(
		trap - EXIT
		one "$kind" "$name" "$machine" "$rest"
	) &
	running=$((running + 1))
	test $((running % jobs)) -ne 0 || wait
done <list
wait

# ----------------------------------------------------------------------------------------------- what it is

columns='all line equal decoration long assembler file stabs-end stabs-line stabs-outside end
	line-different name name-equal name-different unknown unknown-to-all behind unknown-different
	gnu-stabs-end gnu-bias gnu-guess inlined confirmed'
table=$tap_build/tests/proof.tsv
# shellcheck disable=SC2086
{ printf image; printf '\t%s' $columns; echo; } >"$table"

# What is not nothing, as "N NAME, N NAME".
classes () {
	for column in "$@"; do
		eval "value=\$c_$(echo $column | tr - _)"
		test "$value" -eq 0 || printf ', %s %s' "$value" $column
	done | sed 's/^, //'
}

line_total=0 name_total=0 unknown_total=0 images=0
while read -r kind name machine rest; do
	if ! test -f "done/$name"; then
		case $rest in
		clang*)
			diag "$name: clang does not compile for it here"
			;;
		*)
			fail "$name: made and asked"
			sed 's/^/# /; 20q' "done/$name.log"
			test ! -f "done/$name.shown" || sed 's/^/# /; 20q' "done/$name.shown"
			;;
		esac
		continue
	fi
	{ printf '%s\t' "$name"; cat "done/$name"; } >>"$table"
	# shellcheck disable=SC2046
	set -- $(cat "done/$name")
	for column in $columns; do
		eval "c_$(echo $column | tr - _)=$1"
		shift
	done
	ok "$name: $c_line bytes with a line are as GNU's" test "$c_line_different" -eq 0 -a "$c_line" -gt 0
	ok "$name: $c_name bytes with a name only have that of the symbol" test "$c_name_different" -eq 0
	ok "$name: $c_unknown bytes are unknown to all" test "$c_unknown_different" -eq 0
	# What comes from .stab is not there.
	grep -q stabs "done/$name.formats" ||
		ok "$name: and their lines are those of objdump" test "$c_confirmed" -eq "$c_line"
	diag "line: $(classes equal decoration long assembler file stabs-end stabs-line stabs-outside end line-different \
		inlined)"
	diag "name: $(classes name-equal name-different); unknown: $(classes unknown-to-all behind unknown-different)"
	diag "GNU there: $(classes gnu-stabs-end gnu-bias gnu-guess)"
	sed 's/^/# /' "done/$name.shown"
	line_total=$((line_total + c_line)) name_total=$((name_total + c_name)) images=$((images + 1))
	unknown_total=$((unknown_total + c_unknown))
done <list
diag "$images images, every byte in $PROOF_STEP: $line_total with a line, $name_total with a name, $unknown_total unknown"
ok 'there were images' test $images -gt 0

# ------------------------------------------------------------------------------ whether it would be noticed

# The first is an image in tests/data.
read -r kind name kept_machine path <list
proved kept "$kept_machine" "$path" || exit 99
# wrong WHAT SED-COMMAND: the answers of that image, edited, do not pass
wrong () {
	sed "$2" kept/ours >kept/edited
	ok "noticed: $1" sh -c '! cmp -s kept/ours kept/edited'
	case $kept_machine in
	i686) set -- "$1" i386 ;;
	*) set -- "$1" x86-64 ;;
	esac
	"$compare" $PROOF_FRAMES $2 kept/edited kept/gnu kept/llvm kept/symbols kept/lines kept/stabs kept/without kept/long \
		>/dev/null 2>&1
	ok "noticed: $1, by a status of 1" test $? -eq 1
}
# An answer that has a function, a file and a line.
line=$(awk '/:[1-9][0-9]*$/ && was != "??" && ++n == 5 { print NR; exit } { was = $0 }' kept/ours)
wrong 'another line' "${line}s/\$/0/"
wrong 'another file' "${line}s/:/x:/"
wrong 'no line' "${line}s/.*/??:0/"
wrong 'another function' "$((line - 1))s/\$/x/"
wrong 'no function' "$((line - 1))s/.*/??/"
line=$(awk '/^\?\?:/ && was != "??" { print NR; exit } { was = $0 }' kept/ours)
wrong 'another symbol' "$((line - 1))s/\$/x/"
wrong 'no symbol' "$((line - 1))s/.*/??/"

done_testing
