// Package scale finds round numbers: ticks of axes and edges of classes. It also
// decides how numbers are written in a chart.
package scale
