# SPDX-License-Identifier: GPL-2.0-or-later
#
# A release can be made again, byte for byte, from the sources and from itself, and holds what git holds: besides that only
# what tests/rules/rule-dist.generated lists, and of git's files all but what tests/rules/rule-dist.excluded does.  The version is in
# src/rossym.h; what else names it names the same.

. "${srcdir:-.}/tests/lib/tap.sh"

: "${CC:=cc}" "${MAKE:=make}"
need "${MAKE%% *}" xz tar "${CC%% *}"
tar --version 2>/dev/null | grep -q 'GNU tar' || skip_all 'no GNU tar'

version=$(sed -n 's/^#define ROSSYM_VERSION_[A-Z]* //p' "$SRC/src/rossym.h" | tr '\n' . | sed 's/\.$//')
name=rossym-$version

versions () {
	for program in rossym-addr2line rossym-embed rossym-log; do
		$program --version | sed -n '1s/ (.*)//p'
	done
}
check 'the programs have the version of rossym.h' versions <<-EOT
	rossym-addr2line $version
	rossym-embed $version
	rossym-log $version
EOT
check 'NEWS begins with it, and with the date' sed -n '1s/20[0-9][0-9]-[01][0-9]-[0-3][0-9]/DATE/; 1s/not yet released/DATE/; 1p' \
	"$SRC/NEWS" <<-EOT
	rossym $version (DATE)
EOT
if test -d "$SRC/debian"; then
	check 'debian/changelog begins with it' sed -n '1s/-[^-]*)/-N)/p' "$SRC/debian/changelog" <<-EOT
		rossym ($version-N) unstable; urgency=medium
	EOT
else
	skip 'debian/changelog begins with it' 'tarballs have no debian/'
fi

unset SOURCE_DATE_EPOCH TAR_OPTIONS XZ_DEFAULTS
# What is compared is the archive; packing it as for a release takes ten times as long.
XZ_OPT=-0
export XZ_OPT

# Makes the tarball of build directory $1, as $2, with file mode mask $3.
make_dist () (
	# An outer make's options and job server are not for this one.
	unset MAKEFLAGS MFLAGS MAKELEVEL
	umask "$3"
	$MAKE -s -C "$1" dist && mv "$1/$name.tar.xz" "$2"
)

ok 'a tarball is made' make_dist "$tap_build" "$tap_tmp/work/first.tar.xz" 022
ok 'it can be read' tar -xJf first.tar.xz
tar -tvJf first.tar.xz >list
check 'files are nobody'\''s' sh -c 'cut -d " " -f 2 list | sort -u' <<-'EOT'
	0/0
EOT
dates () {
	tar --full-time --utc -tvJf "$1" | awk '{ print $4, $5 }' | sort -u
}
dates first.tar.xz >date
ok 'they have one date' test "$(wc -l <date)" -eq 1
check 'and only usual modes' sh -c 'cut -d " " -f 1 list | sort -u' <<-'EOT'
	-rw-r--r--
	-rwxr-xr-x
	drwxr-xr-x
EOT
tar -tJf first.tar.xz >in-order
ok 'names are in order' sh -c 'sed "s,/,\\x01,g" in-order | sort -c'

check 'it has what kernels and host tools copy' ls -p "$name/amalgamation" <<-'EOT'
	host/
	host-log/
	reactos/
	rossym-core.c
	rossym-core.h
	rossym-kernel.c
	rossym-kernel.h
EOT

# What was unpacked makes the same, elsewhere and for somebody with another mask.
# What configure found out about this system holds for the copy.
configure_copy () {
	mkdir again && cd again || return
	sed -n '/^## Cache variables/,/^## Output variables/{/^ac_cv_env_/d;/^[a-z]*_cv_.*=/p;}' "$tap_build/config.log" >config.cache
	env -u MAKEFLAGS "../$name/configure" -q --disable-shared --cache-file=config.cache
}
ok 'what was unpacked can be configured' configure_copy
ok 'and makes a tarball' make_dist "$tap_tmp/work/again" "$tap_tmp/work/second.tar.xz" 077
ok 'both are the same' cmp first.tar.xz second.tar.xz
make_dated () (
	SOURCE_DATE_EPOCH=1000000000
	export SOURCE_DATE_EPOCH
	make_dist "$tap_tmp/work/again" "$tap_tmp/work/dated.tar.xz" 022
)
ok 'another date' make_dated
check 'is obeyed' dates dated.tar.xz <<-'EOT'
	2001-09-09 01:46:40
EOT

# ------------------------------------------------------------------------------------------------ git

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
(cd "$SRC/tests" && ls -d -- * */*) | grep -v -E -x -e '(addr2line|core|debuginfo|dump|embed|hostile|library|log|rules|tool|witness)(/(unit|cli|witness|hostile|rule)-.*)?' \
	-e '(bench|data|engines|fuzz|images|lib|logs|proof|systems|tools)(/.*)?' -e README >misnamed
check 'each test has a folder and a name that tests/README explains' cat misnamed </dev/null
(cd "$SRC/tests" && ls -d -- */*) | awk -F / '!/^(data|images|logs)/ && ++count[$1] == 41 { print $1 }' >crowded
check 'a folder of tests has at most 40 files, without those of data, images and logs' cat crowded </dev/null
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
