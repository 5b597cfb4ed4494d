/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/demangle.c, where there is a demangler; the names of the styles are known without one. */
#include "config.h"

#include "lib/tap.h"
#include "tool/demangle.h"

#include <stdlib.h>

static void gives(const char *name, const char *want)
{
	for (unsigned no_limit = 0; no_limit < 2; no_limit++) {
		char *got = demangle(name, no_limit);

		is_str(got, want, *name ? name : "nothing");
		free(got);
	}
}

static void names(void)
{
	gives("_Z1fv", "f()");
	gives("_ZN2io3Irp8completeEi", "io::Irp::complete(int)");
	gives("_ZN2io3Irp8completeEi@12", "io::Irp::complete(int)@12");
	gives("_ZN3FooC1EPv@28", "Foo::Foo(void*)@28");
	gives("__ZN2io3Irp8completeEi", "io::Irp::complete(int)");
	gives("__Z1fv@4", "f()@4");
	gives("._Z1fv", ".f()");
	gives("$_Z1fv", "$f()");
	gives("main", NULL);
	gives("_main", NULL);
	gives("KeBugCheckEx@20", NULL);
	gives("@KefBreak@8", NULL);
	gives("Irp::complete", NULL);
	gives("_Z", NULL);
	gives("_Zzzz", NULL);
	gives("___Z1fv", NULL);
	gives("@", NULL);
	gives("@8", NULL);
	gives("...", NULL);
	gives("", NULL);
}

int main(void)
{
	static const char *const styles[] = { "none", "gnu-v3", "java", "gnat", "dlang", "rust", "auto" };
	static const char *const none[] = { "gnu", "lucid", "GNU-V3", "", "Auto", "auto ", "autos", "au" };

	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ok(!demangle_set_style(none[i]), "'%s' is no style", none[i]);
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
		ok(demangle_set_style(styles[i]), "'%s' is one", styles[i]);
	if (demangle_available) {
		names();
		demangle_set_style("none");
		gives("_Z1fv", "_Z1fv");	/* the demangler's own way not to demangle */
		gives("_Z1fv@4", "_Z1fv@4");
	} else {
		skip("names", "built without a demangler");
		gives("_Z1fv", NULL);
	}
	return done_testing();
}
