// SPDX-License-Identifier: GPL-2.0-or-later
/* log2lines.c - ReactOS's host tool log2lines: rossym-log, which takes its place under this name */
#include "log/main.c"
