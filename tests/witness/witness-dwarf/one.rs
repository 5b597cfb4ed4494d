// SPDX-License-Identifier: GPL-2.0-or-later
// one.rs - inlined calls, a closure and a generic function in Rust, without its library
#![no_std]
#![no_main]

use core::panic::PanicInfo;

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    loop {}
}

pub static mut SINK: i32 = 0;

#[inline]
fn twice(x: i32) -> i32 {
    if x > 100 {
        unsafe { core::ptr::write_volatile(core::ptr::addr_of_mut!(SINK), x) };
    }
    x.wrapping_mul(2)
}

#[inline]
fn four<T: Into<i32>>(x: T) -> i32 {
    twice(twice(x.into())).wrapping_add(1)
}

#[no_mangle]
pub extern "C" fn entry(count: i32) -> i32 {
    let add = |s: i32, i: i32| s.wrapping_add(four(i & 7));
    let mut sum = 0;
    let mut i = 0;
    while i < count {
        sum = add(sum, i);
        i = i.wrapping_add(1);
    }
    twice(sum)
}
