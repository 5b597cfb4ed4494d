# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which builds places have, and which place is chosen for a log.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

# line PLACE N: what --builds says about a place of build N.
line () {
	printf '%s\t0.4.17-x86-dev\t%s\t%s\n' "$1" "$(build_name "$2")" "$(build_commit "$2")"
}
# boot N: what a log of build N has
boot () {
	printf '(ntoskrnl/kd64/kdinit.c:74) %s\n<ntoskrnl.exe:1000> <a.sys:1000>\n' "$(banner "$1")"
}
# answered N [NOTE]: the same with answers of build N
answered () {
	printf '(ntoskrnl/kd64/kdinit.c:74) %s\n<ntoskrnl.exe:1000 (kernel%s.c:1 (kernel%s))> <a.sys:1000 (driver%s.c:1 (driver%s))>\n' \
		"$(banner "$1")" "$1" "$1" "$1" "$1"
}

# --------------------------------------------------------------------------------------------- the builds of directories
cases '--builds: two builds below one directory'
if ! on_windows || skip 'a path with a tab and a newline' 'Windows has no such names'; then
	odd=$(printf 'trees \tx\ny')
	build_tree "$odd" 1
	line 'trees ?x?y' 1 >want
	check 'a path with a tab and a newline' -O want rossym-log --builds -d "$odd"
	check '... as JSON' rossym-log --builds --format=json -d "$odd" <<EOT
{"place":"trees \\tx\\ny","version":"0.4.17-x86-dev","build":"$(build_name 1)","commit":"$(build_commit 1)"}
EOT
fi
# lab NAME TEXT: the kernel in labs/NAME has TEXT for its NtBuildLab, and no banner
lab () {
	kernel "labs/$1/ntkrnlmp.exe" lab "$2" "$3"
}

cases 'no place at all'
{
	printf 'labs/a\t\t%s\t\nlabs/b\t\t20260924-unknown\t\n' "$(build_name 1)"
	for name in c d e f; do printf 'labs/%s/ntkrnlmp.exe\t\t\t\n' $name; done
	line labs/g 3
	for name in h i; do printf 'labs/%s/ntkrnlmp.exe\t\t\t\n' $name; done
} | sed 's,/ntkrnlmp.exe,,' >want

cases 'NtBuildLab: up to the dot before the compiler; a banner says more'

# --------------------------------------------------------------------------------------------- discs
if test "${HAVE_LIBARCHIVE:-yes}" != yes; then
	skip discs 'built without libarchive'
	done_testing
fi
# disc ISO N IN: a disc with the modules of build N in a cabinet; the kernel is in the cabinet, on the disc, or in both.  4 MB are of
# no interest.
disc () {
	rm -rf disc tree
	mkdir -p disc/reactos
	build_tree tree "$2"
	case $3 in
	cabinet) mkcab -m disc/reactos/reactos.cab tree/drivers/a.sys tree/ntoskrnl/ntoskrnl.exe zeros ;;
	disc) mkcab -m disc/reactos/reactos.cab tree/drivers/a.sys zeros && cp tree/ntoskrnl/ntoskrnl.exe disc/reactos ;;
	esac || exit 99
	cp zeros disc/reactos/install.txt
	make_iso "$1" disc
}

# What is read of a disc: its directory, that of the cabinet, and the kernel.  Three more discs are of no interest, and the log has no
# address in the fourth.
# traced COMMAND...: bytes are counted in `bytes-read', as "PATH BYTES"
traced () {
	ASAN_OPTIONS=detect_leaks=0 strace -f -y -e trace=read,pread64 -o trace "$@" &&
		awk -F'[<>]' '/discs\// { n = $0; sub(/.* = /, "", n); bytes[$2] += n } END { for (path in bytes) print path, bytes[path] }' trace |
		sed 's,.*/,,' | sort >bytes-read
}
# read_of DISC: the bytes that were read
read_of () { awk -v disc="$1" '$1 == disc { n = $2 } END { print n + 0 }' bytes-read; }

cases 'a directory of discs'

done_testing
