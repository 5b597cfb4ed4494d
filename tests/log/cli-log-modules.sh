# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which file a module's answers come from.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

bugcheck () {
	printf '***     %s - Address 80001000 base at 80000000, DateStamp %s\\n' "$1" "$2"
}

cases 'a file in the current directory does not count'
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
for i in $(seq 0 119); do
	module many/m$i.sys 0x1 f$i
	printf '<m%d.sys:1000>\n' $i
done >many.log
sed 's/<m\([0-9]*\).sys:1000>/<m\1.sys:1000 (f\1.c:1 (f\1))>/' many.log >many.want
cat many.log many.log >many2.log
cat many.want many.want >many2.want
check 'few files are open at a time' -O many2.want sh -c 'ulimit -n 64; exec rossym-log -d many many2.log'

done_testing
