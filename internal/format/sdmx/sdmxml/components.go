package sdmxml

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// area is the attribute that becomes the geography where the keys alone do
// not tell observations apart.
const area = "REF_AREA"

// nobody are senders that programs write where nobody filled in a name.
var nobody = []string{"unknown", "some_nsi", "metadatatechnology", "not_supplied", "unspecified", "none", "test", "sdmx"}

// withoutNobody is a name, unless it is nobody's.
func withoutNobody(name string) string {
	if slices.Contains(nobody, strings.ToLower(name)) {
		return ""
	}
	return name
}

// identify finds out, at the first series or observation of a data set, whose
// data it holds and under what code. A sender may use a structure of another:
// the German office sends data in one of the IMF's.
func (v *surveyor) identify() {
	d, h := v.set, &v.w.header
	if d.identified {
		return
	}
	d.identified = true
	d.generic, d.family, d.space = v.w.generic, v.w.keyFamily, v.w.space()
	agency, inSpace := parseSpace(d.space)
	agency = cmp.Or(d.reference.agency, h.agency, agency)
	d.source = sdmx.FindOffice(v.in.Source, withoutNobody(agency), withoutNobody(h.sender), withoutNobody(agency))
	d.code = cmp.Or(d.flow, d.reference.flow, h.dataSet)
	if d.code == "" {
		d.code = cmp.Or(d.family, h.keyFamily, d.reference.structure, inSpace)
		if d.source.ID == "eurostat" {
			d.code = strings.TrimSuffix(d.code, "_DSD")
		}
	}
	names := []string{d.reference.flow, d.code, d.reference.structure, d.family, h.keyFamily, inSpace}
	for _, source := range []string{d.source.ID, office.Find(agency).ID} {
		known := v.in.Known(source)
		for _, name := range names {
			if s := known.Structure(name); d.structure == nil && name != "" && s != nil && len(s.Dimensions) > 0 {
				d.structure = sdmx.WithoutScale(d.source.ID, s)
			}
		}
	}
	d.setAcross("")
	if !d.isFlat {
		d.setAcross(d.reference.at)
	}
}

// setAcross says which dimension the observations bear; empty is the time.
func (d *dataSet) setAcross(id string) { d.across, d.acrossIsTime = id, id == "" || d.isTime(id) }

// parseSpace takes agency and ID of a structure out of a namespace: a URN, or an
// address that ends in the ID.
func parseSpace(space string) (agency, id string) {
	if strings.HasPrefix(space, "urn:") {
		agency, id, _ = sdmx.ParseURN(space)
		return agency, id
	}
	if strings.Contains(strings.ToLower(space), "sdmx.org/") {
		return "", ""
	}
	return "", space[strings.LastIndexByte(space, '/')+1:]
}

// isTime reports whether a name is that of the time.
func (d *dataSet) isTime(name string) bool { return sdmx.IsTime(d.structure, name) }

// isTimeAcross reports whether the dimension that the observations bear, whose
// ID may not be stated, is the time.
func (d *dataSet) isTimeAcross(name []byte) bool {
	if len(name) == 0 || string(name) == d.across {
		return d.acrossIsTime
	}
	return d.isTime(string(name))
}

// hasDimension reports whether the structure has a dimension.
func (d *dataSet) hasDimension(id string) bool {
	return d.structure != nil && d.structure.Dimension(id) != nil
}

// isAttribute reports whether a name of specific data is that of an attribute,
// by the structure if one is known, else by the list of names that no
// dimension has. At Eurostat, dimensions are written in small letters and
// attributes in capitals, so that its "unit" is none of these.
func (d *dataSet) isAttribute(name string) bool {
	if d.structure != nil {
		return !d.hasDimension(name)
	}
	if d.source.ID == "eurostat" && name == strings.ToLower(name) {
		return false
	}
	return sdmx.IsAttribute(name) || sdmx.HasPlace(name)
}

// isValue reports whether a name is that of the value.
func isValue(name string) bool { return name == "OBS_VALUE" || name == "VALUE" }

// settleDimensions decides, at the end of a data set, which names are those of
// dimensions, and in which order they stand.
func (d *dataSet) settleDimensions() {
	if d.observations == 0 {
		return
	}
	switch {
	case d.generic:
		for _, n := range d.names {
			if !d.isTime(n.id) && !sdmx.IsScale(d.source.ID, n.id) {
				d.dimensions = append(d.dimensions, n.id)
			}
		}
		d.sortDimensions()
	case !d.fitStructure():
		d.structure, d.isGuess = nil, true
		d.guessDimensions()
	}
	if d.across != "" && !d.isTime(d.across) && !d.has(d.across) {
		d.dimensions = append(d.dimensions, d.across)
		d.sortDimensions()
	}
	if d.byArea && !d.has(area) {
		d.dimensions = append(d.dimensions, area)
	}
	d.doubles, d.index, d.marks = nil, nil, nil
}

// has reports whether id is among the dimensions.
func (d *dataSet) has(id string) bool {
	return slices.ContainsFunc(d.dimensions, func(have string) bool { return strings.EqualFold(have, id) })
}

// sortDimensions puts the dimensions into the structure's order.
func (d *dataSet) sortDimensions() {
	if d.structure == nil {
		return
	}
	place := func(id string) int {
		at := slices.IndexFunc(d.structure.Dimensions, func(c stat.Component) bool { return strings.EqualFold(c.ID, id) })
		if at < 0 {
			return len(d.structure.Dimensions)
		}
		return at
	}
	slices.SortStableFunc(d.dimensions, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
}

// fitStructure takes the dimensions from the structure. It is of no use where
// series lack some of them: it is then another version's.
func (d *dataSet) fitStructure() bool {
	if d.structure == nil {
		return false
	}
	var dimensions []string
	for _, c := range d.structure.Dimensions {
		at := slices.IndexFunc(d.names, func(n *name) bool { return strings.EqualFold(n.id, c.ID) && n.count == d.elements })
		switch {
		case at >= 0:
			dimensions = append(dimensions, d.names[at].id)
		case strings.EqualFold(c.ID, d.across):
			dimensions = append(dimensions, d.across)
		default:
			return false
		}
	}
	d.dimensions = dimensions
	return true
}

// guessDimensions takes for dimensions what all series have and what is not
// called like an attribute. An area that stands among attributes is one of them.
func (d *dataSet) guessDimensions() {
	for _, n := range d.names {
		isLateArea := n.id == area && n.isLate && !d.byArea
		isKey := !isValue(n.id) && !d.isTime(n.id) && !d.isAttribute(n.id) || d.byUnit && d.isUnit(n.id)
		if n.count == d.elements && isKey && !isLateArea {
			d.dimensions = append(d.dimensions, n.id)
		}
	}
}

// isPartOf reports whether two data sets are parts of one table.
func (d *dataSet) isPartOf(other *dataSet) bool {
	return d.code == other.code && d.source == other.source && len(d.dimensions) == len(other.dimensions) && d.isGuess == other.isGuess &&
		!slices.ContainsFunc(d.dimensions, func(id string) bool { return !other.has(id) })
}
