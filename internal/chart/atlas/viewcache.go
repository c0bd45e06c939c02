package atlas

import (
	"container/list"
	"math"
	"sync"

	"almanac/internal/chart/scene"
)

// The cache is limited to 32 views or 25 MB, and to about 6 MB of path data that SVG files have
// in common.
const (
	maxViews  = 32
	maxPoints = 1_500_000 // of 17 bytes, over all views
)

// views caches the views that were requested last.
var views = viewCache{byRequest: map[Request]*list.Element{}}

// viewCache caches views, the most recently used first.
type viewCache struct {
	mu        sync.Mutex
	order     list.List // of *cachedView
	byRequest map[Request]*list.Element
	points    int
}

// cachedView is a view in the cache, or one that is being laid out.
type cachedView struct {
	request Request
	once    sync.Once
	view    *View
	points  int // 0 until it is laid out
}

// view returns the view of a normalized Request. Concurrent callers with the same request
// wait for one of them to lay it out.
func (s *viewCache) view(a Request) *View {
	s.mu.Lock()
	e, ok := s.byRequest[a]
	if ok {
		s.order.MoveToFront(e)
	} else {
		e = s.order.PushFront(&cachedView{request: a})
		s.byRequest[a] = e
	}
	k := e.Value.(*cachedView)
	s.mu.Unlock()
	k.once.Do(func() {
		k.view = layout(a)
		s.count(k)
	})
	return k.view
}

// count adds the points of a new view, and drops the least recently used views if there
// are too many.
func (s *viewCache) count(k *cachedView) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byRequest[k.request] == nil {
		return // dropped while it was being laid out
	}
	k.points = k.view.size()
	s.points += k.points
	for s.order.Len() > 1 && (s.points > maxPoints || s.order.Len() > maxViews) {
		last := s.order.Remove(s.order.Back()).(*cachedView)
		delete(s.byRequest, last.request)
		s.points -= last.points
	}
}

// size returns the number of points in a view.
func (v *View) size() int {
	n := len(v.Borders.Points) + len(v.Disputed.Points) + len(v.Coasts.Points)
	for _, s := range v.Shapes {
		n += len(s.Outline.Points)
	}
	return n
}

// Bounds of a Request, far beyond what any picture needs. Within them no calculation
// overflows.
const (
	maxCoordinate = 1e6 // units
	minScale      = 1e-3
	maxScale      = 1e3
	minPixels     = 1e-2 // per unit
	maxPixels     = 1e2
)

// normalized replaces all unusable values, so that requests with the same meaning are
// equal.
func (a Request) normalized() Request {
	if a.Set == nil {
		a.Set = Countries
	}
	isFrame := a.Frame.Box.W > 0 && a.Frame.Box.H > 0
	switch whole := a.Set.load().region.frame; {
	case a.Set == Countries && isFrame && a.Frame.Areas != "":
		a.Region = World
	case a.Set == Countries:
		a.Region, a.Frame = regionOf(a.Region).name, Frame{}
	case !isFrame:
		a.Region, a.Frame.Box = World, whole
	default:
		a.Region = World
	}
	a.Box.X, a.Box.Y = bounded(a.Box.X, -maxCoordinate, maxCoordinate, 0), bounded(a.Box.Y, -maxCoordinate, maxCoordinate, 0)
	a.Box.W, a.Box.H = bounded(a.Box.W, 0, maxCoordinate, 0), bounded(a.Box.H, 0, maxCoordinate, 0)
	if a.Box.W == 0 || a.Box.H == 0 {
		a.Box = scene.Box{}
	}
	a.Low = bounded(a.Low, 0, a.Box.H, 0)
	a.X, a.Y = bounded(a.X, -maxCoordinate, maxCoordinate, 0), bounded(a.Y, -maxCoordinate, maxCoordinate, 0)
	if a.Scale == 0 {
		a.Scale = 1
	}
	a.Scale = bounded(a.Scale, minScale, maxScale, 1)
	a.Pixels = bounded(a.Pixels, minPixels, maxPixels, 1)
	return a
}

// bounded limits v to the range from least to most. It returns other if v is NaN.
func bounded(v, least, most, other float64) float64 {
	if math.IsNaN(v) {
		return other
	}
	return min(max(v, least), most) + 0 // +0 turns -0 into 0
}
