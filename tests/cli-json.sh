# SPDX-License-Identifier: GPL-2.0-or-later
#
# --output-style: llvm-symbolizer's forms, byte for byte where the table knows as much as debug information does.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe

# ---- JSON ----

check 'operands are one array' rossym-addr2line -e x.exe --output-style=JSON 401000 0 <<'EOT'
[{"Address":"0x401000","ModuleName":"x.exe","Symbol":[{"Column":0,"Discriminator":0,"FileName":"main.c","FunctionName":"main","Line":3,"StartAddress":"","StartFileName":"","StartLine":0}]},{"Address":"0x0","ModuleName":"x.exe","Symbol":[{"Column":0,"Discriminator":0,"FileName":"","FunctionName":"","Line":0,"StartAddress":"","StartFileName":"","StartLine":0}]}]
EOT
check 'lines are one object each' -i '0x402000\n\n' rossym-addr2line -e x.exe --output-style JSON <<'EOT'
{"Address":"0x402000","ModuleName":"x.exe","Symbol":[{"Column":0,"Discriminator":0,"FileName":"main.c","FunctionName":"paged","Line":30,"StartAddress":"","StartFileName":"","StartLine":0}]}
{"Address":"0x0","ModuleName":"x.exe","Symbol":[{"Column":0,"Discriminator":0,"FileName":"","FunctionName":"","Line":0,"StartAddress":"","StartFileName":"","StartLine":0}]}
EOT
check 'what cannot be resolved says so' -e 'rossym-addr2line: warning: <other:1f>: not in x.exe' \
	rossym-addr2line -e x.exe --output-style=JSON 'no"sym' '<other:1f>' helper+1 <<'EOT'
[{"Loc":[],"ModuleName":"x.exe","SymName":"no\"sym"},{"Address":"0x1f","Error":{"Message":"another module than the image"},"ModuleName":"other"},{"Loc":[{"Column":0,"Discriminator":0,"FileName":"lib/helper.c","FunctionName":"helper","Line":10,"StartAddress":"","StartFileName":"","StartLine":0}],"ModuleName":"x.exe","SymName":"helper"}]
EOT
check '-p indents' rossym-addr2line -p -e x.exe --output=JSON 401000 zz <<'EOT'
[
  {
    "Address": "0x401000",
    "ModuleName": "x.exe",
    "Symbol": [
      {
        "Column": 0,
        "Discriminator": 0,
        "FileName": "main.c",
        "FunctionName": "main",
        "Line": 3,
        "StartAddress": "",
        "StartFileName": "",
        "StartLine": 0
      }
    ]
  },
  {
    "Loc": [],
    "ModuleName": "x.exe",
    "SymName": "zz"
  }
]
EOT
check 'file names are shown as elsewhere' -i '401040\n' rossym-addr2line -s -e x.exe --output-style=JSON <<'EOT'
{"Address":"0x401040","ModuleName":"x.exe","Symbol":[{"Column":0,"Discriminator":0,"FileName":"bug.c","FunctionName":"KeBugCheckEx","Line":20,"StartAddress":"","StartFileName":"","StartLine":0}]}
EOT

# ---- any bytes ----

build odd.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
rossym
row 0x1000 "quote\" back\\slash tab\t nl\n \x01\x1f\x7f" "dir\\file.c" 1
row 0x1001 "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80" ok 1
row 0x1002 "\xe9 \xc3 \xc3" latin1 1
row 0x1003 "\xc0\xaf \xe0\x80\x80 \xf0\x80\x80\x80" overlong 1
row 0x1004 "\xed\xa0\x80 \xf4\x90\x80\x80 \xf8\x88\x80\x80\x80 \xff\xfe" surrogate 1
row 0x1005 "\xe2\x82" cut 1
row 0x1006 "\xef\xbf\xbf\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf" greatest 1
row 0x1007 "\xc2\x80 \xc2\x9f \xc2\xa0" c1 1
END
json_names () {
	rossym-addr2line -e odd.exe --output-style=JSON "$@" | sed 's/},{"A/\n/g' | sed 's/.*"FileName":"\(.*\)","FunctionName":"\(.*\)","Line.*/\1 \2/'
}
cat >wanted <<'EOT'
dir\\file.c quote\" back\\slash tab\t nl\n \u0001\u001f\u007f
ok e9 20ac 1f600
latin1 \u00e9 \u00c3 \u00c3
overlong \u00c0\u00af \u00e0\u0080\u0080 \u00f0\u0080\u0080\u0080
surrogate \u00ed\u00a0\u0080 \u00f4\u0090\u0080\u0080 \u00f8\u0088\u0080\u0080\u0080 \u00ff\u00fe
cut \u00e2\u0082
greatest ffff-d7ff-e000-10ffff
c1 \u0080 \u009f a0
EOT
# Characters that are no ASCII are written here by their bytes.
sed -e "s/ a0$/ $(printf '\302\240')/" -e "s/e9 20ac 1f600/$(printf '\303\251 \342\202\254 \360\237\230\200')/" \
	-e "s/ffff-d7ff-e000-10ffff/$(printf '\357\277\277\355\237\277\356\200\200\364\217\277\277')/" wanted >wanted.bytes
check 'strings are escaped, and valid UTF-8 whatever they are' -O wanted.bytes \
	json_names 401000 401001 401002 401003 401004 401005 401006 401007 </dev/null
awk 'BEGIN { for (i = 0; i < 8; i++) printf "%x\n", 4198400 + i }' >seven
rossym-addr2line -e odd.exe --output-style=JSON <seven >odd.json
if has iconv; then
	ok 'iconv finds nothing wrong' iconv -f UTF-8 -t UTF-32 odd.json
else
	skip 'iconv finds nothing wrong' 'no iconv'
fi
if has python3; then
	ok 'a parser reads each line, and Latin-1 bytes as what they are' python3 -c '
import json
names = [json.loads(line)["Symbol"][0]["FunctionName"] for line in open("odd.json", encoding="utf-8", newline="\n")]
assert len(names) == 8 and names[2] == "\xe9 \xc3 \xc3", names'
else
	skip 'a parser reads each line' 'no python3'
fi

# ---- LLVM ----

check 'LLVM style' rossym-addr2line -f -e x.exe --output-style=LLVM 401000 0 <<'EOT'
main
main.c:3:0

??
??:0:0

EOT
check 'LLVM style: addresses are not padded' rossym-addr2line -afp -e x.exe --output-style=LLVM 401000 0 <<'EOT'
0x401000: main at main.c:3:0

0x0: ?? at ??:0:0

EOT
check 'LLVM style without functions' -i '401000\n' rossym-addr2line -a -e x.exe --output-style=LLVM <<'EOT'
0x401000
main.c:3:0

EOT
check 'GNU style is the default' rossym-addr2line -afp -e x.exe --output-style=LLVM --output-style=GNU 401000 0 <<'EOT'
0x00401000: main at main.c:3
0x00000000: ?? ??:0
EOT
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
if witness llvm-symbolizer; then
	for style in LLVM llvm Llvm gnu json; do
		llvm-symbolizer --output-style=$style --obj="$DATA/dwarf32.nostrip.exe" 0x401640 >style.$style
	done
	ok 'llvm-symbolizer: llvm and Llvm are LLVM' sh -c 'cmp style.LLVM style.llvm && cmp style.LLVM style.Llvm'
	ok 'llvm-symbolizer: gnu and json are so too' sh -c 'cmp style.LLVM style.gnu && cmp style.LLVM style.json'
else
	no_witness 'llvm-symbolizer: spellings of the styles' 'no llvm-symbolizer'
fi

# ---- beside llvm-symbolizer, on the unstripped image of the same program ----

# What debug information knows and a table does not: columns, where functions begin.  The image's own directory is cut.
unknown_to_tables () {
	sed -e 's/"Column":[0-9]*/"Column":0/g' -e 's/"StartAddress":"[^"]*"/"StartAddress":""/g' \
		-e 's/"StartFileName":"[^"]*"/"StartFileName":""/g' -e 's/"StartLine":[0-9]*/"StartLine":0/g' -e 's,"/src/,",g' \
		-e 's/:[0-9]*$/:0/' -e 's,^/src/,,'
}
if witness llvm-symbolizer; then
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
	if known_difference "$symbolizer" symbols-as-input; then
		no_witness 'symbols and commands as llvm-symbolizer' "$symbolizer takes no symbols"
	else
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
else
	no_witness 'beside llvm-symbolizer' 'no llvm-symbolizer'
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
if ! witness llvm-addr2line; then
	no_witness 'a table with a block beside llvm-addr2line' 'no llvm-addr2line'
else
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
		-fC* | -aC*) has_demangler || { skip "$options: as llvm-addr2line" 'built without a demangler' && continue; } ;;
		esac
		# shellcheck disable=SC2086
		(cd theirs && llvm-addr2line $options -e dwarf64.exe <../addresses) | unknown_to_blocks >llvm
		# shellcheck disable=SC2086
		(cd mine && rossym-addr2line $options -e dwarf64.exe <../addresses) | unknown_to_blocks >ours
		ok "$options: as llvm-addr2line" diff llvm ours
	done
fi

done_testing
