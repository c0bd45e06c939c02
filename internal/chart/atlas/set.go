package atlas

import (
	"cmp"
	"embed"
	"slices"
	"strings"
	"sync"

	"almanac/internal/chart/atlas/topology"
	"almanac/internal/chart/scene"
	"almanac/internal/geo"
)

// Set is a set of outlines that one map shows: the countries of the world, the states of a
// country, the regions of a level. A Set is never changed.
type Set struct {
	name   string
	prefix string // of the IDs of its areas; empty if they have none in common
	also   string // the ID of an area without the prefix; empty if there is none
	load   func() *regional
}

// regional is a set of outlines that is ready to be drawn.
type regional struct {
	outlines *outlines
	region   *region
	covered  []string // the countries on the map of the world of which the areas are parts
	isOther  bool     // the outlines have another source than those of the world
}

// Name identifies the outlines: a Set with other outlines has another name.
func (s *Set) Name() string { return s.name }

// Countries is the set of the countries of the world.
var Countries = &Set{name: "countries", load: sync.OnceValue(func() *regional {
	return &regional{outlines: theWorld(), region: theWholeWorld}
})}

// OutlineID returns the ID of the outline of an area that is given as in available_geo. The
// own code of a national office is that of a part of its country: census:01001 is US:01001.
func OutlineID(area string) string {
	if source, code, isOwn := strings.Cut(area, ":"); isOwn {
		if home, ok := geo.HomeOf(source); ok {
			return home.ID + ":" + code
		}
	}
	return area
}

// IDs returns the IDs of all outlines, in order.
func (s *Set) IDs() []string {
	var ids []string
	for _, a := range s.load().outlines.areas {
		ids = append(ids, a.id)
	}
	return ids
}

// Has reports whether the set has an outline with this ID.
func (s *Set) Has(id string) bool {
	if !strings.HasPrefix(id, s.prefix) && (id != s.also || id == "") {
		return false // without reading the outlines
	}
	_, ok := s.load().outlines.find(id)
	return ok
}

// IsOf reports whether the areas of the set are parts of one country, and this is it.
func (s *Set) IsOf(country string) bool {
	covered := s.load().covered
	return len(covered) == 1 && covered[0] == country
}

// In reports whether a region contains most countries of which the areas of the set are
// parts. A set of countries is in every region.
func (s *Set) In(r Region) bool {
	in := 0
	for _, country := range s.load().covered {
		if r.Has(country) {
			in++
		}
	}
	return 2*in >= len(s.load().covered)
}

//go:embed sets/*.bin
var packedSets embed.FS

// embedded are the sets of the program, the countries of the world first.
var embedded = []*Set{
	Countries,
	{name: "us", prefix: "US-", also: "PR", load: loader("us", "US", unitedStates)},
	{name: "us-counties", prefix: "US:", load: loader("us-counties", "US", unitedStates)},
	embeddedSet("AU"),
	embeddedSet("BR"),
	embeddedSet("CA"),
	embeddedSet("CH"),
	embeddedSet("CN"),
	embeddedSet("ID"),
	embeddedSet("IN"),
	embeddedSet("RU"),
	embeddedSet("ZA"),
}

// embeddedSet returns the set of the subdivisions of a country.
func embeddedSet(country string) *Set {
	name := strings.ToLower(country)
	return &Set{name: name, prefix: country + "-", load: loader(name, country, nil)}
}

// loader returns a function that reads an embedded set at its first call. r is its map, nil
// if it is made from the outlines.
func loader(name, country string, r *region) func() *regional {
	return sync.OnceValue(func() *regional {
		packed, err := packedSets.ReadFile("sets/" + name + ".bin")
		if err != nil {
			panic("atlas: " + err.Error())
		}
		set := &regional{outlines: unpack("sets/"+name+".bin", packed), region: r, covered: []string{country}}
		if r == nil {
			set.region = newFittedRegion(set.outlines)
			set.region.bare = isCloseUp(set.region.frame)
		}
		return set
	})
}

// NewSet returns a set of outlines with the given name. Their points have ranks.
func NewSet(name string, t *topology.Topology) *Set {
	o := &outlines{}
	for _, a := range t.Arcs {
		o.arcs = append(o.arcs, arc{places: a.Points, ranks: a.Ranks})
	}
	areas := slices.SortedFunc(slices.Values(t.Areas), func(a, b topology.Area) int { return cmp.Compare(a.ID, b.ID) })
	for i, a := range areas {
		into := area{id: a.ID}
		for _, p := range a.Polygons {
			into.polygons = append(into.polygons, p)
			for _, ring := range p {
				for _, ref := range ring {
					number := max(ref, ^ref)
					o.arcs[number].owners = append(o.arcs[number].owners, i)
				}
			}
		}
		o.areas = append(o.areas, into)
	}
	set := &regional{outlines: o, covered: o.covered(), isOther: true}
	set.region = newSetRegion(o, set.covered)
	return &Set{name: name, load: func() *regional { return set }}
}

// Atlas is a list of sets. The first is that of the countries of the world.
type Atlas struct{ sets []*Set }

// New returns the atlas of the embedded sets and others.
func New(others ...*Set) *Atlas { return &Atlas{sets: slices.Concat(embedded, others)} }

// Named returns the set with a name, nil if there is none.
func (a *Atlas) Named(name string) *Set {
	for _, s := range a.sets {
		if s.name == name {
			return s
		}
	}
	return nil
}

// Has reports whether any set has an outline with this ID.
func (a *Atlas) Has(id string) bool {
	return slices.ContainsFunc(a.sets, func(s *Set) bool { return s.Has(id) })
}

// Fitting returns the set that has the outlines of most of the areas, which are as in
// available_geo. Among equals it is the first: countries before their subdivisions, and
// embedded outlines before others.
func (a *Atlas) Fitting(areas []string) *Set {
	best, most := Countries, 0
	ids := make([]string, len(areas))
	for i, area := range areas {
		ids[i] = OutlineID(area)
	}
	for _, s := range a.sets {
		n := 0
		for _, id := range ids {
			if s.Has(id) {
				n++
			}
		}
		if n > most {
			best, most = s, n
		}
	}
	return best
}

// Frame is a part of the plane that the map of a set shows completely.
type Frame struct {
	Box  scene.Box // y upwards
	Bare bool      // only the areas of the set are known, neither neighbours nor the sea

	// Of a map of countries, see [CloseUp], or of a state: the middle of the projection in
	// degrees, and the countries that the map is about, separated by spaces.
	Lon, Lat float64
	Areas    string
	// Of lists the larger areas of which the map shows the parts, separated by blanks: DE FR
	// for regions of Germany and France. The other areas of the set are surroundings, or left
	// out if the set is an embedded one. It is empty if the map shows all.
	Of string
}

// Frame returns the part of the map of a set that shows the areas with the given IDs. For
// embedded sets, which are those of one country, it is the whole map, or one state if all areas
// are its counties.
func (s *Set) Frame(ids []string) Frame {
	set := s.load()
	if f, ok := set.partFrame(ids); ok {
		return f
	}
	f := Frame{Box: set.frame(ids)}
	f.Bare = set.region.bare || set.isOther && isCloseUp(f.Box)
	if set.isOther && f.Box != set.region.frame {
		var larger []string
		for _, id := range ids {
			larger = append(larger, LargerArea(id))
		}
		slices.Sort(larger)
		f.Of = strings.Join(slices.Compact(larger), " ")
	}
	return f
}

// has reports whether the map shows an area of the set, as more than surroundings.
func (f *Frame) has(id string) bool {
	return f.Of == "" || slices.Contains(strings.Fields(f.Of), LargerArea(id))
}

// closeUp is the size of a map on the plane below which outlines of two sources visibly do
// not fit together: 1200 km.
const closeUp = 1200 / earthRadius

func isCloseUp(box scene.Box) bool { return min(box.W, box.H) < closeUp }

func (set *regional) frame(ids []string) scene.Box {
	if !set.isOther {
		return set.region.frame
	}
	var areas []area
	for _, id := range ids {
		if i, ok := set.outlines.find(id); ok {
			areas = append(areas, *i)
		}
	}
	if areas == nil {
		return set.region.frame
	}
	whole := regionOf(Europe)
	if set.region.projection != whole.projection {
		return set.outlines.bounds(set.region.projection, areas)
	}
	var near []area // without French Guiana, an eighth of France, which would widen the frame to the west
	var boxes, nearBoxes []scene.Box
	for _, a := range areas {
		box := set.outlines.bounds(whole.projection, []area{a})
		boxes = append(boxes, box)
		if in := intersection(box, whole.frame); in.W*in.H > 0 {
			near, nearBoxes = append(near, a), append(nearBoxes, box)
		}
	}
	if near == nil {
		near, nearBoxes = areas, boxes
	}
	frame := grown(set.outlines.bounds(whole.projection, near), nearBoxes)
	switch in := intersection(frame, whole.frame); {
	case in.W*in.H > mostOfEurope*whole.frame.W*whole.frame.H:
		return whole.frame
	case in.W*in.H > 0:
		return in
	}
	return frame
}

// mostOfEurope is the share of the map of Europe from which on a map of its regions shows
// all of it, and the share of countries from which on they are regions of Europe.
const mostOfEurope = .5

// regionFor returns the map of a request.
func (a *Request) regionFor() *region {
	switch {
	case a.Set == Countries && a.Frame.Areas != "":
		return a.Frame.closeUp()
	case a.Set == Countries:
		return regionOf(a.Region)
	}
	if a.Frame.isPart(a.Set.load()) {
		return &region{projection: newAzimuthal(a.Frame.Lon, a.Frame.Lat), west: .5, frame: a.Frame.Box, bare: true}
	}
	r := *a.Set.load().region
	r.frame, r.bare = a.Frame.Box, a.Frame.Bare
	return &r
}

// LargerArea returns what an area is a part of, by its ID: the state of a county of the
// United States, the country of a NUTS region.
func LargerArea(id string) string {
	if country, code, isOwn := strings.Cut(id, ":"); isOwn {
		return country + code[:min(len(code), 2)]
	}
	return id[:min(len(id), 2)]
}

// hasLargerAreas reports whether the areas of a set are parts of several larger ones.
func (set *regional) hasLargerAreas() bool {
	o, count := set.outlines, map[string]int{}
	for i := range o.areas {
		count[LargerArea(o.areas[i].id)]++
	}
	larger := 0
	for _, parts := range count {
		if parts > 1 {
			larger++
		}
	}
	return larger > 1
}
