# SPDX-License-Identifier: GPL-2.0-or-later
#
# The bill of materials (contrib/sbom.sh) has the files of the sources and the libraries of the build, and no others.

. "${srcdir:-.}/tests/lib/tap.sh"

has sha1sum || skip_all 'no sha1sum'
sbom=$SRC/contrib/sbom.sh
SOURCE_DATE_EPOCH=86400
export SOURCE_DATE_EPOCH

ok 'it is made' sh "$sbom" "$SRC" "$tap_build"
cp "$OUT" first
ok 'again' sh "$sbom" "$SRC" "$tap_build"
cp "$OUT" second
ok 'with the same bytes' cmp first second
check 'its date is that of SOURCE_DATE_EPOCH' grep '^Created:' first <<'EOT'
Created: 1970-01-02T00:00:00Z
EOT

sed -n 's/^FileChecksum: SHA1: //p' first >sums
sed -n 's/^FileName: //p' first >names
paste -d ' ' sums names | sed 's/ /  /' >list
ok 'it has files' test -s names
ok 'with their checksums' sh -c 'cd "$1" && sha1sum --quiet -c -' sh "$SRC" <list
code=$(sort sums | tr -d '\n' | sha1sum | cut -d ' ' -f 1)
check 'and the checksum of these' sed -n 's/^PackageVerificationCode: //p' first <<EOT
$code
EOT
if test -e "$SRC/.git" && has git; then
	git -C "$SRC" ls-files | sort | sed 's,^,./,' >git
	ok 'all that are in git' diff -u git names
else
	skip 'all that are in git' 'no checkout'
fi

# What configure has defined, in the order of the document.
for library in HAVE_LIBIBERTY:libiberty HAVE_LIBBFD:libbfd HAVE_ZLIB:zlib HAVE_ZSTD:libzstd HAVE_LIBARCHIVE:libarchive; do
	! built_with "${library%:*}" || echo "${library#*:}"
done >libraries
{ echo rossym; cat libraries; } >want
check 'the packages are rossym and the libraries of this build' -O want sed -n 's/^PackageName: //p' first
sed 's/.*/Relationship: SPDXRef-rossym DEPENDS_ON SPDXRef-&/' libraries >want
check 'on which it depends' -O want sed -n '/DEPENDS_ON/p' first

grep -v '^$' first >filled
# Each identifier is there once, and each relationship is about two of them.
sed -n 's/^SPDXID: //p' first | sort >identifiers
check 'no identifier twice' uniq -d identifiers </dev/null
sed -n 's/^Relationship: \([^ ]*\) [A-Z_]* \([^ ]*\)$/\1\n\2/p' first | sort -u >related
check 'relationships are between what is there' comm -13 identifiers related </dev/null
check 'each line has a tag' -s 1 grep -v '^[A-Za-z0-9]*: .' filled </dev/null

done_testing
