# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-addr2line against its model, the installed GNU addr2line: the same command lines in two directories, one with
# unstripped images and GNU's program, one with the final images and ours, both programs called addr2line.  Compared are
# stdout, stderr and exit status, byte for byte.  The command lines come from witness-gnu.table, from the names of all
# long options with all their abbreviations, and from a generator (WITNESS_GNU_COUNT command lines from
# WITNESS_GNU_SEED).  WITNESS_GNU_FEWER=N: of rows that differ in little one of N, for where programs are slow to start.
#
# Three things of ours are taken out before comparing, because they are departures, checked as such in witness-departures.sh
# and cli-hint.sh: the usage text and the version text, each only when it is, byte for byte, what --help or --version
# prints (without the last line "Report bugs to" of --help), one hint about a text, and one as the last line of stderr.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/gnu.sh"

gnu_setup
beside "$witness"

on_windows && WITNESS_GNU_FEWER=${WITNESS_GNU_FEWER:-40} WITNESS_GNU_COUNT=${WITNESS_GNU_COUNT:-50}
some () {
	awk -v n="${WITNESS_GNU_FEWER:-1}" 'NR % n == 1 % n'
}

# ---- the table ----

grep '^[^#]' "$SRC/tests/witness/witness-gnu.table" >table
gnu_filter <table >rows
as_results rows
test $gnu_demangler = yes || skip 'command lines with -C' 'built without a demangler'
if on_windows; then
	gnu_posix <table >rows
	while IFS= read -r row <&3; do
		skip "$row" 'not on Windows'
	done 3<rows
fi

# A file without read permission, and who may read everything is not asked.
mkdir noperm && cp gnu/text.txt noperm/ && chmod 0 noperm/text.txt
if cat noperm/text.txt >/dev/null 2>&1; then
	as_nobody=
	setpriv --reuid=65534 --regid=65534 --clear-groups "$PWD/bin-ours/addr2line" --version >/dev/null 2>&1 &&
		as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups '
else
	as_nobody=' '
fi
if test -n "$as_nobody" || skip 'a file without read permission' 'every file can be read'; then
	for side in gnu ours; do
		cp gnu/text.txt $side/noperm.exe && chmod 0 $side/noperm.exe
	done
	echo "${as_nobody}addr2line -e noperm.exe 117a0" >rows
	as_results rows
fi

# ---- all sets of the options that shape the output ----

for options in a f s p i af as ap ai fs fp fi sp si pi afs afp afi asp asi api fsp fsi fpi spi \
	afsp afsi afpi aspi fspi afspi; do
	echo "addr2line -$options -e x.sys 117a0 11910 17000"
	echo "addr2line -$options -e x.sys 0 10000 zz '' ffffffffffffffff"
	echo "addr2line -$options -e x.sys -j .text 7a0 5c14 0x910"
	echo "addr2line -$options -e x.sys <in-many"
	# KefBreak, padding after it, a C++ method, and nothing
	echo "addr2line -$options -e q.exe 140001600 1400015e4 140001610 0"
	echo "addr2line -$options -C -e q.exe 140001600 1400015e4 140001610 140001660 0"
	echo "addr2line -$options --demangle=none -e q.exe 140001610"
done | gnu_filter | some >rows
as_one_result rows 'all sets of -a -f -s -p -i'

# ---- names of targets: a triplet needs a CPU that there is and all its parts ----

# Without those for ELF, which are targets of GNU's and none of ours, and ARM's, which the witness may lack.
{
	# Each CPU with each system, by a vendor that is good and by one in turn: enough for each pair of two parts.
	awk 'BEGIN {
		cpus = split("i386|i586|i786|i286|i886|i68|ii686|I686| i686|x86_64|X86_64|x86-64|amd64|foo|", cpu, "|")
		vendors = split("-pc|-||-a-b", vendor, "|")
		systems = split("-mingw32|-mingw32msvc|-mingw64|-mingw|-cygwin|-cygwin32|-pe|-pep|-pei|-winnt|-winnt4|" \
			"-windows|-reactos|-interix3|-beospe|-msvc|-win32|-MINGW32|mingw32", system_, "|")
		for (c = 1; c <= cpus; c++)
			for (s = 1; s <= systems; s++)
				print cpu[c] "-w64" system_[s] "\n" cpu[c] vendor[(c + s) % vendors + 1] system_[s]
	}'
	for name in pei-i386 pei-x86-64 pe-i386 pe-x86-64 default; do
		printf '%s\n' "$name" "=$name" "--target=$name" "=--target=$name" " $name" "$name " "$name,$name" "x$name" "${name}x" \
			"${name%?}" "-$name" "$name-" "$name-pe" "$name-w64-mingw32"
	done
} >names
ok 'there are many names' test "$(grep -c . names)" -ge 600
while IFS= read -r name; do
	case $name in
	x86*64* | pe*64*) echo "addr2line -b'$name' -e q.exe 140001600" ;;
	i586* | default*) echo "GNUTARGET='$name' addr2line -e x.sys 117a0" ;;
	*) echo "addr2line --target='$name' -e x.sys 117a0" ;;
	esac
done <names | gnu_triplets "['b=].*-.*-.*' " | some >rows
as_one_result rows 'names of targets'

# ---- every abbreviation of every long name: with and without a value, before and after the other options ----

# The witness names them itself: the empty name is the one that is ambiguous.
(cd gnu && PATH=$PWD/../bin-gnu:$PATH && addr2line --= 2>&1) | sed -n '1s/.*possibilities: //p' | tr ' ' '\n' |
	sed "s/^'--//;s/'\$//" >names
ok 'GNU addr2line names its long options' test "$(grep -c . names)" -ge 15
while IFS= read -r name <&3; do
	awk -v name="$name" 'BEGIN {
		for (n = 1; n <= length(name); n++) {
			p = "--" substr(name, 1, n)
			print "addr2line " p " -e x.sys 117a0"
			print "addr2line -e x.sys 117a0 " p "=y.exe"
			# What is done with it then does not depend on how many letters there were: the whole name is asked, and
			# three letters, which mean one option.
			if (n != 3 && n != length(name))
				continue
			print "addr2line -e x.sys 117a0 " p
			print "addr2line -e x.sys 117a0 " p " y.exe"
			print "addr2line -e x.sys -f 7a0 " p "=.text"
			print "addr2line -e x.sys -f 117a0 " p "=auto"
			print "addr2line -e x.sys 117a0 " p "="
			print "addr2line -e x.sys 117a0 " p " pei-i386 -f"
			print "POSIXLY_CORRECT=1 addr2line " p " -e x.sys"
		}
		# One more letter is no abbreviation.
		print "addr2line -e x.sys 117a0 --" name "x"
		print "addr2line -e x.sys 117a0 --" name "x=1"
	}' | gnu_filter | some >rows
	as_one_result rows "abbreviations of --$name"
done 3<names

# ---- random command lines ----

awk -v count="${WITNESS_GNU_COUNT:-1200}" -v seed="${WITNESS_GNU_SEED:-20050202}" '
# The minimal standard generator: every product stays below 2^53, so that all awks agree.
function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
function one(list, count) { return list[random(count) + 1] }
BEGIN {
	nflags = split("-a -f -s -p -i -C -r -R -af -fp -afp -afpi -ip -sfp -iaf -Cf --addresses --functions --func " \
		"--f --basenames --bas --inlines --inl --pretty-print --pretty --p --demangle --dem --demangle=auto " \
		"--d=gnu-v3 --recurse-limit --no-recurse-limit --no-rec --rec --n", flag, " ")
	nfiles = split("-ex.sys -e#x.sys --exe=x.sys --ex#x.sys --e=x.sys -fex.sys -ape#x.sys @r-exe", file, " ")
	nodd = split("-j.nope -j -e -b --exe --target --sec -b#pei-i386 " \
		"--target=pei-i386 --tar#default -bnope -z -fz -Z -=a --bogus --bogus=1 --functions=1 --demangle=gnu " \
		"--d= -Cauto --=1 -h -v --help --v -V -e#nosuch -eempty --exe=text.txt -e#dir -e#lib.a -e- -- -- - @r-addr " \
		"@nosuch @r-empty @r-quotes @r-dir -1 -- --n=x --inlines= -sj#.nope", odd, " ")
	naddr = split("117a0 0x117ab 11910 17000 18000 0x16b80 0 10000 10fff 16c14 17030 40000 7a0 ffffffffffffffff main " \
		"_main main+0x20 main+32 paged_code init_code+030 .text+0x7a0 INIT+0x18 _f0_4 f0_4+0 zz , + decode beef+0 [1] " \
		"(x+1) 0x 117a0h +117a0 117a0+4 117a0,4 \"\" \"#\" \"main#+#32\" \"#117a0\" \"117a0#11910\" -117a0", addr, " ")
	# What is not a number means something else with -j (see departures).
	nsect = split("-jPAGE -j#PAGE --section=INIT --s#INIT -afj#PAGE -fpjINIT " \
		"-j#.text#--sect=PAGE -jPAGE#-jINIT", sect, " ")
	noffset = split("0 1 0x18 5 2a 30 31 1000 17000 \"\" 0x 4,7 ffffffffffffffff " \
		"0xffffffff00000004 100000000", offset, " ")
	ninput = split("</dev/null <in-one <in-many <in-odd", input, " ")
	for (i = 1; i <= count; i++) {
		line = random(12) ? "" : "POSIXLY_CORRECT=1 "
		line = line "addr2line"
		words = random(6) + 1
		have = random(words)
		for (w = 0; w < words; w++) {
			if (w == have && random(8))
				word = one(file, nfiles)
			else if (i % 8 == 0)
				word = w > have ? one(offset, noffset) : random(2) ? one(flag, nflags) : one(sect, nsect)
			else if ((k = random(20)) < 9)
				word = one(flag, nflags)
			else if (k < 12)
				word = one(odd, nodd)
			else
				word = one(addr, naddr)
			line = line " " word
		}
		gsub(/#/, " ", line)
		gsub(/[(\[][^ ]*/, "\"&\"", line)
		print line " " (i % 8 ? input[random(ninput) + 1] : "<in-one")
	}
}' | gnu_filter >rows
as_one_result rows "random command lines (seed ${WITNESS_GNU_SEED:-20050202})"

done_testing
