// Package maps lays out maps: countries in the colours of their values' classes, with
// legend, notes and numbers.
package maps

import (
	"math"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// choropleth is a map that is being laid out: countries in the colours of their values'
// classes.
type choropleth struct {
	*frame.Frame
	set            *atlas.Set              // the outlines
	region         atlas.Region            // of the countries of the world
	extent         atlas.Frame             // of other sets, and of few countries
	values         map[string]*scene.Datum // of the areas with a value and an outline
	members        map[string]*scene.Datum // of the countries that have the value of their group
	labels         []labelled              // the same areas, in the order of the source
	groups         []labelled              // groups of countries with a value
	eligible       []labelled              // groups that the legend may show
	withoutOutline []labelled              // the areas with a value but no outline
	unmatched      map[string]bool         // the larger areas of which these are parts, see hasOtherParts
	uncovered      map[string]bool         // as in Spec
	older          map[*scene.Datum]bool   // values of an earlier period than most
	second         []string                // labels of repeated areas
	format         scale.Numbers           // of all numbers except the edges in the legend

	aside       []string  // lines of the text on the left
	side        float64   // width of the column on the left, including the gap
	text        float64   // width that the text needs
	key         mapKey    // the legend; nil: none
	keyBox      scene.Box // position of the legend
	outsideOnly bool      // the legend has no space on the map
	notes       []string  // lines

	reduction  reduction     // what is left out to make the map larger
	room       float64       // height of the plot above legend and notes
	left       float64       // left end of legend and map
	box        scene.Box     // of the map
	base       *atlas.View   // without the caller's transform
	view       *atlas.View   // the visible view
	request    atlas.Request // of view
	land       *landGrid     // of view
	markers    []marker      // of small countries
	mapNumbers *numberLayout // the numbers on the map; nil without showValues
	classes    scale.Classes // without edges if no visible area has a value
	fills      []colour.RGB  // of the classes
	missing    bool          // a country of the region has no value
	hasOther   bool          // a country of the world is plain land
	marked     []labelled    // the groups that the legend shows
}

// labelled is an area with its name and value.
type labelled struct {
	area, label string
	short       string // name of a group in the legend; empty if it has no short name
	own         string // label of a group by which it is known, if label is another one
	value       float64
}

const (
	mapGap        = 12.0 // between a map and what is next to or below it
	maxNotesShare = .2   // largest fraction of the plot's height
)

// Layout lays out a map from the outside in: the text next to it, its legend and
// notes, and the countries in the remaining space.
func Layout(f *frame.Frame) {
	c := newChoropleth(f)
	c.drawLand()
	c.drawMarkers()
	if c.mapNumbers != nil {
		c.mapNumbers.draw()
	}
	if c.key != nil {
		c.key.draw()
	}
	c.drawAside()
	c.drawNotes()
	f.JoinNotes()
	f.Scene.Coarser = c.coarser
}

// newChoropleth lays out the map and finds what is visible.
func newChoropleth(f *frame.Frame) *choropleth {
	n := len(f.Spec.Categories)
	c := &choropleth{Frame: f, set: f.Spec.Set(), values: make(map[string]*scene.Datum, n), members: map[string]*scene.Datum{}, unmatched: map[string]bool{}, older: map[*scene.Datum]bool{}}
	c.sort()
	c.placeAside()
	c.text = c.side
	c.layOut()
	for c.isCramped() && c.reduce() {
		c.layOut()
	}
	if c.mapNumbers == nil {
		c.placeMarkers()
	}
	return c
}

// layOut positions legend, map and notes.
func (c *choropleth) layOut() {
	c.side, c.key = c.text, nil
	c.chooseKey()
	c.fitMap()
	switch column, ok := c.key.(*keyColumn); {
	case ok && column.inside && c.outsideOnly:
		c.layOut()
	case ok && !column.inside && column.narrow():
		c.fitMap()
	}
}

// sort finds which categories are drawn, and in which region.
func (c *choropleth) sort() {
	isOlder, _ := c.Spec.OlderAreas()
	common := observationOf(c.Spec.Period)
	data := make([]scene.Datum, len(c.Spec.Categories))
	for i := range c.Spec.Categories {
		if data[i] = common; c.Spec.Categories[i].Period != "" {
			data[i] = observationOf(c.Spec.Categories[i].Period)
		}
		c.add(i, &data[i], isOlder[i])
	}
	areas := make([]string, len(c.labels))
	for i, it := range c.labels {
		areas[i] = it.area
	}
	c.uncovered = map[string]bool{}
	for _, id := range c.Spec.Uncovered {
		c.uncovered[id] = true
	}
	c.eligible = c.withinCountries(eligible(c.groups))
	c.format = c.numbers()
	c.region = c.Spec.Region
	switch {
	case c.set != atlas.Countries:
		c.extent = c.set.Frame(areas)
	case c.region == atlas.World:
		c.region = atlas.Fitting(areas)
		c.extent, _ = atlas.CloseUp(areas)
	}
}

// add adds a category that has a value to the areas that are drawn, or to the others. d has its
// period.
func (c *choropleth) add(i int, d *scene.Datum, isOlder bool) {
	v, ok := c.valueAt(i)
	if !ok {
		return
	}
	cat := &c.Spec.Categories[i]
	id := atlas.OutlineID(cat.Area)
	it := labelled{area: id, label: cat.Label, value: v}
	_, twice := c.values[id]
	switch {
	case cat.Group && !c.set.Has(id): // not a country whose regions have no outlines
		it.short, it.own = cat.LegendName(), cat.OwnLabel
		c.groups = append(c.groups, it)
		c.addMembers(cat, d, v)
	case !c.set.Has(id):
		c.withoutOutline = append(c.withoutOutline, it)
		c.unmatched[atlas.LargerArea(id)] = true
	case twice:
		c.second = append(c.second, cat.Label)
	default:
		d.Name, d.Area, d.Value, d.Flags = font.Clean(cat.Label), cat.Area, v, string(c.Spec.Series[0].Flag(i))
		if c.values[id] = d; isOlder {
			c.older[d] = true
		}
		c.labels = append(c.labels, it)
	}
}

// observationOf returns an observation of a period, of none if the text is none.
func observationOf(period string) scene.Datum {
	p, _ := stat.ParsePeriod(period)
	return scene.Datum{PeriodCode: p.SDMX(), Period: p.String()}
}

// isPlainLand reports whether a shape without a value is land that the map says nothing about.
func (c *choropleth) isPlainLand(s *atlas.Shape) bool {
	return s.Around || c.hasOtherParts(s) || c.uncovered[s.Area]
}

// hasOtherParts reports whether the data have values for parts of the same larger area that
// have no outline: the regions of France before 2016 on a map of those after. "No data"
// would be wrong for those, and for all if some areas are not known.
func (c *choropleth) hasOtherParts(s *atlas.Shape) bool {
	return c.set != atlas.Countries && (c.Spec.HasUnknownAreas || c.unmatched[atlas.LargerArea(s.Area)])
}

// isWorld reports whether the map shows the whole world.
func (c *choropleth) isWorld() bool {
	return c.set == atlas.Countries && c.region == atlas.World && !c.isFramed()
}

// isFramed reports whether the map shows a frame of its own, not a region or the world.
func (c *choropleth) isFramed() bool { return c.extent.Box.W > 0 }

// valueAt returns the number of a category, if it has one.
func (c *choropleth) valueAt(i int) (v float64, ok bool) {
	if len(c.Spec.Series) == 0 || i >= len(c.Spec.Series[0].Values) {
		return 0, false
	}
	v = c.Spec.Series[0].Values[i]
	return v, !math.IsNaN(v) && !math.IsInf(v, 0)
}

// chooseKey chooses the form of the legend. A region is about as high as it is wide, so in
// a wide picture a column on the left costs no space. The world is as wide as most
// pictures and has its legend below.
func (c *choropleth) chooseKey() {
	if !c.Spec.ShowLegend || c.reduction >= noKey {
		return
	}
	beside := c.Plot.W > 1.4*c.Plot.H && (!c.isWorld() || c.side > 0) || c.reduction >= fewEdges
	if column := newKeyColumn(c); beside && column.fitsHeight() {
		c.key = column
		if column.inside = c.mayBeInside(); !column.inside {
			c.side = max(c.side, column.width+mapGap)
		}
		return
	}
	row := newKeyRow(c)
	if row.height() > c.Plot.H*.6 {
		c.eligible = nil // the notes name them
	}
	if row.height()+mapGap <= c.Plot.H {
		c.key = row
	}
}

// fitMap finds the map's box and thereby what is visible. The number of notes depends on
// what is visible, which depends on the space that the notes leave. If notes need more
// lines than are reserved, the map is made smaller again. A caller's transform is applied
// afterwards, so that it moves the original map; its notes use the remaining space.
func (c *choropleth) fitMap() {
	height := c.Plot.H * maxNotesShare
	if c.key != nil {
		height = min(height, c.Plot.H-c.key.height()-mapGap)
	}
	room := max(int(height/(frame.SmallSize*frame.Leading)), 0)
	for kept, round := c.notesWithoutNumbers(room), 0; ; round++ {
		c.place(kept)
		c.arrange()
		c.notes = c.WrapNotes(c.mapNotes(), room)
		if len(c.notes) > kept && round == 3 {
			c.notes = c.WrapNotes(c.mapNotes(), kept)
		}
		if len(c.notes) <= kept {
			break
		}
		kept = len(c.notes)
	}
	if c.moved() {
		c.transform(room)
	}
}

// transform moves and enlarges the map by the caller's options. Notes list what is no
// longer visible. If they do not fit, the lower end of the map is cut off.
func (c *choropleth) transform(room int) {
	c.view = c.layoutView(c.Spec.Transform, 0)
	c.arrange()
	free := c.Plot.Y + c.Plot.H - max(c.box.Y+c.box.H, c.keyBox.Y+c.keyBox.H)
	lines := max(len(c.notes), int((free-notesAbove)/(frame.SmallSize*frame.Leading)))
	notes := c.WrapNotes(c.mapNotes(), max(lines, room))
	if lack := c.notesHeight(len(notes)) - free; len(notes) > lines && lack < .5*c.box.H {
		lines = len(notes)
		c.view = c.layoutView(c.Spec.Transform, lack)
		c.box.H -= lack
		c.room -= lack
		if c.key != nil {
			c.keyBox = c.key.place()
		}
		c.arrange()
	}
	c.notes = c.WrapNotes(c.mapNotes(), lines)
}

// notesWithoutNumbers returns the number of lines of notes before the numbers on the
// map are placed. Placing numbers takes by far the longest, and this saves placing
// numbers that would be dropped again.
func (c *choropleth) notesWithoutNumbers(room int) int {
	if !c.Spec.ShowValues {
		return 0
	}
	c.place(0)
	c.classify()
	lines := len(c.WrapNotes(c.mapNotes(), room))
	if c.isWorld() && len(c.values) > maxWorldNumbers && lines < room && c.reduction < noLeft {
		lines++ // a note will name those that do not fit
	}
	return lines
}

// maxWorldNumbers is the number of countries whose numbers never all fit on a map of the
// world.
const maxWorldNumbers = 100

// moved reports whether the caller's transform changes anything.
func (c *choropleth) moved() bool {
	t := c.Spec.Transform
	return t.X != 0 || t.Y != 0 || t.Scale != 0 && t.Scale != 1
}

// arrange finds classes and numbers for the visible part.
func (c *choropleth) arrange() {
	if c.key != nil {
		c.keyBox = c.key.place()
	}
	c.classify()
	c.settleKey()
	c.land, c.mapNumbers = nil, nil
	if c.Spec.ShowValues {
		c.placeMarkers()
		c.mapNumbers = c.placeNumbers()
		if len(c.mapNumbers.left) > 0 && c.Scene.Height <= frame.SmallPicture {
			c.mapNumbers = nil // there is no space for a note that states the missing ones
		}
	}
}

// visibleLand returns the grid of the visible land.
func (c *choropleth) visibleLand() *landGrid {
	if c.land == nil {
		c.land = newLandGrid(c.view, c.box)
	}
	return c.land
}

// numbers returns the number format of the map and its legend.
func (c *choropleth) numbers() scale.Numbers {
	values := make([]float64, 0, len(c.labels)+len(c.eligible))
	for _, it := range slices.Concat(c.labels, c.eligible) {
		values = append(values, it.value)
	}
	return scale.NumbersFor(values, c.Spec.NumberUnit())
}

// classify finds the classes of the region's values, as many as suit the map's size and
// fit into the legend. A transform does not change them, unless it makes more countries
// visible.
func (c *choropleth) classify() {
	c.classes, c.fills, c.missing, c.hasOther, c.marked = scale.Classes{}, nil, false, false, nil
	values := make([]float64, 0, len(c.values))
	seen := map[*scene.Datum]bool{} // in another view, or of another member
	for _, view := range slices.Compact([]*atlas.View{c.base, c.view}) {
		for i := range view.Shapes {
			s := &view.Shapes[i]
			if d := c.ownOrShared(s); d != nil {
				if !seen[d] {
					values = append(values, d.Value)
				}
				seen[d] = true
			} else if view == c.view && c.shade(s) == nil {
				isLand := c.isPlainLand(s)
				c.missing = c.missing || !isLand
				c.hasOther = c.hasOther || isLand && c.isWorld()
			}
		}
	}
	if len(values) == 0 {
		return
	}
	slices.Sort(values)
	for n := c.maxClasses(); n >= 2; n-- {
		c.classes = scale.ClassesFor(values, n, c.Spec.NumberUnit())
		if c.areDistinct() && (c.key == nil || c.key.fits()) {
			break
		}
	}
	c.fills = c.classColours()
	if c.key != nil {
		c.marked = c.markable()
	}
}

// valueOf returns the value of a country of the region, or nil. Those of surrounding countries
// would widen the range of the classes and distract.
func (c *choropleth) valueOf(s *atlas.Shape) *scene.Datum {
	if s.Around {
		return nil
	}
	return c.values[s.Area]
}

// maxClasses returns the number of colours that can be told apart at the map's size.
func (c *choropleth) maxClasses() int {
	switch size := c.box.W * c.box.H; {
	case size > 60_000:
		return 7
	case size > 20_000:
		return 5
	default:
		return 4
	}
}

// class returns the class of a visible value.
func (c *choropleth) class(v float64) int {
	return min(max(c.classes.Index(v), 0), len(c.fills)-1)
}
