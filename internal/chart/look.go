package chart

import "almanac/internal/chart/theme"

// Look is how a picture looks, apart from what it shows.
type Look struct {
	Width, Height     int // pixels
	Plain             bool
	Theme, Background string
}

// In returns the Spec that New makes with the options of a look. ok is false if New has to make it, because what a chart shows
// depends on its size, unless it has lines.
func (s *Spec) In(look Look) (other *Spec, ok bool) {
	if s.Type != Line {
		return nil, false
	}
	copied := *s
	copied.Width, copied.Height, copied.Plain = look.Width, look.Height, look.Plain
	copied.Theme, copied.Background = look.Theme, theme.Background(look.Theme, look.Background)
	return &copied, true
}
