# SPDX-License-Identifier: GPL-2.0-or-later
#
# The zips for Windows: what "make dist-windows" runs in dist-windows/, where everything happens:
#
#	rossym/			the sources of rossym, which "make dist-windows" has put there
#	sources/NAME/		Debian's source package NAME, downloaded once
#	HOST/NAME/		where it is compiled for HOST
#	HOST/NAME.log		what its configure and make said
#	HOST/prefix/		libraries and headers for HOST
#	HOST/ZIP/		what goes into the zip
#
# Make's command line has VERSION; ROSSYM_EMBED, the path of a rossym-embed of this system; perhaps HOSTS; perhaps DOWNLOADS, what
# "apt-get source" downloads, where an archive lacks the sources of the newest version: 'zlib libzstd=1.5.4+dfsg2-5 ...'.  A zip depends
# on the files in rossym/, on SOURCE_DATE_EPOCH, and on Debian's packages: the libraries, the compilers, mandoc and zip.

HOSTS = i686 x86_64
zips = $(HOSTS:%=../rossym-$(VERSION)-windows-%.zip)

# A recipe is one script, which ends at the first command that fails.
SHELL = /bin/sh
.SHELLFLAGS = -euc
.ONESHELL:
# configure would prefer bash, which needs 2.5 times as long as dash to start a process.
export CONFIG_SHELL = $(SHELL)
# What make's command line sets is for this file alone.
MAKEOVERRIDES =
.DELETE_ON_ERROR:
.PHONY: all needed FORCE

all: $(zips)

# rossym-embed gives the programs tables, made from DWARF.
needed:
	@missing=
	for program in apt-get dpkg-source mandoc zip $(HOSTS:%=%-w64-mingw32-gcc); do
		command -v $$program >/dev/null || missing="$$missing $$program"
	done
	if test -n "$$missing"; then
		echo "dist-windows: these programs are missing:$$missing; on Debian 12, ./quickstart windows installs them" >&2
		exit 1
	elif ! grep -q '^VERSION_CODENAME=bookworm' /etc/os-release; then
		echo 'dist-windows: libraries and compilers are those of Debian 12, which this is not' >&2
		exit 1
	fi

# The first line of a recipe: what it prints goes to a log, and if it fails, the log's end to standard error.
log = @mkdir -p $(basename $@); exec 9>&2 >$(@:.done=.log) 2>&1; \
	trap 'test $$? -eq 0 || { tail -n 20 '$$PWD/$(@:.done=.log)'; echo "dist-windows: no $(basename $@)"; } >&9' EXIT

# ------------------------------------------------------------------------------------ libraries

# Debian's names for zlib, zstd, liblzma (for .7z files), libiberty, libarchive.
libraries = zlib libzstd xz-utils libiberty libarchive
DOWNLOADS = $(libraries)

# From where this system has its packages, with lists and a cache of our own.  apt checks signatures and checksums.
sources.done: | needed
	$(log)
	echo 'dist-windows: downloading sources' >&9
	rm -rf sources
	mkdir -p sources/apt/parts sources/apt/lists/partial sources/apt/archives/partial
	cd sources
	eval "`apt-config shell list Dir::Etc::SourceList/f parts Dir::Etc::SourceParts/d`"
	for file in "$$list" "$$parts"*; do
		case $$file in
		*.list) test ! -e "$$file" || sed -n 's/^deb[[:space:]]/deb-src /p' "$$file" ;;
		*.sources) sed 's/^Types:.*/Types: deb-src/' "$$file" ;;
		*) continue ;;
		esac >"apt/parts/$${file##*/}"
	done
	apt () {
		apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$$PWD/apt/parts" \
			-o Dir::State::Lists="$$PWD/apt/lists" -o Dir::Cache="$$PWD/apt" -o APT::Sandbox::User= "$$@"
	}
	apt -o APT::Update::Error-Mode=any update
	apt source --download-only $(DOWNLOADS)
	for name in $(libraries); do
		dpkg-source -x "$$name"_*.dsc "$$name"
	done
	touch ../$@

# What is different for each library.
configure_zlib = CHOST=$(@D)-w64-mingw32 CFLAGS=-O2 ../../sources/zlib/configure --static --prefix="$$prefix"
options_xz-utils = --disable-encoders --enable-threads=no --disable-nls --disable-scripts --disable-doc \
	--disable-xz --disable-xzdec --disable-lzmadec --disable-lzmainfo
source_libiberty = libiberty/libiberty
options_libiberty = --enable-install-libiberty

name = $(basename $(@F))
# Options are in this file, so when it changes, the libraries are made again, from nothing.
$(foreach host,$(HOSTS),$(patsubst %,$(host)/%.done,zlib xz-utils libiberty)): sources.done rossym/windows/dist.mk
	$(log)
	prefix=$(CURDIR)/$(@D)/prefix
	rm -rf $(@D)/$(name)
	mkdir $(@D)/$(name)
	cd $(@D)/$(name)
	$(or $(configure_$(name)),../../sources/$(or $(source_$(name)),$(name))/configure -q --host=$(@D)-w64-mingw32 \
		--prefix="$$prefix" --enable-static --disable-shared CFLAGS=-O2 CPPFLAGS="-I$$prefix/include" LDFLAGS="-L$$prefix/lib" \
		$(options_$(name)))
	$(MAKE) install
	touch ../$(@F)

# It has no configure, so this compiles what decompresses.
$(HOSTS:%=%/libzstd.done): %/libzstd.done: sources.done rossym/windows/dist.mk
	$(log)
	rm -rf $*/libzstd
	mkdir -p $*/libzstd $*/prefix/include $*/prefix/lib
	cd $*/libzstd
	source=../../sources/libzstd/lib
	objects=`cd $$source && ls common/*.c decompress/*.c | sed 's,.*/,,; s/c$$/o/'`
	$(MAKE) -f /dev/null VPATH=$$source/common:$$source/decompress CC=$*-w64-mingw32-gcc CFLAGS='-O2 -DZSTD_DISABLE_ASM' $$objects
	rm -f ../prefix/lib/libzstd.a
	$*-w64-mingw32-ar crs ../prefix/lib/libzstd.a $$objects
	cp $$source/zstd.h $$source/zstd_errors.h ../prefix/include/
	touch ../libzstd.done

# Its configure takes minutes, so this takes the configuration that comes with libarchive for another build system, without ciphers,
# and compiles what reads archives.
$(HOSTS:%=%/libarchive.done): %/libarchive.done: %/zlib.done %/xz-utils.done
	$(log)
	rm -rf $*/libarchive
	mkdir $*/libarchive
	cd $*/libarchive
	source=../../sources/libarchive
	sed '/BCRYPT\|ARCHIVE_CRYPTO\|WINVER\|_WIN32_WINNT/d' $$source/contrib/android/config/windows_host.h >config.h
	printf '#define %s 1\n' __LIBARCHIVE_CONFIG_H_INCLUDED HAVE_ZLIB_H HAVE_LIBZ HAVE_LZMA_H HAVE_LIBLZMA >>config.h
	objects=`cd $$source/libarchive && ls *.c | sed '/write/d; s/c$$/o/'`
	$(MAKE) -f /dev/null VPATH=$$source/libarchive CC=$*-w64-mingw32-gcc \
		CFLAGS='-O2 -DHAVE_CONFIG_H -DLIBARCHIVE_STATIC -I. -I../prefix/include' $$objects
	rm -f ../prefix/lib/libarchive.a
	$*-w64-mingw32-ar crs ../prefix/lib/libarchive.a $$objects
	cp $$source/libarchive/archive.h $$source/libarchive/archive_entry.h ../prefix/include/
	touch ../libarchive.done

# ------------------------------------------------------------------------------------ programs

# Debug information names the sources as if the zip's directory had them, and this directory nowhere.
options_rossym = --disable-shared --without-libbfd $(patsubst %,--with-%="$$prefix",zlib zstd libiberty libarchive) \
	LIBARCHIVE_LIBS='-larchive -llzma -lz' ROSSYM_EMBED='$(ROSSYM_EMBED)' \
	CFLAGS="-O2 -g -ffile-prefix-map=$(CURDIR)/rossym=rossym -ffile-prefix-map=$(CURDIR)=."
$(HOSTS:%=%/rossym.done): %/rossym.done: $(libraries:%=\%/%.done) FORCE
	$(log)
	prefix=$(CURDIR)/$*/prefix
	cd $*/rossym
	test config.status -nt $(CURDIR)/rossym/windows/dist.mk || $(CURDIR)/rossym/configure -q --host=$*-w64-mingw32 --prefix=/zip $(options_rossym)
	$(MAKE)
	rm -rf ../installed
	$(MAKE) install DESTDIR=$(CURDIR)/$*/installed

# ------------------------------------------------------------------------------------ zips

# Manual pages come without the backspaces that make letters bold on paper.  What the compiler links has licences, too.  A zip has
# the modes of files.
$(zips): ../rossym-$(VERSION)-windows-%.zip: %/rossym.done
	@umask 022
	text () { sed 's/$$/\r/' >"$$1.txt"; }
	cd $*
	zip=$(basename $(@F))
	rm -rf "$$zip" ../$@
	mkdir "$$zip" "$$zip/licences" "$$zip/man"
	mv installed/zip/bin installed/zip/include installed/zip/lib "$$zip/"
	rm "$$zip/lib/"*.la
	strange=`$*-w64-mingw32-objdump -p "$$zip"/bin/* | sed -n 's/.*DLL Name: //p' | grep -v -i -E '^(advapi32|kernel32|msvcrt).dll$$' || true`
	test -z "$$strange" || { echo "dist-windows: not every Windows has $$strange" >&2; exit 1; }
	for page in ../rossym/man/*.[1-9] rossym/man/*.[1-9]; do
		mandoc -T ascii -O width=78 "$$page" | sed 's/.\x08//g' | text "$$zip/man/$${page##*/}"
	done
	for list in options messages forms; do
		text "$$zip/man/$$list" <installed/zip/share/doc/rossym/$$list.txt
	done
	for file in NEWS COPYING SECURITY; do
		text "$$zip/$$file" <../rossym/$$file
	done
	for name in $(libraries); do
		text "$$zip/licences/$$name" <../sources/$$name/debian/copyright
	done
	text "$$zip/licences/mingw-w64" </usr/share/doc/mingw-w64-common/copyright
	text "$$zip/licences/gcc" </usr/share/doc/gcc-mingw-w64-base/copyright
	for name in CC0-1.0 LGPL-2.1 GPL-3; do
		text "$$zip/licences/$$name" </usr/share/common-licenses/$$name
	done
	{
		sed 's/@VERSION@/$(VERSION)/; s/@HOST@/$*/' ../rossym/windows/README.in
		sed -n '/^Source: /h; /^Version: /{G; s/Version: \(.*\)\nSource: \(.*\)/    \2 \1/p;}' ../sources/*.dsc
	} | text "$$zip/README"
	find "$$zip" -exec touch -d "@$$SOURCE_DATE_EPOCH" {} +
	find "$$zip" -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 -@ ../$@
