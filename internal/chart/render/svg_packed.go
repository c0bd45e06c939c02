package render

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/chart/scene"
)

// Lists of many values or periods have a shorter form in a small document. The script of the
// page reads it, see docs/charts.md.

// stepDigits are the steps from one day to the next, in days.
const stepDigits = "0123456789abcdefghijklmnopqrstuvwxyz"

// daysOf returns periods as days since 1970. It is nil if they are no days in order with steps
// that have a digit.
func daysOf(codes []string) []int {
	const seconds = 24 * 60 * 60
	days := make([]int, len(codes))
	for i, code := range codes {
		day, err := time.Parse(time.DateOnly, code)
		if err != nil {
			return nil
		}
		days[i] = int(day.Unix() / seconds)
		if i > 0 && (days[i] <= days[i-1] || days[i]-days[i-1] >= len(stepDigits)) {
			return nil
		}
	}
	return days
}

// packedDays returns days as the first of them and, for each other, the number of days since the
// one before as a digit to the base of 36: "2024-01-05 3111".
func packedDays(first string, days []int) string {
	b := append([]byte(first), ' ')
	for i, day := range days[1:] {
		b = append(b, stepDigits[day-days[i]])
	}
	return string(b)
}

// isEven reports whether positions are those of points in time in even steps, but for less than
// a tenth of a unit. Days have the steps of the calendar, other periods, which have no days, one
// step each.
func isEven(x []float64, days []int) bool {
	at := func(i int) float64 {
		if days == nil {
			return float64(i)
		}
		return float64(days[i] - days[0])
	}
	last := len(x) - 1
	for i := range x {
		if !(math.Abs(x[0]+(x[last]-x[0])*at(i)/at(last)-x[i]) < .1) {
			return false
		}
	}
	return true
}

// isLikePlot reports whether two plots have the same periods at the same places in their boxes.
func isLikePlot(p, q *scene.Plot) bool {
	if p.Periods != q.Periods || len(p.X) != len(q.X) {
		return false
	}
	for i := range p.X {
		if !(math.Abs(p.X[i]-p.Box.X-(q.X[i]-q.Box.X)) < .1) {
			return false
		}
	}
	return true
}

// packedNumbers returns numbers as differences: the number of decimals, the first number without
// its point, the differences from it on, and "x" for no value: "2 125-10x3" is 1.25, 1.15,
// none and 1.18. It is empty if a number has too many digits.
func packedNumbers(values []float64) string {
	var texts []byte // each with a space after it
	decimals := 0
	for _, v := range values {
		start := len(texts)
		texts = appendValue(texts, v)
		if point := bytes.IndexByte(texts[start:], '.'); point >= 0 {
			decimals = max(decimals, len(texts)-start-point-1)
		}
		texts = append(texts, ' ')
	}
	b := strconv.AppendInt(make([]byte, 0, len(texts)), int64(decimals), 10)
	last, separated := int64(0), false
	for text := range bytes.FieldsSeq(texts) {
		if text[0] == '-' && len(text) == 1 {
			b, separated = append(b, 'x'), true
			continue
		}
		n, ok := withoutPoint(text, decimals)
		if !ok {
			return ""
		}
		if n >= last && !separated {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, n-last, 10)
		last, separated = n, false
	}
	return string(b)
}

// withoutPoint returns a number with so many decimals times a power of ten that makes it whole; ok
// is false if it has too many digits.
func withoutPoint(text []byte, decimals int) (n int64, ok bool) {
	const maxDigits = 15 // a script calculates with them exactly
	whole, part, _ := bytes.Cut(text, []byte{'.'})
	if len(whole)+decimals > maxDigits {
		return 0, false
	}
	digits := append(make([]byte, 0, maxDigits), whole...)
	digits = append(digits, part...)
	for range decimals - len(part) {
		digits = append(digits, '0')
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	return n, err == nil
}

// packedFlags returns the flags of the values with runs of equal ones as one: "-*14 P E*2".
func packedFlags(flags []string) string {
	var b strings.Builder
	for i, n := 0, 0; i < len(flags); i += n {
		for n = 1; i+n < len(flags) && flags[i+n] == flags[i]; n++ {
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(flags[i])
		if n > 1 {
			b.WriteString("*" + strconv.Itoa(n))
		}
	}
	return b.String()
}

// packedText returns how this service writes a period that SDMX writes as a code, if the one
// follows from the other: "Q1/2024" and "2024-Q1".
func packedText(code string) string {
	parts := strings.Split(code, "-")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, "/")
}

// merged writes the lines in the background as one path for each pen, without names and values.
func (d *svg) merged(marks []scene.Mark) {
	type look struct {
		colour, dash string
		width        float64
		isRound      bool
	}
	var order []look
	paths := map[look][]*scene.Path{}
	for _, m := range marks {
		p, ok := m.(*scene.Path)
		if !ok || !isMerged(m) || !isDrawable(m, d.scale) {
			continue
		}
		l := look{colour: hex(p.Pen.Colour), width: p.Pen.Width, isRound: p.Pen.Round}
		for _, length := range p.Pen.Dash {
			l.dash += short(length) + " "
		}
		if paths[l] == nil {
			order = append(order, l)
		}
		paths[l] = append(paths[l], p)
	}
	for _, l := range order {
		d.out.WriteString(`<path class="context" d="`)
		for _, p := range paths[l] {
			if d.isTooLarge() {
				return
			}
			d.outline(p.Outline, 3*d.tolerance)
		}
		d.out.WriteString(`" fill="none"`)
		d.pen(paths[l][0].Pen, withEnds)
		d.out.WriteString("/>\n")
	}
}

// strokes writes the lines at the beginning of a list that are alike, such as ticks, as one path.
// It returns their number, 0 if there are less than two.
func (d *svg) strokes(marks []scene.Mark) int {
	first, ok := marks[0].(*scene.Line)
	n := 0
	for ok && n < len(marks) {
		l, isLine := marks[n].(*scene.Line)
		if !isLine || l.Tag != first.Tag || l.Values != nil || l.Datum != nil || !isDrawable(l, d.scale) ||
			l.Pen.Colour != first.Pen.Colour || l.Pen.Width != first.Pen.Width || l.Pen.Round != first.Pen.Round || !slices.Equal(l.Pen.Dash, first.Pen.Dash) {
			break
		}
		n++
	}
	if n < 2 {
		return 0
	}
	d.endGroup()
	var o scene.Outline
	for _, m := range marks[:n] {
		l := m.(*scene.Line)
		o.MoveTo(l.X1, l.Y1)
		o.LineTo(l.X2, l.Y2)
	}
	d.path(&scene.Path{Tag: first.Tag, Outline: &o, Pen: first.Pen})
	return n
}

// isMerged reports whether a mark is a line in the background.
func isMerged(m scene.Mark) bool {
	p, ok := m.(*scene.Path)
	return ok && p.Role == scene.Context && !p.Fill.On
}
