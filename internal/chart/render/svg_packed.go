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

// packedDays returns days as the first of them and, for each other, the number of days since the
// one before as a digit to the base of 36: "2024-01-05 3111". It is empty if they are no days
// in this form.
func packedDays(codes []string) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	b := []byte(codes[0])
	var before time.Time
	for i, code := range codes {
		day, err := time.Parse(time.DateOnly, code)
		if err != nil {
			return ""
		}
		if i == 0 {
			b = append(b, ' ')
		} else if step := int(day.Sub(before).Hours() / 24); step < 1 || step >= len(digits) {
			return ""
		} else {
			b = append(b, digits[step])
		}
		before = day
	}
	return string(b)
}

// isEven reports whether positions are those of points in time in even steps, but for less than
// a tenth of a unit. Days have the steps of the calendar, other periods one step each.
func isEven(x []float64, codes []string) bool {
	at := make([]float64, len(x))
	for i, code := range codes {
		at[i] = float64(i)
		if day, err := time.Parse(time.DateOnly, code); err == nil {
			at[i] = float64(day.Unix())
		}
	}
	last := len(x) - 1
	for i := range x {
		if !(math.Abs(x[0]+(x[last]-x[0])*(at[i]-at[0])/(at[last]-at[0])-x[i]) < .1) {
			return false
		}
	}
	return true
}

// isLikePlot reports whether two plots have the same periods at the same places in their boxes.
func isLikePlot(p, q *scene.Plot) bool {
	if len(p.X) != len(q.X) {
		return false
	}
	for i := range p.X {
		a, _ := p.Periods.Period(i)
		b, _ := q.Periods.Period(i)
		if a != b || !(math.Abs(p.X[i]-p.Box.X-(q.X[i]-q.Box.X)) < .1) {
			return false
		}
	}
	return true
}

// packedNumbers returns numbers as differences: the number of decimals, the first number without
// its point, the differences from it on, and "x" for no value: "2 125-10x3" is 1.25, 1.15,
// none and 1.18. It is empty if a number has too many digits.
func packedNumbers(values []float64) string {
	const maxDigits = 15 // a script calculates with them exactly
	decimals := 0
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(appendValue(nil, v))
		if _, part, ok := strings.Cut(texts[i], "."); ok {
			decimals = max(decimals, len(part))
		}
	}
	b := strconv.AppendInt(nil, int64(decimals), 10)
	last, separated := int64(0), false
	for _, text := range texts {
		if text == "-" {
			b, separated = append(b, 'x'), true
			continue
		}
		whole, part, _ := strings.Cut(text, ".")
		digits := whole + part + strings.Repeat("0", decimals-len(part))
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || len(digits) > maxDigits {
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
	outlines, pens := map[look]*bytes.Buffer{}, map[look]scene.Pen{}
	for _, m := range marks {
		p, ok := m.(*scene.Path)
		if !ok || !isMerged(m) || !isDrawable(m, d.scale) {
			continue
		}
		l := look{colour: hex(p.Pen.Colour), width: p.Pen.Width, isRound: p.Pen.Round}
		for _, length := range p.Pen.Dash {
			l.dash += short(length) + " "
		}
		if outlines[l] == nil {
			order, outlines[l], pens[l] = append(order, l), &bytes.Buffer{}, p.Pen
		}
		start := d.out.Len()
		d.outline(p.Outline, 3*d.tolerance)
		outlines[l].Write(d.out.Bytes()[start:])
		d.out.Truncate(start)
	}
	for _, l := range order {
		d.out.WriteString(`<path class="context" d="` + outlines[l].String() + `" fill="none"`)
		d.pen(pens[l], withEnds)
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
