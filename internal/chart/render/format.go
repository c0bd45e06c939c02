package render

import (
	"fmt"
	"io"

	"almanac/internal/chart/scene"
)

// Format is a picture format, named by its file extension.
type Format string

// The formats.
const (
	FormatPNG  Format = "png"
	FormatJPEG Format = "jpg"
	FormatSVG  Format = "svg"
)

// Write writes a scene in the given format.
func Write(w io.Writer, s *scene.Scene, f Format) error {
	switch f {
	case FormatPNG:
		return PNG(w, s)
	case FormatJPEG:
		return JPEG(w, s)
	case FormatSVG:
		return SVG(w, s)
	}
	return fmt.Errorf("unknown picture format %q; it must be svg, png or jpg", f)
}
