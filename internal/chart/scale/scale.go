// Package scale finds round numbers for the ticks of axes and the edges of classes, and
// formats the numbers of charts.
package scale
