// Package chart turns numbers into pictures, in three steps:
//
//	Spec    what to draw: series, categories, texts, options     (New makes one from an extract)
//	Layout  where: a scene of placed marks and text              (package layout, a pure function of the Spec)
//	Write   how: SVG, PNG or JPEG                                (package render)
//
// A Spec holds everything that a picture depends on. The same Spec always gives the
// same picture, byte for byte, on every machine.
package chart
