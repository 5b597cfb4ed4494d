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
# Sections that claim what is not there, and 4 MiB of what looks like a banner and is none.
{
	printf 'pe32\nsection .data rva=0x1000 size=0x400000 raw=0x400000 flags=data fill=0x28\nsection .rdata rva=0x401000 size=0x1000 raw=0x1000 flags=rdata\n'
	printf 'poke header:.rdata+16 u32=0xfffffff0\n'
} | mkimage - hostile.exe
mkdir hostile && mv hostile.exe hostile/ntoskrnl.exe
printf 'hostile\t\t\t\n' >want
check 'a hostile kernel' -O want rossym-log --builds -d hostile

# A symbol store: its kernels tell their builds, which say nothing about the rest.
for n in 1 2; do
	mkdir -p "store/ntoskrnl.exe/6A00000${n}5000" "store/a.sys/6A00000${n}3000"
	test $n = 1 && tree=one || tree=two
	cp trees/$tree/ntoskrnl/ntoskrnl.exe "store/ntoskrnl.exe/6A00000${n}5000/"
	cp trees/$tree/drivers/a.sys "store/a.sys/6A00000${n}3000/"
done
cases 'a symbol store'
check 'a symbol store: the kernel is of the build, the driver may be of any' -g '*a.sys: not the only one, nothing in the log decides; *' \
	-I three.log rossym-log -d store <<EOT
$(answered 2 | sed 's/driver2/driver1/g')
$(answered 1)
$(answered 2 | sed 's/driver2/driver1/g')
EOT
check 'a DateStamp weighs more' -i "$(banner 1)\n***     a.sys - Address 80001000 base at 80000000, DateStamp 6a000002\n" \
	rossym-log -d trees <<EOT
$(banner 1)
***     a.sys - Address 80001000 base at 80000000, DateStamp 6a000002 (driver2.c:1 (driver2))
EOT
mkdir -p extra
module extra/e.sys 1 extra
cp extra/e.sys trees/two/drivers/c.sys
check 'what only another build has is not taken, what is of no build is' -e 'rossym-log: warning: c.sys: module not found
rossym-log: 1 line looks like a code address of a module that is not there: c.sys (1); see -d' \
	-i "$(banner 1)\n<e.sys:1000> <c.sys:1000>\n" rossym-log -d trees -d extra <<EOT
$(banner 1)
<e.sys:1000 (extra.c:1 (extra))> <c.sys:1000>
EOT
check 'no place is of the build: the first one, with a mark' -g '*trees/two/*is of*' -i "$(banner 9)\n<ntoskrnl.exe:1000>\n" \
	rossym-log -d trees/two -d trees/one <<EOT
$(banner 9)
<ntoskrnl.exe:1000 (kernel2.c:1 (kernel2) - other build)>
EOT

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

cases 'a directory of discs'
# The name of a disc decides like a banner.
for n in 1 2; do
	iso=reactos-bootcd-0.4.17-dev-91$n-g3f5fd4$n-x86-gcc-lin-dbg.iso
	check "the name of a disc of build $n" -i "qemu -cdrom /home/me/$iso -m 512\\n<a.sys:1000>\\n" rossym-log -d trees <<-EOT
		qemu -cdrom /home/me/$iso -m 512
		<a.sys:1000 (driver$n.c:1 (driver$n))>
	EOT
done
# So does what people call a build, if they speak of one only.
one=0.4.17-dev-911-g3f5fd41 two=0.4.17-dev-912-g3f5fd42
check 'a build in a sentence' -i "It crashes with $two, always.\\n<a.sys:1000>\\nStill $two\\n<a.sys:1000>\\n" rossym-log -d trees <<EOT
It crashes with $two, always.
<a.sys:1000 (driver2.c:1 (driver2))>
Still $two
<a.sys:1000 (driver2.c:1 (driver2))>
EOT
check 'several builds in sentences' -i "It works in $one.\\nnot in $two.\\n$two\\n<a.sys:1000>\\n$(banner 2)\\n<a.sys:1000>\\n" -g '*' rossym-log -d trees <<EOT
It works in $one.
not in $two.
$two
<a.sys:1000 (driver1.c:1 (driver1) - perhaps other build)>
$(banner 2)
<a.sys:1000 (driver2.c:1 (driver2))>
EOT
check 'a banner tells more than a sentence' -i "$(banner 2)\\nnot in $one\\n<a.sys:1000>\\n" rossym-log -d trees <<EOT
$(banner 2)
not in $one
<a.sys:1000 (driver2.c:1 (driver2))>
EOT
iso=reactos-livecd-0.4.17-dev-999-gabcdef0-x86-gcc-lin-dbg.7z
check 'the name of a disc of another build' -i "$iso\n<a.sys:1000>\n" -g '*the log is of ReactOS (Commit abcdef0), but trees/*' \
	rossym-log -d trees/one <<EOT
$iso
<a.sys:1000 (driver1.c:1 (driver1) - other build)>
EOT
check 'a banner tells more than the name of a disc' -i "$(banner 2)\n$iso\n<a.sys:1000>\n" rossym-log -d trees <<EOT
$(banner 2)
$iso
<a.sys:1000 (driver2.c:1 (driver2))>
EOT
cases 'a zip with a disc, and one with two, whose build is not known'
check 'a disc that is cut off' -s 1 -g 'rossym-log: cut/1.iso: *' -i "$(boot 3)\n" rossym-log -d cut <<EOT
$(answered 3)
EOT

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
if witness strace && ! on_windows && strace -qq -f -y -e trace=read,pread64 -o trace true 2>/dev/null ||
	no_witness 'what is read of discs' 'no strace'; then
	ok 'a disc of another build: less than 400 KB of 8 MB' eval 'traced "$LOG_BIN" --builds -d discs >/dev/null &&
		cat bytes-read && test "$(read_of 1.iso)" -lt 400000 && test "$(read_of 3.iso)" -lt 400000'
	ok 'a kernel in a cabinet: what is before it' eval 'test "$(read_of 2.ISO)" -lt 800000'
fi

done_testing
