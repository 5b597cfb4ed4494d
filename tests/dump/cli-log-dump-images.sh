# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where the images of a dump's modules are found, which are the module's, and what happens to those that are damaged.

. "${srcdir:-.}/tests/lib/tap.sh"

on_windows && skip_all 'as on POSIX, but without a child'
dumps=${DUMP_FIXTURES:-$SRC/../shared/fixtures/dumps}/wine
test -d "$dumps" || skip_all 'files of others are not here'
dump=$dumps/zoo-gcc-x86_64.0.dmp
exe=zoo-gcc-x86_64.exe

# How many callers are found in places $@.
callers () {
	rossym-log -u "$@" "$dump" | sed -n '/(crashed)/,/^$/p' | grep -c unwound
}

# Write the byte $3, in octal, at offset $2 of file $1.
poke () {
	chmod u+w "$1"
	printf "\\$3" | dd of="$1" bs=1 seek="$(($2))" conv=notrunc status=none
}

printf '6\n' >six
printf '0\n' >none
at_pe=$((0x$(od -An -tx4 -j60 -N4 "$dumps/$exe" | tr -d ' ')))

mkdir plain upper
cp "$dumps/$exe" plain
check 'in a directory' -O six callers -d plain
check 'the file itself' -O six callers -e "plain/$exe"
cp "$dumps/$exe" upper/ZOO-GCC-x86_64.EXE
check 'in other letters' -O six callers -d upper
check 'no image' -s 1 -O none callers
# The program's name is in UTF-16; in the report a blank is "_".
mkdir blank
sed 's/z\x00o\x00o\x00-\x00g\x00c\x00c\x00-/z\x00o\x00o\x00 \x00g\x00c\x00c\x00_/g' "$dump" >blank.dmp
cp "$dumps/$exe" 'blank/zoo gcc_x86_64.exe'
of_blank () {
	rossym-log -u -d blank blank.dmp | sed -n '/(crashed)/,/^$/p' | grep -c unwound
}
check 'a name with a blank' -O six of_blank

mkdir -p store/$exe/11111111000 other
stamp=$(od -An -tx4 -j$((at_pe + 8)) -N4 "$dumps/$exe" | tr -d ' ')
size=$(od -An -tx4 -j$((at_pe + 24 + 56)) -N4 "$dumps/$exe" | tr -d ' ' | sed 's/^0*//')
mkdir -p "store/$exe/$stamp$size"
cp "$dumps/$exe" "store/$exe/$stamp$size"
check 'in a symbol store' -O six callers -d store

# What another build would say is refused.
cp "$dumps/$exe" other
poke other/$exe $((at_pe + 8)) 0
check 'another DateStamp' -s 1 -O none callers -d other
check '... beside the right one' -O six callers -d other -d plain
cp "$dumps/$exe" other
poke other/$exe $((at_pe + 24 + 57)) 1
check 'another length' -s 1 -O none callers -d other

# Reproducible builds have no DateStamp; the checksum must be the module's.
module=$(od -An -v -tx1 -w1 "$dump" | awk -v stamp="$stamp" '{ last = substr($1 last, 1, 8) } last == stamp { print NR - 4; exit }')
mkdir zero
cp "$dumps/$exe" zero
cp "$dump" zero.dmp
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

if test "${HAVE_LIBARCHIVE:-yes}" = yes; then
	(cd plain && zip -q ../zoo.zip $exe)
	check 'in an archive' -O six callers -d zoo.zip
else
	skip 'in an archive' 'built without libarchive'
fi

done_testing
