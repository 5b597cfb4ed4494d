# SPDX-License-Identifier: GPL-2.0-or-later
#
# Who may do what with the output: a new one, and one that takes another's place.  The witnesses are ls, getfacl, getfattr.

tap_plain=yes # for LD_PRELOAD
. "${srcdir:-.}/tests/lib/tap.sh"

# Mode, owner and group of FILE, all in numbers.
access_of () {
	ls -ln "$1" | awk '{ print substr($1, 1, 10), $3, $4 }'
}
mode () {
	access_of "$1" | cut -d ' ' -f 1
}
embed () {
	rossym-embed --from-dump="$tap_tmp/work/rows" "$tap_tmp/work/x.exe" "$1"
}
# new UMASK INPUT-MODE OUTPUT-MODE
new () {
	rm -f y.exe
	chmod "$2" x.exe
	ok "umask $1, an input of mode $2" sh -c "umask $1; exec rossym-embed --from-dump=rows x.exe y.exe"
	check 'makes an output of both' mode y.exe <<-EOT
		$3
	EOT
}

on_windows && skip_all 'modes are those of POSIX'
cases 'is made as any new file'
for m in 600 640 664 666 751 700 444; do
	test $m = 444 && test "$(id -u)" -ne 0 && continue
	cp good y.exe
	chmod $m y.exe
	want=$(access_of y.exe)
	ok "an output of mode $m" sh -c 'umask 077; exec rossym-embed --from-dump=rows x.exe y.exe'
	check 'stays as it was' access_of y.exe <<-EOT
		$want
	EOT
	rm -f y.exe
done
cases 'keeps the mode'

# The steps in order: nobody may open the file before it has its last mode.
steps () {
	ASAN_OPTIONS=detect_leaks=0 strace -qqo trace -e trace=openat,write,fchown,fsetxattr,fchmod,linkat,renameat,renameat2 \
		rossym-embed --from-dump=rows x.exe y.exe || return
	# What comes before the file is for the process that reads the rows.
	sed -n '/O_EXCL\|O_TMPFILE/,$p' trace |
		sed -n 's/^openat.*\(O_EXCL\|O_TMPFILE\).*, \(0[0-7]*\)).*/create \2/p; s/^fchmod([0-9]*, \([0-7]*\)).*/mode \1/p
		s/^fsetxattr([0-9]*, "\([^"]*\)".*/set \1/p; s/^\(write\|fchown\)(.*/\1/p; s/^renameat.*/rename/p'
}
if witness strace && strace -qqo trace true 2>/dev/null || no_witness 'the steps' 'no strace'; then
	cp good y.exe
	chmod 644 y.exe
	check 'the steps' steps <<-'EOT'
		create 0600
		write
		fchown
		mode 0644
		rename
	EOT
fi

# ------------------------------------------------------------------------------------------- attributes and ACLs

acl_of () {
	getfacl -cnp "$1" | sed '/^$/d; s/[	 ]*#.*//'
}
# A library in front that makes fsetxattr fail, for attributes whose name begins with $FAIL.
: "${CC:=cc}"
cat >fail.c <<'EOT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
	int (*real)(int, const char *, const void *, size_t, int) =
		(int (*)(int, const char *, const void *, size_t, int))dlsym(RTLD_NEXT, "fsetxattr");
	const char *fail = getenv("FAIL");
	if (!fail || strncmp(name, fail, strlen(fail)) != 0)
		return real(fd, name, value, size, flags);
	errno = ENOSPC;
	return -1;
}
EOT
failing () {
	FAIL=$1 ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$tap_tmp/work/fail.so embed y.exe
}
can_fail () {
	has "${CC%% *}" && $CC -shared -fPIC -o fail.so fail.c -ldl 2>/dev/null && failing nothing 2>/dev/null
}

cp good y.exe
if witness setfattr && setfattr -n user.note -v 'kept' y.exe 2>/dev/null ||
	no_witness 'attributes' 'no setfattr, or no attributes in this file system'; then
	printf kept >note
	ok 'an output with an attribute' embed y.exe
	check 'keeps it' -O note getfattr --only-values -n user.note y.exe </dev/null
	if can_fail || skip 'an attribute that cannot be kept' 'no compiler, or no LD_PRELOAD'; then
		check 'an attribute that cannot be kept' -s 1 -e 'rossym-embed: y.exe: cannot write: No space left on device' \
			failing user. </dev/null
		check 'leaves the old output' -O note getfattr --only-values -n user.note y.exe </dev/null
	fi
	# They were given to other bytes.
	if setfattr -n security.capability -v 0x0100000200000000000000000000000000000000 y.exe 2>/dev/null ||
		skip 'an output with capabilities' 'only root can give them'; then
		getfattr -m - y.exe >names
		ok 'an output with capabilities' grep -q capability names
		ok 'is written' embed y.exe
		check 'and loses them, but not the others' getfattr -m '^user|^security.capab' y.exe <<-'EOT'
			# file: y.exe
			user.note

		EOT
	fi
fi
rm -f y.exe

cp good y.exe
if witness setfacl && setfacl -m u:1:rw,u:2:---,m::rw y.exe 2>/dev/null; then
	chmod 664 y.exe
	acl_of y.exe >want
	ok 'an output with an ACL' embed y.exe
	check 'keeps it' -O want acl_of y.exe </dev/null
	if can_fail || skip 'an ACL that cannot be kept' 'no compiler, or no LD_PRELOAD'; then
		ok 'an ACL that cannot be kept' failing system.posix_acl
		check 'leaves the owner alone with it' acl_of y.exe <<-'EOT'
			user::rw-
			group::---
			other::---
		EOT
	fi
	cases 'gets it'
else
	no_witness 'ACLs' 'no setfacl, or no ACLs in this file system'
	acls=
fi
rm -f y.exe

# ---------------------------------------------------------------------------------------------- others' files

chmod a+rx . x.exe rows
mkdir open
chmod 777 open
if { test "$(id -u)" -eq 0 || skip 'outputs of others' 'not root'; } &&
	{ can_be_nobody || skip 'outputs of others' 'nobody cannot run the program'; }; then
	# taken OWNER:GROUP MODE ACCESS-AFTER: nobody, uid and gid 65534, writes a file of OWNER.
	taken () {
		rm -f open/y.exe
		cp good open/y.exe
		chown "$1" open/y.exe
		chmod "$2" open/y.exe
		ok "an output of $1, mode $2" as_nobody rossym-embed --from-dump=rows x.exe open/y.exe
		check 'is taken over by nobody' access_of open/y.exe <<-EOT
			$3
		EOT
	}
	cases 'outputs of others'
	if test -n "$acls" || no_witness "ACLs of others' files" 'no ACLs'; then
		rm open/y.exe
		cp good open/y.exe
		chown 0:65534 open/y.exe
		setfacl -m u:1:r,g::rw,m::rw,o::- open/y.exe
		acl_of open/y.exe >want
		ok 'an ACL, and the group stays' as_nobody rossym-embed --from-dump=rows x.exe open/y.exe
		check 'it is kept' -O want acl_of open/y.exe </dev/null
		rm open/y.exe
		cp good open/y.exe
		chown 0:0 open/y.exe
		setfacl -m u:65534:rw,u:1:r,g::rw,m::rw,o::r open/y.exe
		ok 'an ACL, and another group' as_nobody rossym-embed --from-dump=rows x.exe open/y.exe
		check 'it is not kept, and nobody else has access' acl_of open/y.exe <<-'EOT'
			user::rw-
			group::---
			other::---
		EOT
	fi
fi

done_testing
