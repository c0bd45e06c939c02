// Package scale finds round numbers: ticks of axes, limits of classes, and how
// numbers are written in a chart.
package scale

import "almanac/internal/stat"

// Ticks are the round values of a number axis.
type Ticks struct {
	Values []float64 // ascending; the axis runs from the first to the last
	Labels []string  // beside Values, written alike ("0.5", "1.0"; "2 million")
}

// Nice returns at most n ticks (at least two) whose first is at or below low and
// whose last is at or above high. With zero, 0 is among them. low and high may
// be equal, negative, 1e-9 or 1e15. unit is written on the labels if it is one
// that is (%, $, €, £).
func Nice(low, high float64, n int, zero bool, unit string) Ticks { return Ticks{} }

// DateTick is a mark of a time axis.
type DateTick struct {
	Day   int32  // days since 1970-01-01: the start of the period it stands for
	Label string // a period as the interface writes it: 2024, Q1/2024, 03/2024
}

// Dates returns the ticks of a time axis through the start days of periods
// (ascending, at least one) at calendar steps (days 1, 7, 14; months 1, 3, 6;
// years 1, 2, 5, 10, 20, 50, 100 …), never finer than the periods are. fits reports
// whether labels at those days have room; the finest step that fits is taken.
func Dates(periods []stat.Period, fits func([]DateTick) bool) []DateTick { return nil }

// Numbers says how the numbers of one chart are written: the same decimals and
// the same power for all of them.
type Numbers struct {
	Decimals int
	Divisor  float64 // 1, 1e6, 1e9, 1e12
	Suffix   string  // " million", "%"
	Prefix   string  // "€"
}

// NumbersFor chooses how values are written beside their marks, so that those
// that differ in the first three digits or so are seen to differ. unit as in Nice.
func NumbersFor(values []float64, unit string) Numbers { return Numbers{} }

// Write writes one value; -0 is 0, the minus is U+2212.
func (n Numbers) Write(v float64) string { return "" }

// Classes are the classes of a map.
type Classes struct {
	// Edges are round numbers, ascending, one more than there are classes. Class
	// i holds Edges[i] ≤ v < Edges[i+1], the last one its upper edge too.
	Edges  []float64
	Labels []string // beside Edges
	// Diverging: zero is an edge and the classes below and above it differ in hue.
	Diverging bool
	// Method is how the edges were found, for people: "equal steps", "1-2-5 ladder", "quantiles".
	Method string
}

// ClassesFor chooses up to n classes for values, at least one of which is finite.
func ClassesFor(values []float64, n int, unit string) Classes { return Classes{} }

// Index returns the class of a value.
func (c Classes) Index(v float64) int { return 0 }
