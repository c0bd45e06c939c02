package sdmxml

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// nobody are senders that programs write where nobody filled in a name.
var nobody = []string{"", "unknown", "some_nsi", "metadatatechnology", "not_supplied", "unspecified", "none", "test", "sdmx"}

func isNobody(name string) bool { return slices.Contains(nobody, strings.ToLower(name)) }

// settle finds out, at the first series or observation of a data set, whose
// data it holds and under what code.
func (v *surveyor) settle() {
	d, h := v.set, &v.w.header
	if d.settled {
		return
	}
	d.settled = true
	d.generic = v.w.generic
	d.family = v.w.keyFamily
	d.space = v.w.space()
	agency, inSpace := fromSpace(d.space)
	agency = cmp.Or(d.about.agency, h.agency, agency)
	d.source = senderOffice(v.in.Source, h.sender, agency)
	d.code = cmp.Or(d.flow, d.about.flow, h.dataSet)
	if d.code == "" {
		d.code = cmp.Or(d.family, h.keyFamily, d.about.structure, inSpace)
		if d.source.ID == "eurostat" {
			d.code = strings.TrimSuffix(d.code, "_DSD")
		}
	}
	names := []string{d.about.flow, d.code, d.about.structure, d.family, h.keyFamily, inSpace}
	for _, source := range []string{d.source.ID, office.Find(agency).ID} {
		known := v.in.Known(source)
		for _, name := range names {
			if s := known.Structure(name); d.structure == nil && name != "" && s != nil && len(s.Dimensions) > 0 {
				d.structure = office.WithoutScale(d.source.ID, s)
			}
		}
	}
	if !d.flat {
		d.across = d.about.at
	}
	d.timeAcross = d.across == "" || d.isTime(d.across)
}

// office tells whose data these are: whose the caller says they are, else the
// sender's, if it is an office that is known, else those of the agency that
// made the structure. A sender may use a structure of another: the German
// office sends data in one of the IMF's.
func senderOffice(stated, sender, agency string) stat.Source {
	if stated != "" {
		return office.Find(stated)
	}
	if isNobody(sender) {
		sender = ""
	}
	if isNobody(agency) {
		agency = ""
	}
	if s := office.Find(sender); s.URL != "" || agency == "" {
		return s
	}
	return office.Find(agency)
}

// fromSpace takes agency and ID of a structure out of a namespace: a URN, or an
// address that ends in the ID.
func fromSpace(space string) (agency, id string) {
	if agency, id, ok := parseURN(space); ok {
		return agency, id
	}
	if strings.HasPrefix(space, "urn:") || strings.Contains(strings.ToLower(space), "sdmx.org/") {
		return "", ""
	}
	return "", space[strings.LastIndexByte(space, '/')+1:]
}

// hasDimension reports whether the structure has a dimension.
func (d *dataSet) hasDimension(id string) bool {
	return d.structure != nil && slices.ContainsFunc(d.structure.Dimensions, func(c stat.Component) bool { return strings.EqualFold(c.ID, id) })
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
	return assemble.IsAttribute(name) || assemble.AttributeOf(name) != assemble.AttributeOther
}

// settleDimensions decides, at the end of a data set, which names are those of
// dimensions, and in which order they stand.
func (d *dataSet) settleDimensions() {
	if d.obs == 0 {
		return
	}
	if d.generic {
		for _, n := range d.names {
			if !d.isTime(n.id) && !office.IsScale(d.source.ID, n.id) {
				d.dims = append(d.dims, n.id)
			}
		}
		d.order()
	} else if !d.byStructure() {
		d.structure, d.unknown = nil, true
		d.byNames()
	}
	if d.across != "" && !d.isTime(d.across) && !d.has(d.across) {
		d.dims = append(d.dims, d.across)
		d.order()
	}
	if d.byArea && !d.has(area) {
		d.dims = append(d.dims, area)
	}
	d.apart, d.index, d.kinds = nil, nil, nil
}

// has reports whether id is among the dimensions.
func (d *dataSet) has(id string) bool {
	return slices.ContainsFunc(d.dims, func(have string) bool { return strings.EqualFold(have, id) })
}

// order puts the dimensions into the structure's order.
func (d *dataSet) order() {
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
	slices.SortStableFunc(d.dims, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
}

// byStructure takes the dimensions from the structure. It is of no use where
// series lack some of them: it is then another version's.
func (d *dataSet) byStructure() bool {
	if d.structure == nil {
		return false
	}
	var dims []string
	for _, c := range d.structure.Dimensions {
		at := slices.IndexFunc(d.names, func(n *named) bool { return strings.EqualFold(n.id, c.ID) && n.count == d.elements })
		switch {
		case at >= 0:
			dims = append(dims, d.names[at].id)
		case strings.EqualFold(c.ID, d.across):
			dims = append(dims, d.across)
		default:
			return false
		}
	}
	d.dims = dims
	return true
}

// byNames takes for dimensions what all series have and what is not called
// like an attribute. An area that stands among attributes is one of them.
func (d *dataSet) byNames() {
	for _, n := range d.names {
		among := n.id == area && n.late && !d.byArea
		isKey := !isValue(n.id) && !d.isTime(n.id) && !d.isAttribute(n.id) || d.byUnit && d.isUnit(n.id)
		if n.count == d.elements && isKey && !among {
			d.dims = append(d.dims, n.id)
		}
	}
}

// isValue reports whether a name is that of the value.
func isValue(name string) bool { return name == "OBS_VALUE" || name == "VALUE" }

// sameTable reports whether two data sets are parts of one table.
func (d *dataSet) sameTable(other *dataSet) bool {
	if d.code != other.code || d.source != other.source || len(d.dims) != len(other.dims) || d.unknown != other.unknown {
		return false
	}
	for _, id := range d.dims {
		if !other.has(id) {
			return false
		}
	}
	return true
}
