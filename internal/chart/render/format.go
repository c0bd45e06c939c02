package render

import (
	"fmt"
	"io"

	"almanac/internal/chart/scene"
)

// Format is a kind of picture, by the ending of its file.
type Format string

// The formats.
const (
	FormatPNG  Format = "png"
	FormatJPEG Format = "jpg"
	FormatSVG  Format = "svg"
)

// Write writes a scene in a format.
func Write(w io.Writer, s *scene.Scene, f Format) error {
	switch f {
	case FormatPNG:
		return PNG(w, s)
	case FormatJPEG:
		return JPEG(w, s)
	case FormatSVG:
		return SVG(w, s)
	}
	return fmt.Errorf("ink: there is no format %q", f)
}
