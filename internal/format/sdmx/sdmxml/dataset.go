package sdmxml

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// The attributes that become dimensions if the keys alone do not distinguish
// observations. The area becomes the geography, also of data whose keys have none.
const (
	area       = "REF_AREA"
	seriesName = "SERIES_NAME"
	seriesFlow = "SERIES_BDM" // INSEE's series of any datasets, of which only IDBANK tells the difference
)

// The kinds of attributes that may be in the key.
const (
	weakArea = iota
	weakUnit
	weakSeries
	weakKinds
)

// dataSet is what the survey finds in a DataSet element.
type dataSet struct {
	at          stat.Position
	declaration declaration // of its structure
	flow        string      // ID of the dataflow, if the data set itself names it
	id          string      // in SDMX 1.0 that of the structure
	generic     bool

	obsDimension string // the dimension at observation level; empty for the time
	isTimed      bool   // observations have a time
	observations int

	whole             fieldCopies // attributes of the data set
	partials          [][]field   // groups, and series without observations
	skippedAttributes sdmx.Names

	inKey [weakKinds]bool // an attribute distinguishes observations, or is the only area
	areas int             // elements with a key that have an area beside it

	isIdentified bool
	source       stat.Source
	code         string
	structure    *stat.Structure
	dimensions   []string // IDs as the file writes them
	isGuess      bool     // only names distinguish dimensions from attributes

	components
}

// placeholderNames are the senders that programs write when no name is configured.
var placeholderNames = []string{"unknown", "some_nsi", "metadatatechnology", "not_supplied", "unspecified", "none", "test", "sdmx"}

// identify finds the office, the code and the structure of a data set, at its
// first group, series or observation. A sender may use the structure of another
// office: the German one uses a structure of the IMF.
func (d *dataSet) identify(in *format.Input, w *walker) {
	if d.isIdentified {
		return
	}
	h := &w.header
	d.isIdentified, d.generic = true, w.generic
	agency, inSpace := parseSpace(w.spaces[string(w.prefix)])
	agency = cmp.Or(d.declaration.Flow.Agency, d.declaration.Structure.Agency, d.declaration.Agreement.Agency, h.KeyFamilyAgency, agency)
	sender := h.Sender.ID
	for _, name := range []*string{&agency, &sender} {
		if slices.Contains(placeholderNames, strings.ToLower(*name)) {
			*name = ""
		}
	}
	d.source = sdmx.FindOffice(in.Source, agency, sender, agency)
	if d.code = cmp.Or(d.flow, d.declaration.Flow.ID); d.code == "" && !ofDownload.MatchString(h.dataSet) {
		d.code = h.dataSet
	}
	if d.code == "" {
		d.code = cmp.Or(w.keyFamily, h.KeyFamily, d.declaration.Structure.ID, inSpace)
		if d.source.ID == "eurostat" {
			d.code = strings.TrimSuffix(d.code, "_DSD")
		}
	}
	names := []string{d.declaration.Flow.ID, d.code, d.declaration.Structure.ID, w.keyFamily, h.KeyFamily, inSpace, d.id}
	for _, source := range []string{d.source.ID, office.Find(agency).ID} {
		known := in.Known(source)
		for _, name := range names {
			if s := known.Structure(name); d.structure == nil && name != "" && s != nil && len(s.Dimensions) > 0 {
				d.structure = sdmx.WithoutScale(d.source.ID, s)
			}
		}
	}
}

// ofDownload matches IDs that programs make for a single download: with a random number, or
// with the time.
var ofDownload = regexp.MustCompile(`[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}`)

// parseSpace finds the agency and the ID of a structure in a namespace: a URN, or
// an address that ends in the ID. The OECD has one namespace for all: http://oecd.stat.org/Data.
func parseSpace(space string) (agency, id string) {
	if strings.HasPrefix(space, "urn:") {
		agency, id, _ = sdmx.ParseURN(space)
		return agency, id
	}
	if strings.Contains(strings.ToLower(space), "sdmx.org/") || strings.HasSuffix(space, "/Data") {
		return "", ""
	}
	return "", space[strings.LastIndexByte(space, '/')+1:]
}

func (d *dataSet) isTime(name string) bool { return sdmx.IsTime(d.structure, name) }

func (d *dataSet) hasDimension(id string) bool {
	return d.structure != nil && d.structure.Dimension(id) != nil
}

// isAttribute reports whether a name of specific data belongs to an attribute: by the
// structure if one is known, else by the usual names of attributes. Eurostat writes
// dimensions in lower case and attributes in capitals, so its "unit" is a dimension. A currency is
// one of exchange rates.
func (d *dataSet) isAttribute(name string) bool {
	if d.structure != nil {
		return !d.hasDimension(name)
	}
	if d.source.ID == "eurostat" && name == strings.ToLower(name) || d.code == seriesFlow && name == "IDBANK" {
		return false
	}
	return sdmx.IsAttribute(name) || sdmx.HasPlace(name) && assemble.AttributeOf(name) != assemble.AttributeCurrency
}

func (d *dataSet) isUnit(name string) bool {
	return d.structure == nil && assemble.AttributeOf(name) == assemble.AttributeUnit && d.isAttribute(name)
}

// isInKey reports whether an area or the name of a series, an attribute, distinguishes
// observations.
func (d *dataSet) isInKey(name string) bool {
	return d.inKey[weakArea] && strings.EqualFold(name, area) || d.inKey[weakSeries] && strings.EqualFold(name, seriesName)
}

func isValue(name string) bool { return name == "OBS_VALUE" || name == "VALUE" }

// keepPartial keeps the fields of a group, or of a series without observations, if
// some are attributes: they apply to other series.
func (d *dataSet) keepPartial(fields []field) {
	var kept fieldCopies
	hasAttributes := false
	for i := range fields {
		f := &fields[i]
		c := d.component(f)
		isAttribute := f.part == partAttribute || f.part == partAny && d.isAttribute(c.name)
		switch {
		case c.use == useNothing || len(f.value) == 0:
		case isAttribute && c.use != useAttribute && c.use != useUpdate:
			d.skippedAttributes.Add(c.name)
		default:
			hasAttributes = hasAttributes || isAttribute
			kept.add(*f)
		}
	}
	if hasAttributes {
		d.partials = append(d.partials, kept.fields)
	}
}

// chooseDimensions decides which names are dimensions, and their order.
func (d *dataSet) chooseDimensions() {
	if !d.generic && !d.fitsStructure() {
		d.structure, d.isGuess = nil, true
	}
	for _, c := range d.names {
		if d.isDimension(c) {
			d.dimensions = append(d.dimensions, c.name)
		}
	}
	if d.obsDimension != "" && !d.isTime(d.obsDimension) && d.dimension(d.obsDimension) < 0 {
		d.dimensions = append(d.dimensions, d.obsDimension)
	}
	if d.structure != nil {
		var first []string
		for _, s := range d.structure.Dimensions {
			if at := d.dimension(s.ID); at >= 0 {
				first = append(first, d.dimensions[at])
				d.dimensions = slices.Delete(d.dimensions, at, at+1)
			}
		}
		d.dimensions = append(first, d.dimensions...)
	}
	if d.areas == d.elements && !slices.ContainsFunc(d.dimensions, d.isGeography) {
		d.inKey[weakArea] = true
	}
	for _, name := range []string{area, seriesName} {
		if d.isInKey(name) && d.dimension(name) < 0 {
			d.dimensions = append(d.dimensions, name)
		}
	}
}

// isGeography reports whether a dimension may be the geography.
func (d *dataSet) isGeography(id string) bool {
	return assemble.RoleOf(id) == stat.RoleGeo || d.hasDimension(id) && d.structure.Dimension(id).Role == stat.RoleGeo
}

// fitsStructure reports whether all series have all dimensions of the structure. If
// not, the data have another version of it.
func (d *dataSet) fitsStructure() bool {
	if d.structure == nil {
		return false
	}
	for _, s := range d.structure.Dimensions {
		inAll := func(c *component) bool { return c.count == d.elements && strings.EqualFold(c.name, s.ID) }
		if !strings.EqualFold(s.ID, d.obsDimension) && !slices.ContainsFunc(d.names, inAll) {
			return false
		}
	}
	return true
}

// isDimension reports whether a component is a dimension. Without a structure, it is
// one if all series have it and its name is not that of an attribute. An area among
// attributes is an attribute.
func (d *dataSet) isDimension(c *component) bool {
	switch {
	case d.generic:
		return c.isKey && !d.isTime(c.name) && !sdmx.IsScale(d.source.ID, c.name)
	case c.count < d.elements:
		return false
	case d.structure != nil:
		return d.hasDimension(c.name)
	case c.name == area && c.followsAttribute && !d.inKey[weakArea]:
		return false
	}
	return !isValue(c.name) && !d.isTime(c.name) && !d.isAttribute(c.name) || d.inKey[weakUnit] && d.isUnit(c.name)
}

// dimension returns the position of a dimension, or -1.
func (d *dataSet) dimension(id string) int {
	return slices.IndexFunc(d.dimensions, func(have string) bool { return strings.EqualFold(have, id) })
}

// isPartOf reports whether two data sets are parts of one table.
func (d *dataSet) isPartOf(other *dataSet) bool {
	return d.code == other.code && d.source == other.source && len(d.dimensions) == len(other.dimensions) && d.isGuess == other.isGuess &&
		!slices.ContainsFunc(d.dimensions, func(id string) bool { return other.dimension(id) < 0 })
}
