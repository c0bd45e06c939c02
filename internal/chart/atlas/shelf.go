package atlas

import (
	"container/list"
	"math"
	"sync"

	"almanac/internal/chart/scene"
)

// How much is kept: 32 views or 25 MB.
const (
	maxViews  = 32
	maxPoints = 1_500_000 // of 17 bytes, in all views together
)

// views are the views that were asked for last.
var views = shelf{byAsk: map[Ask]*list.Element{}}

// shelf keeps views, those that were asked for last in front.
type shelf struct {
	mu     sync.Mutex
	order  list.List // of *kept
	byAsk  map[Ask]*list.Element
	points int
}

// kept is a view on the shelf, or one that is being made.
type kept struct {
	ask    Ask
	made   sync.Once
	view   *View
	points int // 0 until it is made
}

// view returns the view of a sound Ask. Callers that ask for the same one at
// the same time wait for one of them to make it.
func (s *shelf) view(a Ask) *View {
	s.mu.Lock()
	e, ok := s.byAsk[a]
	if ok {
		s.order.MoveToFront(e)
	} else {
		e = s.order.PushFront(&kept{ask: a})
		s.byAsk[a] = e
	}
	k := e.Value.(*kept)
	s.mu.Unlock()
	k.made.Do(func() {
		k.view = lay(a)
		s.weigh(k)
	})
	return k.view
}

// weigh counts a view that was just made, and drops those that were not asked
// for the longest.
func (s *shelf) weigh(k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byAsk[k.ask] == nil {
		return // dropped while it was made
	}
	k.points = k.view.size()
	s.points += k.points
	for s.order.Len() > 1 && (s.points > maxPoints || s.order.Len() > maxViews) {
		last := s.order.Remove(s.order.Back()).(*kept)
		delete(s.byAsk, last.ask)
		s.points -= last.points
	}
}

// size is how many points a view has.
func (v *View) size() int {
	n := len(v.Borders.Points) + len(v.Disputed.Points) + len(v.Coasts.Points)
	for _, s := range v.Shapes {
		n += len(s.Outline.Points)
	}
	return n
}

// Bounds of an Ask, far beyond what any picture needs, within which no
// calculation overflows.
const (
	farthest    = 1e6 // units
	leastScale  = 1e-3
	mostScale   = 1e3
	leastPixels = 1e-2 // a unit
	mostPixels  = 1e2
)

// sound returns the Ask with all that makes no sense replaced, so that two that
// mean the same are equal.
func (a Ask) sound() Ask {
	a.Region = regionOf(a.Region).name
	a.Box.X, a.Box.Y = bounded(a.Box.X, -farthest, farthest, 0), bounded(a.Box.Y, -farthest, farthest, 0)
	a.Box.W, a.Box.H = bounded(a.Box.W, 0, farthest, 0), bounded(a.Box.H, 0, farthest, 0)
	if a.Box.W == 0 || a.Box.H == 0 {
		a.Box = scene.Box{}
	}
	a.Low = bounded(a.Low, 0, a.Box.H, 0)
	a.X, a.Y = bounded(a.X, -farthest, farthest, 0), bounded(a.Y, -farthest, farthest, 0)
	if a.Scale == 0 {
		a.Scale = 1
	}
	a.Scale = bounded(a.Scale, leastScale, mostScale, 1)
	a.Pixels = bounded(a.Pixels, leastPixels, mostPixels, 1)
	return a
}

// bounded is v between least and most, or other if it is no number.
func bounded(v, least, most, other float64) float64 {
	if math.IsNaN(v) {
		return other
	}
	return min(max(v, least), most) + 0 // +0: there is one zero
}
