// Package chart turns numbers into pictures, in three steps:
//
//	Spec    what to draw: series, categories, texts, options     (New makes one from an extract)
//	Layout  where: a scene of placed marks and text              (a pure function of the Spec)
//	ink     how: SVG, PNG or JPEG                                (package render)
//
// A Spec holds all that a picture depends on, so that the same Spec is the same
// picture, on every machine and at any later time, byte for byte.
package chart
