package chart

import (
	"math"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// maxOffMap is the number of areas, and of groups of countries, up to which a description names those
// that a map has no place for.
const maxOffMap = 12

// Footnotes returns the notes of the picture, also those that name what is not on a map.
func (s *Spec) Footnotes() []string {
	if note := s.offMapNote(); note != "" {
		return slices.Concat([]string{note}, s.Notes)
	}
	return s.Notes
}

// plotHeight is the usual share of the height of a picture that a map has.
const plotHeight = .7

// inFrame returns the outlines that a map shows: those in the region that the caller chose, or else in
// the one that fits the areas with values.
func (s *Spec) inFrame() map[string]bool {
	set, region := s.Set(), s.Region
	var areas []string
	for _, c := range s.OnMap() {
		areas = append(areas, atlas.OutlineID(c.Area))
	}
	var extent atlas.Frame
	switch {
	case set != atlas.Countries:
		extent = set.Frame(areas)
	case region == atlas.World:
		region = atlas.Fitting(areas)
		extent, _ = atlas.CloseUp(areas)
	}
	seen := map[string]bool{}
	box := scene.Box{W: DefaultWidth, H: DefaultWidth * plotHeight * float64(s.Height) / float64(s.Width)}
	view := atlas.Layout(atlas.Request{Set: set, Region: region, Frame: extent, Box: box, Pixels: 1})
	for i := range view.Shapes {
		if shape := &view.Shapes[i]; !shape.Around {
			seen[shape.Area] = true
		}
	}
	return seen
}

// offMapNote names the areas and groups that have a value and no place on the map, with their values, or
// counts them if they are many.
func (s *Spec) offMapNote() string {
	if s.Type != Map {
		return ""
	}
	inFrame := s.inFrame()
	var areas, groups []int // their positions in Categories
	for i := range s.Categories {
		c := &s.Categories[i]
		switch {
		case math.IsNaN(s.Series[0].Values[i]) || c.Members != nil || inFrame[atlas.OutlineID(c.Area)]:
		case c.Group:
			groups = append(groups, i)
		default:
			areas = append(areas, i)
		}
	}
	l := s.Words()
	named := append(s.namesWithValues(areas, "%s areas with values"), s.namesWithValues(groups, "%s groups of countries")...)
	if len(named) == 0 {
		return ""
	}
	return l.Text("Not on the map: %s.", l.ListAll(named))
}

// namesWithValues returns the names of categories with their values, or their number as a phrase if they are many.
func (s *Spec) namesWithValues(categories []int, phrase string) (names []string) {
	if len(categories) > maxOffMap {
		return []string{s.Words().Text(phrase, len(categories))}
	}
	for _, i := range categories {
		v := s.Series[0].Values[i]
		names = append(names, s.Categories[i].Label+" "+scale.NumbersFor([]float64{v}, s.NumberUnit()).Write(v))
	}
	return names
}
