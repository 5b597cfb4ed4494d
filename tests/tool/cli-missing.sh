# SPDX-License-Identifier: GPL-2.0-or-later
#
# --missing of rossym-addr2line and rossym-log: which files would help.  And the loops of rossym-log(1) that fetch them, with a
# program in place of curl that copies files; tests/witness/witness-servers.sh runs them with curl.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"
. "$SRC/tests/lib/logs.sh"
. "$SRC/tests/lib/servers.sh"

mkpdb=$tap_build/tests/tools/mkpdb
on_windows && skip_all 'the loops are for a POSIX shell, and the tools for another system'
test -x "$mkpdb" || skip_all 'no mkpdb for this system'
cases 'rossym-addr2line: a PDB file'
for file in stabs32.exe stabs32.nostrip.exe dwarf64.nostrip.exe; do
	check "not for $file, which has what is needed" rossym-addr2line --missing -e "$DATA/$file" </dev/null
done
cases 'nor for a bare table'
for name in '..' 'a\tb.pdb' 'con.pdb' 'a\033b.pdb' 'a\302\233b.pdb' 'a\177.pdb' ''; do
	pdb_image bad.exe 2 "RSDS$guid\\12\\0\\0\\0C:/build/$name\\0"
	check "a name that is none on every system, or that a terminal obeys: '$name'" rossym-addr2line --missing -e bad.exe </dev/null
done
bugcheck () {
	printf '***     %s - Address 00011000 base at 00010000, DateStamp %s\n' "$1" "$2"
}

cases 'not a PDB file of format 2.00, which cannot be read'
# shellcheck disable=SC2059
check 'a list of modules tells the size, too' -i "$(printf "$lm" hal.dll)" rossym-log --missing -d nothing <<'EOT'
image	hal.dll	hal.dll/5DB90293200000/hal.dll
EOT
# shellcheck disable=SC2059
check "a debugger's name is not that of a file" -i "$(printf "$lm" nt)" rossym-log --missing -d nothing <<'EOT'
image	nt	
EOT
cases 'there is a limit'
check 'an image in a symbol store' -i "$(bugcheck y.exe 00000000)\n<y.exe:1000>\n" rossym-log --missing -d store <<EOT
pdb	x.pdb	$key
EOT
for option in --output-style=html --crashes --builds -u --no-debug-info; do
	check "rossym-log: $option" -s 1 -e "rossym-log: --missing and $option exclude each other" rossym-log --missing $option log </dev/null
done
check 'rossym-log: addresses' -s 1 -e 'rossym-log: --missing wants a log, not addresses' rossym-log --missing image/y.exe 1000 </dev/null
on_posix check 'rossym-log: a full disk' -s 1 -g 'rossym-log: cannot write standard output: *' \
	sh -c 'test -c /dev/full || { echo "rossym-log: cannot write standard output: " >&2; exit 1; }; rossym-log --missing -d image log >/dev/full' </dev/null

# ------------------------------------------------------------------------------------------------ dumps

mkdump=$tap_build/tests/tools/mkdump
cases 'a dump tells the sizes, too'

done_testing
