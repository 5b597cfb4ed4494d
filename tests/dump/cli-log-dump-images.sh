# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where the images of a dump's modules are found, which are the module's, and what happens to those that are damaged.

. "${srcdir:-.}/tests/lib/tap.sh"

# How many callers are found in places $@.
callers () {
	rossym-log -u "$@" "$dump" | sed -n '/(crashed)/,/^$/p' | grep -c unwound
}
# Write the byte $3, in octal, at offset $2 of file $1.
poke () {
	chmod u+w "$1"
	printf "\\$3" | dd of="$1" bs=1 seek="$(($2))" conv=notrunc status=none
}
of_blank () {
	rossym-log -u -d blank blank.dmp | sed -n '/(crashed)/,/^$/p' | grep -c unwound
}

on_windows && skip_all 'as on POSIX, but without a child'
dumps=${DUMP_FIXTURES:-$SRC/../shared/fixtures/dumps}/wine
test -d "$dumps" || skip_all 'files of others are not here'
cases 'dump images'
for byte in 0 1 2 3; do
	poke zero/$exe $((at_pe + 8 + byte)) 0
	poke zero.dmp $((module + byte)) 0
done
of_zero () {
	rossym-log -u -d zero zero.dmp | sed -n '/(crashed)/,/^$/p' | grep -c unwound
}
check 'no DateStamp, and the checksum' -O six of_zero
poke zero.dmp $((module - 4)) 1
check '... and another checksum' -s 1 -O none of_zero

# An image that lies costs frames, and nothing else.
mkdir bad
for cut in 100 400 1000 2000 20000; do
	head -c "$cut" "$dumps/$exe" >bad/$exe
	check "an image of $cut bytes" -O /dev/null sh -c "rossym-log -u -d bad '$dump' >report"
	ok '... has the report' grep -q '^Thread 1,' report
done

if test "${HAVE_LIBARCHIVE:-yes}" = yes || skip 'in an archive' 'built without libarchive'; then
	(cd plain && zip -q ../zoo.zip $exe)
	check 'in an archive' -O six callers -d zoo.zip
fi

done_testing
