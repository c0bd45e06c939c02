package render

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart/scene"
)

// backgroundOf returns the lines in the background if a scene has more than maxValues
// values, else nil.
func backgroundOf(s *scene.Scene, maxValues int) map[*scene.Values]bool {
	count, lines := 0, map[*scene.Values]bool{}
	for _, m := range s.Marks {
		if v := m.Tags().Values; v != nil && !lines[v] {
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
// this service does, if that differs.
func (d *svg) plot(p *scene.Plot, unit string) {
	if len(p.X) == 0 || !inRange(d.scale, p.X...) || !inRange(d.scale, p.Box.X, p.Box.Y, p.Box.W, p.Box.H) {
		return
	}
	var codes, texts, positions []string
	for i, x := range p.X {
		code, text := p.Periods.Period(i)
		codes, texts, positions = append(codes, code), append(texts, text), append(positions, short(x))
	}
	d.out.WriteString(`<g class="plot"`)
	d.text("data-box", short(p.Box.X)+" "+short(p.Box.Y)+" "+short(p.W)+" "+short(p.H))
	d.text("data-p", strings.Join(codes, " "))
	if list := strings.Join(texts, " "); len(texts) <= maxWritten && list != strings.Join(codes, " ") {
		d.text("data-period", list)
	}
	d.text("data-x", strings.Join(positions, " "))
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
	if t.Values == nil {
		return
	}
	d.isOpen, d.group = true, *t
	d.out.WriteString("<g")
	d.text("class", t.Role)
	d.text("data-name", t.Name)
	if !d.written[t.Values] && !d.omitted[t.Values] {
		d.written[t.Values] = true
		d.values(t.Values)
	}
	d.out.WriteString(">\n")
}

func (d *svg) endGroup() {
	if d.isOpen {
		d.out.WriteString("</g>\n")
	}
	d.isOpen = false
}

// values writes the values of a line, in the order of the plot's periods, with "-" for
// none. data-f has the flags in the same order, if there are any.
func (d *svg) values(v *scene.Values) {
	d.out.WriteString(` data-v="`)
	for i, value := range v.Values {
		if i > 0 {
			d.out.WriteByte(' ')
		}
		d.out.Write(appendValue(d.out.AvailableBuffer(), value))
	}
	d.out.WriteByte('"')
	if !slices.ContainsFunc(v.Flags, func(f string) bool { return f != "" }) {
		return
	}
	flags := make([]string, len(v.Flags))
	for i, f := range v.Flags {
		flags[i] = flagsText(f)
	}
	d.text("data-f", strings.Join(flags, " "))
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

// element begins the element of a mark. In a group, only the group has role and name.
func (d *svg) element(name string, t *scene.Tag) {
	d.out.WriteString("<" + name)
	if !d.isOpen && t.Role != "" {
		d.text("class", t.Role)
	}
	if !d.isOpen && t.Name != "" {
		d.text("data-name", t.Name)
	}
	v := t.Datum
	if v == nil {
		return
	}
	if v.Area != "" && v.Area != t.Name {
		d.text("data-area", v.Area)
	}
	if v.PeriodCode != "" {
		d.text("data-p", v.PeriodCode)
	}
	d.out.WriteString(` data-v="`)
	d.out.Write(appendValue(d.out.AvailableBuffer(), v.Value))
	d.out.WriteByte('"')
	if v.Flags != "" {
		d.text("data-f", flagsText(v.Flags))
	}
}

// end ends the element of a mark. A mark of one observation has a title, which browsers
// show next to the pointer.
func (d *svg) end(t *scene.Tag, name string) {
	v := t.Datum
	if v == nil {
		d.out.WriteString("/>\n")
		return
	}
	text := v.Name
	if v.Period != "" {
		text += ", " + v.Period
	}
	text = strings.TrimPrefix(text+": "+string(appendValue(nil, v.Value)), ", ")
	switch d.unit {
	case "":
	case "%":
		text += d.unit
	default:
		text += " " + d.unit
	}
	d.out.WriteString("><title>" + escaped(text) + "</title></" + name + ">\n")
}
