package render

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
	"almanac/internal/chart/words"
)

// SVG writes a scene as SVG. Text is written as text. Viewers draw it with the fonts of
// the machine, unless the scene says that the fonts are embedded.
//
// Every mark is an element on its own line, with its role as class and its name as
// data-name; the marks of a line, and the areas of one class, are a group. Values and periods
// are attributes too, see docs/charts.md. The document needs no style sheet and no script.
func SVG(w io.Writer, s *scene.Scene) error {
	return SmallSVG(w, s, Limits{Bytes: cmp.Or(s.MaxBytes, 400_000), Values: 20_000, NoValues: s.OnlyPagesHaveValues})
}

// svg is the document that is being written.
type svg struct {
	out       bytes.Buffer
	scale     float64
	tolerance float64 // distance in units by which a line may be moved
	decimals  int     // of coordinates in paths
	attempt
	tail     []scene.Point // see pathWriter
	weighing []float64     // likewise
	group    scene.Tag
	isOpen   bool // the group
	isShared bool // the areas of a group are being written: role and colours are those of the group, and usually the period
	// hasOwnPeriods says that each of these areas has a period of its own.
	hasOwnPeriods bool
	unit          string
	valueText     func(float64) string   // see scene.Scene
	fonts         int                    // size of the fonts that do not count
	hasPlots      bool                   // more than one
	order         map[any]int            // the numbers of the elements that have values, see refer
	omitted       map[*scene.Values]bool // because there are too many
}

// newSVG returns a document whose lines differ from those of the scene by at most a
// tolerance in pixels, and those in the background by three times as much.
func newSVG(s *scene.Scene, tolerance float64, a attempt) (*svg, error) {
	d := &svg{
		scale: s.Scale, tolerance: tolerance / s.Scale, decimals: 1, attempt: a,
		out: *bytes.NewBuffer(a.space[:0]), unit: s.Unit, valueText: s.ValueText, hasPlots: len(s.Plots) > 1, order: map[any]int{}, omitted: backgroundOf(s, a.Values),
	}
	if s.Scale > 2 {
		d.decimals = 2
	}
	return d, d.write(s)
}

func (d *svg) write(s *scene.Scene) error {
	if err := d.begin(s); err != nil {
		return err
	}
	d.hatches(s)
	if !d.NoValues {
		for i := range s.Plots {
			d.once(&s.Plots[i], func() { d.plot(&s.Plots[0], &s.Plots[i], s.Unit) })
		}
	}
	hasMerged := false
	for i := 0; i < len(s.Marks) && !d.isTooLarge(); i++ {
		m, n := s.Marks[i], 0
		if d.Packed {
			n = d.strokes(s.Marks[i:])
		}
		if n == 0 {
			n = d.areas(s.Marks[i:])
		}
		switch {
		case n > 0:
			i += n - 1
		case !d.isMerged || !isMerged(m):
			d.mark(m)
		case !hasMerged:
			d.endGroup()
			d.merged(s.Marks)
			hasMerged = true
		}
	}
	d.endGroup()
	d.slots(s.Slots)
	d.out.WriteString("</svg>\n")
	return nil
}

// begin writes everything before the marks. It derives the id of the picture from the
// texts, so that a page can include several pictures.
func (d *svg) begin(s *scene.Scene) error {
	h := fnv.New32a()
	io.WriteString(h, s.Title+"\x00"+s.Alt)
	id := strconv.FormatUint(uint64(h.Sum32()), 36)
	d.out.WriteString(`<svg xmlns="http://www.w3.org/2000/svg"`)
	d.text("viewBox", "0 0 "+short(s.Width)+" "+short(s.Height))
	d.text("width", strconv.Itoa(s.PixelWidth))
	d.text("height", strconv.Itoa(s.PixelHeight))
	d.text("role", "img")
	if words.In(s.Language).RightToLeft {
		d.text("direction", "ltr") // texts say their own; that of a page would move the others
	}
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
	families, style, err := fontsOf(s, id)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(s.Marks, func(m scene.Mark) bool { _, ok := m.(*scene.Text); return ok }) {
		d.text("font-family", families)
		d.text("text-rendering", "geometricPrecision")
	}
	d.out.WriteString(">\n" + lines + style)
	if d.Packed {
		d.fonts = len(style)
	}
	if s.Transparent {
		return nil
	}
	d.out.WriteString(`<rect class="ground"`)
	d.length("width", s.Width)
	d.length("height", s.Height)
	d.text("fill", hex(s.Ground))
	d.out.WriteString("/>\n")
	return nil
}

// mark writes one mark, unless it cannot be drawn.
func (d *svg) mark(m scene.Mark) {
	if !isKnown(m) && !isDrawable(m, d.scale) {
		return
	}
	if text, ok := m.(*scene.Text); ok {
		d.endGroup()
		d.textElement(text)
		return
	}
	d.enterGroup(m.Tags())
	switch m := m.(type) {
	case *scene.Rect:
		d.rect(m)
	case *scene.Line:
		d.line(m)
	case *scene.Circle:
		d.circle(m)
	case *scene.Path:
		d.path(m)
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
	d.end(&m.Tag, "rect")
}

func (d *svg) line(m *scene.Line) {
	d.element("line", &m.Tag)
	d.length("x1", m.X1)
	d.length("y1", m.Y1)
	d.length("x2", m.X2)
	d.length("y2", m.Y2)
	d.pen(m.Pen, withEnds)
	d.end(&m.Tag, "line")
}

func (d *svg) circle(m *scene.Circle) {
	d.element("circle", &m.Tag)
	d.length("cx", m.X)
	d.length("cy", m.Y)
	d.length("r", m.R)
	d.paint(m.Fill, m.Pen, cornersOnly)
	d.end(&m.Tag, "circle")
}

func (d *svg) path(m *scene.Path) {
	d.element("path", &m.Tag)
	d.out.WriteString(` d="`)
	decimals := d.decimals
	if d.isCoarse && isOfMap(m.Role) {
		d.decimals--
	}
	switch {
	case isOfMap(m.Role):
		d.sharedOutline(m.Outline)
	case m.Role == scene.Context:
		d.outline(m.Outline, 3*d.tolerance)
	default:
		d.outline(m.Outline, d.tolerance)
	}
	d.decimals = decimals
	d.out.WriteString(`"`)
	d.paint(m.Fill, m.Pen, withEnds)
	d.end(&m.Tag, "path")
}

// isOfMap reports whether paths of a role are outlines of areas, which share their points.
func isOfMap(role string) bool {
	switch role {
	case scene.Area, scene.NoData, scene.Land, scene.Coast, scene.Border, scene.Disputed:
		return true
	}
	return false
}

// paint writes fill and pen, unless the group has them.
func (d *svg) paint(f scene.Fill, p scene.Pen, ends int) {
	if !d.isShared {
		d.fill(f)
		d.pen(p, ends)
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

// pen writes a pen.
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
}

// attribute begins an attribute, whose value and second quote follow.
func (d *svg) attribute(name string) {
	d.out.WriteByte(' ')
	d.out.WriteString(name)
	d.out.WriteString(`="`)
}

func (d *svg) text(name, value string) {
	d.attribute(name)
	d.out.WriteString(escaped(value))
	d.out.WriteByte('"')
}

func (d *svg) length(name string, v float64) { d.lengths(name, v) }

// lengths writes an attribute with numbers separated by spaces.
func (d *svg) lengths(name string, values ...float64) {
	d.attribute(name)
	for i, v := range values {
		if i > 0 {
			d.out.WriteByte(' ')
		}
		d.out.Write(appendShort(d.out.AvailableBuffer(), v))
	}
	d.out.WriteByte('"')
}

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
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' {
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
