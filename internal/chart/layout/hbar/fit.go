package hbar

import (
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
)

// makeReadable makes values fit if there is no space for an axis: the remaining rows may
// have short names, or else names are above their bars.
func (r *rows) makeReadable() {
	kept, few := *r.t, *r
	few.t = &kept
	if n := r.fitting(); n < len(kept.Groups) {
		kept.Keep(n)
	}
	r.namesAbove = !few.canWrite()
	r.showsValues = !r.namesAbove || r.hasWidth()
	kept = *r.t
	cost := r.NoteHeight(kept.Keep(1))
	if !r.showsValues || r.least() > r.Plot.H-cost {
		r.showsValues, r.namesAbove = false, false
	}
}

// fitting returns how many rows fit, counting a note on the others.
func (r *rows) fitting() int {
	t := r.t
	all := len(t.Groups)
	if all == 1 || float64(all)+bartable.GapRows*float64(t.Gaps()) <= r.Plot.H/r.least() {
		return all
	}
	if comfortable := int(r.Plot.H / comfortableRow); r.Scene.Height > frame.SmallPicture && comfortable > 0 {
		all = min(all, comfortable+1)
	}
	gaps := float64(t.Gaps())
	if t.Low < 0 {
		gaps += 2 // between the largest and the smallest
	}
	fits := func(n int) bool {
		kept := *t
		return float64(n) <= (r.Plot.H-r.NoteHeight(kept.Keep(n)))/r.least()-bartable.GapRows*gaps
	}
	room := all - 1
	for room > 1 && !fits(room) {
		room = max(1, min(room-1, int(r.Plot.H/r.least())))
	}
	return room
}
