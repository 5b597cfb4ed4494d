# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where rossym-log looks for modules without -e and -d.

. "${srcdir:-.}/tests/lib/tap.sh"

# module FILE FUNCTION
module () {
	mkdir -p "${1%/*}"
	build "$1" <<-END
		pe32 base=0x10000
		section .text rva=0x1000 size=0x1000 raw=0 flags=code
		rossym rva=0x2000
		row 0x1000 $2 $2.c 1
	END
}
# in_dir DIRECTORY COMMAND...
in_dir () {
	cd "$1" && shift && "$@"
}
with_path () {
	ROSSYM_PATH=$1
	export ROSSYM_PATH
	shift
	"$@"
}
on_windows && colon=';' || colon=:
build='rossym-log: no -e or -d: looking for modules in the current directory, which looks like a build directory'
content='rossym-log: no -e or -d: looking for modules in the current directory, which looks like the content of an ISO'
nowhere='rossym-log: warning: a.sys: no modules given; see -e and -d'

module one/a.sys first
module two/b.sys second
for list in "one${colon}two" "${colon}one${colon}${colon}two${colon}"; do
	check "ROSSYM_PATH=$list" -e "rossym-log: no -e or -d: looking for modules in ROSSYM_PATH, $list" \
		-i '<a.sys:1000>\n<b.sys:1000>\n' with_path "$list" rossym-log <<-'EOT'
		<a.sys:1000 (first.c:1 (first))>
		<b.sys:1000 (second.c:1 (second))>
	EOT
done
check 'an element that is not there' -s 1 -e "rossym-log: no -e or -d: looking for modules in ROSSYM_PATH, none${colon}one
rossym-log: none: No such file or directory" -i '<a.sys:1000>\n' with_path "none${colon}one" rossym-log <<'EOT'
<a.sys:1000 (first.c:1 (first))>
EOT
for list in '' "$colon"; do
	check "ROSSYM_PATH='$list'" -e "$nowhere
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d" -i '<a.sys:1000>\n' with_path "$list" rossym-log <<-'EOT'
		<a.sys:1000>
	EOT
done
cases '-d takes its place'
unset _ROSBE_ROSSOURCEDIR
check 'log2lines does not know ROSSYM_PATH' -e 'log2lines: warning: a.sys: no modules given; see -e and -d' \
	-i '<a.sys:1000>\n' with_path one log2lines <<'EOT'
<a.sys:1000>
EOT

# Build directories.
module ninja/drivers/bus/acpi/a.sys ninja
: >ninja/build.ninja
module cmake/ntoskrnl/NTOSKRNL.EXE cmake
: >cmake/CMakeCache.txt
cases 'a build directory of Ninja'
module sources/drivers/a.sys sources
check 'neither build.ninja nor CMakeCache.txt' -e "$nowhere
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d" -i '<a.sys:1000>\n' in_dir sources rossym-log <<'EOT'
<a.sys:1000>
EOT
mkdir -p other/bin
: >other/build.ninja
printf 'pe32\nsection .text rva=0x1000 size=16 flags=code\n' | mkimage - other/bin/a.sys
echo text >other/bin/b.exe
check 'build.ninja, and images without a table' -e "$nowhere
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d" -i '<a.sys:1000>\n' in_dir other rossym-log <<'EOT'
<a.sys:1000>
EOT
mkdir -p amd64/bin
: >amd64/build.ninja
cp "$DATA/stabs32.nostrip.exe" amd64/bin/a.exe
check 'build.ninja, and images with debug information' -e "$build" -i '<a.exe:1640>\n' in_dir amd64 rossym-log <<'EOT'
<a.exe:1640 (/src/ke/bug.c:18 (KeBugCheckEx))>
EOT
check 'which is not wanted' -e 'rossym-log: warning: a.exe: no modules given; see -e and -d
rossym-log: 1 line looks like a code address of a module that is not there: a.exe (1); see -d' -i '<a.exe:1640>\n' \
	in_dir amd64 rossym-log --no-debug-info <<'EOT'
<a.exe:1640>
EOT
module objects/CMakeFiles/a.sys objects
: >objects/build.ninja
check 'what is in CMakeFiles makes no build directory' -e "$nowhere
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d" -i '<a.sys:1000>\n' in_dir objects rossym-log <<'EOT'
<a.sys:1000>
EOT

# What it takes to find out has limits.
module deep/1/2/3/4/5/6/7/8/a.sys deep
: >deep/build.ninja
check 'eight levels down' -e "$build" -i '<a.sys:1000>\n' in_dir deep rossym-log <<'EOT'
<a.sys:1000 (deep.c:1 (deep))>
EOT
# Links, for to make a file takes twenty times as long.
: >entry
python3 -c 'import os
for i in range(7000): os.link("entry", "deep/f%d" % i)'
check 'after 50,000 entries: 7,000, read again for each of eight levels' -e "$nowhere
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d" -i '<a.sys:1000>\n' in_dir deep rossym-log <<'EOT'
<a.sys:1000>
EOT
rm deep/f*
mkdir deep/1/2/3/4/5/6/7/8/9
mv deep/1/2/3/4/5/6/7/8/a.sys deep/1/2/3/4/5/6/7/8/9
check 'nine levels down' -e "$nowhere
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d" -i '<a.sys:1000>\n' in_dir deep rossym-log <<'EOT'
<a.sys:1000>
EOT

# The content of an ISO.
module boot/ReactOS/x/d.sys boot
"$MKCAB" -m boot/ReactOS/REACTOS.CAB one/a.sys two/b.sys || exit 99
module live/reactos/system32/a.sys live
cp live/reactos/system32/a.sys live/reactos/system32/NtosKrnl.exe
module old/REACTOS/a.sys old
cp old/REACTOS/a.sys old/REACTOS/NTOSKRNL.EXE
check 'an installation medium' -g "$content*" -i '<d.sys:1000>\n' in_dir boot rossym-log <<'EOT'
<d.sys:1000 (boot.c:1 (boot))>
EOT
for medium in live old; do
	check "an ISO with a kernel, $medium" -e "$content" -i '<a.sys:1000>\n' in_dir $medium rossym-log <<-EOT
		<a.sys:1000 ($medium.c:1 ($medium))>
	EOT
done
# As in the sources of ReactOS: ntoskrnl.exe is no file there, or there is no directory reactos.
module checkout/reactos/a.sys checkout
mkdir checkout/reactos/ntoskrnl.exe
module plain/a.sys plain
echo text >plain/reactos
check 'a kernel that is a directory' -e "$nowhere
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d" -i '<a.sys:1000>\n' in_dir checkout rossym-log <<'EOT'
<a.sys:1000>
EOT
check 'a file that is called reactos' -e "$nowhere
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d" -i '<a.sys:1000>\n' in_dir plain rossym-log <<'EOT'
<a.sys:1000>
EOT

done_testing
