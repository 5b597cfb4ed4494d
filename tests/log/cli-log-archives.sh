# SPDX-License-Identifier: GPL-2.0-or-later
#
# Modules inside .iso, .zip, .7z and .cab files, and in those in each other.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

if test "${HAVE_LIBARCHIVE:-yes}" != yes; then
	missed='rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d'
	check 'an archive without libarchive' -s 1 \
		-e "rossym-log: $DATA/README: this program was built without libarchive
rossym-log: warning: a.sys: there are no images below $DATA/README
$missed" -i '<a.sys:1000>\n' rossym-log -d "$DATA/README" <<-'EOT'
		<a.sys:1000>
	EOT
	mkdir -p disc/reactos && echo 'not opened' >disc/reactos/reactos.cab
	check 'the cabinet of an unpacked ISO without libarchive' -i '<a.sys:1000>\n' -e "rossym-log: warning: a.sys: module not found
$missed" rossym-log -d disc <<-'EOT'
			<a.sys:1000>
	EOT
	skip archives 'built without libarchive'
	done_testing
fi
log_modules sym silent
mkdir -p disc/reactos disc/loader
"$MKCAB" -m disc/reactos/reactos.cab sym/win32k.sys sym/*.exe sym/*.dll sym/drivers/* sym/user/* || exit 99
"$MKCAB" stored.cab sym/drivers/* sym/ntoskrnl.exe sym/hal.dll || exit 99
cp sym/freeldr.sys disc/loader/
make_iso boot.iso disc
zip -q -0 iso.zip boot.iso
archives () {
	rm -f iso.7z deep4.7z
	7z a -bso0 -bsp0 -mtm=off iso.7z boot.iso && 7z a -bso0 -bsp0 -mtm=off deep4.7z iso.zip
}
made 7z iso.7z deep4.7z -- archives
zip -q deep5.zip deep4.7z
# Firmware of two machines, in one archive: the exception tells which image is to be read.
for machine in 0xaa64 0x8664; do
	build systemd-boot$machine.efi <<-END
		pe64 base=0x10000 machine=$machine
		section .text rva=0x1000 size=0x1000 raw=0 flags=code
		rossym rva=0x2000
		row 0x1000 of$machine $machine.c 1
	END
done
zip -q efi.zip systemd-boot0xaa64.efi systemd-boot0x8664.efi
check 'firmware for two machines' -i 'systemd-boot@0x7f4b0000 254.6\nRIP  - 000000007f4b1010, CS\nSynchronous Exception at 0x7f4b1010\n' \
	rossym-log -d efi.zip <<'EOT'
systemd-boot@0x7f4b0000 254.6
RIP  - 000000007f4b1010 (0x8664.c:1 (of0x8664)), CS
Synchronous Exception at 0x7f4b1010 (0xaa64.c:1 (of0xaa64))
EOT

# An ISO that the name says is a zip is held in memory, as one would be.
cp boot.iso named.zip && zip -q named-iso.zip named.zip

log=$SRC/tests/logs/kdbg-i386.log want=$SRC/tests/logs/kdbg-i386.want
for archive in disc/reactos/reactos.cab stored.cab boot.iso iso.zip iso.7z deep4.7z named-iso.zip; do
	check "$archive" -O "$want" rossym-log -d "$archive" "$log"
done
# What other programs make.
maker=genisoimage
has genisoimage || maker='xorriso -as mkisofs'
for program in "$maker" '7z a'; do
	case $program in
	7*) set -- -bso0 -bsp0 other.archive.7z boot.iso ;;
	*) set -- -quiet -J -R -o other.archive disc ;;
	esac
	if witness "${program%% *}"; then
		rm -f other.archive*
		ok "$program" $program "$@"
		check "$program makes one" -O "$want" rossym-log -d other.archive* "$log"
	else
		no_witness "$program makes one" "no ${program%% *}"
	fi
done
check 'ISO in a zip, after a directory that has nothing' -O "$want" rossym-log -d disc/loader -d iso.zip "$log"
check 'an ISO has files too' -e "rossym-log: freeldr.sys: boot.iso: loader/freeldr.sys" -i '<freeldr.sys:1230>\n' \
	rossym-log -v -d boot.iso <<-'EOT'
	<freeldr.sys:1230 (ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))>
EOT
check 'a fifth level is not opened' -e 'rossym-log: warning: hal.dll: module not found
rossym-log: 1 line looks like a code address of a module that is not there: hal.dll (1); see -d' -i '<hal.dll:1230>\n' \
	rossym-log -d deep5.zip <<-'EOT'
	<hal.dll:1230>
EOT

# A mounted or unpacked ISO.
mkdir -p upper/REACTOS elsewhere/reactos/more loose/reactos
cp disc/reactos/reactos.cab upper/REACTOS/REACTOS.CAB
cp disc/reactos/reactos.cab elsewhere/
cp disc/reactos/reactos.cab elsewhere/reactos/more/
cp disc/reactos/reactos.cab elsewhere/reactos/other.cab
cp disc/reactos/reactos.cab loose/reactos/
log_module loose/zz.dll pe32 0x10000 0x1 0xf000 3840 0x10
mv loose/zz.dll loose/hal.dll
for directory in disc upper; do
	check "an unpacked ISO: $directory" -O "$want" rossym-log -d "$directory" "$log"
done
check 'other cabinets in a directory are not opened' -e 'rossym-log: warning: hal.dll: module not found
rossym-log: 1 line looks like a code address of a module that is not there: hal.dll (1); see -d' -i '<hal.dll:1230>\n' \
	rossym-log -d elsewhere <<-'EOT'
	<hal.dll:1230>
EOT
check 'files come before those in the cabinet' \
	-e 'rossym-log: warning: hal.dll: not the only one, nothing in the log decides; taking loose/hal.dll, not loose/reactos/reactos.cab: hal.dll' \
	-i '<hal.dll:1230>\n' rossym-log -d loose <<-'EOT'
	<hal.dll:1230 (ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))>
EOT
ls >before
rossym-log -d iso.zip "$log" >/dev/null
ls >after
echo after >>before
ok 'nothing is written anywhere' test "$(sort before)" = "$(sort after)"

# Damaged ones.
head -c 200000 disc/reactos/reactos.cab >cut.cab
check 'a cabinet cut off: what can be read is read' -s 1 -g 'rossym-log: *cut.cab*' -i '<hal.dll:1230> <win32k.sys:1230>\n' \
	rossym-log -d cut.cab <<-'EOT'
	<hal.dll:1230> <win32k.sys:1230 (ntoskrnl/ke/Thread0.c:3 (KeQueryThread0))>
EOT
echo 'no archive' >no.zip
head -c 100 cut.cab >loose/reactos/reactos.cab
check 'so is that of an unpacked ISO' -s 1 -g 'rossym-log: loose/reactos/reactos.cab: *' -i '<hal.dll:1230>\n' rossym-log -d loose <<-'EOT'
	<hal.dll:1230 (ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))>
EOT
check 'no archive' -s 1 -g 'rossym-log: no.zip: *' -i '<hal.dll:1230>\n' rossym-log -d no.zip <<-'EOT'
	<hal.dll:1230>
EOT
mkdir inner && cp cut.cab no.zip inner/ && make_iso damaged.iso inner
check 'a damaged archive in an archive' -s 1 -g 'rossym-log: damaged.iso: *' -i '<nothing.dll:1230>\n' \
	rossym-log -d damaged.iso <<-'EOT'
	<nothing.dll:1230>
EOT

# Bombs and names that climb.
mkdir -p climb/a/b && cp sym/hal.dll climb/hal.dll
(cd climb/a/b && zip -q ../../../climb.zip ../../hal.dll)
check 'a name that climbs is a name' -i '<hal.dll:1230>\n' rossym-log -d climb.zip <<-'EOT'
	<hal.dll:1230 (ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))>
EOT
# Zeros: more than a module may have (128 MiB), and than archives may hold in memory (512 MiB).  A megabyte is packed once, and is
# there 520 times.  The second bomb is the first with another name in it.
python3 - <<'EOT'
import struct
import zlib

TIMES, megabyte, name = 520, bytes(1 << 20), b"bomb.dll"
packer = zlib.compressobj(9, zlib.DEFLATED, -15)
piece = packer.compress(megabyte) + packer.flush(zlib.Z_FULL_FLUSH)
packed = piece * TIMES + packer.flush()
crc = 0
for _ in range(TIMES):
    crc = zlib.crc32(megabyte, crc)
# What is in both headers: flags, method, time, date, CRC, sizes, lengths of names.
entry = struct.pack("<HHHHIIIHH", 0, 8, 0, 0x5b61, crc, len(packed), TIMES << 20, len(name), 0)
local = b"PK\3\4" + struct.pack("<H", 20) + entry + name
central = b"PK\1\2" + struct.pack("<HH", 20, 20) + entry + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local) + len(packed), 0)
with open("bomb.zip", "wb") as out:
    out.write(local + packed + central + end)
EOT
sed 's/bomb\.dll/bomb.zip/' bomb.zip >bomb-archive.zip
limited () {
	# A sanitizer needs the address space, and so does what Windows programs run under.
	case ${CFLAGS-} in
	*sanitize*) ;;
	*) on_windows || ulimit -v 1500000 2>/dev/null ;;
	esac
	rossym-log -d "$@"
}
check 'a bomb is an error' -s 1 -e 'rossym-log: bomb.zip: bomb.dll: what is in it is too big
rossym-log: warning: bomb.dll: module cannot be read' -i '<bomb.dll:1000>\n' limited bomb.zip <<-'EOT'
	<bomb.dll:1000>
EOT
check 'so is one in between' -s 1 -g 'rossym-log: bomb-archive.zip: what is in it is too big*' -i '<bomb.dll:1000>\n' \
	limited bomb-archive.zip <<-'EOT'
	<bomb.dll:1000>
EOT

done_testing
