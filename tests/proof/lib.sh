# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the scripts of this folder share.  SRC is the source directory.  PROOF_CACHE, if it is set, is a directory for what the
# provers found: then the next run proves only what has changed.
#
# PROVED names the files of src/core whose functions are all proved, but for those of SKIPPED, in an order in which a C compiler
# takes them.
#
# prove DIRECTORY LOG [OPTION...]	proves the functions of PROVED as they are in DIRECTORY/src, with more options for Frama-C
# goals LOG				prints "FUNCTION GOAL yes" or "FUNCTION GOAL no" for each goal
# copy DIRECTORY			copies the sources there

set -u
LC_ALL=C
export LC_ALL
SKIPPED=rs_read_into,rs_core_open_bare_table,rs_core_open_image_table,open_headers,rossym_core_open,rossym_core_open_loaded
SKIPPED=$SKIPPED,rossym_core_open_table,rossym_core_scratch,rossym_core_check,rs_guide_make,switch_to_copy,rossym_core_keep
PROVED='columns.c packed.c text.c table.c words.c answer.c lookup.c guide.c parts.c crc.c pe.c core.c guide-make.c keep.c'

for tool in frama-c why3 z3 cvc4; do
	if ! command -v $tool >/dev/null; then
		echo "check-proof is skipped: there is no $tool"
		exit 77
	fi
done

work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
WHY3CONFIG=$work/why3.conf
export WHY3CONFIG
why3 config detect >"$work/detect" 2>&1 || { cat "$work/detect"; exit 1; }

copy () {
	mkdir -p "$1/src" && cp -R "$SRC/src/core" "$SRC/src/rossym-core.h" "$1/src"
}

# list DIRECTORY: write the file all.c of these functions.
list () {
	for file in $PROVED; do
		echo "#include \"core/$file\""
	done >"$1/all.c"
}

# Pointers to void are read as pointers to bytes (Typed+Cast).  A prover may take so many steps for a goal, five times what the hardest
# takes: its own steps, so that neither the processor nor what else it does decides what is proved.
# With ROSSYM_AMALGAMATION mem.h declares the functions of libc itself, with contracts, as a kernel compiles it.
# rs_read_into() calls the caller's function, about which nothing can be proved.  The other functions of SKIPPED have no contracts:
# they make structures from zeros, or from bytes that the caller gives, which the provers cannot follow.
prove () {
	directory=$1 log=$2
	shift 2
	list "$directory"
	frama-c -cpp-extra-args="-I$directory/src -DROSSYM_AMALGAMATION" -wp -wp-rte -wp-model Typed+Cast -wp-prover z3,cvc4 \
		-wp-split -wp-steps "${PROOF_STEPS:-4000000}" -wp-timeout 600 -wp-par "$(getconf _NPROCESSORS_ONLN)" \
		-wp-definitions-terminate -wp-declarations-terminate -wp-skip-fct "$SKIPPED" \
		${PROOF_CACHE:+-wp-cache update -wp-cache-dir "$PROOF_CACHE"} "$@" "$directory/all.c" >"$log" 2>&1 ||
		{ cat "$log"; exit 1; }
}

# WP's name of a goal is "typed_cast_FUNCTION_GOAL"; its parts have numbers that change, so they count as one goal.
goals () {
	awk '
		/^\[rte:annot\] annotating function / { functions[$NF] }
		/^\[wp\] \[.*\] Goal / {
			name = $0
			sub(/.*\] Goal /, "", name)
			sub(/ .*/, "", name)
			sub(/^typed_cast_/, "", name)
			sub(/_part[0-9]*$/, "", name)
			best = ""
			for (f in functions)
				if (index(name, f "_") == 1 && length(f) > length(best))
					best = f
			print best, substr(name, length(best) + 2), / : Valid/ ? "yes" : "no"
		}' "$1" | sort
}
