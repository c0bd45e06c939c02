package render

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// fontFamilies lists the fonts for SVG viewers, the most similar to the embedded ones
// first.
const fontFamilies = "Inter, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"

// SVG writes a scene as SVG. Text is written as text together with its measured width,
// so that another font does not take more space.
//
// Every mark is an element on its own line, with its role as class and its name as
// data-name. The document needs no style sheet and no script.
func SVG(w io.Writer, s *scene.Scene) error {
	d := svg{scale: s.Scale}
	id := d.begin(s)
	d.hatches(s)
	for _, m := range s.Marks {
		d.mark(m)
	}
	d.out.WriteString("</svg>\n")
	if _, err := w.Write(d.out.Bytes()); err != nil {
		return fmt.Errorf("write SVG %s: %w", id, err)
	}
	return nil
}

// svg is the document that is being written.
type svg struct {
	out   bytes.Buffer
	scale float64
}

// begin writes everything before the marks and returns the id of the picture, which it
// derives from the texts so that a page can include several pictures.
func (d *svg) begin(s *scene.Scene) string {
	h := fnv.New32a()
	io.WriteString(h, s.Title+"\x00"+s.Alt)
	id := strconv.FormatUint(uint64(h.Sum32()), 36)
	d.out.WriteString(`<svg xmlns="http://www.w3.org/2000/svg"`)
	d.text("viewBox", "0 0 "+short(s.Width)+" "+short(s.Height))
	d.text("width", strconv.Itoa(s.PixelWidth))
	d.text("height", strconv.Itoa(s.PixelHeight))
	d.text("role", "img")
	var labels, lines string
	for _, l := range [...]struct{ element, text string }{{"title", s.Title}, {"desc", s.Alt}} {
		if text := escaped(l.text); text != "" {
			labels += " " + l.element + "-" + id
			lines += "<" + l.element + ` id="` + l.element + "-" + id + `">` + text + "</" + l.element + ">\n"
		}
	}
	if labels != "" {
		d.text("aria-labelledby", labels[1:])
	}
	d.text("font-family", fontFamilies)
	d.text("text-rendering", "geometricPrecision")
	d.out.WriteString(">\n" + lines)
	d.out.WriteString(`<rect class="ground"`)
	d.length("width", s.Width)
	d.length("height", s.Height)
	d.text("fill", hex(s.Ground))
	d.out.WriteString("/>\n")
	return id
}

// hatches writes a pattern for each hatch of the scene.
func (d *svg) hatches(s *scene.Scene) {
	seen := map[string]bool{}
	for _, m := range s.Marks {
		f := fillOf(m)
		if !hatched(f) || seen[hatchID(f)] {
			continue
		}
		if len(seen) == 0 {
			d.out.WriteString("<defs>\n")
		}
		seen[hatchID(f)] = true
		d.pattern(f)
	}
	if len(seen) > 0 {
		d.out.WriteString("</defs>\n")
	}
}

func (d *svg) pattern(f scene.Fill) {
	d.out.WriteString("<pattern")
	d.text("id", hatchID(f))
	d.length("width", f.Hatch.Spacing)
	d.length("height", f.Hatch.Spacing)
	d.text("patternUnits", "userSpaceOnUse")
	d.text("patternTransform", "rotate(45)")
	d.out.WriteString(">")
	if f.On {
		d.out.WriteString("<rect")
		d.length("width", f.Hatch.Spacing)
		d.length("height", f.Hatch.Spacing)
		d.text("fill", hex(f.Colour))
		d.out.WriteString("/>")
	}
	d.out.WriteString("<line")
	d.length("x1", f.Hatch.Spacing/2)
	d.length("x2", f.Hatch.Spacing/2)
	d.length("y2", f.Hatch.Spacing)
	d.text("stroke", hex(f.Hatch.Colour))
	d.length("stroke-width", f.Hatch.Width)
	d.out.WriteString("/></pattern>\n")
}

func fillOf(m scene.Mark) scene.Fill {
	switch m := m.(type) {
	case *scene.Rect:
		return m.Fill
	case *scene.Circle:
		return m.Fill
	case *scene.Path:
		return m.Fill
	}
	return scene.Fill{}
}

// hatched reports whether a fill has hatch lines that can be drawn.
func hatched(f scene.Fill) bool {
	return f.Hatch != nil && f.Hatch.Width > 0 && f.Hatch.Spacing > 0 && inRange(1, f.Hatch.Width, f.Hatch.Spacing)
}

// hatchID names a pattern by its look: "hatch-c0c0c0-f2f2f2-0.8-4".
func hatchID(f scene.Fill) string {
	ground := "none"
	if f.On {
		ground = hex(f.Colour)[1:]
	}
	return "hatch-" + hex(f.Hatch.Colour)[1:] + "-" + ground + "-" + short(f.Hatch.Width) + "-" + short(f.Hatch.Spacing)
}

// mark writes one mark, unless it cannot be drawn.
func (d *svg) mark(m scene.Mark) {
	if !isDrawable(m, d.scale) {
		return
	}
	switch m := m.(type) {
	case *scene.Rect:
		d.rect(m)
	case *scene.Line:
		d.line(m)
	case *scene.Circle:
		d.circle(m)
	case *scene.Path:
		d.path(m)
	case *scene.Text:
		d.textElement(m)
	}
}

func (d *svg) rect(m *scene.Rect) {
	d.element("rect", &m.Tag)
	d.length("x", m.X)
	d.length("y", m.Y)
	d.length("width", m.W)
	d.length("height", m.H)
	if m.Radius > 0 {
		d.length("rx", m.Radius)
	} else if !(m.Pen.Width > 0) {
		d.text("shape-rendering", "crispEdges") // no seam between adjacent boxes
	}
	d.fill(m.Fill)
	d.pen(m.Pen, cornersOnly)
}

func (d *svg) line(m *scene.Line) {
	d.element("line", &m.Tag)
	d.length("x1", m.X1)
	d.length("y1", m.Y1)
	d.length("x2", m.X2)
	d.length("y2", m.Y2)
	d.pen(m.Pen, withEnds)
}

func (d *svg) circle(m *scene.Circle) {
	d.element("circle", &m.Tag)
	d.length("cx", m.X)
	d.length("cy", m.Y)
	d.length("r", m.R)
	d.fill(m.Fill)
	d.pen(m.Pen, cornersOnly)
}

func (d *svg) path(m *scene.Path) {
	d.element("path", &m.Tag)
	d.out.WriteString(` d="`)
	d.outline(m.Outline)
	d.out.WriteString(`"`)
	d.fill(m.Fill)
	d.pen(m.Pen, withEnds)
}

func (d *svg) outline(o *scene.Outline) {
	letters := [...]byte{scene.MoveTo: 'M', scene.LineTo: 'L', scene.QuadTo: 'Q', scene.CubicTo: 'C'}
	rest, begun := o.Points, false
	for _, op := range o.Ops {
		n := pointsOf(op)
		switch {
		case n < 0 || len(rest) < n:
			return
		case n == 0:
			if begun {
				d.out.WriteByte('Z')
			}
			continue
		case !begun && op != scene.MoveTo: // begin in the corner, as the canvas does
			d.out.WriteString("M0 0")
		}
		begun = true
		d.out.WriteByte(letters[op])
		for i, p := range rest[:n] {
			if i > 0 {
				d.out.WriteByte(' ')
			}
			d.number(p.X)
			d.out.WriteByte(' ')
			d.number(p.Y)
		}
		rest = rest[n:]
	}
}

// textElement writes a text. Anchors are swapped for right-to-left scripts, whose texts
// start at the right end, so that the text is in the same place.
func (d *svg) textElement(m *scene.Text) {
	d.element("text", &m.Tag)
	d.length("x", m.X)
	d.length("y", m.Y)
	d.length("font-size", m.Size)
	if m.Weight == scene.Bold {
		d.text("font-weight", "600")
	}
	anchor := m.Anchor
	if rightToLeft(m.Text) {
		d.text("direction", "rtl")
		switch anchor {
		case scene.Start:
			anchor = scene.End
		case scene.End:
			anchor = scene.Start
		}
	}
	switch anchor {
	case scene.Middle:
		d.text("text-anchor", "middle")
	case scene.End:
		d.text("text-anchor", "end")
	}
	d.text("fill", hex(m.Colour))
	if m.Halo > 0 && inRange(1, m.Halo) {
		d.text("stroke", hex(m.Rim))
		d.length("stroke-width", 2*m.Halo)
		d.text("stroke-linejoin", "round")
		d.text("paint-order", "stroke")
	}
	if m.W > 0 {
		d.length("textLength", m.W)
		d.text("lengthAdjust", "spacingAndGlyphs")
	}
	d.out.WriteString(">" + escaped(m.Text) + "</text>\n")
}

// rightToLeft reports whether the first letter of a text belongs to a script that is
// written from right to left.
func rightToLeft(text string) bool {
	for _, r := range text {
		if r < 0x590 { // Latin, Greek, Cyrillic and before: most texts end here
			if p, _ := bidi.LookupRune(r); p.Class() == bidi.L {
				return false
			}
			continue
		}
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.R, bidi.AL:
			return true
		case bidi.L:
			return false
		}
	}
	return false
}

// element begins the element of a mark.
func (d *svg) element(name string, t *scene.Tag) {
	d.out.WriteString("<" + name)
	if t.Role != "" {
		d.text("class", t.Role)
	}
	if t.Name != "" {
		d.text("data-name", t.Name)
	}
}

func (d *svg) fill(f scene.Fill) {
	switch {
	case hatched(f):
		d.text("fill", "url(#"+hatchID(f)+")")
	case f.On:
		d.text("fill", hex(f.Colour))
	default:
		d.text("fill", "none")
	}
}

// How a pen is drawn: around a shape that has only corners, or along a line with ends.
const (
	cornersOnly = iota
	withEnds
)

// pen writes a pen and ends the element.
func (d *svg) pen(p scene.Pen, ends int) {
	if p.Width > 0 && inRange(1, p.Width) {
		d.text("stroke", hex(p.Colour))
		d.length("stroke-width", p.Width)
		if p.Round && ends == withEnds {
			d.text("stroke-linecap", "round")
		}
		if p.Round {
			d.text("stroke-linejoin", "round")
		}
		if dash := evenPattern(p.Dash); dash != nil {
			lengths := make([]string, len(dash))
			for i, l := range dash {
				lengths[i] = short(l)
			}
			d.text("stroke-dasharray", strings.Join(lengths, " "))
		}
	}
	d.out.WriteString("/>\n")
}

func (d *svg) text(name, value string) {
	d.out.WriteString(" " + name + `="` + escaped(value) + `"`)
}

func (d *svg) length(name string, v float64) {
	d.out.WriteString(" " + name + `="`)
	d.number(v)
	d.out.WriteByte('"')
}

func (d *svg) number(v float64) { d.out.Write(appendShort(d.out.AvailableBuffer(), v)) }

// short formats a number with at most two decimals.
func short(v float64) string { return string(appendShort(nil, v)) }

func appendShort(b []byte, v float64) []byte {
	v = math.Round(v*100) / 100
	if v == 0 {
		v = 0 // not -0
	}
	start := len(b)
	b = strconv.AppendFloat(b, v, 'f', 2, 64)
	if bytes.IndexByte(b[start:], '.') >= 0 {
		b = bytes.TrimRight(b, "0")
		b = bytes.TrimSuffix(b, []byte("."))
	}
	return b
}

const hexDigits = "0123456789abcdef"

func hex(c colour.RGB) string {
	b := []byte{'#'}
	for _, v := range [3]uint8{c.R, c.G, c.B} {
		b = append(b, hexDigits[v>>4], hexDigits[v&15])
	}
	return string(b)
}

// escaped returns a text for use in XML. It drops characters that XML does not allow and
// replaces line breaks by spaces.
func escaped(text string) string {
	plain := true
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || strings.IndexByte(`&<>"'`, c) >= 0 {
			plain = false
			break
		}
	}
	if plain {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case r < ' ' || r == 0xfffe || r == 0xffff:
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd"): // invalid UTF-8
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
