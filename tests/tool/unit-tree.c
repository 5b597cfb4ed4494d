/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/paths.c: what is asked, and how often; tests/embed/cli-embed-tree.sh has the disk. */
#include "config.h"

#include "tests/lib/tap.h"
#include "tool/paths.h"

static unsigned asked;

/* Names that end with "y" are there. */
static bool answer(void *context, const char *name)
{
	(void)context;
	asked++;
	return name[strlen(name) - 1] == 'y';
}

static void start(struct tree *tree)
{
	asked = 0;
	*tree = (struct tree){ .is_there = answer };
	ok(tree_add_root(tree, "root"), "a root");
}

static void has(struct tree *tree, const char *name, bool want, unsigned questions)
{
	unsigned before = asked;
	ok(tree_has_file(tree, name) == want, "%.20s: %s", name, want ? "yes" : "no");
	is_uint(asked - before, questions, "questions");
}

static void names(void)
{
	struct tree tree = { .is_there = answer };
	char longest[TREE_NAME_LENGTH_MAX + 1];
	has(&tree, "/y", false, 0);
	start(&tree);
	has(&tree, "/y", true, 1);
	has(&tree, "/y", true, 0);
	has(&tree, "/n", false, 1);
	has(&tree, "/n", false, 0);
	has(&tree, "\\y", true, 1);
	has(&tree, "/a/..y", true, 1);
	has(&tree, "", false, 0);
	has(&tree, "y", false, 0);
	has(&tree, "//y", false, 0);
	has(&tree, "/\\y", false, 0);
	has(&tree, "/../y", false, 0);
	has(&tree, "/a/../y", false, 0);
	has(&tree, "/a\\..\\y", false, 0);
	has(&tree, "/y/..", false, 0);
	memset(longest, 'y', sizeof longest);
	longest[0] = '/';
	longest[TREE_NAME_LENGTH_MAX] = '\0';
	has(&tree, longest, false, 0);
	longest[TREE_NAME_LENGTH_MAX - 1] = '\0';
	has(&tree, longest, true, 1);
	tree_clear(&tree);
}

static void many(void)
{
	struct tree tree;
	char name[32];
	unsigned wrong = 0;
	start(&tree);
	for (int round = 0; round < 2; round++)
		for (unsigned i = 0; i < TREE_NAMES_MAX; i++) {
			snprintf(name, sizeof name, "/%u%c", i, i % 3 ? 'y' : 'n');
			wrong += tree_has_file(&tree, name) != (i % 3 != 0);
		}
	is_uint(wrong, 0, "as many as there may be");
	is_uint(asked, TREE_NAMES_MAX, "once each");
	has(&tree, "/onemore-y", false, 0);
	has(&tree, "/1y", true, 0);
	tree_clear(&tree);
}

int main(void)
{
	names();
	many();
	return done_testing();
}
