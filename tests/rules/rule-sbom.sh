# SPDX-License-Identifier: GPL-2.0-or-later
#
# The bill of materials (contrib/sbom.sh) has the files of the sources and the libraries of the build, and no others.

. "${srcdir:-.}/tests/lib/tap.sh"

has sha1sum || skip_all 'no sha1sum'
cases 'its date is that of SOURCE_DATE_EPOCH'
if test -e "$SRC/.git" && has git || skip 'all that are in git' 'no checkout'; then
	git -C "$SRC" ls-files | sort | sed 's,^,./,' >git
	ok 'all that are in git' diff -u git names
fi

# What configure has defined, in the order of the document.
for library in HAVE_LIBIBERTY:libiberty HAVE_LIBBFD:libbfd HAVE_ZLIB:zlib HAVE_ZSTD:libzstd HAVE_LIBARCHIVE:libarchive; do
	! built_with "${library%:*}" || echo "${library#*:}"
done >libraries
cases 'the packages are rossym and the libraries of this build'

done_testing
