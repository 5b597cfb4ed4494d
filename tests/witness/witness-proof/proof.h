// SPDX-License-Identifier: GPL-2.0-or-later
/* What the sources of tests/witness/witness-proof.sh share: code that is inlined across files. */
#ifdef __cplusplus
extern "C" {
#endif

int in_c(int n);
int in_paged_code(int n);
int in_assembler(int n);
int after_alias(int n);
int elsewhere(int n);
int in_cxx(int n);

static inline int twice(int n)
{
	return n > 40 ? n * 2 : n + n;
}

static inline __attribute__((always_inline)) int four_times(int n)
{
	int once = twice(n);
	return twice(once) ^
	       once;
}

#ifdef __cplusplus
}
#endif
