#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sbom.sh SOURCE BUILD	prints a bill of materials in the format SPDX 2.3 (tag:value): the source files of rossym with their checksums,
#			and the libraries that configure found for BUILD.  "make sbom" writes it to rossym-VERSION.spdx
#
# It depends on the files, on what configure found and on SOURCE_DATE_EPOCH (else the date of SOURCE's last commit, else 1970) only.

set -eu
LC_ALL=C
export LC_ALL
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
version=$(sed -n 's/^#define ROSSYM_VERSION_[A-Z]* //p' "$source/src/rossym.h" | tr '\n' . | sed 's/\.$//')

# What is a file of the sources: what is in git, or in a tarball or without git all but a build that was made in its directory.
files () {
	if test -e "$source/.git" && command -v git >/dev/null; then
		git -C "$source" ls-files
	else
		(cd "$source" && find . -name .git -prune -o -type f -print | sed 's,^\./,,' | grep -v -e '\.\(o\|lo\|la\|log\|trs\)$' -e '^build' -e '\.libs/' -e '\.deps/')
	fi | sort
}

# found NAME: whether configure found the library; its variable in the Makefile is not empty then.
found () {
	test -n "$(sed -n "s/^$1_LIBS = //p" "$build/Makefile")"
}

# Of an installed library: "VERSION ORIGIN", as its package or pkg-config knows it.
installed () {
	package=$(dpkg-query -W -f '${Package}\n' "$1" 2>/dev/null | head -n 1) || package=
	if test -n "$package"; then
		dpkg-query -W -f '${Version} Debian:${source:Package}\n' "$package"
	else
		echo "$(pkg-config --modversion "$2" 2>/dev/null || echo NOASSERTION) NOASSERTION"
	fi
}

epoch=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || echo 0)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files | (cd "$source" && while read -r file; do sha1sum "./$file"; done) >"$work/sums"
code=$(cut -d ' ' -f 1 "$work/sums" | sort | tr -d '\n' | sha1sum | cut -d ' ' -f 1)

cat <<END
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: rossym-$version
DocumentNamespace: urn:rossym:$version:$code
Creator: Tool: sbom.sh-$version
Created: $(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)

PackageName: rossym
SPDXID: SPDXRef-rossym
PackageVersion: $version
PackageDownloadLocation: NOASSERTION
FilesAnalyzed: true
PackageVerificationCode: $code
PackageLicenseConcluded: GPL-2.0-or-later
PackageLicenseInfoFromFiles: GPL-2.0-or-later
PackageLicenseDeclared: GPL-2.0-or-later
PackageCopyrightText: Copyright (C) 2026 the rossym authors.
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-rossym
END

# library VARIABLE NAME PACKAGE PKG-CONFIG LICENCE
library () {
	found "$1" || return 0
	set -- "$2" "$5" $(installed "$3" "$4")
	cat <<-END

		PackageName: $1
		SPDXID: SPDXRef-$1
		PackageVersion: $3
		PackageDownloadLocation: NOASSERTION
		PackageSourceInfo: $4
		FilesAnalyzed: false
		PackageLicenseConcluded: NOASSERTION
		PackageLicenseDeclared: $2
		PackageCopyrightText: NOASSERTION
		Relationship: SPDXRef-rossym DEPENDS_ON SPDXRef-$1
	END
}
library LIBIBERTY libiberty libiberty-dev libiberty LGPL-2.1-or-later
library LIBBFD libbfd binutils-dev bfd GPL-3.0-or-later
library ZLIB zlib zlib1g-dev zlib Zlib
library ZSTD libzstd libzstd-dev libzstd BSD-3-Clause
library LIBARCHIVE libarchive libarchive-dev libarchive BSD-2-Clause

number=0
while read -r sum file; do
	number=$((number + 1))
	cat <<-END

		FileName: $file
		SPDXID: SPDXRef-file-$number
		FileChecksum: SHA1: $sum
		LicenseConcluded: GPL-2.0-or-later
		LicenseInfoInFile: $(grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' "$source/$file" && echo GPL-2.0-or-later || echo NOASSERTION)
		FileCopyrightText: NOASSERTION
		Relationship: SPDXRef-rossym CONTAINS SPDXRef-file-$number
	END
done <"$work/sums"
