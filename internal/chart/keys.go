package chart

import (
	"maps"
	"slices"

	"almanac/internal/chart/font"
)

// Keys are the keys of a caller's colours and labels, in order, and the first periods of
// shaded spans and of notes. Categories are those keys of colours that name a category whose
// colour shows something else.
type Keys struct {
	Colours, Labels, Spans, Remarks, Categories []string
	// DoubledColours and DoubledLabels are the keys of what another key names too, with that
	// key, if it has another value: it decides.
	DoubledColours, DoubledLabels map[string]string
}

// addCategory adds the keys of colours that name a category.
func (k *Keys) addCategory(name string, colours map[string]string, aliases []string) {
	for _, key := range append([]string{name}, aliases...) {
		if has(colours, key) {
			k.Categories = append(k.Categories, key)
		}
	}
}

// Unused returns the keys that had no effect in a Spec made by New.
func (s *Spec) Unused() Keys { return s.unused }

// applyNames sets the caller's names and colours of series and categories, and records
// those that match none. A key is the name that the picture shows, or else another way to
// write it: the office's label, or the code.
func (s *Spec) applyNames(o *Options, t *selection) {
	colours, labels := maps.Clone(o.Colours), maps.Clone(o.Labels)
	shown := s.shownNames()
	s.unused.DoubledColours, s.unused.DoubledLabels = map[string]string{}, map[string]string{}
	colour := func(name string) string {
		return take(o.Colours, colours, s.unused.DoubledColours, append([]string{name}, t.names.otherThan(shown, name)...))
	}
	rename := func(name string) string {
		label := take(o.Labels, labels, s.unused.DoubledLabels, append([]string{name}, t.names.otherThan(shown, name)...))
		if font.Clean(label) != "" {
			return label
		}
		return name // ignore a blank name
	}
	for i := range s.Series {
		series := &s.Series[i]
		series.Label, series.Colour = rename(series.Key), colour(series.Key)
		if (series.Colour != "" || series.Label != series.Key) && len(s.Series) > maxGroups {
			series.Focus = true
		}
	}
	for i := range s.Categories {
		c := &s.Categories[i]
		if s.Type != Map && s.Type != Dumbbell && len(s.Series) == 1 { // else the colour shows the class or the series
			c.Colour = colour(c.Label)
		} else {
			s.unused.addCategory(c.Label, colours, t.names.otherThan(shown, c.Label))
		}
		c.Label = rename(c.Label)
	}
	s.unused.Colours, s.unused.Labels = slices.Sorted(maps.Keys(colours)), slices.Sorted(maps.Keys(labels))
}

// shownNames returns the names of all series and categories.
func (s *Spec) shownNames() map[string]bool {
	shown := map[string]bool{}
	for i := range s.Series {
		shown[s.Series[i].Key] = true
	}
	for i := range s.Categories {
		shown[s.Categories[i].Label] = true
	}
	return shown
}

// take returns what a caller chose for the first of several names of one thing that is a key. It
// removes all of them from the unused keys, and adds those with another value to the doubled ones.
func take(chosen, unused, doubled map[string]string, names []string) string {
	first := -1
	for i, key := range names {
		delete(unused, key)
		switch value, ok := chosen[key]; {
		case !ok:
		case first < 0:
			first = i
		case value != chosen[names[first]]:
			doubled[key] = names[first]
		}
	}
	if first < 0 {
		return ""
	}
	return chosen[names[first]]
}

func has[V any](m map[string]V, key string) bool { _, ok := m[key]; return ok }
