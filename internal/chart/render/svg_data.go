package render

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// backgroundOf returns the lines in the background if a scene has more than maxValues
// values, else nil.
func backgroundOf(s *scene.Scene, maxValues int) map[*scene.Values]bool {
	count, lines := 0, map[*scene.Values]bool{}
	for _, m := range s.Marks {
		v := m.Tags().Values
		if _, isText := m.(*scene.Text); v == nil || isText {
			continue
		}
		if _, isKnown := lines[v]; !isKnown {
			lines[v] = m.Tags().Role == scene.Context
			count += len(v.Values)
		}
	}
	if count <= maxValues {
		return nil
	}
	return lines
}

// maxWritten is the number of periods up to which an element has them in both forms.
const maxWritten = 1000

// plot writes an element that shows nothing: its box, and its periods with their
// positions, separated by spaces. data-p has periods as SDMX writes them, data-period as
// this service does, if that differs. In a small document, plots like the first have their
// box only.
func (d *svg) plot(first, p *scene.Plot, unit string) {
	if len(p.X) == 0 || !inRange(d.scale, p.X...) || !inRange(d.scale, p.Box.X, p.Box.Y, p.Box.W, p.Box.H) {
		return
	}
	if d.Packed && p != first && isLikePlot(p, first) {
		d.out.WriteString(`<g class="plot"`)
		d.lengths("data-box", p.Box.X, p.Box.Y, p.W, p.H)
		d.out.WriteString("/>\n")
		return
	}
	codes, texts := make([]string, len(p.X)), make([]string, len(p.X))
	for i := range p.X {
		codes[i], texts[i] = p.Periods.Period(i)
	}
	isSaid := func(text, code string) bool { return text == code || d.Packed && text == packedText(code) }
	d.out.WriteString(`<g class="plot"`)
	d.lengths("data-box", p.Box.X, p.Box.Y, p.W, p.H)
	var days []int
	if d.Packed {
		days = daysOf(codes)
	}
	if days != nil {
		d.text("data-days", packedDays(codes[0], days))
	} else {
		d.text("data-p", strings.Join(codes, " "))
	}
	if len(texts) <= maxWritten && !slices.EqualFunc(texts, codes, isSaid) {
		d.text("data-period", strings.Join(texts, " "))
	}
	at := p.X
	if d.Packed && len(at) > 2 && isEven(at, days) {
		at = []float64{at[0], at[len(at)-1]}
	}
	d.lengths("data-x", at...)
	if unit != "" {
		d.text("data-unit", unit)
	}
	d.out.WriteString("/>\n")
}

// enterGroup begins the group of a line at its first mark and ends it after its last.
func (d *svg) enterGroup(t *scene.Tag) {
	if d.isOpen && d.group == *t {
		return
	}
	d.endGroup()
	if t.Values == nil || d.NoValues || d.isMerged && t.Role == scene.Context {
		return
	}
	d.isOpen, d.group = true, *t
	d.out.WriteString("<g")
	d.text("class", t.Role)
	if !d.refer(t.Values) {
		d.text("data-name", t.Name)
		d.lineValues(t.Values)
	}
	d.out.WriteString(">\n")
}

// lineValues writes the values of a line in its first group.
func (d *svg) lineValues(v *scene.Values) {
	if _, isWritten := d.order[v]; isWritten || d.omitted[v] {
		return
	}
	d.order[v] = len(d.order)
	if d.Packed && d.hasPlots {
		d.text("data-plot", strconv.Itoa(v.Plot))
	}
	d.once(v, func() { d.values(v) })
}

func (d *svg) endGroup() {
	if d.isOpen {
		d.out.WriteString("</g>\n")
	}
	d.isOpen = false
}

// once writes what depends on a key only, which is kept for the next documents of the scene.
func (d *svg) once(key any, write func()) {
	if text, ok := d.lists[key]; ok {
		d.out.Write(text)
		return
	}
	start := d.out.Len()
	write()
	if d.lists != nil {
		d.lists[key] = bytes.Clone(d.out.Bytes()[start:])
	}
}

// values writes the values of a line, in the order of the plot's periods, with "-" for
// none; or as differences in data-vd, see packedNumbers. data-f has the flags in the same
// order, if there are any, and data-low and data-high the bounds.
func (d *svg) values(v *scene.Values) {
	d.numbers("data-v", v.Values)
	if v.Low != nil {
		d.numbers("data-low", v.Low)
		d.numbers("data-high", v.High)
	}
	if !slices.ContainsFunc(v.Flags, func(f string) bool { return f != "" }) {
		return
	}
	flags := make([]string, len(v.Flags))
	for i, f := range v.Flags {
		flags[i] = flagsText(f)
	}
	text := strings.Join(flags, " ")
	if d.Packed {
		text = packedFlags(flags)
	}
	d.text("data-f", text)
}

// numbers writes an attribute with numbers separated by spaces, or as differences.
func (d *svg) numbers(name string, values []float64) {
	if d.Packed && len(values) > 2 {
		if text := packedNumbers(values); text != "" {
			d.text(name+"d", text)
			return
		}
	}
	d.attribute(name)
	for i, value := range values {
		if i > 0 {
			d.out.WriteByte(' ')
		}
		d.out.Write(appendValue(d.out.AvailableBuffer(), value))
	}
	d.out.WriteByte('"')
}

// flagsText returns flags without spaces, "-" for none.
func flagsText(f string) string {
	if f == "" {
		return "-"
	}
	return strings.ReplaceAll(f, " ", ",")
}

// appendValue appends a number as the data endpoint writes it, "-" for NaN.
func appendValue(b []byte, v float64) []byte {
	format := byte('f')
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(b, '-')
	case v == 0:
		return append(b, '0')
	case math.Abs(v) >= 1e21:
		format = 'e'
	}
	return strconv.AppendFloat(b, v, format, -1, 64)
}

// element begins the element of a mark. In a group, only the group has what all marks have
// in common.
func (d *svg) element(name string, t *scene.Tag) {
	d.out.WriteByte('<')
	d.out.WriteString(name)
	if !d.isOpen && !d.isShared && t.Role != "" {
		d.text("class", t.Role)
	}
	if t.Datum != nil && d.refer(t.Datum) {
		return
	}
	v, tagName := t.Datum, t.Name
	if v != nil && d.NoTitles && !d.noNames {
		tagName = v.Name
	}
	if !d.isOpen && tagName != "" && !d.NoValues && !(d.isMerged && t.Role == scene.Context) {
		d.text("data-name", tagName)
	}
	if v == nil {
		return
	}
	if v.Area != "" && v.Area != tagName && !d.NoCodes {
		d.text("data-area", v.Area)
	}
	if !d.isShared || d.hasOwnPeriods {
		d.period(v)
	}
	if _, isWritten := d.order[v]; !isWritten {
		d.order[v] = len(d.order)
	}
	d.attribute("data-v")
	d.out.Write(appendValue(d.out.AvailableBuffer(), v.Value))
	d.out.WriteByte('"')
	if v.Flags != "" {
		d.text("data-f", flagsText(v.Flags))
	}
}

// period writes the period of an observation, in both forms if no title has the second.
func (d *svg) period(v *scene.Datum) {
	if v.PeriodCode != "" {
		d.text("data-p", v.PeriodCode)
	}
	if d.NoTitles && v.Period != v.PeriodCode {
		d.text("data-period", v.Period)
	}
}

// end ends the element of a mark. A mark of one observation has a title, which browsers
// show next to the pointer.
func (d *svg) end(t *scene.Tag, name string) {
	if t.Datum == nil || d.NoTitles {
		d.out.WriteString("/>\n")
		return
	}
	d.out.WriteString("><title>" + escaped(d.titleOf(t.Datum)) + "</title></" + name + ">\n")
}

// titleOf returns name, period, value and unit of an observation.
func (d *svg) titleOf(v *scene.Datum) string {
	text := v.Name
	if v.Period != "" {
		text += ", " + v.Period
	}
	value := string(appendValue(nil, v.Value))
	if d.valueText != nil {
		value = d.valueText(v.Value)
	}
	text = strings.TrimPrefix(text+": "+value, ", ")
	switch d.unit {
	case "":
		return text
	case "%":
		return text + d.unit
	}
	return text + " " + d.unit
}

// areas writes the marks at the beginning of a list that are areas of a map alike in role and
// colours, as a group. It returns their number, 0 if there are less than two. If their periods
// differ, they are groups of their own, or in a small document each area has its period.
func (d *svg) areas(marks []scene.Mark) int {
	first, ok := areaOf(marks[0])
	n, isOnePeriod := 1, true
	for ok && n < len(marks) {
		next, isArea := areaOf(marks[n])
		if !isArea || !next.isLike(&first) || !d.Packed && !next.isOfPeriod(&first) {
			break
		}
		isOnePeriod = isOnePeriod && next.isOfPeriod(&first)
		n++
	}
	if n < 2 {
		return 0
	}
	d.endGroup()
	d.out.WriteString("<g")
	d.text("class", first.role)
	if first.datum != nil && isOnePeriod {
		d.period(first.datum)
	}
	ends := withEnds
	if first.isCircle {
		ends = cornersOnly
	}
	d.paint(first.fill, first.pen, ends)
	d.out.WriteString(">\n")
	d.isShared, d.hasOwnPeriods = true, !isOnePeriod
	for _, m := range marks[:n] {
		d.mark(m)
	}
	d.isShared, d.hasOwnPeriods = false, false
	d.out.WriteString("</g>\n")
	return n
}

// mapArea is what areas of a map, or circles in their place, may have in common.
type mapArea struct {
	role     string
	isCircle bool
	fill     scene.Fill
	pen      scene.Pen // without dashes
	datum    *scene.Datum
}

// areaOf returns what an area of a map may have in common with others; ok is false if the
// mark is none.
func areaOf(m scene.Mark) (a mapArea, ok bool) {
	switch m := m.(type) {
	case *scene.Path:
		a = mapArea{m.Role, false, m.Fill, m.Pen, m.Datum}
	case *scene.Circle:
		a = mapArea{m.Role, true, m.Fill, m.Pen, m.Datum}
	}
	return a, a.pen.Dash == nil && (a.role == scene.Area || a.role == scene.NoData || a.role == scene.Land)
}

func (a *mapArea) isLike(b *mapArea) bool {
	return (a.datum == nil) == (b.datum == nil) && a.look() == b.look()
}

func (a *mapArea) isOfPeriod(b *mapArea) bool {
	return a.datum == b.datum || a.datum != nil && b.datum != nil && a.datum.PeriodCode == b.datum.PeriodCode
}

// areaLook is what areas have in common that look alike.
type areaLook struct {
	role     string
	isCircle bool
	fill     scene.Fill
	colour   colour.RGB // of the pen
	width    float64
	isRound  bool
}

func (a *mapArea) look() areaLook {
	return areaLook{a.role, a.isCircle, a.fill, a.pen.Colour, a.pen.Width, a.pen.Round}
}
