package chart

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/chart/caption"
	"almanac/internal/chart/words"
	"almanac/internal/geo"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// nameTable holds what a picture calls the areas and codes that it draws: short names, with
// the office's labels or the codes only where two would be equal.
type nameTable struct {
	areas     map[int32]string
	areaStyle caption.Style       // of the office's labels of areas
	codes     []map[int32]string  // by axis
	styles    []caption.Style     // of the office's labels of codes, by axis
	aliases   map[string][]string // other ways to write a name; nil if nobody needs them
}

// nameAll names all that the series of a selection need, with aliases if a caller uses names.
func (t *selection) nameAll(withAliases bool) {
	d := t.dataset
	t.names = nameTable{areaStyle: caption.StyleOf(d.Source.ID, &d.Geography)}
	areas := t.positions(len(d.Dimensions))
	if len(areas) == 1 {
		t.names.areaStyle = t.names.areaStyle.OfOne()
	}
	t.names.areas = distinctNames(d.Geography.Codes, areas, t.localAreaName)
	t.nameWhole()
	t.nameCountries()
	t.nameOtherExtents()
	t.nameCompositions()
	for axis := range d.Dimensions {
		dim := &d.Dimensions[axis]
		style := caption.StyleOf(d.Source.ID, dim)
		short := func(pos int32) string { return style.Short(caption.Label(d.Source.ID, dim.ID, dim.Codes[pos])) }
		t.names.styles = append(t.names.styles, style)
		t.names.codes = append(t.names.codes, distinctNames(dim.Codes, t.positions(axis), short))
	}
	if withAliases {
		t.names.aliases = map[string][]string{}
	}
}

// positions returns the codes on an axis that the series have, each once.
func (t *selection) positions(axis int) []int32 {
	var all []int32
	for _, s := range t.series {
		all = append(all, s.codeAt(axis))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// distinctNames returns the short names of codes. Codes with the same short name keep the
// labels of the dataset, which are distinct.
func distinctNames(codes []stat.Code, positions []int32, short func(pos int32) string) map[int32]string {
	count := make(map[string]int, len(positions))
	chosen := make(map[int32]string, len(positions))
	for _, pos := range positions {
		chosen[pos] = short(pos)
		count[chosen[pos]]++
	}
	for _, pos := range positions {
		if count[chosen[pos]] > 1 {
			chosen[pos] = codes[pos].Label
		}
	}
	return chosen
}

// localAreaName returns the short name of an area in the reader's language. Labels that say
// more than which area it is stay the office's.
func (t *selection) localAreaName(area int32) string {
	code := t.dataset.Geography.Codes[area]
	name := t.shortAreaName(code)
	if t.dataset.Base != nil {
		return t.chosenAreaName(area, name)
	}
	if t.language.Code == words.Codes[0] {
		return name
	}
	if short, ok := geo.ShortName(code.Area); !ok || name != short {
		return name
	}
	if local, ok := geo.LocalName(code.Area, t.language.Code); ok {
		return local
	}
	return t.language.Text(name) // of a group
}

// chosenAreaName returns the short name of an area in the language that the reader chose for the
// labels: that of the Unicode CLDR where a picture without a choice has a short name in place of the
// office's label, and where the office has no label in the language.
func (t *selection) chosenAreaName(area int32, name string) string {
	own, label := t.own.Geography.Codes[area], t.dataset.Geography.Codes[area].Label
	short, ok := geo.ShortName(own.Area)
	isReplaced := ok && (own.Label != short && t.shortAreaName(own) == short || label != short && name == short)
	if local, ok := geo.NameFor(own.Area, t.dataset.Language); ok && (isReplaced || label == own.Label) {
		return local
	}
	return name
}

// shortAreaName returns the short name of an area. A country that its office calls "Total"
// among its regions gets its name.
func (t *selection) shortAreaName(code stat.Code) string {
	label := geo.CutLevel(t.dataset.Geography.ID, caption.Label(t.dataset.Source.ID, t.dataset.Geography.ID, code))
	if name, ok := geo.ShortName(code.Area); ok && (label == name || caption.IsFiller(label) || geo.IsWhole(t.names.areaStyle.Short(label))) {
		return name
	}
	if caption.IsFiller(label) {
		return capitalised(label)
	}
	if name := geo.NameInUse(code.Area, label); name != label {
		return name
	}
	if isoArea.MatchString(code.Area) {
		label = caption.Capitalised(label)
	}
	return caption.Uninverted(t.names.areaStyle.Short(editionOfNUTS.ReplaceAllString(label, "")))
}

// editionOfNUTS matches the edition of NUTS in which a region had this code: "Inner London (NUTS 2010)".
var editionOfNUTS = lazyregexp.New(` \(NUTS \d{4}\)$`)

// isoArea matches the IDs of countries and of their parts in ISO 3166.
var isoArea = lazyregexp.New(`^[A-Z]{2}(-[A-Z0-9]{1,3})?$`)

// areaLabel returns what the picture calls an area.
func (t *selection) areaLabel(area int32) string {
	if name, ok := t.names.areas[area]; ok {
		return name
	}
	return t.dataset.Geography.Codes[area].Label
}

// codeLabel returns what the picture calls a code of a dimension.
func (t *selection) codeLabel(axis int, pos int32) string {
	if axis < len(t.names.codes) {
		if name, ok := t.names.codes[axis][pos]; ok {
			return name
		}
	}
	label := t.dataset.Dimensions[axis].Codes[pos].Label
	if axis < len(t.names.styles) { // of a code that is not drawn
		return t.names.styles[axis].Short(label)
	}
	return label
}

// nameOf returns what the picture would call a code on an axis; geography is the last axis.
func (t *selection) nameOf(axis int, pos int32) string {
	if axis < len(t.dataset.Dimensions) {
		return t.codeLabel(axis, pos)
	}
	if _, ok := t.names.areas[pos]; ok {
		return t.areaLabel(pos)
	}
	return t.shortAreaName(t.dataset.Geography.Codes[pos])
}

// namesOf returns what the picture would call codes on an axis. Those of one name have the office's
// labels, which are distinct.
func (t *selection) namesOf(axis int, positions []int32) []string {
	count := map[string]int{}
	for _, pos := range positions {
		count[t.nameOf(axis, pos)]++
	}
	var names []string
	for _, pos := range positions {
		name := t.nameOf(axis, pos)
		if count[name] > 1 {
			name = t.dataset.Axes()[axis].Codes[pos].Label
		}
		names = append(names, name)
	}
	return names
}

// A naming says how a label calls areas and codes: by what the picture shows, by the
// dataset's labels, or by codes.
type naming struct {
	area func(int32) string
	code func(axis int, pos int32) string
}

// shown returns the naming of the picture.
func (t *selection) shown() naming { return naming{t.areaLabel, t.codeLabel} }

// write returns a label as the picture shows it. It keeps the other ways in which a caller
// may write it: the labels of the dataset, its codes, ISO codes of areas.
func (t *selection) write(label func(naming) string) string {
	name := label(t.shown())
	if t.names.aliases == nil {
		return name
	}
	geography, dims := t.dataset.Geography.Codes, t.dataset.Dimensions
	id := func(axis int, pos int32) string { return dims[axis].Codes[pos].ID }
	english := func(area int32) string { return t.shortAreaName(geography[area]) }
	t.names.aliases[name] = []string{
		label(naming{english, t.codeLabel}),
		label(naming{
			func(area int32) string { return geography[area].Label },
			func(axis int, pos int32) string { return dims[axis].Codes[pos].Label },
		}),
		label(naming{func(area int32) string { return geography[area].ID }, id}),
		label(naming{func(area int32) string { return geography[area].Area }, id}),
	}
	return name
}

// extend returns a name with an addition, which its other ways get too.
func (n *nameTable) extend(name, addition string) string {
	if n.aliases != nil {
		for _, alias := range n.aliases[name] {
			n.aliases[name+addition] = append(n.aliases[name+addition], alias+addition)
		}
	}
	return name + addition
}

// otherThan returns the other ways to write a name that are not the name of something else.
func (n *nameTable) otherThan(shown map[string]bool, name string) []string {
	return slices.DeleteFunc(slices.Clone(n.aliases[name]), func(alias string) bool { return shown[alias] })
}

// label returns the name of a series in a legend: its area and the dimensions that
// distinguish it from the others. For a single series it is the area, unless the whole
// dataset is about one area.
func (t *selection) label(s *dataSeries, n naming) string {
	var parts []string
	if t.areas || len(t.distinctAxes) == 0 && (len(t.dataset.Geography.Codes) > 1 || len(t.dataset.Dimensions) == 0) {
		parts = append(parts, n.area(s.area))
	}
	if t.dataset.HasNoArea() && len(t.dataset.Dimensions) == 0 {
		return t.dataset.Name
	}
	axes := t.distinctAxes
	if len(parts) == 0 && len(axes) == 0 {
		axes = t.fallbackAxes()
	}
	if dims := n.dims(s.key, axes); dims != "" {
		parts = append(parts, dims)
	}
	return strings.Join(parts, ", ")
}

// dims joins the labels of a key on the given axes.
func (n naming) dims(key []int32, axes []int) string {
	var labels []string
	for _, axis := range axes {
		labels = append(labels, n.code(axis, key[axis]))
	}
	return strings.Join(labels, ", ")
}

// fallbackAxes returns the first dimension in which the dataset has a choice, or the
// first of all.
func (t *selection) fallbackAxes() []int {
	for axis, d := range t.dataset.Dimensions {
		if len(d.Codes) > 1 {
			return []int{axis}
		}
	}
	return []int{0}
}

// nameSingle writes the name of the dataset at the end of a single line that would have a
// name without content, such as "Total" or the code of a frequency. Title and subtitle say
// what it is, so there will be no name. Callers still find it by its label.
func (s *Spec) nameSingle(t *selection) {
	if s.Type != Line || len(s.Series) != 1 || s.Periods == nil || s.Series[0].Label != s.Series[0].Key || len(t.dataset.Geography.Codes) > 1 || len(t.dataset.Dimensions) == 0 {
		return
	}
	axis := t.fallbackAxes()[0]
	d := &t.dataset.Dimensions[axis]
	if code := d.Codes[t.series[0].key[axis]]; d.Role == stat.RoleFrequency || caption.IsFiller(caption.Label(t.dataset.Source.ID, d.ID, code)) {
		s.Series[0].Label = t.dataset.Name
	}
}

// category makes a category of an area; of a dataset without areas it is the only series.
func (t *selection) category(area int32) Category {
	if t.own.HasNoArea() {
		return Category{Label: t.write(func(n naming) string { return t.label(t.series[0], n) })}
	}
	code := t.own.Geography.Codes[area]
	c := Category{Label: cmp.Or(t.areaLabel(area), code.ID), Area: code.Area, Group: t.isApart(area)}
	if t.dataset.Base != nil && c.Group && code.Label != c.Label {
		c.OwnLabel = code.Label
	}
	return c
}
