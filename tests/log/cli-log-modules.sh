# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which file a module's answers come from.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

bugcheck () {
	printf '***     %s - Address 80001000 base at 80000000, DateStamp %s\\n' "$1" "$2"
}

cases 'a file in the current directory does not count'
check 'the DateStamp decides' -i "$(bugcheck a.sys 22)<a.sys:1000>\n" rossym-log -d one -d two <<'EOT'
***     a.sys - Address 80001000 base at 80000000, DateStamp 22 (second.c:1 (second))
<a.sys:1000 (second.c:1 (second))>
EOT
check 'also against a file named by the user' -i "$(bugcheck a.sys 11)" rossym-log -d one -e two/A.SYS <<'EOT'
***     a.sys - Address 80001000 base at 80000000, DateStamp 11 (first.c:1 (first))
EOT
check 'a DateStamp that no file has' -e 'rossym-log: warning: a.sys: the log has DateStamp 00000099, one/a.sys has 00000011' \
	-i "$(bugcheck a.sys 99)<a.sys:1000> Eip: 80001000\nReactOS 0.4.2 (Build 1)\n<a.sys:1000>\n" rossym-log -d one <<'EOT'
***     a.sys - Address 80001000 base at 80000000, DateStamp 99 (first.c:1 (first) - other DateStamp)
<a.sys:1000 (first.c:1 (first) - other DateStamp)> Eip: 80001000 (first.c:1 (first) - other DateStamp)
ReactOS 0.4.2 (Build 1)
<a.sys:1000 (first.c:1 (first))>
EOT
check 'a debugger'\''s short name is the same module' -g '*DateStamp*' -i "$(bugcheck a.sys 99)a+0x1000\n" rossym-log -d one <<'EOT'
***     a.sys - Address 80001000 base at 80000000, DateStamp 99 (first.c:1 (first) - other DateStamp)
a+0x1000 (first.c:1 (first) - other DateStamp)
EOT

cases 'the size decides'
check 'the DateStamp answers it' -i "$(bugcheck hal.dll 62)" rossym-log -d hals <<'EOT'
***     hal.dll - Address 80001000 base at 80000000, DateStamp 62 (apic.c:1 (apic))
EOT
check 'so does the user' -i '<hal.dll:1000>\n' rossym-log -d hals -e hals/halapic.dll <<'EOT'
<hal.dll:1000 (apic.c:1 (apic))>
EOT

# KDBG cuts names at 63 characters.
cut=a-name-of-so-many-characters-that-the-kernel-debugger-cuts-it-he
mkdir cut
module "cut/${cut}re-and-goes-on.sys" 0x71 whole
echo "no image" >"cut/${cut}re-and-goes-on.sys.txt"
check 'a name that KDBG has cut' -i "<${cut%?}:1000>\n<$cut:1000>\n" rossym-log -d cut <<EOT
<${cut%?}:1000 (whole.c:1 (whole))>
<$cut:1000>
EOT
module "cut/${cut}aven.dll" 0x72 other
check 'more than one name that begins so' \
	-e "rossym-log: warning: ${cut%?}: the name may be cut, and cut/${cut}re-and-goes-on.sys is not the only file that begins so" \
	-i "<${cut%?}:1000>\n<${cut%?}:1000>\n$(bugcheck "${cut%?}" 71)" rossym-log -d cut <<EOT
<${cut%?}:1000>
<${cut%?}:1000>
***     ${cut%?} - Address 80001000 base at 80000000, DateStamp 71 (whole.c:1 (whole))
EOT

# A symbol store has NAME/KEY/NAME.  Without an index, only the DateStamp tells which of the builds it is.
for stamp in 0x5db90293 0x5db90294; do
	key=$(printf '%X9000' $stamp)
	mkdir -p "store/k.exe/$key"
	module "store/k.exe/$key/k.exe" $stamp "of$stamp" 0x7000
done
mkdir -p store/other.exe/5DB9029312000
module store/other.exe/5DB9029312000/other.exe 0x5db90293 other
check 'a symbol store' -i "$(bugcheck k.exe 5db90294)$(bugcheck k.exe 5db90293)" rossym-log -d store <<'EOT'
***     k.exe - Address 80001000 base at 80000000, DateStamp 5db90294 (of0x5db90294.c:1 (of0x5db90294))
***     k.exe - Address 80001000 base at 80000000, DateStamp 5db90293 (of0x5db90293.c:1 (of0x5db90293))
EOT
check 'without a DateStamp' \
	-e 'rossym-log: warning: k.exe: not the only one, nothing in the log decides; taking store/k.exe/5DB902939000/k.exe, not store/k.exe/5DB902949000/k.exe' \
	-i '<k.exe:1000>\n' rossym-log -d store <<'EOT'
<k.exe:1000 (of0x5db90293.c:1 (of0x5db90293))>
EOT
check 'one that is not there' \
	-e 'rossym-log: warning: k.exe: the log has DateStamp 5db90295, store/k.exe/5DB902939000/k.exe has 5db90293' \
	-i "$(bugcheck k.exe 5db90295)" rossym-log -d store <<'EOT'
***     k.exe - Address 80001000 base at 80000000, DateStamp 5db90295 (of0x5db90293.c:1 (of0x5db90293) - other DateStamp)
EOT
if witness strace && ! on_windows && strace -o /dev/null true 2>/dev/null || no_witness 'a big store is not read whole' 'no strace'; then
	bugcheck k.exe 5db90294 >store.log
	ok 'a big store is not read whole' eval 'printf "$(cat store.log)" | ASAN_OPTIONS=detect_leaks=0 strace -f -o trace "$LOG_BIN" -d store >/dev/null &&
		grep -q store/k.exe/5DB902949000 trace && ! grep other.exe trace && ! grep 5DB902939000/k.exe trace'
fi
mkdir -p wrong/k.exe/5DB902949000 wrong/at
cp store/k.exe/5DB902939000/k.exe wrong/k.exe/5DB902949000
cp store/k.exe/5DB902949000/k.exe wrong/at
check 'a wrong file in its place: all are looked at' -i "$(bugcheck k.exe 5db90294)" rossym-log -d wrong <<'EOT'
***     k.exe - Address 80001000 base at 80000000, DateStamp 5db90294 (of0x5db90294.c:1 (of0x5db90294))
EOT

cases 'without a table'
if ! on_windows || skip '-d that is a device' 'Windows has none that is a file'; then
	check '-d that is a device' -s 1 -e 'rossym-log: /dev/null: neither a directory nor an archive
rossym-log: warning: a.sys: there are no images below /dev/null
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d' -i '<a.sys:1000>\n' rossym-log -d /dev/null <<'EOT'
<a.sys:1000>
EOT
fi
# What cannot be read is said, and the rest is taken.
mkdir -p some/shut
module some/open.sys 0x1 seen
cp some/open.sys some/shut/other.sys
mkfifo some/pipe
ln -s nowhere some/dangling
chmod 0 some/shut
chmod a+rx "$tap_tmp" "$tap_tmp/work" "$tap_tmp/bin" some
chmod a+r some/open.sys
if can_be_nobody || skip 'a directory that may not be read' 'nobody cannot run the program'; then
	check 'a directory that may not be read' -s 1 -e 'rossym-log: some/shut: Permission denied
rossym-log: warning: other.sys: module not found
rossym-log: 1 line looks like a code address of a module that is not there: other.sys (1); see -d' -i '<open.sys:1000> <other.sys:1000>\n' \
		as_nobody rossym-log -d some <<-'EOT'
		<open.sys:1000 (seen.c:1 (seen))> <other.sys:1000>
	EOT
fi
# firmware FILE MACHINE FUNCTION
firmware () {
	mkdir -p "${1%/*}"
	build "$1" <<-END
		pe64 base=0x10000 machine=$2
		section .text rva=0x1000 size=0x1000 raw=0 flags=code
		rossym rva=0x2000
		row 0x1000 $3 $3.c 1
	END
}
# systemd NAME FUNCTION LINE: the image that has FUNCTION answers for the address in LINE.
systemd () {
	printf 'systemd-boot@0x7f4b0000 254.6\n%s\n' "$3" >log
	sed "s/7f4b1010/& ($2.c:1 ($2))/" log >want
	check "$1" -O want rossym-log -d efi log
}
# shell NAME FUNCTION LINE: after LINE, it is the image that has FUNCTION.
shell () {
	printf '%s\n<Shell.efi:1010>\n' "$3" >log
	sed "s/1010>/1010 ($2.c:1 ($2))>/" log >want
	check "$1" -O want rossym-log -d efi log
}

cases 'pipes and dangling links are no modules'
for name in APP1.EXE app1 'C:\apps\App1.exe'; do
	printf "%s\nat address 00401234 in module '%s'.\n" '<app1.exe:1234> (C:\app1.exe@400000)' "$name" >log
	sed '1s/1234>/1234 (one.c:1 (one))>/; 2s/00401234/& (one.c:1 (one))/' log >want
	check "a row that names it $name" -O want rossym-log -d apps log
done
cases 'the kernel has several names'
for i in $(seq 0 119); do
	module many/m$i.sys 0x1 f$i
	printf '<m%d.sys:1000>\n' $i
done >many.log
sed 's/<m\([0-9]*\).sys:1000>/<m\1.sys:1000 (f\1.c:1 (f\1))>/' many.log >many.want
cat many.log many.log >many2.log
cat many.want many.want >many2.want
check 'few files are open at a time' -O many2.want sh -c 'ulimit -n 64; exec rossym-log -d many many2.log'

done_testing
