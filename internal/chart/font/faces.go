package font

import (
	"embed"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"

	"almanac/internal/chart/scene"
)

//go:embed data/*.ttf data/*.otf
var files embed.FS

// coverage holds, for each of the first 65,536 characters, the number of the face that
// draws it, or none. It makes it unnecessary to read the fonts to find out whether a
// character can be drawn.
//
//go:embed data/coverage.bin
var coverage string

const none = 0xFF // in coverage

// Numbers of faces.
const (
	regular = 0
	bold    = 1
	rest    = 2
)

// faces is in the order of gen/subset.py, which coverage refers to. Only the first face
// has two weights. The others are thickened for bold text.
var faces = [...]*face{
	newFace("regular.ttf"), newFace("bold.ttf"), newFace("rest.ttf"),
	newFace("arabic.ttf"), newFace("hebrew.ttf"), newFace("armenian.ttf"), newFace("georgian.ttf"),
	newFace("devanagari.ttf"), newFace("bengali.ttf"), newFace("gurmukhi.ttf"), newFace("gujarati.ttf"),
	newFace("oriya.ttf"), newFace("tamil.ttf"), newFace("telugu.ttf"), newFace("kannada.ttf"),
	newFace("malayalam.ttf"), newFace("sinhala.ttf"), newFace("thai.ttf"), newFace("lao.ttf"),
	newFace("myanmar.ttf"), newFace("khmer.ttf"), newFace("ethiopic.ttf"), newFace("thaana.ttf"),
	newFace("aboriginal.ttf"), newFace("tifinagh.ttf"), newFace("math.ttf"), newFace("symbols.ttf"),
	newFace("dingbats.ttf"), newFace("cjk.otf"),
}

// face is an embedded font. It is read on first use and then kept.
type face struct {
	name string
	load func() *loaded
}

// loaded is a parsed font. It is safe for concurrent use: font is read-only, and each
// outline is set only once.
type loaded struct {
	font     *font.Font
	outlines []atomic.Pointer[scene.Outline] // by glyph; nil: not converted yet
	bolder   []atomic.Pointer[scene.Outline] // the same, thickened
}

func newFace(name string) *face {
	return &face{name: name, load: sync.OnceValue(func() *loaded {
		l, err := read(name)
		if err != nil {
			// The files are embedded and the tests read them all, so no input can cause
			// this.
			panic(fmt.Sprintf("embedded font %s: %v", name, err))
		}
		return l
	})}
}

// open returns the tables of an embedded font, which needs no closing.
func open(name string) (*opentype.Loader, error) {
	f, err := files.Open("data/" + name)
	if err != nil {
		return nil, err
	}
	return opentype.NewLoader(f.(font.Resource))
}

func read(name string) (*loaded, error) {
	tags, err := open(name)
	if err != nil {
		return nil, err
	}
	raw, err := tags.RawTable(opentype.MustNewTag("maxp"))
	if err != nil {
		return nil, err
	}
	size, _, err := tables.ParseMaxp(raw)
	if err != nil {
		return nil, err
	}
	parsed, err := font.NewFont(tags)
	if err != nil {
		return nil, err
	}
	l := &loaded{font: parsed, outlines: make([]atomic.Pointer[scene.Outline], size.NumGlyphs)}
	if name != "regular.ttf" && name != "bold.ttf" {
		l.bolder = make([]atomic.Pointer[scene.Outline], size.NumGlyphs)
	}
	return l, nil
}

// has reports whether the font has a glyph for a character.
func (f *face) has(r rune) bool {
	id, ok := f.load().font.Cmap.Lookup(r)
	return ok && id != 0
}

// preferred returns the number of the face that draws a character best, or none.
func preferred(r rune) uint8 {
	if r < 0 || int(r) >= len(coverage) {
		return none
	}
	return coverage[r]
}
