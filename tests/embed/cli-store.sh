# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-embed --store: images and PDB files in a symbol store, where rossym-log finds them.

tap_plain=yes # for LD_PRELOAD
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

mkpdb=$tap_build/tests/tools/mkpdb
store () {
	rossym-embed --store=s "$@"
}
# All that is in the store.
tree () {
	find "${1-s}" ! -type d | sort
}

cases 'an image; the directories are made'
if witness llvm-readobj || no_witness 'the key' 'no llvm-readobj'; then
	llvm-readobj --file-headers x.exe | sed -n 's/.*TimeDateStamp: .*(0x\(.*\))/\1/p; s/.*SizeOfImage: //p' |
		{ read -r stamp; read -r size; printf '%s%x\n' "$stamp" "$size"; } >witness
	check 'llvm-readobj sees the same key' cat witness <<EOT
$key
EOT
fi

# ------------------------------------------------------------------------------------------------ names and places

if ! on_windows || skip 'names that not every system has' 'Windows has none of them'; then
	for name in con.exe .hidden 'a:b.exe' 'a\b.exe'; do
		cp x.exe "$name"
		check "not a name on every system: $name" -s 1 -e "rossym-embed: $name: not the name of a file on every system" \
			store "$name" </dev/null
		rm "$name"
	done
fi

cases 'no file'

# ------------------------------------------------------------------------------------------------ PDB files

if test -x "$mkpdb" || skip 'PDB files' 'no mkpdb for this system'; then
	"$mkpdb" y.exe y.pdb
	"$mkpdb" age=10 z.exe z.pdb
	ok 'PDB files, with an image and alone' store --pdb=y.pdb --pdb=z.pdb y.exe
	cp "$OUT" added
	sed 's,[0-9A-F]\{32\},GUID,' added >short
	check 'PDB files are under GUID and age' sed 's,y.exe/.*/,y.exe/KEY/,' short <<-'EOT'
		s/y.exe/KEY/y.exe
		s/y.pdb/GUID1/y.pdb
		s/z.pdb/GUIDa/z.pdb
	EOT
	ok 'byte for byte' cmp z.pdb "$(sed -n 3p added)"
	if witness llvm-readobj || no_witness 'the key of a PDB file' 'no llvm-readobj'; then
		llvm-readobj --coff-debug-directory y.exe | sed -n 's/.*PDBGUID: {\(.*\)}/\1/p; s/.*PDBAge: //p
			s/.*PDBGUID: (\(..\) \(..\) \(..\) \(..\) \(..\) \(..\) \(..\) \(..\)\(.*\))/\4\3\2\1\6\5\8\7\9/p' | tr -d '\n -' >witness
		check 'llvm-readobj sees the same key in the image' test "s/y.pdb/$(cat witness)/y.pdb" = "$(sed -n 2p added)" </dev/null
	fi
	cases 'operands are images and PDB files, whatever their names are'
fi

# ------------------------------------------------------------------------------------------------ rossym-log

bugcheck () {
	printf '***     %s - Address 00011000 base at 00010000, DateStamp %s\\n' "$1" "$2"
}

cases 'upper case stays'

# ------------------------------------------------------------------------------------------------ two at once, a full disk

: "${CC:=cc}"
case ${CFLAGS-} in
*-fsanitize*) sanitized=yes ;;
*) sanitized=no ;;
esac
if ! on_windows && test $sanitized != yes && has "${CC%% *}" && $CC -shared -fPIC -o faults.so "$SRC/tests/tools/faults-preload.c" -ldl 2>/dev/null ||
	skip 'another program in the last moment, a full disk' 'no compiler, not glibc, or a sanitizer'; then
	with () {
		with_fault=$1
		shift
		FAULT=$with_fault LD_PRELOAD=$PWD/faults.so "$@"
	}
	cases 'another program adds the same file in the last moment'
fi
# Four programs, four files that are the same and one name with two contents.
for file in x.exe again/x.exe x.exe again/x.exe; do
	{ rossym-embed --store=race other.exe no-table.exe "$file" >>said 2>&1; echo $? >>said; } &
done
cases 'four at once: one of two contents wins, and two programs say so'

done_testing
