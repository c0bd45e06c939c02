package chart

import (
	"slices"

	"almanac/internal/chart/caption"
	"almanac/internal/lazyregexp"
)

// Unstated is something that a reader must know of a picture and that neither the file, nor a
// curator, nor the tables of well-known datasets and codes say.
type Unstated string

// What can be unstated.
const (
	UnstatedMeasure   Unstated = "what is measured"
	UnstatedAreaNames Unstated = "the names of the areas"
)

// Unstated returns what nobody says of the picture, nil if it says all that it must.
func (s *Spec) Unstated() []Unstated { return slices.Clone(s.unstated) }

// unstatedOf returns what a picture with a caption does not say.
func (t *selection) unstatedOf(c *caption.Caption) []Unstated {
	var all []Unstated
	if c.SaysNoMeasure() {
		all = append(all, UnstatedMeasure)
	}
	if !t.dataset.HasNoArea() && t.hasOnlyAreaCodes() {
		all = append(all, UnstatedAreaNames)
	}
	return all
}

// areaCode matches codes of areas: "001001". Codes with a name are replaced by it.
var areaCode = lazyregexp.New(`^[A-Z]{0,3}[-_.]?\d[\dA-Z_.-]*$`)

// hasOnlyAreaCodes reports whether no drawn area has a name.
func (t *selection) hasOnlyAreaCodes() bool {
	return !slices.ContainsFunc(t.series, func(s *dataSeries) bool { return !areaCode.MatchString(t.areaLabel(s.area)) })
}
