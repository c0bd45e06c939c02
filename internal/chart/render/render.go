// Package render turns a scene into bytes: SVG, PNG or JPEG. The same scene is the
// same bytes.
//
// SVG says what is drawn and leaves pixels to its reader. PNG and JPEG are drawn
// here, on a canvas of one byte a pixel, an entry of the picture's palette:
//
//	scene.Mark → outline, stroke, dash   contours in pixels
//	           → raster                  runs of pixels that are covered evenly
//	           → canvas                  entries of the palette, mixed by table
//	           → PNG, JPEG
//
// Horizontal and vertical lines and the edges of boxes are moved to whole
// pixels; everything else stands where the scene says. A mark with a place that
// is no number, or farther away than any layout puts one, is left out.
package render
