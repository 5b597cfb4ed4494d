# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which file a module's answers come from.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

bugcheck () {
	printf '***     %s - Address 80001000 base at 80000000, DateStamp %s\\n' "$1" "$2"
}

mkdir -p one two deep/er/est
module one/a.sys 0x11 first
module two/A.SYS 0x22 second
module deep/er/est/b.sys 0x33 deep
module hal.dll 0x44 cwd
check 'a file in the current directory does not count' -e 'rossym-log: warning: hal.dll: module not found
rossym-log: 1 line looks like a code address of a module that is not there: hal.dll (1); see -d' -i '<hal.dll:1000>\n' \
	rossym-log -d one <<'EOT'
<hal.dll:1000>
EOT
check 'without any module' -e 'rossym-log: warning: hal.dll: no modules given; see -e and -d
rossym-log: 2 lines look like code addresses of modules that are not there: hal.dll (2); see -d' -i '<hal.dll:1000>\n<HAL.DLL:1000>\n' \
	rossym-log <<'EOT'
<hal.dll:1000>
<HAL.DLL:1000>
EOT
mkdir -p empty/er vacant
cases 'a directory without images'
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

mkdir sizes
module sizes/a.sys 0x55 big 0x5000
check 'the size decides' -i 'Loading: \\SystemRoot\\a.sys at 80000000 with 7 pages\n<a.sys:1000>\n' rossym-log -d one -d sizes <<'EOT'
Loading: \SystemRoot\a.sys at 80000000 with 7 pages
<a.sys:1000 (big.c:1 (big))>
EOT
mkdir copy && cp one/a.sys copy/
check 'two copies of one file are no question' -i '<a.sys:1000>\n' rossym-log -d one -d copy <<'EOT'
<a.sys:1000 (first.c:1 (first))>
EOT

mkdir hals
module hals/halacpi.dll 0x61 acpi
module hals/halapic.dll 0x62 apic
module hals/ntkrnlmp.exe 0x63 kernel
module hals/kdrosdbg.dll 0x64 debugger
check 'a HAL by its alias: a question' \
	-e 'rossym-log: warning: hal.dll: not the only one, nothing in the log decides; taking hals/halacpi.dll, not hals/halapic.dll' \
	-i '<hal.dll:1000> <NTOSKRNL.EXE:1000> <kdcom.dll:1000> nt+0x1000\n' rossym-log -d hals <<'EOT'
<hal.dll:1000 (acpi.c:1 (acpi))> <NTOSKRNL.EXE:1000 (kernel.c:1 (kernel))> <kdcom.dll:1000 (debugger.c:1 (debugger))> nt+0x1000 (kernel.c:1 (kernel))
EOT
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
if witness strace && ! on_windows && strace -o /dev/null true 2>/dev/null; then
	bugcheck k.exe 5db90294 >store.log
	ok 'a big store is not read whole' eval 'printf "$(cat store.log)" | ASAN_OPTIONS=detect_leaks=0 strace -f -o trace "$LOG_BIN" -d store >/dev/null &&
		grep -q store/k.exe/5DB902949000 trace && ! grep other.exe trace && ! grep 5DB902939000/k.exe trace'
else
	no_witness 'a big store is not read whole' 'no strace'
fi
mkdir -p wrong/k.exe/5DB902949000 wrong/at
cp store/k.exe/5DB902939000/k.exe wrong/k.exe/5DB902949000
cp store/k.exe/5DB902949000/k.exe wrong/at
check 'a wrong file in its place: all are looked at' -i "$(bugcheck k.exe 5db90294)" rossym-log -d wrong <<'EOT'
***     k.exe - Address 80001000 base at 80000000, DateStamp 5db90294 (of0x5db90294.c:1 (of0x5db90294))
EOT

mkdir bad
printf 'pe32\nsection .text rva=0x1000 size=16 flags=code\n' | mkimage - bad/plain.sys
image bad-not-ascending && mv bad-not-ascending bad/broken.sys
echo text >bad/text.sys
cases 'without a table'
if on_windows; then
	skip '-d that is a device' 'Windows has none that is a file'
else
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
if can_be_nobody; then
	check 'a directory that may not be read' -s 1 -e 'rossym-log: some/shut: Permission denied
rossym-log: warning: other.sys: module not found
rossym-log: 1 line looks like a code address of a module that is not there: other.sys (1); see -d' -i '<open.sys:1000> <other.sys:1000>\n' \
		as_nobody rossym-log -d some <<-'EOT'
		<open.sys:1000 (seen.c:1 (seen))> <other.sys:1000>
	EOT
else
	skip 'a directory that may not be read' 'nobody cannot run the program'
fi
chmod 700 some/shut
check 'pipes and dangling links are no modules' -i '<open.sys:1000> <other.sys:1000>\n' rossym-log -d some <<'EOT'
<open.sys:1000 (seen.c:1 (seen))> <other.sys:1000 (seen.c:1 (seen))>
EOT
ln -s .. deep/circle
check 'a link that leads in a circle' -i '<b.sys:1000>\n' rossym-log -d deep <<'EOT'
<b.sys:1000 (deep.c:1 (deep))>
EOT

# ------------------------------------------------------------------------------------------- the machine of firmware

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
firmware efi/systemd-bootaa64.efi 0xaa64 arm64
firmware efi/systemd-bootia32.efi 0x14c ia32
firmware efi/systemd-bootriscv64.efi 0x5064 riscv64
firmware efi/systemd-bootx64.efi 0x8664 x64
firmware efi/a/shell.efi 0xaa64 shell64a
firmware efi/b/shell.efi 0x8664 shell64
# systemd NAME FUNCTION LINE: the image that has FUNCTION answers for the address in LINE.
systemd () {
	printf 'systemd-boot@0x7f4b0000 254.6\n%s\n' "$3" >log
	sed "s/7f4b1010/& ($2.c:1 ($2))/" log >want
	check "$1" -O want rossym-log -d efi log
}
systemd 'firmware: X64, by its register' x64 'RIP  - 000000007f4b1010, CS  - 0000000000000038'
systemd '... IA32' ia32 'EIP  - 7f4b1010, CS  - 00000038'
systemd '... AArch64, by the words of its exceptions' arm64 'Synchronous Exception at 0x000000007f4b1010'
systemd '... SError' arm64 'SError Exception at 0x000000007f4b1010'
systemd '... RISC-V' riscv64 '  sepc    =             0x000000007f4b1010'
# shell NAME FUNCTION LINE: after LINE, it is the image that has FUNCTION.
shell () {
	printf '%s\n<Shell.efi:1010>\n' "$3" >log
	sed "s/1010>/1010 ($2.c:1 ($2))>/" log >want
	check "$1" -O want rossym-log -d efi log
}
shell 'firmware: the heading of X64, and two files of one name' shell64 '!!!! X64 Exception Type - 0D(#GP - General Protection)  CPU Apic ID - 00000000 !!!!'
shell '... the registers of AArch64' shell64a '  SP 0x00000000BFFFE000  ELR 0x000000007F4B1010  SPSR 0x60000205  FPSR 0x00000000'
check 'firmware: an exception tells the machine up to the next one, or the next boot' \
	-e 'rossym-log: warning: shell.efi: not the only one, nothing in the log decides; taking efi/a/shell.efi, not efi/b/shell.efi' \
	-i '!!!! X64 Exception Type - 0D\n<Shell.efi:1010>\nFIQ Exception at 0x12345\n<Shell.efi:1010>\nReactOS 0.4.2 (Build 1)\n<Shell.efi:1010>\n' \
	rossym-log -d efi <<'EOT'
!!!! X64 Exception Type - 0D
<Shell.efi:1010 (shell64.c:1 (shell64))>
FIQ Exception at 0x12345
<Shell.efi:1010 (shell64a.c:1 (shell64a))>
ReactOS 0.4.2 (Build 1)
<Shell.efi:1010 (shell64a.c:1 (shell64a))>
EOT
cp efi/a/shell.efi efi/b/shell.efi
check 'firmware: images of other machines give no answers' \
	-e 'rossym-log: warning: shell.efi: efi/a/shell.efi is of another machine than the exception in the log
rossym-log: 1 line looks like a code address of a module that is not there: shell.efi (1); see -d' \
	-i '!!!! X64 Exception Type - 0D\n<Shell.efi:1010>\n' rossym-log -d efi <<'EOT'
!!!! X64 Exception Type - 0D
<Shell.efi:1010>
EOT
firmware efi/app.exe 0xaa64 app
check '... but a file with another extension is no firmware' -i '!!!! X64 Exception Type - 0D\n<app.exe:1010>\n' rossym-log -d efi <<'EOT'
!!!! X64 Exception Type - 0D
<app.exe:1010 (app.c:1 (app))>
EOT

# ------------------------------------------------------------------------------------------- a row that names a module

mkdir apps
module apps/app1.exe 0x101 one 0x10000
module apps/app2.exe 0x102 two 0x10000
cat >named.log <<'EOT'
<app1.exe:1234> (C:\app1.exe@400000)
app2.exe caused an Access Violation at location 00401234 in module app2.exe Reading from location 00000000.
Access violation at address 00401234 in module 'app2.exe'. Read of address 00000000.
=>0 0x00401234 Foo+0x10() in app2 (0x0033fed8)
0x0000000000401234 app2.exe!UnknownFunction []
0x0000000000401234 (app2) (function-name not available)
main thread ($1b4):
00401234 app2.exe System   TObject.Free
|Address |Module  |
|00401234|app2.exe|Unit9.pas|
EOT
sed '1s/1234>/1234 (one.c:1 (one))>/' named.log >want
check 'no answer from another module than the one that a row names' -O want -e 'tokens: 8, resolved: 1
unresolved: 7: no module known at the address
app1.exe: 1 of 1, apps/app1.exe' rossym-log -s -d apps named.log
cases '... nor of a later one'
for name in APP1.EXE app1 'C:\apps\App1.exe'; do
	printf "%s\nat address 00401234 in module '%s'.\n" '<app1.exe:1234> (C:\app1.exe@400000)' "$name" >log
	sed '1s/1234>/1234 (one.c:1 (one))>/; 2s/00401234/& (one.c:1 (one))/' log >want
	check "a row that names it $name" -O want rossym-log -d apps log
done
check 'a name that is the beginning of another is another' \
	-i '<app1.exe:1234> (C:\\app1.exe@400000)\nat address 00401234 in module app.exe.\nat address 00401234 in module app1.dll.\nat address 00401234 in module ap.\n' \
	rossym-log -d apps <<'EOT'
<app1.exe:1234 (one.c:1 (one))> (C:\app1.exe@400000)
at address 00401234 in module app.exe.
at address 00401234 in module app1.dll.
at address 00401234 in module ap.
EOT
check '... except one that KDBG has cut' -i "${cut%?} - Address 80001000 base at 80000000, DateStamp 71\nat address 80001000 in module ${cut}re-and-goes-on.sys.\n" \
	rossym-log -d cut <<EOT
${cut%?} - Address 80001000 base at 80000000, DateStamp 71 (whole.c:1 (whole))
at address 80001000 (whole.c:1 (whole)) in module ${cut}re-and-goes-on.sys.
EOT
check 'the kernel has several names' -i 'Kernel base = 0x80400000\nat address 80401000 in module ntkrnlmp.exe.\nat address 80401000 in module nt.\nat address 80401000 in module hal.dll.\n' \
	rossym-log -d hals <<'EOT'
Kernel base = 0x80400000
at address 80401000 (kernel.c:1 (kernel)) in module ntkrnlmp.exe.
at address 80401000 (kernel.c:1 (kernel)) in module nt.
at address 80401000 in module hal.dll.
EOT

# EDK2 tells where the code begins.  The headers of this driver take 64 KiB, as those of AArch64's runtime drivers do.
mkdir efi
build efi/VarRt.efi <<'EOT'
pe64 base=0 machine=0xaa64 salign=0x10000
section .text rva=0x10000 size=0x20000 raw=0 flags=code
rossym rva=0x40000
row 0x10000 first a.c 1
row 0x21000 second a.c 2
row 0x22000 third a.c 3
EOT
check 'a driver with large headers' -i 'add-symbol-file /b/DEBUG/VarRt.dll 0x17F4C0000\nLoading driver at 0x0017F4B0000 EntryPoint=0x0017F4C0044 VarRt.efi\nSynchronous Exception at 0x000000017F4D1234\n' \
	rossym-log -d efi <<'EOT'
add-symbol-file /b/DEBUG/VarRt.dll 0x17F4C0000
Loading driver at 0x0017F4B0000 EntryPoint=0x0017F4C0044 VarRt.efi
Synchronous Exception at 0x000000017F4D1234 (a.c:2 (second))
EOT

# ------------------------------------------------------------------------------------------- names with blanks

mkdir blanks
module 'blanks/my driver.sys' 0x5db90010 right
module blanks/driver.sys 0x5db90011 wrong
module blanks/program.exe 0x12 wrong
module blanks/app1.exe 0x13 app
cat >blanks.log <<'EOT'
***  my driver.sys - Address F8001234 base at F8000000, DateStamp 5db90010
<f8001300>
***  my driver.sys - Address F8001234 base at
F8000000, DateStamp 5db90010
ModLoad: 00400000 00412000   C:\Program Files\My App\app1.exe
eip=00401234 esp=0012fe10 ebp=0012fe40 iopl=0
EOT
sed -e '/DateStamp/s/$/ (right.c:1 (right))/; s/f8001300/& (right.c:1 (right))/; s/eip=00401234/& (app.c:1 (app))/' blanks.log >want
check 'names with blanks' -O want rossym-log -d blanks blanks.log
check '... undone' -O blanks.log rossym-log --undo want
check '... and in a string of JSON' -i '{"log":"ModLoad: 00400000 00412000   C:\\\\Program Files\\\\app1.exe\\n"}\n{"log":"eip=00401234 esp=0012fe10\\n"}\n' \
	rossym-log -d blanks <<'EOT'
{"log":"ModLoad: 00400000 00412000   C:\\Program Files\\app1.exe\n"}
{"log":"eip=00401234 (app.c:1 (app)) esp=0012fe10\n"}
EOT

# More modules than files may be open.
mkdir many
i=0
while test $i -lt 120; do
	module many/m$i.sys 0x1 f$i
	printf '<m%d.sys:1000>\n' $i
	i=$((i + 1))
done >many.log
sed 's/<m\([0-9]*\).sys:1000>/<m\1.sys:1000 (f\1.c:1 (f\1))>/' many.log >many.want
cat many.log many.log >many2.log
cat many.want many.want >many2.want
few () {
	ulimit -n 64
	rossym-log -d many many2.log
}
check 'few files are open at a time' -O many2.want few

done_testing
