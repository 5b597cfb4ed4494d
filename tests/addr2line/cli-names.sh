# SPDX-License-Identifier: GPL-2.0-or-later
#
# Names that double with every few bytes: they are shown as they are, in little time and memory, by all that demangles.

. "${srcdir:-.}/tests/lib/tap.sh"

limited () (
	ulimit -v 200000 2>/dev/null || exit 98
	ulimit -St 20 2>/dev/null
	"$@"
)

# A program that reserves memory of its own, as one built for a sanitizer does, cannot run like this.
# COUNT names fN: of templates, each with the last one twice for arguments; LEVELS of them.
bombs () {
	awk -v count="$1" -v levels="$2" -v before="${3-}" 'function s(n) {
		if (n == 0)
			return "S_"
		n--
		return "S" (n < 36 ? "" : substr(digits, int(n / 36) + 1, 1)) substr(digits, n % 36 + 1, 1) "_"
	}
	BEGIN {
		digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		for (i = 1; i <= levels; i++)
			tail = tail "S_I" s(i) s(i) "E"
		for (i = 0; i < count; i++) {
			name = "f" i
			printf "%s\n", before "_Z" length(name) name "1aIiiE" tail
		}
	}'
}

limited rossym-addr2line --version >/dev/null 2>&1 || skip_all 'no limit of memory, or too low for this program'
has_demangler || skip_all 'built without a demangler'
cases 'names'
check 'JSON' limited rossym-addr2line -C --output-style=JSON -e x.exe 0x401000 <<EOT
$(rossym-addr2line --output-style=JSON -e x.exe 0x401000)
EOT
rows () {
	bombs "$@" | awk '{ printf "0x%08x\t16\t%s\tmain.c\t%d\t0\n", 4096 + NR, $0, NR }'
}

cases 'a log'
check 'it has the short forms' sh -c "rossym-addr2line --dump -e many.exe | awk -F '\t' 'NR == 1 || NR == $many { print \$3 }'" <<EOT
f0
f$((many - 1))
EOT
# Look-ups print whole names.
many=$(amount 40000 12000)
rows "$many" 20 >dump
ok 'a table of shorter bombs' limited rossym-embed --from-dump=dump plain.exe many.exe
awk -v n="$many" 'BEGIN { for (i = 1; i <= n; i++) printf "0x%x\n", 4198400 + i }' >addresses
all () {
	limited rossym-addr2line -C -fp -e many.exe <addresses | sed -n "$many"'{ s/.* at //; p; }'
}
check 'all of them' -e 'rossym-addr2line: warning: some names are shown as they are: demangling all of them would take too long' \
	all <<EOT
main.c:$many
EOT

done_testing
