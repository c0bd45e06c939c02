package scale

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Extent describes what the number axis of a line chart must show.
type Extent struct {
	Low, High float64 // lowest and highest value, as for Nice
	Places    int     // most decimals of a value (see Places); no tick has more
	Most      int     // most ticks; at least 3
	Unit      Unit    // as for Nice
}

// Axis is the number axis of a line chart.
type Axis struct {
	Ticks
	// Low and High are the ends of the axis: the outermost ticks or, if that would
	// leave too much of the axis empty, the value beyond the last tick.
	Low, High float64
	// Plain holds the labels divided by a common factor. The factor is Factor
	// ("Million", "€ billion") or ten to the Power; both are empty if there is none.
	Plain  []string
	Factor string
	Power  int
}

// How an axis fits around its values, as fractions of its length.
const (
	alwaysZero   = .25 // include zero if the lowest value is at most this fraction of the highest
	cheapZero    = .3  // the same, if including zero lengthens the axis by no more than maxZeroCost
	maxZeroCost  = .2
	maxOvershoot = .12 // if a tick lies farther than this beyond the values, the axis may end at the value instead
	maxEmpty     = .3  // longest empty part at either end, if possible
	equalStep    = .1  // step around values that are all equal, as a fraction of their size
)

// Axis chooses the ticks: multiples of 1, 2, 2.5 or 5 times a power of ten, with no
// more decimals than the values. Zero is included if the values come near it.
func (x Extent) Axis() Axis {
	low, high := finite(min(x.Low, x.High)), finite(max(x.Low, x.High))
	x.Low, x.High, x.Most, x.Places = low, high, max(x.Most, 3), max(x.Places, 0)
	if size := max(math.Abs(low), math.Abs(high)); high/2-low/2 <= size*1e-12 {
		return x.equalAxis(low)
	}
	for _, rule := range []struct {
		minTicks int64
		maxEmpty float64
	}{{3, maxEmpty}, {3, .4}, {2, .4}, {2, 1}} {
		if r, ok := x.finest(rule.minTicks, rule.maxEmpty); ok {
			return x.axis(r)
		}
	}
	// Among the largest floats there is no tick beyond the values.
	t := Nice(low, high, x.Most, false, x.Unit)
	return Axis{Ticks: t, Low: t.Values[0], High: t.Values[len(t.Values)-1], Plain: t.Labels}
}

// tickRange is the ticks from first to last times a step, and the ends of the axis.
type tickRange struct {
	step
	first, last int64
	low, high   float64
}

func (r tickRange) count() int64 { return r.last - r.first + 1 }

// finest returns the ticks of the smallest step that gives at least that many ticks, not
// too many, and leaves at most the given fraction of the axis empty at either end.
func (x Extent) finest(least int64, maxEmpty float64) (tickRange, bool) {
	fits := func(s step) (tickRange, bool) {
		if s.times(1) == 0 || -s.e > x.Places || x.High/2-x.Low/2 > s.times(1)*1e6 {
			return tickRange{}, false
		}
		r := x.rangeOf(s, least)
		if !s.endsApart(r.first, r.last) {
			return tickRange{}, false
		}
		// Use halves: the difference of the largest floats overflows.
		length := r.high/2 - r.low/2
		below, above := (x.Low/2-r.low/2)/length, (r.high/2-x.High/2)/length
		return r, r.count() >= least && r.count() <= int64(x.Most) && below <= maxEmpty && above <= maxEmpty
	}
	first := max(smallest, decimalOf(x.High/2-x.Low/2).exponent()-2)
	// Steps much larger than the values leave most of the axis empty.
	last := min(max(decimalOf(max(-x.Low, x.High)).exponent()+2, 1), 308)
	for e := first; e <= last; e++ {
		all := steps(e)
		for i, s := range all {
			r, ok := fits(s)
			if !ok {
				continue
			}
			if i == 2 { // prefer 5, which is rounder than 2.5, if it gives enough ticks
				enough := int64(4)
				if e == 0 {
					enough = 3 // 5 also saves the decimals
				}
				if five, ok := fits(all[3]); ok && five.count() >= enough {
					return five, true
				}
			}
			return r, true
		}
	}
	return tickRange{}, false
}

// rangeOf returns the ticks at multiples of a step that cover the values.
func (x Extent) rangeOf(s step, least int64) tickRange {
	r := tickRange{step: s}
	r.first, r.last = s.around(x.Low, x.High)
	switch {
	case x.Low > 0 && nearsZero(x.Low, x.High, s.times(r.first)):
		r.first = 0
	case x.High < 0 && nearsZero(-x.High, -x.Low, -s.times(r.last)):
		r.last = 0
	}
	r.low, r.high = s.times(r.first), s.times(r.last)
	// Drop an end tick if it leaves much of the axis empty, or if it is one too many
	// and at least a third of a step from the value. On the side of zero, drop it only
	// if the value barely passes the next tick. Use halves, as above.
	isNeedless := func(empty float64, outer bool) bool {
		longest, step := maxOvershoot*(r.high/2-r.low/2), s.times(1)/2
		if !outer && empty < step*.75 || r.count() <= least {
			return false
		}
		return empty > longest || r.count() > int64(x.Most) && empty > step/3
	}
	if r.last != 0 && isNeedless(r.high/2-x.High/2, r.last > 0) {
		r.last, r.high = r.last-1, x.High
	}
	if r.first != 0 && isNeedless(x.Low/2-r.low/2, r.first < 0) {
		r.first, r.low = r.first+1, x.Low
	}
	return r
}

// nearsZero reports whether the axis should begin at zero rather than at a tick. Line
// charts need no zero, and if the values are far from it, a third of the picture would
// be empty.
func nearsZero(low, high, tick float64) bool {
	return low <= alwaysZero*high || low <= cheapZero*high && tick <= maxZeroCost*high
}

// equalAxis returns the axis of values that are all equal: two or three ticks around the
// value, about a tenth of the value apart.
func (x Extent) equalAxis(v float64) Axis {
	if v == 0 {
		return x.axis(tickRange{step: step{1, 0}, last: 1, high: 1})
	}
	least := math.Abs(v) * equalStep * (1 - 1e-9)
	for e := max(smallest, decimalOf(max(least, math.SmallestNonzeroFloat64)).exponent()-1); ; e++ {
		for _, s := range steps(e) {
			if s.times(1) == 0 || s.times(1) < least || -s.e > x.Places {
				continue
			}
			r := tickRange{step: s}
			r.first, r.last = s.around(v, v)
			switch {
			case r.first == r.last:
				r.first, r.last = r.first-1, r.last+1
			case v-s.times(r.first) < s.times(r.last)-v || math.IsInf(s.times(r.last+1), 0):
				r.first--
			default:
				r.last++
			}
			r.low, r.high = s.times(r.first), s.times(r.last)
			return x.axis(r)
		}
	}
}

// axis returns the axis with the given ticks and their labels.
func (x Extent) axis(r tickRange) Axis {
	a := Axis{Low: finite(r.low), High: finite(r.high)}
	for k := r.first; k <= r.last; k++ {
		if v := min(max(r.times(k), -math.MaxFloat64), math.MaxFloat64); len(a.Values) == 0 || v > a.Values[len(a.Values)-1] {
			a.Values = append(a.Values, v)
		}
	}
	n := numbersOn(a.Values, r.step, x.Unit)
	plain := n
	if power := n.power(); power != 0 {
		currency := ""
		plain.Suffix, plain.Prefix = n.unit, ""
		if signOf(x.Unit.Text).prefix != "" && n.unit != "" {
			currency, plain.Suffix, plain.unit = n.unit, "", "" // "Md €" above 250, not "Md" above 250 €
		}
		a.Factor, a.Power = n.factor(power)
		a.Factor = strings.TrimSpace(a.Factor + currency)
	}
	for _, v := range a.Values {
		a.Labels = append(a.Labels, n.Write(v))
		a.Plain = append(a.Plain, plain.Write(v))
	}
	return a
}

// factor returns the name of a power of ten that is common to all labels, with the sign
// of a currency. If the power has no name, it returns the power as rest.
func (n Numbers) factor(power int) (text string, rest int) {
	word := ""
	for _, p := range n.language.Powers() {
		if p.Exponent == power {
			word = strings.TrimSpace(p.Name)
		}
	}
	switch {
	case n.Prefix != "" && word != "":
		return n.Prefix + " " + word, 0
	case word != "":
		r, size := utf8.DecodeRuneInString(word)
		return string(unicode.ToTitle(r)) + word[size:], 0
	}
	return n.Prefix, power
}

// maxPlaces is the largest number of decimals that floats reliably have. Floats of
// wholeFloats and above are integers.
const (
	maxPlaces   = 15
	wholeFloats = 1 << 53
)

// Places returns the largest number of decimals among the values: 1 for 3.6 and 4, 0
// for integers. It ignores values that are not finite. math.MaxInt32 means more than
// can be determined reliably.
func Places(values []float64) int {
	places, power := 0, 1.0
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		for math.Abs(v)*power < wholeFloats && math.Round(v*power)/power != v {
			if places++; places > maxPlaces {
				return math.MaxInt32
			}
			power *= 10
		}
	}
	return places
}
