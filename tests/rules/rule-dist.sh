# SPDX-License-Identifier: GPL-2.0-or-later
#
# A release can be made again, byte for byte, from the sources and from itself, and holds what git holds: besides that only
# what tests/rules/rule-dist.generated lists, and of git's files all but what tests/rules/rule-dist.excluded does.  The version is in
# src/rossym.h; what else names it names the same.

. "${srcdir:-.}/tests/lib/tap.sh"

: "${CC:=cc}" "${MAKE:=make}"
need "${MAKE%% *}" xz tar "${CC%% *}"

tar --version 2>/dev/null | grep -q 'GNU tar' || skip_all 'no GNU tar'
cases 'the programs have the version of rossym.h'
if test -d "$SRC/debian" || skip 'debian/changelog begins with it' 'tarballs have no debian/'; then
	check 'debian/changelog begins with it' sed -n '1s/-[^-]*)/-N)/p' "$SRC/debian/changelog" <<-EOT
		rossym ($version-N) unstable; urgency=medium
	EOT
fi

unset SOURCE_DATE_EPOCH TAR_OPTIONS XZ_DEFAULTS

# Makes the tarball of build directory $1, as $2, with file mode mask $3.
make_dist () (
	# An outer make's options and job server are not for this one.
	unset MAKEFLAGS MFLAGS MAKELEVEL
	umask "$3"
	$MAKE -s -C "$1" dist && mv "$1/$name.tar.xz" "$2"
)
dates () {
	tar --full-time --utc -tvJf "$1" | awk '{ print $4, $5 }' | sort -u
}
# What was unpacked makes the same, elsewhere and for somebody with another mask.
# What configure found out about this system holds for the copy.
configure_copy () {
	mkdir again && cd again || return
	sed -n '/^## Cache variables/,/^## Output variables/{/^ac_cv_env_/d;/^[a-z]*_cv_.*=/p;}' "$tap_build/config.log" >config.cache
	env -u MAKEFLAGS "../$name/configure" -q --disable-shared --cache-file=config.cache
}
make_dated () (
	SOURCE_DATE_EPOCH=1000000000
	export SOURCE_DATE_EPOCH
	make_dist "$tap_tmp/work/again" "$tap_tmp/work/dated.tar.xz" 022
)
# A list's entries: names, and directories with a "/" at the end.
in_list () {
	awk -v list="$1" '
		BEGIN { while ((getline line <list) > 0) if (line !~ /^(#|$)/) entry[line] }
		{
			for (e in entry)
				if ($0 == e || (e ~ /\/$/ && index($0, e) == 1))
					next
			print
		}'
}
tracked () {
	git -c safe.directory='*' -C "$SRC" ls-files
}

cases 'files are nobody'\''s'
if test ! -e "$SRC/.git"; then
	# The two tarballs were the same, and the sources are the first of them.
	skip 'the tarball has what git has' 'the sources are a tarball themselves'
elif ! has git; then
	skip 'the tarball has what git has' 'no git'
else
	ok 'git says what it has' tracked
	tracked | sort >tracked
	sed -n "s,^$name/\(.*[^/]\)\$,\1,p" in-order | sort >released
	comm -13 tracked released | in_list "$SRC/tests/rules/rule-dist.generated" >strange
	check 'a file of the tarball is in git, or in tests/rules/rule-dist.generated' cat strange </dev/null
	comm -23 tracked released | in_list "$SRC/tests/rules/rule-dist.excluded" >forgotten
	check 'a file in git is in the tarball, or in tests/rules/rule-dist.excluded' cat forgotten </dev/null
	comm -12 tracked released | while read -r file; do
		cmp -s "$SRC/$file" "$name/$file" || echo "$file"
	done >changed
	check 'those that are in both are the same' cat changed </dev/null
	comm -12 tracked released | in_list "$SRC/tests/rules/rule-dist.generated" >plain
	ok 'no list names a file of the other kind' sh -c 'test "$(wc -l <plain)" -eq "$(comm -12 tracked released | wc -l)"'
fi

done_testing
