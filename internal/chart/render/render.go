// Package render writes a scene as SVG, PNG or JPEG. The same scene always gives the
// same bytes.
//
// SVG lists the marks as elements. PNG and JPEG are drawn on a canvas with one byte per
// pixel, an entry of the picture's palette:
//
//	scene.Mark → outline, stroke, dash   contours in pixels
//	           → raster                  runs of pixels with constant coverage
//	           → canvas                  palette entries, mixed by table
//	           → PNG, JPEG
//
// Horizontal and vertical lines and the edges of boxes are aligned to whole pixels. All
// other marks keep their exact position. A mark with a coordinate that is not finite,
// or farther away than any layout places one, is left out.
package render
