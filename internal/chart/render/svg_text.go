package render

import (
	"encoding/base64"
	"fmt"
	"strings"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// fontFamilies lists the fonts for SVG viewers, the most similar to the embedded ones
// first.
const fontFamilies = "Inter, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"

// fontsOf returns the font families of a picture and, if it embeds its fonts, a style
// element with them. The names of embedded fonts contain the id of the picture, so that
// a page can include several pictures with different glyphs.
func fontsOf(s *scene.Scene, id string) (families, style string, err error) {
	if !s.EmbedFonts {
		return fontFamilies, "", nil
	}
	var texts []font.Styled
	for _, m := range s.Marks {
		if t, ok := m.(*scene.Text); ok {
			texts = append(texts, font.Styled{Text: t.Text, Weight: t.Weight})
		}
	}
	subsets, err := font.Subsets(texts)
	if err != nil {
		return "", "", err
	}
	var b strings.Builder
	b.WriteString("<style>\n")
	for _, f := range subsets {
		family, weight := id+"-"+f.Name, "400"
		if f.Bold {
			weight = "600"
		}
		if f.Name == "regular" || f.Name == "bold" {
			family = id + "-inter" // the only family with two weights
		}
		if family = "f" + family; !strings.Contains(families, family+",") {
			families += family + ","
		}
		fmt.Fprintf(&b, "@font-face{font-family:%s;font-weight:%s;src:url(data:font/woff2;base64,%s)}\n", family, weight, base64.StdEncoding.EncodeToString(f.WOFF2))
	}
	b.WriteString("</style>\n")
	return families + fontFamilies, b.String(), nil
}

// isShaped reports whether a character belongs to a script whose letters join, stack or
// change places. Another distance between its letters would break them apart, so texts
// with such letters have no textLength.
func isShaped(r rune) bool {
	switch {
	case r < 0x300, r >= 0x370 && r < 0x590, r >= 0x10A0 && r < 0x1200, r >= 0x1E00 && r < 0x200B, r >= 0x2010 && r < 0x20D0, r >= 0x2100 && r < 0xA800, r >= 0xAC00 && r < 0xD800, r >= 0xF900 && r < 0xFB00, r >= 0xFF00 && r < 0xFFF0:
		return false // Latin, Greek, Cyrillic, Georgian, signs, Chinese, Japanese, Korean
	}
	return true
}

// beginText writes the role and the name of a text, or the element that has its values.
func (d *svg) beginText(t *scene.Tag) {
	d.out.WriteString("<text")
	if t.Role != "" {
		d.text("class", t.Role)
	}
	isReferred := t.Values != nil && d.refer(t.Values) || t.Datum != nil && d.refer(t.Datum) || t.Slot != nil && d.referAll(t.Slot)
	if !isReferred && t.Name != "" {
		d.text("data-name", t.Name)
	}
}

// textElement writes a text. Anchors are swapped for right-to-left scripts, whose texts
// start at the right end, so that the text is in the same place.
func (d *svg) textElement(m *scene.Text) {
	d.beginText(&m.Tag)
	d.length("x", m.X)
	d.length("y", m.Y)
	d.length("font-size", m.Size)
	if m.Weight == scene.Bold {
		d.text("font-weight", "600")
	}
	anchor := m.Anchor
	if font.RightToLeft(m.Text) {
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
	if m.W > 0 && !strings.ContainsFunc(m.Text, isShaped) {
		d.length("textLength", m.W)
	}
	d.out.WriteString(">" + escaped(m.Text) + "</text>\n")
}
