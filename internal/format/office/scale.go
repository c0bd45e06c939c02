package office

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// IsScale reports whether a component is the IMF's SCALE. Its structures call it
// a dimension, with codes like "Millions"; but it says how the IMF shows values
// that are in units already, and so it is an attribute without a place.
func IsScale(source, id string) bool { return source == "imf" && strings.EqualFold(id, "SCALE") }

// WithoutScale is an office's structure in which SCALE is an attribute, as
// [IsScale] says; s itself where that changes nothing.
func WithoutScale(source string, s *stat.Structure) *stat.Structure {
	if s == nil {
		return nil
	}
	at := slices.IndexFunc(s.Dimensions, func(c stat.Component) bool { return IsScale(source, c.ID) })
	if at < 0 {
		return s
	}
	without := *s
	without.Dimensions = slices.Delete(slices.Clone(s.Dimensions), at, at+1)
	without.Attributes = append(slices.Clone(s.Attributes), s.Dimensions[at])
	return &without
}
