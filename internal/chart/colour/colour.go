// Package colour holds the colours of the charts: what callers may write, what
// series, classes of a map, text and lines are drawn in, and how far colours
// can be told apart.
package colour

// RGB is a colour of the sRGB space. The zero RGB is black.
type RGB struct{ R, G, B uint8 }
