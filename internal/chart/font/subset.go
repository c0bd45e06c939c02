package font

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/font"

	"almanac/internal/chart/scene"
)

// Styled is a text and the weight in which it is drawn.
type Styled struct {
	Text   string
	Weight scene.Weight
}

// Subset is a font with the glyphs of some texts only, for use in a document.
type Subset struct {
	Name  string // of the embedded font, such as "arabic"
	Bold  bool   // for bold text only; the others serve both weights
	WOFF2 []byte
}

// Subsets returns the fonts that draw the given texts as Glyphs does: first those of
// Latin, Greek and Cyrillic, then the others in a fixed order. The same texts, in any
// order, give the same bytes. A viewer that looks up each character in this order, and
// thickens regular fonts for bold text, shows the texts as wide as Width says.
func Subsets(texts []Styled) ([]Subset, error) {
	var used [len(faces)]*usage
	s := shapers.Get().(*shaper)
	defer shapers.Put(s)
	for _, t := range texts {
		s.layOut(t.Text, t.Weight)
		for _, r := range s.runs {
			if number := s.faces[r.start]; number != none {
				if used[number] == nil {
					used[number] = newUsage()
				}
				used[number].add(s, r)
			}
		}
	}
	var subsets []Subset
	for number, u := range used {
		if u == nil {
			continue
		}
		f := faces[number]
		subset, copied, err := u.subset(f, s.font(uint8(number)).Face())
		if err != nil {
			return nil, fmt.Errorf("subset of font %s: %w", f.name, err)
		}
		file, err := subset.woff2(copied...)
		if err != nil {
			return nil, fmt.Errorf("subset of font %s: %w", f.name, err)
		}
		name := strings.TrimSuffix(f.name, path.Ext(f.name))
		subsets = append(subsets, Subset{Name: name, Bold: number == bold, WOFF2: file})
	}
	return subsets, nil
}

// usage is what some texts need of a face.
type usage struct {
	chars  map[rune]font.GID
	glyphs map[font.GID]bool
	kerns  map[[2]font.GID]int16 // in font units
	// isPlain says that each character is one glyph at its place, apart from kerning, so
	// the font needs no tables for layout.
	isPlain bool
}

func newUsage() *usage {
	return &usage{chars: map[rune]font.GID{}, glyphs: map[font.GID]bool{}, kerns: map[[2]font.GID]int16{}, isPlain: true}
}

// add adds a run of a text that has been laid out.
func (u *usage) add(s *shaper, r run) {
	f := s.font(s.faces[r.start])
	s.shapeRun(r)
	face := f.Face()
	for _, c := range s.text[r.start:r.end] {
		if id, ok := face.NominalGlyph(c); ok {
			u.chars[c] = id
		}
	}
	info := s.buffer.Info
	for i, g := range info {
		u.glyphs[g.Glyph] = true
		p := s.buffer.Pos[i]
		isNominal := len(info) == r.end-r.start && u.chars[s.text[g.Cluster]] == g.Glyph && p.XOffset == 0 && p.YOffset == 0
		if !isNominal || unicode.Is(unicode.M, s.text[g.Cluster]) {
			u.isPlain = false
			continue
		}
		if i+1 < len(info) {
			u.kern([2]font.GID{g.Glyph, info[i+1].Glyph}, float32(p.XAdvance)-face.HorizontalAdvance(g.Glyph), r.level)
		}
	}
}

// kern records the distance by which two adjacent glyphs move together.
func (u *usage) kern(pair [2]font.GID, by float32, level uint8) {
	distance := int16(by)
	if before, ok := u.kerns[pair]; ok && before != distance || distance != 0 && level%2 == 1 {
		u.isPlain = false // depends on more than the pair
	}
	u.kerns[pair] = distance
}

// charsOf returns all characters of a font with their glyphs.
func charsOf(shape *font.Face) map[rune]font.GID {
	chars := map[rune]font.GID{}
	for i := shape.Cmap.Iter(); i.Next(); {
		c, id := i.Char()
		chars[c] = id
	}
	return chars
}

// subset returns the font and the tables to copy from the original. A plain one has new
// numbers for its glyphs, in the order of characters. Others keep the numbers of the
// original, whose tables for layout refer to them, and leave the outlines of unused
// glyphs empty.
func (u *usage) subset(f *face, shape *font.Face) (t *trueType, copied []string, err error) {
	source, err := open(f.name)
	if err != nil {
		return nil, nil, err
	}
	t = &trueType{source: source}
	if !u.isPlain {
		t.glyphs = make([]glyph, len(f.load().outlines))
		for id := range u.glyphs {
			t.glyphs[id] = newGlyph(shape, id)
		}
		t.chars = charsOf(shape) // shaping splits and joins characters
		return t, []string{"GDEF", "GSUB", "GPOS"}, nil
	}
	t.glyphs, t.chars = []glyph{{}}, map[rune]font.GID{}
	numbers := map[font.GID]font.GID{}
	for _, c := range slices.Sorted(maps.Keys(u.chars)) {
		id := u.chars[c]
		if _, ok := numbers[id]; !ok {
			numbers[id] = font.GID(len(t.glyphs))
			t.glyphs = append(t.glyphs, newGlyph(shape, id))
		}
		t.chars[c] = numbers[id]
	}
	for pair, distance := range u.kerns {
		if distance != 0 {
			t.kerns = append(t.kerns, kern{numbers[pair[0]], numbers[pair[1]], distance})
		}
	}
	slices.SortFunc(t.kerns, func(a, b kern) int { return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.right, b.right)) })
	return t, nil, nil
}
