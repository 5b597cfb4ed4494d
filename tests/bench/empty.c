/* SPDX-License-Identifier: GPL-2.0-or-later */
/* empty - what starting any program costs */
int main(void)
{
	return 0;
}
