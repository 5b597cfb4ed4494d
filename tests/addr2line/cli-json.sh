# SPDX-License-Identifier: GPL-2.0-or-later
#
# --output-style: llvm-symbolizer's forms, byte for byte where the table knows as much as debug information does.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

json_names () {
	rossym-addr2line -e odd.exe --output-style=JSON "$@" | sed 's/},{"A/\n/g' | sed 's/.*"FileName":"\(.*\)","FunctionName":"\(.*\)","Line.*/\1 \2/'
}

cases 'operands are one array'
if has iconv || skip 'iconv finds nothing wrong' 'no iconv'; then
	ok 'iconv finds nothing wrong' iconv -f UTF-8 -t UTF-32 odd.json
fi
ok 'a parser reads each line, and Latin-1 bytes as what they are' python3 -c '
import json
names = [json.loads(line)["Symbol"][0]["FunctionName"] for line in open("odd.json", encoding="utf-8", newline="\n")]
assert len(names) == 8 and names[2] == "\xe9 \xc3 \xc3", names'

# ---- LLVM ----

cases 'LLVM style'
for style in llvm Llvm lLVM; do
	check "$style is LLVM" rossym-addr2line -e x.exe --output-style=$style 401000 <<-'EOT'
		main.c:3:0

	EOT
done
for style in gnu Gnu; do
	check "$style is GNU" rossym-addr2line -e x.exe --output-style=LLVM --output-style=$style 401000 <<-'EOT'
		main.c:3
	EOT
done
rossym-addr2line -e x.exe --output-style=JSON 401000 >json
for style in json Json jSON; do
	check "$style is JSON" -O json rossym-addr2line -e x.exe --output-style=$style 401000 </dev/null
done
check 'options of llvm-symbolizer are known with json, too' -O json rossym-addr2line --functions=linkage -e x.exe --output-style=json 401000 \
	</dev/null
for style in LLVMx LLV jsonl gn ''; do
	check "'$style' is no style" -s 1 -e "rossym-addr2line: --output-style: '$style' is not GNU, LLVM or JSON" \
		rossym-addr2line -e x.exe "--output-style=$style" 401000 </dev/null
done
# The witness does not refuse: all it does not know is LLVM to it, so gnu and json say something else there.
if witness llvm-symbolizer || no_witness 'llvm-symbolizer: spellings of the styles' 'no llvm-symbolizer'; then
	for style in LLVM llvm Llvm gnu json; do
		llvm-symbolizer --output-style=$style --obj="$DATA/dwarf32.nostrip.exe" 0x401640 >style.$style
	done
	ok 'llvm-symbolizer: llvm and Llvm are LLVM' sh -c 'cmp style.LLVM style.llvm && cmp style.LLVM style.Llvm'
	ok 'llvm-symbolizer: gnu and json are so too' sh -c 'cmp style.LLVM style.gnu && cmp style.LLVM style.json'
fi

# ---- beside llvm-symbolizer, on the unstripped image of the same program ----

# What debug information knows and a table does not: columns, where functions begin.  The image's own directory is cut.
unknown_to_tables () {
	sed -e 's/"Column":[0-9]*/"Column":0/g' -e 's/"StartAddress":"[^"]*"/"StartAddress":""/g' \
		-e 's/"StartFileName":"[^"]*"/"StartFileName":""/g' -e 's/"StartLine":[0-9]*/"StartLine":0/g' -e 's,"/src/,",g' \
		-e 's/:[0-9]*$/:0/' -e 's,^/src/,,'
}
if witness llvm-symbolizer || no_witness 'beside llvm-symbolizer' 'no llvm-symbolizer'; then
	mkdir theirs mine
	cp "$DATA/dwarf32.nostrip.exe" theirs/dwarf32.exe
	cp "$DATA/dwarf32.exe" mine/dwarf32.exe
	# Starts of functions: there no inlining comes between the two.
	addresses='0x4015cb 0x401720 0x401610 0x0 0x999999'
	for style in JSON LLVM; do
		# shellcheck disable=SC2086
		(cd theirs && llvm-symbolizer --output-style=$style --obj=dwarf32.exe $addresses) | unknown_to_tables >llvm
		# shellcheck disable=SC2086
		(cd mine && rossym-addr2line -f --output-style=$style -e dwarf32.exe $addresses) 2>/dev/null | unknown_to_tables >ours
		ok "operands as llvm-symbolizer, $style" diff llvm ours
		# shellcheck disable=SC2086
		printf '%s\n' $addresses | (cd theirs && llvm-symbolizer --output-style=$style --obj=dwarf32.exe) |
			unknown_to_tables >llvm
		# shellcheck disable=SC2086
		printf '%s\n' $addresses | (cd mine && rossym-addr2line -f --output-style=$style -e dwarf32.exe) 2>/dev/null |
			unknown_to_tables >ours
		ok "lines as llvm-symbolizer, $style" diff llvm ours
	done
	# Symbols, in both forms; commands of llvm-symbolizer's input.  Tables know no data.
	cp "$DATA/dwarf64.nostrip.exe" theirs/dwarf64.exe
	rossym-embed theirs/dwarf64.exe mine/dwarf64.exe || exit 99
	symbolizer=$(newest llvm-symbolizer)
	beside "$symbolizer"
	if ! known_difference "$symbolizer" symbols-as-input ||
		no_witness 'symbols and commands as llvm-symbolizer' "$symbolizer takes no symbols"; then
		printf 'CODE 0x140001600\nCODE main\nDATA 0x10\n0x140001600\nmain\n,\n' >commands
		for style in JSON LLVM; do
			(cd theirs && $symbolizer --output-style=$style --obj=dwarf64.exe main nosuch ,) 2>/dev/null | unknown_to_tables >llvm
			(cd mine && rossym-addr2line --functions=linkage --output-style=$style --obj=dwarf64.exe main nosuch ,) | unknown_to_tables >ours
			ok "symbols as $symbolizer, $style" diff llvm ours
			(cd theirs && $symbolizer --output-style=$style --obj=dwarf64.exe) <commands 2>/dev/null | unknown_to_tables >llvm
			(cd mine && rossym-addr2line -f --output-style=$style --obj=dwarf64.exe) <commands | unknown_to_tables >ours
			ok "commands as $symbolizer, $style" diff llvm ours
		done
	fi
	beside
	# shellcheck disable=SC2086
	(cd theirs && llvm-addr2line -fp --output-style=JSON -e dwarf32.exe $addresses) | sed 's/: "_/: "/; s/@20"/"/; s/"Column": [0-9]*/"Column": 0/; s/"StartAddress": "[^"]*"/"StartAddress": ""/; s/"StartFileName": "[^"]*"/"StartFileName": ""/; s/"StartLine": [0-9]*/"StartLine": 0/; s,"/src/,",' >llvm
	# shellcheck disable=SC2086
	(cd mine && rossym-addr2line -fp --output-style=JSON -e dwarf32.exe $addresses) >ours
	ok 'indented as llvm-addr2line -p' diff llvm ours
fi

# A table of our own, with a block: the outermost function without inlines, all of them with, and where it begins.
# Discriminators and where inlined functions begin are nowhere in a table; LLVM takes the outermost name from the COFF symbols,
# where the compiler says what it has done to the function.
unknown_to_blocks () {
	sed -e 's/"Column":[0-9]*/"Column":0/g' -e 's/"Discriminator":[0-9]*/"Discriminator":0/g' \
		-e 's/"StartFileName":"[^"]*"/"StartFileName":""/g' -e 's/"StartLine":[0-9]*/"StartLine":0/g' \
		-e 's/"StartAddress":"[^"]*","StartFileName":"","StartLine":0},/"StartAddress":"","StartFileName":"","StartLine":0},/g' \
		-e '/^[^{]/s/:[0-9]*$/:0/' -e 's/ (\.isra\.0)//' -e 's/\.isra\.0//' -e 's/\.constprop\.0//'
}
if witness llvm-addr2line || no_witness 'a table with a block beside llvm-addr2line' 'no llvm-addr2line'; then
	cp "$DATA/dwarf64.nostrip.exe" theirs/dwarf64.exe
	rossym-embed theirs/dwarf64.exe mine/dwarf64.exe || exit 99
	rossym-addr2line --dump -e mine/dwarf64.exe | awk -F '\t' '$6 == 0 && $3 != "" && $4 ~ "^/src/" && $5 > 0 { print $1 }' |
		while read -r rva; do
			printf '0x%x\n' $((0x140000000 + rva))
		done >addresses
	ok 'inlined calls are among them' sh -c 'rossym-addr2line -fip -e mine/dwarf64.exe <addresses | grep -q "inlined by"'
	for options in '-f --output-style=JSON' '-fC --output-style=JSON' '-fi --output-style=JSON' '-f --output-style=LLVM' \
		'-fi --output-style=LLVM' '-aCfip --output-style=LLVM'; do
		case $options in
		-fC* | -aC*) has_demangler || { skip "$options: as llvm-addr2line" 'built without a demangler'; continue; } ;;
		esac
		# shellcheck disable=SC2086
		(cd theirs && llvm-addr2line $options -e dwarf64.exe <../addresses) | unknown_to_blocks >llvm
		# shellcheck disable=SC2086
		(cd mine && rossym-addr2line $options -e dwarf64.exe <../addresses) | unknown_to_blocks >ours
		ok "$options: as llvm-addr2line" diff llvm ours
	done
fi

# ---- images without a table: columns, discriminators, where functions begin ----

cases 'debug information knows more'
for part in 1 2 3 4 5 6 7 8; do
	sed -n "$((part * 130)),$((part * 130 + 9))p" many.json
done >some.json
# Apart from what only debug information knows, a table made of it says the same.
only_lines () {
	sed -e 's/"Column":[0-9]*/"Column":0/g' -e 's/"Discriminator":[0-9]*/"Discriminator":0/g' \
		-e 's/"StartFileName":"[^"]*"/"StartFileName":""/g' -e 's/"StartLine":[0-9]*/"StartLine":0/g' -e 's/plain.exe/embedded.exe/' -e 's,"/src/,",g'
}

cases '... and of a few'
for image in plain damaged; do
	rossym-addr2line -e $image.exe <many 2>/dev/null | sed 's/:?$/:0/; s/ (discriminator [0-9]*)//' >gnu
	rossym-addr2line --output-style=LLVM -e $image.exe <many 2>/dev/null | sed '/^$/d; s/:[0-9]*$//' >llvm
	check "the lines of $image.exe are the same in all styles" -O gnu cat llvm
done

# Each byte of code of images, beside llvm-symbolizer.  If a file has a form that is in the abbreviation, LLVM leaves
# StartFileName empty; it takes names of functions from symbols, and StartAddress from inlined calls, too.
cat >agree.py <<'EOF_PY'
import json, sys

def places(record):
    return [[s[key] for key in ("FileName", "Line", "Column", "Discriminator", "StartLine", "StartFileName")] for s in record.get("Symbol", [])]

compared = discriminators = 0
for theirs, ours in zip(open(sys.argv[1]), open(sys.argv[2])):
    theirs, ours = json.loads(theirs), json.loads(ours)
    a, b = places(theirs), places(ours)
    if not any(place[1] for place in a):
        continue
    compared += 1
    discriminators += any(place[3] for place in a)
    for x, y in zip(a, b):
        if x[5] == "":
            y[5] = ""
    if a != b:
        print(theirs["Address"], a, "and not", b)
print("enough" if compared > 1000 and discriminators > 20 else "only %d, %d" % (compared, discriminators))
EOF_PY
symbolizer=$(newest llvm-symbolizer)
beside_symbolizer () {
	if ! { test -n "$symbolizer" && witness "$symbolizer" objdump; }; then
		no_witness "$1: columns as llvm-symbolizer" 'no llvm-symbolizer or no objdump'
		return
	fi
	objdump -h "$2" | while read -r index name size address rest; do
		test "$name" != .text || echo "$size $address"
	done | {
		read -r size address
		python3 -c 'import sys
for i in range(min(int(sys.argv[1], 16), 0x3000)): print(hex(int(sys.argv[2], 16) + i))' "$size" "$address"
	} >every
	$symbolizer --output-style=JSON --inlines --no-demangle -e "$2" <every >theirs.json
	rossym-addr2line --output-style=JSON -i -e "$2" <every >ours.json
	check "$1: columns as llvm-symbolizer" python3 agree.py theirs.json ours.json <<-'EOT'
		enough
	EOT
}
cp "$DATA/dwarf32.nostrip.exe" plain32.exe
beside_symbolizer 'x86-64' plain.exe
beside_symbolizer 'i386' plain32.exe
cat >parts.cpp <<'EOT'
#include <algorithm>
#include <vector>
struct part {
	int sum(int most);
	static int cube(int y) { return y * 3 + half(y); }
	static inline int half(int z) { return z > 3 ? z * z : z - 1; }
	int value;
};
int part::sum(int most)
{
	std::vector<int> all;
	for (int i = 0; i < most; i++) all.push_back(cube(i));
	std::sort(all.begin(), all.end());
	return value = all[most / 2];
}
template <class T> T twice(T t) { return t + t; }
int main(int argc, char **)
{
	part one;
	return one.sum(argc) + twice(argc);
}
EOT
for options in '-gdwarf-4 -O2' '-gdwarf-5 -O2' '-gdwarf-5 -O0' '-gdwarf-5 -O2 -gsplit-dwarf' '-gdwarf-5 -O2 -flto' '-gdwarf-3 -O1 -gstrict-dwarf'; do
	# shellcheck disable=SC2086
	if witness x86_64-w64-mingw32-g++ && x86_64-w64-mingw32-g++ $options -o parts.exe parts.cpp 2>/dev/null ||
		no_witness "$options: columns as llvm-symbolizer" 'no MinGW g++'; then
		beside_symbolizer "$options" parts.exe
	fi
done

done_testing
