package render

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"almanac/internal/chart/scene"
)

// Limits bound an SVG document.
type Limits struct {
	// Bytes is the size from which outlines have less detail and lines fewer points, up to
	// where the difference would be visible. In a packed document, it does not count fonts.
	Bytes int
	// Values is the number of values from which lines in the background have none.
	Values int
	// NoTitles says that marks have no titles: their names, values and periods are in
	// attributes. NoCodes leaves out the codes of areas.
	NoTitles, NoCodes bool
	// Packed says that long lists of values and periods are in a shorter form, and that lines
	// in the background have no names and values if the document would be too large.
	Packed bool
	// NoValues leaves out the values behind lines, and their periods and names.
	NoValues bool
}

// attempt says how a document is written that should be within limits.
type attempt struct {
	Limits
	noNames  bool                  // the data-name of an area is its code, and there is no other name
	isCoarse bool                  // outlines of areas have one decimal less
	isMerged bool                  // lines in the background are one path, without names and values
	isLast   bool                  // the document is finished however large it is
	lists    map[any][]byte        // see once
	weights  map[stretch][]float64 // see weightsOf
	space    []byte                // of the document before, which was too large
}

// SmallSVG writes a scene as SVG within limits.
func SmallSVG(w io.Writer, s *scene.Scene, limits Limits) error {
	var d *svg
	var err error
	switch size := guessedSize(s); {
	case s.Coarser == nil:
		d, err = thinnedSVG(s, limits)
	case size > limits.Bytes*3/2:
		d, err = coarseSVG(s, size, limits)
	default:
		if d, err = newSVG(s, firstTolerance, attempt{Limits: limits, isLast: true}); err == nil && d.size() > limits.Bytes {
			d, err = coarseSVG(s, d.size(), limits)
		}
	}
	if err == nil {
		_, err = w.Write(d.out.Bytes())
	}
	if err != nil {
		return fmt.Errorf("write SVG: %w", err)
	}
	return nil
}

// Distances in pixels by which lines may be off.
const (
	firstTolerance = .1
	fine           = .4 // not visible
	lastTolerance  = 3.0
)

// thinnedSVG returns the document of a scene whose lines have fewer and fewer points, and at last
// no values in the background, until it is within limits.
func thinnedSVG(s *scene.Scene, limits Limits) (*svg, error) {
	a := attempt{Limits: limits, lists: map[any][]byte{}, weights: map[stretch][]float64{}}
	tolerance := firstTolerance
	if a.isMerged = limits.Packed && leastBackground(s) > limits.Bytes; a.isMerged {
		tolerance = fine
	}
	for {
		a.isLast = tolerance >= lastTolerance
		d, err := newSVG(s, tolerance, a)
		a.space = d.out.Bytes()
		switch {
		case err != nil || a.isLast || !d.isTooLarge():
			return d, err
		case limits.Packed && tolerance < fine:
			tolerance = fine
		case limits.Packed && !a.isMerged && slices.ContainsFunc(s.Marks, isMerged):
			a.isMerged = true
		default:
			tolerance *= 2
		}
	}
}

// isTooLarge reports whether there will be another attempt, because the document is larger than
// its limit.
func (d *svg) isTooLarge() bool { return !d.isLast && d.size() > d.Bytes }

// size returns the size of the document, in a page without its fonts: they leave no less to the
// marks.
func (d *svg) size() int { return d.out.Len() - d.fonts }

// leastBackground returns how large the lines in the background are at least, with their values.
func leastBackground(s *scene.Scene) int {
	const perLine, perValue = 150, 2
	size, seen := 0, map[*scene.Values]bool{}
	for _, m := range s.Marks {
		if t := m.Tags(); t.Role == scene.Context && t.Values != nil && !seen[t.Values] {
			seen[t.Values] = true
			size += perLine + perValue*len(t.Values.Values)
		}
	}
	return size
}

// perMark is about how many bytes a mark takes without its outline.
const perMark = 50

// guessedSize returns about how large the document of a map is, with coarse steps.
func guessedSize(s *scene.Scene) int {
	const perPoint = 3
	size := perMark * len(s.Marks)
	for _, m := range s.Marks {
		if p, ok := m.(*scene.Path); ok && p.Outline != nil {
			size += perPoint * len(p.Outline.Points)
		}
	}
	return size
}

// coarseSVG returns the document of a scene with outlines that has about the given size and is
// too large. Details are steps of a ladder, so that maps of one frame share their outlines.
func coarseSVG(s *scene.Scene, size int, limits Limits) (d *svg, err error) {
	const (
		step        = .85
		leastDetail = .1
		maxCoarse   = .5  // below this, what is left out is larger than a step of one decimal less
		tolerance   = .15 // pixels
	)
	limits.NoTitles = true
	a := attempt{Limits: limits, isLast: true, noNames: !limits.NoCodes && countAreas(s) > maxNamed}
	a.space = make([]byte, 0, min(size, 4*limits.Bytes))
	rest := float64(perMark * len(s.Marks)) // what detail does not change
	for detail := 1.0; ; {
		share := max(float64(limits.Bytes)-rest, 0) / max(float64(size)-rest, 1)
		for wanted := detail * math.Pow(min(share, step), .8); detail > max(wanted, leastDetail); {
			detail *= step
		}
		a.isCoarse = detail < maxCoarse
		coarse := withDetail(s, detail)
		if limits.Packed {
			sortAreas(coarse.Marks)
		}
		d, err = newSVG(coarse, tolerance, a)
		if err != nil || d.size() <= limits.Bytes || detail <= leastDetail {
			return d, err
		}
		size, a.space = d.size(), d.out.Bytes()
	}
}

// withDetail returns a scene whose outlines have a share of their detail. The longest border is
// drawn as strokes of the areas, instead of a path of its own with the same points; coasts are
// drawn above these strokes.
func withDetail(s *scene.Scene, detail float64) *scene.Scene {
	outlines := s.Coarser(detail)
	outlineOf := func(p *scene.Path) *scene.Outline { return cmp.Or(outlines[p.Outline], p.Outline) }
	var longest *scene.Path
	for _, m := range s.Marks {
		if p, ok := m.(*scene.Path); ok && p.Role == scene.Border && (longest == nil || len(outlineOf(p).Points) > len(outlineOf(longest).Points)) {
			longest = p
		}
	}
	coarse := *s
	coarse.Marks = make([]scene.Mark, 0, len(s.Marks))
	paths := make([]scene.Path, len(s.Marks))
	for i, m := range s.Marks {
		p, ok := m.(*scene.Path)
		if ok && p == longest {
			continue
		}
		if ok {
			paths[i] = scene.Path{Tag: p.Tag, Outline: outlineOf(p), Fill: p.Fill, Pen: p.Pen}
			if _, isArea := areaOf(p); isArea && longest != nil {
				paths[i].Pen = longest.Pen
			}
			m = &paths[i]
		}
		coarse.Marks = append(coarse.Marks, m)
	}
	return &coarse
}

// maxNamed is the number of areas up to which a document that would be too large has their
// names. The names of three thousand counties are a quarter of it.
const maxNamed = 1000

func countAreas(s *scene.Scene) int {
	n := 0
	for _, m := range s.Marks {
		if _, isText := m.(*scene.Text); !isText && m.Tags().Datum != nil {
			n++
		}
	}
	return n
}

// sortAreas puts areas with the same colours next to one another, so that they can be a group.
func sortAreas(marks []scene.Mark) {
	for start := 0; start < len(marks); start++ {
		var all [][]scene.Mark // by look
		var last areaLook
		at, end, i := map[areaLook]int{}, start, 0
		for ; end < len(marks); end++ {
			area, ok := areaOf(marks[end])
			if !ok {
				break
			}
			if look := area.look(); all == nil || look != last {
				var known bool
				if i, known = at[look]; !known {
					i = len(all)
					at[look], all = i, append(all, nil)
				}
				last = look
			}
			all[i] = append(all[i], marks[end])
		}
		copy(marks[start:end], slices.Concat(all...))
		start = end
	}
}
