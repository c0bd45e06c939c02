package font

import (
	"bytes"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"

	"almanac/internal/chart/scene"
)

// samples has a text for each way in which scripts are shaped.
var samples = []string{
	"Unemployment rate AVAToTa 2015–2022, ½ 12.5 %", "Ανεργία ΆΈ", "Безработица", "CO₂ m² µg/m³", "ọ̀ n̈",
	"معدل البطالة في المنطقة العربية (٪) 2022", "שיעור האבטלה 12", "失业率 · 完全失業率（季節調整値）", "실업률",
	"อัตราการว่างงาน ที่สุด กำ", "बेरोज़गारी दर क्षत्रिय हिन्दी", "বেকারত্বের হার", "வேலையின்மை", "తెలుగు", "ગુજરાતી", "አማርኛ", "ខ្មែរ ភាសា", "",
}

// A subset shapes the texts that it is made for as the whole font does: the same
// distances and the same outlines.
func TestSubsetShapes(t *testing.T) {
	for _, text := range samples {
		for _, w := range []scene.Weight{scene.Regular, scene.Bold} {
			s := &shaper{buffer: harfbuzz.NewBuffer()}
			s.layOut(text, w)
			for _, r := range s.runs {
				if s.faces[r.start] == none {
					continue
				}
				checkRun(t, s, r)
			}
		}
	}
}

func checkRun(t *testing.T, s *shaper, r run) {
	t.Helper()
	f := faces[s.faces[r.start]]
	whole := s.font(s.faces[r.start])
	u := newUsage()
	u.add(s, r)
	want := slices.Clone(s.buffer.Pos)
	var outlines []font.GlyphOutline
	for _, g := range s.buffer.Info {
		o, _ := whole.Face().GlyphDataOutline(g.Glyph)
		outlines = append(outlines, o)
	}
	subset, copied, err := u.subset(f, whole.Face())
	if err != nil {
		t.Fatal(err)
	}
	tables, err := subset.tables(copied...)
	if err != nil {
		t.Fatal(err)
	}
	part := parseTables(t, tables)
	props := s.buffer.Props
	s.buffer.Clear()
	s.buffer.AddRunes(s.text, r.start, r.end-r.start)
	s.buffer.Props = props
	s.buffer.Shape(harfbuzz.NewFont(part), nil)
	text := string(s.text[r.start:r.end])
	if len(s.buffer.Pos) != len(want) {
		t.Fatalf("%q in %s has %d glyphs, want %d", text, f.name, len(s.buffer.Pos), len(want))
	}
	var x, wantX int32 // kerning can be part of the advance or of the offset
	for i, p := range s.buffer.Pos {
		if x+p.XOffset != wantX+want[i].XOffset || p.YOffset != want[i].YOffset {
			t.Errorf("%q in %s: glyph %d is at %d, %d, want %d, %d", text, f.name, i, x+p.XOffset, p.YOffset, wantX+want[i].XOffset, want[i].YOffset)
		}
		x, wantX = x+p.XAdvance, wantX+want[i].XAdvance
		got, _ := part.GlyphDataOutline(s.buffer.Info[i].Glyph)
		if a, b := boxOf(got), boxOf(outlines[i]); a != b {
			t.Errorf("%q in %s: the outline of glyph %d spans %v, want %v", text, f.name, i, a, b)
		}
	}
}

func parseTables(t *testing.T, tables []table) *font.Face {
	t.Helper()
	var list []opentype.Table
	for _, tb := range tables {
		list = append(list, opentype.Table{Tag: opentype.MustNewTag(tb.tag), Content: tb.data})
	}
	slices.SortFunc(list, func(a, b opentype.Table) int { return int(int64(a.Tag) - int64(b.Tag)) })
	loader, err := opentype.NewLoader(bytes.NewReader(opentype.WriteTTF(list)))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := font.NewFont(loader)
	if err != nil {
		t.Fatal(err)
	}
	return font.NewFace(parsed)
}

// boxOf returns the box around the ends of an outline's segments. The control points of
// converted curves differ.
func boxOf(o font.GlyphOutline) [4]float64 {
	box := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, s := range o.Segments {
		args := s.ArgsSlice()
		p := args[len(args)-1]
		x, y := float64(p.X), float64(p.Y)
		box = [4]float64{min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)}
	}
	return box
}

// The file holds the tables in the order of its directory.
func TestWOFF2(t *testing.T) {
	subsets, err := Subsets([]Styled{{Text: "Straße"}, {Text: "Ωmega", Weight: scene.Bold}, {Text: "العربية"}, {Text: "東京"}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range subsets {
		names = append(names, f.Name)
		if f.Bold != (f.Name == "bold") {
			t.Errorf("font %s: Bold is %t", f.Name, f.Bold)
		}
		checkWOFF2(t, f.WOFF2)
	}
	if want := []string{"regular", "bold", "arabic", "cjk"}; !slices.Equal(names, want) {
		t.Errorf("the fonts are %q, want %q", names, want)
	}
	if n := len(subsets[0].WOFF2); n > 1500 {
		t.Errorf("five letters of Inter take %d bytes, want at most 1500", n)
	}
}

func checkWOFF2(t *testing.T, file []byte) {
	t.Helper()
	if string(file[:4]) != "wOF2" || int(be.Uint32(file[8:])) != len(file) {
		t.Fatalf("the header is %q and states %d of %d bytes", file[:4], be.Uint32(file[8:]), len(file))
	}
	at, total := 48, 0
	for range be.Uint16(file[12:]) {
		at++ // tag and transformation
		length := 0
		for more := true; more; at++ {
			length, more = length<<7|int(file[at]&0x7f), file[at]&0x80 != 0
		}
		total += length
	}
	content, err := io.ReadAll(brotli.NewReader(bytes.NewReader(file[at : at+int(be.Uint32(file[20:]))])))
	if err != nil || len(content) != total {
		t.Errorf("the tables have %d bytes (%v), but the directory says %d", len(content), err, total)
	}
}

// Bold text of fonts without a bold weight has thicker strokes and the same width.
func TestBolder(t *testing.T) {
	for _, text := range []string{"العربية", "שיעור", "完全失業率", "실업률", "ที่สุด", "हिन्दी", "ខ្មែរ", "አማርኛ"} {
		if a, b := Width(text, 1, scene.Regular), Width(text, 1, scene.Bold); a != b {
			t.Errorf("%s is %v wide in regular and %v in bold", text, a, b)
		}
		regular, bold := Glyphs(text, 1, scene.Regular), Glyphs(text, 1, scene.Bold)
		for i := range regular {
			if regular[i].ID == bold[i].ID {
				t.Errorf("%s: glyph %d has the same ID in both weights", text, i)
			}
			thin, thick := math.Abs(area(regular[i].Outline)), math.Abs(area(bold[i].Outline))
			if thick < 1.1*thin || thick > 2.2*thin {
				t.Errorf("%s: glyph %d covers %.4f in bold and %.4f in regular", text, i, thick/2, thin/2)
			}
		}
	}
}
