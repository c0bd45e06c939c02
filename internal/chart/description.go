package chart

import (
	"cmp"
	"slices"
)

// Description says what a chart shows.
type Description struct {
	Type                                     Type
	Title, Subtitle, Time, Unit, Source, Alt string
	// ValuesUnit is the unit of the values in the dataset if the chart writes them in full, or names no unit because it only says that
	// they are numbers.
	ValuesUnit         string `json:"values_unit"`
	Notes              []string
	Series, Categories []Described
}

// Described is a line of a chart, a bar, or an area of a map.
type Described struct {
	Name, Area string
	InColour   bool `json:"in_colour"` // of a series
}

// Parts are the parts of the subtitle that say what the numbers are of, such as ages and a sector, without measure, unit, area and time.
func (s *Spec) Parts() []string { return s.parts }

// Describe returns what the chart shows.
func (s *Spec) Describe() *Description {
	d := &Description{Type: s.Type, Title: s.Title, Subtitle: s.Subtitle, Time: s.Span(), Unit: s.UnitText(), Source: s.Source, Alt: s.Alt(), ValuesUnit: s.filler, Notes: s.Footnotes()}
	if s.Power != 0 {
		d.ValuesUnit = s.Unit
	}
	all := !slices.ContainsFunc(s.Series, func(one Series) bool { return one.Focus })
	for i := range s.Series {
		one := &s.Series[i]
		d.Series = append(d.Series, Described{Name: cmp.Or(one.Label, one.Key), Area: one.Area, InColour: all || one.Focus})
	}
	for i := range s.Categories {
		d.Categories = append(d.Categories, Described{Name: s.Categories[i].Label, Area: s.Categories[i].Area})
	}
	return d
}
