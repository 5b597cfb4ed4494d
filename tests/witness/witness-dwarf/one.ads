--  SPDX-License-Identifier: GPL-2.0-or-later
--  one.ads - inlined calls in Ada
with Interfaces.C; use Interfaces.C;
package One is
   pragma Pure;
   function Work (Count : int) return int;
   pragma Export (C, Work, "entry");
end One;
