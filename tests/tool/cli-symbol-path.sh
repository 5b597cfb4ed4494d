# SPDX-License-Identifier: GPL-2.0-or-later
#
# The environment variables that list directories: _NT_SYMBOL_PATH for all programs, ROSSYM_PATH for rossym-addr2line, and neither
# under the names of older programs.  tests/library/unit-search-path.c has the forms, tests/log/cli-log-places.sh ROSSYM_PATH for rossym-log.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

mkpdb=$tap_build/tests/tools/mkpdb
# with LIST COMMAND...: _NT_SYMBOL_PATH is LIST.
with () (
	_NT_SYMBOL_PATH=$1
	export _NT_SYMBOL_PATH
	shift
	"$@"
)

test -x "$mkpdb" || skip_all 'no mkpdb for this system'
cases 'rossym-addr2line without the variable'
for list in store 'srv*store*https://127.0.0.1:1/symbols' 'cache*store' 'none;SRV*none*store' flat 'http://127.0.0.1:1;symsrv*x.dll*flat'; do
	check "rossym-addr2line: $list" with "$list" rossym-addr2line -f -e image/y.exe 401000 <<-'EOT'
		ns::outer
		/src/one.cc:10
	EOT
done

cases 'rossym-addr2line: only URLs'
for name in addr2line i686-w64-mingw32-addr2line; do
	program "$PWD/$name" "$ADDR2LINE_BIN"
	on_posix check "neither as $name" -s 1 -e "./$name${missing#rossym-addr2line}" \
		env ROSSYM_FALLBACK=off ROSSYM_PATH=store _NT_SYMBOL_PATH=store "./$name" -f -e image/y.exe 401000 </dev/null
done
cases 'nor as raddr2line'
for list in store 'srv*store*https://127.0.0.1:1/symbols' flat; do
	cases 'rossym-log: list'
done
bugcheck () {
	printf '***     %s - Address 00011000 base at 00010000, DateStamp %s\\n' "$1" "$2"
}

cases 'rossym-log: an image in the directory, but in none below it'
for stamp in 5db90293:first 5db90294:second; do
	check "rossym-log: the image of build ${stamp%:*} in a store" -i "$(bugcheck x.exe ${stamp%:*})" with 'srv*store*http://127.0.0.1:1' rossym-log <<-EOT
		***     x.exe - Address 00011000 base at 00010000, DateStamp ${stamp%:*} (${stamp#*:}.c:1 (${stamp#*:}))
	EOT
done
check 'rossym-log: what -d has comes first' -e "rossym-log: x.exe: builds/x.exe" -i "$(bugcheck x.exe 5db90294)" \
	with store rossym-log -v -d builds <<'EOT'
***     x.exe - Address 00011000 base at 00010000, DateStamp 5db90294 (second.c:1 (second))
EOT
cases 'rossym-log: what is below such a directory is not read'

done_testing
