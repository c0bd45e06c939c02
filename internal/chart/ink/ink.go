// Package ink turns a scene into bytes: SVG, PNG or JPEG. The same scene is the
// same bytes.
package ink

import (
	"io"

	"almanac/internal/chart/scene"
)

// SVG writes a scene as SVG: text as text, with the width that it was measured
// to have, so that another font keeps within its room.
func SVG(w io.Writer, s *scene.Scene) error { return nil }

// PNG writes a scene as PNG with a palette.
func PNG(w io.Writer, s *scene.Scene) error { return nil }

// JPEG writes a scene as JPEG.
func JPEG(w io.Writer, s *scene.Scene) error { return nil }
