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
nowhere='rossym-log: warning: a.sys: no modules given; see -e and -d
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d'

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
	check "ROSSYM_PATH='$list'" -e "$nowhere" -i '<a.sys:1000>\n' with_path "$list" rossym-log <<-'EOT'
		<a.sys:1000>
	EOT
done
cases '-d takes its place'
for medium in live old; do
	check "an ISO with a kernel, $medium" -e "$content" -i '<a.sys:1000>\n' in_dir $medium rossym-log <<-EOT
		<a.sys:1000 ($medium.c:1 ($medium))>
	EOT
done
# As in the sources of ReactOS: ntoskrnl.exe is no file there, or there is no directory reactos.
cases 'a kernel that is a directory'

done_testing
