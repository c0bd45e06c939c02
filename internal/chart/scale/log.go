package scale

import "math"

// minLogRatio is the ratio of the highest to the lowest value from which the ticks of a
// logarithmic axis are 1, 2 and 5 times the powers of ten, or some of these. Below it, ticks
// are equally far apart, as on a linear axis.
const minLogRatio = 6

// LogAxis chooses the ticks of a logarithmic axis, on which equal distances are equal
// ratios. The values must be above zero.
func (x Extent) LogAxis() Axis {
	low, high := finite(min(x.Low, x.High)), finite(max(x.Low, x.High))
	if high/low < minLogRatio {
		t := Nice(low, high, max(x.Most, 3), false, x.Unit)
		for t.Values[0] <= 0 {
			t.Values, t.Labels = t.Values[1:], t.Labels[1:]
		}
		return Axis{Ticks: t, Low: min(low, t.Values[0]), High: max(high, t.Values[len(t.Values)-1]), Plain: t.Labels}
	}
	var values []float64
	for _, rule := range []struct {
		of    []int64
		every int
	}{{[]int64{1, 2, 5}, 1}, {[]int64{1, 3}, 1}, {[]int64{1}, 1}, {[]int64{1}, 2}, {[]int64{1}, 3}, {[]int64{1}, 6}, {[]int64{1}, 12}, {[]int64{1}, 60}} {
		values = withoutFar(logTicks(low, high, rule.of, rule.every), low, high)
		if len(values) <= max(x.Most, 3) {
			break
		}
	}
	a := Axis{Ticks: Ticks{Values: values}, Low: min(low, values[0]), High: max(high, values[len(values)-1])}
	for _, v := range values {
		a.Labels = append(a.Labels, NumbersFor([]float64{v}, x.Unit).Write(v))
	}
	a.Plain = a.Labels
	return a
}

// withoutFar leaves out ticks beyond the lowest and the highest value that would leave much
// of the axis empty. Two remain.
func withoutFar(ticks []float64, low, high float64) []float64 {
	most := maxOvershoot * (math.Log10(high) - math.Log10(low))
	for len(ticks) > 2 && math.Log10(low)-math.Log10(ticks[0]) > most {
		ticks = ticks[1:]
	}
	for len(ticks) > 2 && math.Log10(ticks[len(ticks)-1])-math.Log10(high) > most {
		ticks = ticks[:len(ticks)-1]
	}
	return ticks
}

// logTicks returns the given multiples of every so many powers of ten, from the last one at
// or below low to the first one at or above high.
func logTicks(low, high float64, of []int64, every int) []float64 {
	var values []float64
	first := int(math.Floor(math.Log10(low)))
	for e := first - ((first%every)+every)%every; ; e += every {
		for _, m := range of {
			v := exact(m, e)
			if v == 0 || math.IsInf(v, 0) {
				if e > 0 {
					return values
				}
				continue
			}
			if v <= low {
				values = values[:0]
			}
			if values = append(values, v); v >= high {
				return values
			}
		}
	}
}
