# SPDX-License-Identifier: GPL-2.0-or-later
#
# Inlined calls of PDB files against a second decoder, tools/pdb-inlines.awk, which reads what llvm-pdbutil prints: the
# same calls for each byte of each procedure, with the same lines.  llvm-symbolizer is no witness for what Microsoft's
# compiler writes: it drops more than half of the calls.
#
# Programs are made here by clang.  Those by Microsoft's compilers lie in ../shared/fixtures/pdb where they are there at
# all; they belong to others, and nothing of them is part of the project.
. "${srcdir:-.}/tests/lib/tap.sh"
need llvm-pdbutil
symbolizer=$(newest llvm-symbolizer) && ! known_difference "$symbolizer" inlined-lines || symbolizer=

cat >compare.awk <<'EOF'
# Whether GOT can be the whole name of EXPECTED, which has no scope, may end with "...", or is not known.
function fits(expected, got) {
	if (got == "??" || got == "")
		return 0
	if (sub(/\.\.\.$/, "", expected))
		return index("::" got, "::" expected) > 0
	return expected == "" || got == expected ||
		substr(got, length(got) - length(expected) - 1) == "::" expected
}
function judge(    i, n, part, what) {
	n = split(expected, part, "\t")
	what = ""
	if (n - 1 != frames)
		what = n - 1 " frames"
	for (i = 1; i < n - 1 && what == ""; i++)
		if (!fits(substr(part[i + 1], 1, index(part[i + 1], "|") - 1), name[i]) ||
		    place[i] != substr(part[i + 1], index(part[i + 1], "|") + 1))
			what = "frame " i
	if (what == "" && name[frames] != part[n])
		what = "the procedure"
	if (what != "" && ++bad <= 5)
		print part[1] ": " what ": expected " expected ", seen " name[1] " " place[1]
}
FILENAME == "second" { if ($0 !~ /^structure/) line[++lines] = $0; next }
/^0x[0-9a-f]*$/ { if (records++) judge(); expected = line[records]; frames = half = 0; next }
!half { name[++frames] = $0; half = 1; next }
{ place[frames] = $0; half = 0 }
END { if (records) judge(); print (records == lines && records > 0 ? "all" : "not all"), "bytes,", bad + 0, "differ" }
EOF

# witness NAME IMAGE PDB [moved]: checks one program.  If its code was moved, only the counts are compared.
witness () {
	llvm-pdbutil dump --section-headers "$3" >sections
	llvm-pdbutil dump --section-contribs "$3" >contributions
	llvm-pdbutil dump --il "$3" >inlinees
	llvm-pdbutil dump --symbols "$3" >symbols
	awk -f "$SRC/tests/tools/pdb-inlines.awk" sections contributions inlinees symbols >second
	ok "$1: its calls lie inside each other" awk -F '\t' '/^structure/ { good = $2 > 0 && $4 + $5 + $6 + $7 == 0; if (!good) print }
		END { exit !good }' second
	wanted=$(awk -F '\t' '/^structure/ { print $2 ", 0 without a name, 0 damaged; " $3 " ranges, 0 cut" }' second)
	rm -f table.exe
	rossym-embed -v --pdb="$3" "$2" table.exe >found 2>err || fail "$1: rossym-embed: $(cat err)"
	check "$1: as many calls and ranges" sed -n 's/.*found PDB inlined calls: //p' found <<-EOT
		$wanted
	EOT
	[ $# = 4 ] && return
	sed -n 's/^\([0-9a-f]*\)	.*/0x\1/p' second >addresses
	rossym-addr2line --rva -fiae table.exe <addresses >answers
	check "$1: calls and lines of each byte" awk -f compare.awk second answers <<-'EOT'
		all bytes, 0 differ
	EOT
}

if has clang && has lld-link || skip "clang's calls" 'no clang and lld-link'; then
	cat >program.cc <<-'EOF'
		namespace n {
		template <class T> struct Box {
			T v;
			__attribute__((always_inline)) T get(T k) const { return v * k + 1; }
			__attribute__((always_inline)) T twice(T k) const { T a = get(k); if (a > 100) a -= get(k + 1); return a; }
		};
		union Bits { int i; char c[4]; __attribute__((always_inline)) int low() const { return c[0] ^ i; } };
		static inline __attribute__((always_inline)) int leaf(int a) { for (int i = 0; i < a; i++) a ^= i * 3; return a; }
		}
		static inline __attribute__((always_inline)) int middle(int a, volatile int *p)
		{
			*p = n::leaf(a);
			n::Box<int> b{a};
			*p = b.twice(*p);
			n::Bits bits{*p};
			return n::leaf(*p) + b.get(3) + bits.low();
		}
		struct Outer { struct Inner { static int go(volatile int *p) { return middle(*p, p) + 7; } }; };
		namespace { inline __attribute__((always_inline)) int hidden(volatile int *p) { return Outer::Inner::go(p) * 2; } }
		volatile int g;
		__attribute__((noinline)) int work(int x)
		{
			volatile int l = x;
			int r = hidden(&l);
			auto f = [&](int q) __attribute__((always_inline)) { return q + middle(q, &l); };
			if (x > 3)
				r += f(x);
			return r + Outer::Inner::go(&l);
		}
		extern "C" int start() { g = work(g); return hidden(&g); }
	EOF
	for target in x86_64 i686 aarch64; do
		if clang --target=$target-pc-windows-msvc -gcodeview -g -O2 -c program.cc -o program.o 2>err &&
		   lld-link -nodefaultlib -debug -entry:start -subsystem:console -out:program.exe -pdb:program.pdb program.o >err 2>&1; then
			witness "clang, $target" program.exe program.pdb
		else
			skip "clang, $target" "$(sed 1q err)"
		fi
	done

fi

# Procedures that begin with an inlined call.  Clang 14 made these, newer ones move the code.  llvm-symbolizer gives the call the procedure's first line.
cat >begins.c <<'EOF'
	volatile int g;
	int table[64];
	#define INLINED static inline __attribute__((always_inline))
	INLINED int less(int a, int b)
	{
		while (b * 5 + 42 > 2)
			a -= g + b;
		return a;
	}
	INLINED int sum(int a, int b)
	{
		int t = less(a, table[a & 63]);
		if (t > 41)
			t += less(a, g);
		g = t;
		return t + b;
	}
	INLINED int shifted(int a, int b)
	{
		int t = g + b;
		if (t > 42)
			t += (a ^ 650) >> 2;
		return t;
	}
	INLINED int passed(int a, int b) { return shifted(33, g); }
	__attribute__((noinline)) int constant(int a, int b)
	{
		return sum(7, b);
	}
	__attribute__((noinline)) int none(int a, int b)
	{
		return passed(b, a);
	}
	int start(void) { return constant(g, g) + none(g, 3); }
EOF
# The addresses of all code before the first line of its range: "  0001:00000026-00000042, line/addr entries = 1", then
# lines "    35 00000041 ! ".
cat >before-lines.awk <<'EOF'
	function hex(text,    i, value) {
		for (i = 1; i <= length(text); i++)
			value = value * 16 + index("0123456789ABCDEF", substr(text, i, 1)) - 1
		return value
	}
	/virtual address/ && !text { text = hex($1) }
	/^ *0001:.* entries = / { begin = hex(substr($1, 6, 8)); next }
	begin != "" && NF > 1 {
		for (; begin < hex($2); begin++)
			printf "0x%x\n", text + begin
		begin = ""
	}
EOF
begins () {
	clang --target=$target-pc-windows-msvc -gcodeview -g -Os -fomit-frame-pointer -ffile-prefix-map="$PWD=/src" -w -c begins.c -o begins.o &&
		lld-link -nodefaultlib -debug -entry:start -subsystem:console -out:begins.exe -pdb:begins.pdb -pdbaltpath:begins.pdb begins.o
}
for target in x86_64 i686 aarch64; do
	if test -z "$symbolizer"; then
		skip "calls before the first line, $target" 'no llvm-symbolizer of LLVM 19 or newer'
		continue
	fi
	made begins-$target begins.exe begins.pdb -- begins
	llvm-pdbutil dump --section-headers begins.pdb >dumped && llvm-pdbutil dump --l begins.pdb >>dumped &&
		awk -f before-lines.awk dumped >addresses || exit 99
	rm -f table.exe
	"$symbolizer" --obj=begins.exe --relative-address -f -i --output-style=GNU <addresses | sed '/^$/d' >symbolized
	ok "calls before the first line, $target: there are some" grep -qx none symbolized
	check "calls before the first line, $target: rossym-embed" rossym-embed --pdb=begins.pdb begins.exe table.exe </dev/null
	check "calls before the first line, $target: as $symbolizer has them" -I addresses -O symbolized \
		rossym-addr2line --rva -f -i -e table.exe </dev/null
done

pairs=${PDB_FIXTURES:-$SRC/../shared/fixtures/pdb}
if [ -d "$pairs" ] || skip "calls by Microsoft's compilers" 'files of others are not here'; then
	for pair in sentry_crash_x86 vs2012_x86_rel vs2022_x64_rel syz_typenames_x86 syz_types_x64 breakpad_regtest64; do
		image=$pairs/$pair/x.exe
		[ -e "$image" ] || image=$pairs/$pair/x.dll
		witness "$pair" "$image" "$pairs/$pair/x.pdb"
	done

	# Another reader's calls and lines of ten functions: "> 0xRVA: FUNCTION(PARAMETERS) (0xSIZE)", then indented lines
	# "0xRVA: FILE:LINE (DIRECTORY)" and the calls in it.
	cat >snapshot.awk <<-'EOF'
		FNR == 1 { files++ }
		files == 1 && /^ *> 0x/ {
			depth = index($0, ">") / 2 + 0.5
			sub(/^ *> 0x[0-9a-f]*: /, "")
			sub(/ \(0x[0-9a-f]*\)$/, "")
			function_at[depth] = $0
			next
		}
		files == 1 && /^ *0x[0-9a-f]*: .* \(.*\)$/ {
			depth = match($0, /0x/) / 2 - 0.5
			address = substr($1, 1, length($1) - 1)
			place = $0
			sub(/^ *0x[0-9a-f]*: /, "", place)
			path = place
			sub(/^[^(]* \(/, "", path)
			sub(/\)$/, "", path)
			sub(/ \(.*/, "", place)
			expected[++count] = address "\t" depth "\t" function_at[depth] "\t" path "\\" place
			print address >"addresses"
			next
		}
		files == 2 && /^0x[0-9a-f]*$/ { if (records++) judge(); frames = half = 0; next }
		files == 2 && !half { name[++frames] = $0; half = 1; next }
		files == 2 { where[frames] = $0; half = 0 }
		function judge(    part, i) {
			split(expected[records - 1], part, "\t")
			i = frames + 1 - part[2]
			good += where[i] == part[4] && index(part[3], name[i] "(") == 1
			if (where[i] != part[4] || index(part[3], name[i] "(") != 1)
				print expected[records - 1] ": seen " name[i] " " where[i]
		}
		END { if (files == 2) { records++; judge(); print good + 0, "of", count }
			if (files == 1) print count, "of", count }
	EOF
	pair=$pairs/sentry_crash_x86
	rm -f table.exe
	rossym-embed --pdb="$pair/x.pdb" "$pair/x.exe" table.exe || fail 'rossym-embed'
	awk -f snapshot.awk "$pair/expected-functions.snap" >wanted
	rossym-addr2line --rva -fiae table.exe <addresses >answers
	check 'sentry_crash_x86: calls and lines as the other reader has them' -O wanted \
		awk -f snapshot.awk "$pair/expected-functions.snap" answers
	ok '... which are some' grep -q '^[1-9][0-9]* of' wanted

	witness syz_omap_x86 "$pairs/syz_omap_x86/x.dll" "$pairs/syz_omap_x86/x.pdb" moved
fi

done_testing
