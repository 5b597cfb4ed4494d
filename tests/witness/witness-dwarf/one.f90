! SPDX-License-Identifier: GPL-2.0-or-later
! one.f90 - module procedures that are inlined, and a loop
module shapes
  use iso_c_binding
  implicit none
  integer(c_int), volatile :: sink
contains
  function twice(x) result(r)
    integer(c_int), intent(in) :: x
    integer(c_int) :: r
    if (x > 100) sink = x
    r = x * 2
  end function
  function four(x) result(r)
    integer(c_int), intent(in) :: x
    integer(c_int) :: r
    r = twice(twice(x)) + 1
  end function
end module

function entry(count) bind(c)
  use shapes
  implicit none
  integer(c_int), value :: count
  integer(c_int) :: entry, i
  entry = 0
  do i = 1, count
    entry = entry + four(iand(i, 7))
  end do
  sink = twice(entry)
end function
