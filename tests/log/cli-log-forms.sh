# SPDX-License-Identifier: GPL-2.0-or-later
#
# Forms of logs as rows of a text file: those of the program, and those of --forms.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

log_modules sym
own=$SRC/src/log/read/forms.txt

check 'each form of the program has a sample, and each sample its result' rossym-log --forms="$own" - </dev/null
ok 'at most 290 forms' test "$(grep -c '^form' "$own")" -le 290

# ------------------------------------------------------------------------------------- forms of a user

cat >mine <<'EOT'
# A program of my own.
form   "mylog: fault #{row} at {address} of {path}, loaded at {base}" row
sample "mylog: fault #0 at 80a01230 of hal.dll, loaded at 80a00000" "hal.dll+1230 {hal.dll@80a00000,0,0}"

form   "...place {name}|{rva};" return
sample "x place hal.dll|00001270;" "hal.dll+1270-"
form   "...EIP: {number}{eol}"
sample "EIP: 80a01230" "crash:register"
form   "...map\t{base:full} {size} [({stamp}) ]{file}"
sample "map\t80a00000  20000  (5db90002) hal.dll" "{hal.dll@80a00000,20000,5db90002}"
EOT
cat >log <<'EOT'
mylog: fault #0 at 80a01230 of hal.dll, loaded at 80a00000
mylog: fault #1 at 80a01270 of hal.dll, loaded at 80a00000
12:00:01 place hal.dll|00001270;
EIP: 80a01230
Eip: 80a01230
EOT
check 'they are read before the usual ones' rossym-log -d sym --forms=mine log <<'EOT'
mylog: fault #0 at 80a01230 (ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8)) of hal.dll, loaded at 80a00000
mylog: fault #1 at 80a01270 (ntoskrnl/ke/Thread0.c:183 (KeSetSectionObject9)) of hal.dll, loaded at 80a00000
12:00:01 place hal.dll|00001270 (ntoskrnl/ke/Thread0.c:183 (KeSetSectionObject9));
EIP: 80a01230
Eip: 80a01230 (ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))
EOT
undo () {
	rossym-log -q -d sym --forms=mine log | rossym-log -u --forms=mine
}
check '-u undoes it' -O log undo

cat >mine <<'EOT'
form   "...panic {status} [({parameters}) ]in {text}[ (thread]" crash:bugcheck
sample "panic d1 (1, 2 3,4) in f (thread 5)" "crash:bugcheck,d1,1,2,3,4:f"
sample "panic d1 (1, 2) in f \npanic d1 in f (x" "crash:bugcheck,d1,1,2:f crash:bugcheck,d1:f (x"
form   "...died: {<}[oh ]no{text}" crash:exception
sample "died: no way\ndied: oh no way\ndied: no" "crash:exception:no way crash:exception:oh no way"
form   "{word:upper} sig {number:two}{eol}" crash:stack
sample "abcd sig 11\nABCD sig 111\nABC sig 11\nABCD sig 11" "crash:stack"
EOT
printf '12:00:01 panic d1 (4, 2) in f\n12:00:02 died: no way  \n' >log
check 'they tell crashes' rossym-log -q -d sym --forms=mine --crashes log <<'EOT'
Crash 1 of 2: bugcheck 0x000000D1 DRIVER_IRQL_NOT_LESS_OR_EQUAL
  Where:      log, line 1
  Parameters: 0x00000004  the memory that was accessed
              0x00000002  IRQL

Crash 2 of 2: exception no way
  Where:      log, line 2
EOT

# ------------------------------------------------------------------------------------------ what is wrong

# The file "bad" has the row $2; the message about line 2 is $1.
wrong () {
	printf '# a comment\n%s\n' "$2" >bad
	check "wrong: $1" -s 1 -e "rossym-log: bad:2:$1" rossym-log --forms=bad log </dev/null
}
wrong '1: a row begins with "form", "sample" or "#"' 'from "abc {address}" exact'
wrong '6: a pattern in quotation marks must follow' 'form abc'
wrong '10: the quotation mark that ends the pattern is missing' 'form "abc'
wrong '11: "}" is missing' 'form "abc {address" exact'
wrong '10: "{" is missing' 'form "abc}" exact'
wrong '7: "]" is missing' 'form "[abc {address}" exact'
wrong '10: "[" is missing' 'form "abc] {address}" exact'
wrong '9: "[" cannot be inside "["' 'form "[a[b] c] abc {address}" exact'
wrong '12: no such part' 'form "abc {adress}" exact'
wrong '16: the part cannot have this after ":"' 'form "abc {row:0x}"'
wrong '19: the part cannot have this after ":"' 'form "abc {number:upper}" end'
wrong '10: a backslash must be before a blank, t, or one of { } [ ] " \' 'form "abc\n"'
wrong '19: no such word' 'form "abc {name}" exactly'
wrong '36: too many words' 'form "abc" end end end end end end end'
wrong '1: the pattern has no text of three characters' 'form "ab {address}" exact'
wrong '1: text or {eol} must follow {}' 'form "abc {}"'
wrong '1: text or a number must follow "..."' 'form "...{name}: abc {rva}" exact'
wrong '1: an address or an RVA, and how it is looked up, belong together' 'form "abc {address}"'
wrong '1: the function needs an address, or must have none' 'form "abc" call:int3'
wrong '1: the form names no module' 'form "abc {base}"'
wrong '1: no sample has this form' 'form "abc {address}" exact'
wrong '1: a sample has a text and what is found in it, each in quotation marks' 'sample "abc'
wrong '1: in the sample "@80a01230" is found' 'sample "Eip: 80a01230" "@80a01231"'
many=$(printf 'form "abc'; awk 'BEGIN { for (i = 0; i < 41; i++) printf "{number}" }'; echo '"')
wrong '322: the pattern has too many parts' "$many"
wrong '1001: the row is too long' "$(awk 'BEGIN { for (i = 0; i < 1001; i++) printf "#" }')"
awk 'BEGIN { for (i = 0; i < 321; i++) print "form \"abc" i "\" end" }' >bad
check 'wrong: too many forms' -s 1 -e 'rossym-log: bad:321:1: too many forms' rossym-log --forms=bad log </dev/null
check 'no such file' -s 1 -e 'rossym-log: nothing: cannot open: No such file or directory' rossym-log --forms=nothing log </dev/null

# ----------------------------------------------------------------------------------------- hostile lines

# A line of a megabyte with the texts of all forms: the time is proportional to its length.
texts () {
	sed -n 's/^sample "\(.*\)" ".*/\1/p' "$own" | sed 's/\\[nt]/ /g; s/\\\(.\)/\1/g' | tr '\n' ' '
}
texts >once
awk '{ while (length(text) < 1000000) text = text $0; print substr(text, 1, 1000000) }' once >long
awk '{ print substr($0, 1, 250000) }' long >short
seconds () {
	before=$(date +%s%N)
	rossym-log -q "$1" >out || return 1
	echo $((($(date +%s%N) - before) / 1000000))
}
long=$(seconds long) short=$(seconds short)
ok "a line four times as long takes four times as long ($short ms, $long ms)" test "$long" -lt $((short * 8 + 500))
ok 'it is copied' test "$(wc -c <out)" -gt 0

done_testing
