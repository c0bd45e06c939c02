// Package scale finds round numbers: ticks of axes, limits of classes, and how
// numbers are written in a chart.
package scale
