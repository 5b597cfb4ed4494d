/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rossym-host.h - the host tools of ReactOS's build, as functions with the arguments and the result of main() */
#ifndef ROSSYM_HOST_H
#define ROSSYM_HOST_H

int rossym_host_rsym(int argc, char **argv);
int rossym_host_raddr2line(int argc, char **argv);

#endif
