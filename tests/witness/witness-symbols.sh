# SPDX-License-Identifier: GPL-2.0-or-later
#
# Symbols as addresses in images by MinGW: each name that nm gives code has the address that GNU addr2line gives it, and an answer if it
# has one there.  From debug information, and from a table in an image that was stripped.
. "${srcdir:-.}/tests/lib/tap.sh"

on_windows && skip_all 'which names an image has does not depend on the system'

cat >names.c <<'END_C'
int printf(const char *, ...);
int puts(const char *);
void abort(void);
int number = 5;
static __attribute__((noinline)) int parted(int *p, int n)
{
	if (!p)
		return 0;
	for (int i = 0; i < n; i++) {
		p[i] += printf("%d %d", n, i);
		if (p[i] == 77)
			abort();
	}
	return p[0];
}
static int split(int *p, int n)
{
	if (__builtin_expect(!p, 1))
		return 0;
	for (int i = 0; i < n; i++) {
		p[i] += printf("%d %d", n, i);
		if (p[i] == 77)
			abort();
	}
	for (int i = n; i > 0; i--)
		p[0] ^= printf("%d", p[i]);
	return p[0] + puts("a") + puts("b");
}
static __attribute__((noinline)) int changed(int *p, int unused) { (void)unused; return *p + printf("x"); }
static __attribute__((noinline)) int constant(int a, int b) { int r = 0; for (int i = 0; i < a; i++) r += printf("%d", b * i); return r; }
__attribute__((cold)) int colder(int x) { return printf("cold %d", x); }
__attribute__((stdcall)) int standard(int x) { return x + 1; }
__attribute__((fastcall)) int fast(int x, int y) { return x + y; }
int one(int x) { return x + 17; }
int two(int x) __attribute__((alias("one")));
int nest(int x) { int inner(int y) { return x + y; } int (*volatile p)(int) = inner; return p(3); }
__attribute__((section(".text$zz"))) int placed(int x) { return x + 4; }
extern int assembled(int);
__asm__(".text\n.globl " PREFIX "assembled\n" PREFIX "assembled:\n xorl %eax,%eax\nlabel:\n ret\n");
int main(int argc, char **argv)
{
	int a[40] = { argc };
	(void)argv;
	return parted(argc > 1 ? a : 0, argc) + parted(a, 30) + split(argc > 2 ? a : 0, argc) + split(argc > 3 ? a : 0, argc + 1) +
	       changed(a, 1) + changed(&number, 2) + constant(argc, 5) + constant(3, 5) + colder(argc) + standard(1) + fast(1, 2) +
	       one(2) + two(3) + nest(argc) + placed(argc) + assembled(1);
}
END_C
cat >names.cc <<'END_CC'
extern "C" int printf(const char *, ...);
namespace { int hidden(int x) { return x * 3 + printf("%d", x); }
struct Local { int v; __attribute__((noinline)) int get(int y) { return v + y + printf("g"); } virtual ~Local() {} virtual int f() { return v; } }; }
namespace ns { namespace { __attribute__((noinline)) int hidden(int x) { return x + printf("%d", x); } }
template <class T> __attribute__((noinline)) T twice(T a) { return a + a; }
struct Base { virtual ~Base(); virtual int f(); };
Base::~Base() { printf("b"); }
int Base::f() { return 1; }
struct Virtual : virtual Base { int q; int f() override { return q; } Virtual(); };
Virtual::Virtual() : q(3) {}
struct Thing { int a; Thing(int x); ~Thing(); operator int() const { return a; } };
Thing::Thing(int x) : a(x) { printf("c"); }
Thing::~Thing() { printf("d"); } }
extern "C" { int plain(int x) { return x + 17; }
int other(int x) __attribute__((alias("plain")));
int __attribute__((weak)) weak(int x) { return x - 2; } }
static int (*pointer)(int);
int main(int argc, char **)
{
	auto capture = [&](int x) { return x + argc + printf("1"); };
	auto generic = [](auto x) { return x + printf("2"); };
	pointer = [](int x) { return x + printf("3"); };
	Local local;
	local.v = argc;
	ns::Virtual virt;
	return capture(1) + generic(4) + (int)generic(4.5) + pointer(argc) + hidden(argc) + local.get(2) + local.f() + ns::hidden(argc) +
	       ns::twice(argc) + (int)ns::twice(2.5) + ns::Thing(argc) + virt.f() + plain(argc) + other(3) + weak(3);
}
END_CC

# records PROGRAM IMAGE: "address place" for each line of `names`.
records () {
	"$1" -a -e "$2" @names 2>errors | paste -d ' ' - -
	# Ours says which names are ambiguous.
	grep -v 'names code in' errors
}
# differ GNU OURS: what ours does not answer, or answers otherwise.  GNU 2.40 names wrong files for DWARF 5, so only its addresses count.
differ () {
	paste -d ' ' names "$1" "$2" | awk '
		$2 != $4 { print $1 ": " $4 " and not " $2 }
		$3 ~ /:[1-9]/ && $5 ~ /^[?][?]/ { print $1 ": no answer" }
		$3 ~ /:[1-9]/ { known++ }
		END { print known < 40 ? "only " known : "enough", "names have lines" }'
}
echo 'enough names have lines' >agree

# all MACHINE SOURCE COMPILER OPTION...: all names of the image that is compiled so.
all () {
	machine=$1 source=$2 title="$1, $3 $4"
	shift 2
	compiler=$machine-w64-mingw32-$1 gnu=$machine-w64-mingw32-addr2line
	beside "$gnu"
	shift
	prefix=
	test $machine != i686 || prefix=_
	if ! has "$compiler" || ! has "$gnu"; then
		skip "$title: from debug information" 'no MinGW'
		skip "$title: from a table" 'no MinGW'
		return
	fi
	rm -f x.exe table.exe
	"$compiler" -g -DPREFIX="\"$prefix\"" "$@" -o x.exe "$source" || exit 99
	"$machine-w64-mingw32-nm" x.exe | awk '$2 ~ /^[tTwW]$/ { print $3 "+0" }' | sort -u >names
	records "$gnu" x.exe >gnu
	if ! grep -q '^0x0*[1-9].*:[1-9]' gnu; then
		skip "$title: from debug information" "$gnu does not know symbols as addresses"
		skip "$title: from a table" "$gnu does not know symbols as addresses"
		return
	fi
	records rossym-addr2line x.exe >ours
	check "$title: from debug information" -O agree differ gnu ours
	rossym-embed x.exe table.exe && records rossym-addr2line table.exe >ours
	check "$title: from a table" -O agree differ gnu ours
	cat names >>seen
}
for machine in i686 x86_64; do
	for option in -O0 -O2; do
		all $machine names.c gcc $option
		all $machine names.cc g++ $option
	done
done
if test -f seen; then
	for name in two fpreset 'ns12_GLOBAL__N_1L*6hidden' 'Z4mainENK' 'split.part.0' 'text[$]zz' label .cold .constprop.0 C1Ei; do
		ok "among them: $name" grep -q "$name" seen
	done
fi

# Without a C runtime GNU ld puts ___tls_start__ and others where the first function begins.
cat >first.c <<'END_C'
int first(int x) { return x * 3; }
int second(int x) { return first(x) + 1; }
END_C
for machine in i686 x86_64; do
	tools=$machine-w64-mingw32
	if ! has $tools-gcc || ! has $tools-objdump; then
		skip "$machine: linker-script symbols at a function" 'no MinGW'
		continue
	fi
	$tools-gcc -O1 -fno-inline -nostdlib -Wl,--entry=0 -o first.exe first.c || exit 99
	$tools-nm first.exe >symbols
	ok "$machine: linker-script symbols at a function" awk '
		{ count[$1]++ }
		$3 ~ /^_?first$/ { at = $1 }
		END { exit count[at] < 5 }' symbols
	$tools-objdump -d first.exe | sed -n 's/^\([0-9a-f]*\) <_*\(first\|second\)>:$/0x\1: \2 at ??:?/p' >witness
	ok "$machine: objdump names both functions" test "$(grep -c . witness)" = 2
	sed 's/:.*//' witness >addresses
	check "$machine: the function gives the name" -O witness -I addresses rossym-addr2line -afp -e first.exe
done

# --functions=short: what LLVM takes from DW_AT_name.  Where debug information has no name, as for a clone, LLVM prints ??, and ours the
# name of the symbol.
title='--functions=short as llvm-symbolizer'
symbolizer=$(newest llvm-symbolizer)
if { test -n "$symbolizer" && has x86_64-w64-mingw32-g++ || skip "$title" 'no LLVM or no MinGW'; } &&
	{ has_demangler || skip "$title" 'built without a demangler'; }; then
	x86_64-w64-mingw32-g++ -g -O0 -DPREFIX='""' -o short.exe names.cc || exit 99
	x86_64-w64-mingw32-nm short.exe | awk '$2 ~ /^[tTwW]$/ && $3 ~ /^_Z/ { print "0x" $1 }' >addresses
	"$symbolizer" --functions=short --obj=short.exe <addresses 2>/dev/null | awk 'NR % 3 == 1' >theirs
	rossym-addr2line --functions=short --output-style=llvm --obj=short.exe <addresses | awk 'NR % 3 == 1' >ours
	ok "$title: names of many functions" test "$(grep -vc '^??$' theirs)" -ge 15
	paste theirs ours | awk -F '\t' '$1 != "??" && $1 != $2 { print $1 ", not " $2 }' >differences
	check "$title" cat differences </dev/null
fi
done_testing
