# SPDX-License-Identifier: GPL-2.0-or-later
#
# Time grows in proportion to the input, for each reader: tests/tools/growth.py measures with inputs of 1, 2, 4 and 8 times the size,
# and tests/tools/growing.py makes them.  Of "make check-long" only, because other programs that run can slow it down.

. "${srcdir:-.}/tests/lib/tap.sh"

need python3
on_windows && skip_all 'processes of another system cannot be measured'
case ${CFLAGS-} in
*-fsanitize*) skip_all 'the times are those of the sanitizers' ;;
esac
growth () {
	python3 "$SRC/tests/tools/growth.py" "$@"
}
growth addresses 1 true >said 2>&1 || skip_all "$(cat said)"

# grows KIND SIZE COMMAND...: with the times as diagnostics.
grows () {
	if growth "$@" >said 2>&1; then
		pass "$*"
	else
		fail "$*"
	fi
	diag "$(cat said)"
	rm -rf d x.pdb x.elf x.zip input output
}

# A command that compares all lines with each other: it must be found.
growth addresses 1000 awk '{ line[NR] = $0 } END { for (i in line) for (j in line) n += line[i] == line[j] }' input >said 2>&1 &&
	fail 'a time that grows with the square is found' || pass 'a time that grows with the square is found'

# Dumps.
"$tap_build/tests/tools/mkpdb" m.exe other.pdb
grows modules 512 rossym-log -u input
grows named 512 rossym-log -u input
grows pieces 65536 rossym-log -u input
mkdir names
cp m.exe names
grows 'alike m.exe' 512 rossym-log -u -d names input

# Debug information: whole tables, and look-ups.
for kind in 'units 4096' 'functions 32768' 'inlined 16384' 'nested 16384' 'chain 16384' 'ranges 8192' 'abbreviations 16384' 'files 32768' \
	'coff 32768' 'stabs 16384' 'sections 8000' 'pdb_modules 4096' 'pdb_procedures 16384' 'pdb_publics 32768' 'pdb_inlines 16384'; do
	# shellcheck disable=SC2086
	grows $kind rossym-embed --allow-partial --table-only input output
	# shellcheck disable=SC2086
	grows $kind sh -c 'rossym-addr2line -fi -e input <list'
done
grows elf 16384 rossym-embed --debug-file=x.elf --table-only input output

# Tables.
for command in 'rossym-addr2line --dump -e output' 'rossym-addr2line --count -e output <list' \
	'rossym-addr2line --folded -e output <list' 'sed s/^/f/ list | rossym-addr2line -e output'; do
	grows table 32768 sh -c "rossym-embed --from-dump=input m.exe output && $command"
done

# Logs, and where their modules are: sets of modules, directories, symbol stores, archives.
cp m.exe x.exe
for kind in 'log_names 1000' 'log_loaded 1000' 'log_moved 16384' 'log_builds 8192' 'log_long 32768' 'log_wrapped 32768' 'log_crashes 2048'; do
	# shellcheck disable=SC2086
	grows $kind rossym-log -e x.exe input
done
grows log_crashes 1024 rossym-log --crashes -e x.exe input
grows directory 1000 rossym-log -d d input
grows store 256 rossym-log -d d input
if rossym-log --version | grep -q '^Archives: libarchive' || skip 'archives' 'built without libarchive'; then
	grows archive 256 rossym-log -d x.zip input
fi

done_testing
