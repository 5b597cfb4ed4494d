# SPDX-License-Identifier: GPL-2.0-or-later
#
# The commands of rossym-log(1), SYMBOL SERVERS.  To be read after tap.sh.
#
# servers_make		makes a server's files in the directory server/store, and the clients' directories
# servers_test URL	runs the commands of the clients with this URL of the server, a check each

. "$SRC/tests/lib/examples.sh"
. "$SRC/tests/lib/logs.sh"

# All displays, as scripts: 1 has lines that --missing prints, 2 fetches, 3 adds to the server, 4 fetches what its list has.
servers_displays () {
	examples_of_man "$SRC/man/rossym-log.1" 'SYMBOL SERVERS' | awk -v RS= '{ print >("recipe" NR) }'
	test -s recipe1 -a -s recipe2 -a -s recipe3 -a -s recipe4 -a ! -e recipe5
}

servers_make () {
	ok 'the section has four displays' servers_displays
	mkdir -p server/added dumped texts listed/out dumped/store texts/store
	"$tap_build/tests/tools/mkpdb" texts/y.exe server/added/x.pdb
	rossym-embed --store=texts/store texts/y.exe >/dev/null
	rm texts/y.exe
	echo '<y.exe:1000>' >texts/debug.log
	build server/added/app.exe <<-'END'
		pe32 base=0x400000 stamp=0x5db90293 imagesize=0x10000
		section .text rva=0x1000 size=0x1000 raw=0 flags=code
		rossym rva=0x2000
		row 0x1000 start a.c 1
		row 0x1010 crash a.c 7
	END
	"$tap_build/tests/tools/mkdump" x86 dumped/debug.log
	module server/added/z.exe 0x5db90294 second
	module server/added/other.exe 0x5db90295 third
	printf '***     %s - Address 00011000 base at 00010000, DateStamp %s\n' z.exe 5DB90294 none.exe 5db90294 >listed/debug.log
	(cd server/added && sh ../../recipe3 && sh ../../recipe3 && mv store ..) >/dev/null
	# What a hostile server would like to be fetched.
	echo '../out/5DB902943000/z.exe' >>server/store/list
}

# Runs display $2 in the directory $1: what is stored, and the lines with answers.
servers_run () (
	cd "$1" && no_proxy='*' sh "../recipe$2" 2>../messages | grep -e '^store/' -e ':[0-9]* ('
)

servers_test () {
	url=$1
	export url
	check 'a dump: its image is fetched' servers_run dumped 2 <<-'EOT'
		store/app.exe/5DB9029310000/app.exe
		ExceptionAddress: 00401010 (a.c:7 (crash))
		 0  app.exe + 0x1010 (a.c:7 (crash))
	EOT
	check 'a log, of which the image is there: its PDB file is fetched' servers_run texts 2 <<-'EOT'
		store/x.pdb/73736F726D79742D6573742D677569641/x.pdb
		<y.exe:1000 (/src/one.cc:10 (ns::outer))>
	EOT
	check 'a log without sizes: the list has the whole keys' servers_run listed 4 <<-'EOT'
		store/z.exe/5DB902943000/z.exe
		***     z.exe - Address 00011000 base at 00010000, DateStamp 5DB90294 (second.c:1 (second))
	EOT
	check 'nothing else is there' sh -c 'find dumped texts listed -type f | grep -v -e /keys -e /list -e debug.log | sort' <<-'EOT'
		dumped/new/app.exe
		dumped/store/app.exe/5DB9029310000/app.exe
		listed/new/z.exe
		listed/store/z.exe/5DB902943000/z.exe
		texts/new/x.pdb
		texts/store/x.pdb/73736F726D79742D6573742D677569641/x.pdb
		texts/store/y.exe/000000003000/y.exe
	EOT
}
