--  SPDX-License-Identifier: GPL-2.0-or-later
package body One is

   function Twice (X : int) return int is
   begin
      if X > 100 then
         return X + 7;
      end if;
      return X * 2;
   end Twice;
   pragma Inline (Twice);

   function Four (X : int) return int is
   begin
      return Twice (Twice (X)) + 1;
   end Four;
   pragma Inline (Four);

   function Work (Count : int) return int is
      Sum : int := 0;
   begin
      for I in 1 .. Count loop
         Sum := Sum + Four (I mod 8);
      end loop;
      return Twice (Sum);
   end Work;

end One;
