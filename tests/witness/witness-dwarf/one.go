// SPDX-License-Identifier: GPL-2.0-or-later

// one.go - inlined calls in Go, with all of its runtime
package main

var sink int

func twice(x int) int {
	if x > 100 {
		sink = x
	}
	return x * 2
}

func four(x int) int {
	return twice(twice(x)) + 1
}

//go:noinline
func entry(count int) int {
	sum := 0
	for i := 0; i < count; i++ {
		sum += four(i & 7)
	}
	return sum
}

func main() {
	println(entry(sink))
}
