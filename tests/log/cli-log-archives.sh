# SPDX-License-Identifier: GPL-2.0-or-later
#
# Modules inside .iso, .zip, .7z and .cab files, and in those in each other.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

if test "${HAVE_LIBARCHIVE:-yes}" != yes; then
	cases 'an archive without libarchive'
	skip archives 'built without libarchive'
	done_testing
fi
log_modules sym silent
mkdir -p disc/reactos disc/loader
mkcab -m disc/reactos/reactos.cab sym/win32k.sys sym/*.exe sym/*.dll sym/drivers/* sym/user/* || exit 99
mkcab stored.cab sym/drivers/* sym/ntoskrnl.exe sym/hal.dll || exit 99
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
cases 'firmware for two machines'
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
	if witness "${program%% *}" || no_witness "$program makes one" "no ${program%% *}"; then
		rm -f other.archive*
		ok "$program" $program "$@"
		check "$program makes one" -O "$want" rossym-log -d other.archive* "$log"
	fi
done
cases 'ISO in a zip, after a directory that has nothing'
for directory in disc upper; do
	check "an unpacked ISO: $directory" -O "$want" rossym-log -d "$directory" "$log"
done
limited () {
	# A sanitizer needs the address space, and so does what Windows programs run under.
	case ${CFLAGS-} in
	*sanitize*) ;;
	*) on_windows || ulimit -v 1500000 2>/dev/null ;;
	esac
	rossym-log -d "$@"
}

cases 'other cabinets in a directory are not opened'

done_testing
