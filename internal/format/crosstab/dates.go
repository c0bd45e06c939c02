package crosstab

import "almanac/internal/stat"

// dates collects what dates say of the frequency of a series: whether all are the first
// days of longer periods, or all the last ones.
type dates struct {
	first, last   map[stat.Frequency]bool
	count         int
	before, after stat.Period // the earliest and the latest
}

var longer = []stat.Frequency{stat.Annual, stat.Quarter, stat.Month}

func (d *dates) add(p stat.Period) {
	if d.count++; d.count == 1 {
		d.first, d.last = map[stat.Frequency]bool{}, map[stat.Frequency]bool{}
		for _, f := range longer {
			d.first[f], d.last[f] = true, true
		}
		d.before, d.after = p, p
	}
	if p.Compare(d.before) < 0 {
		d.before = p
	}
	if p.Compare(d.after) > 0 {
		d.after = p
	}
	for _, f := range longer {
		if p.Frequency() > f {
			whole := p.In(f)
			d.first[f] = d.first[f] && p.Start().Equal(whole.Start())
			d.last[f] = d.last[f] && p.End().Equal(whole.End())
		}
	}
}

// fits reports whether the dates stand for periods of a frequency.
func (d *dates) fits(f stat.Frequency) bool { return d.count > 0 && (d.first[f] || d.last[f]) }

// frequency returns the longest frequency that the dates stand for, 0 if none.
func (d *dates) frequency() stat.Frequency {
	for _, f := range longer {
		if d.before != d.after && d.fits(f) {
			return f
		}
	}
	return 0
}

// setFrequency decides what the period of an observation is by the frequency that the
// boxhead states for its column, else by what all dates of the table have in common.
func (r *reader) setFrequency(j int, o *stat.Observation) {
	stated, d := r.frequency(j), r.found.dates[r.values[j].time]
	isLonger := func(f stat.Frequency) bool { return f != 0 && f < o.Period.Frequency() && d.fits(f) }
	switch {
	case o.Period.Frequency() == stat.Day && stated == 0 && isLonger(d.frequency()):
		o.Period = o.Period.In(d.frequency())
	case isLonger(stated):
		o.Period = o.Period.In(stated)
	default:
		o.Frequency = stated
	}
}
