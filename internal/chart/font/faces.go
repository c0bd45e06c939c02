package font

import (
	"embed"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/go-text/typesetting/font"

	"almanac/internal/chart/scene"
)

//go:embed data/*.ttf
var files embed.FS

// face is one of the embedded fonts. It is read when first used and then kept.
type face struct {
	name   string
	number uint32
	load   func() *loaded
}

type loaded struct {
	font     *font.Font
	outlines []atomic.Pointer[scene.Outline] // by glyph; nil: not asked for yet
}

// The numbers of the faces are the upper half of glyph IDs.
var faces = numbered("regular.ttf", "bold.ttf")

const (
	regular = 0
	bold    = 1
)

func numbered(names ...string) []*face {
	list := make([]*face, len(names))
	for i, name := range names {
		list[i] = &face{name: name, number: uint32(i), load: sync.OnceValue(func() *loaded { return read(name) })}
	}
	return list
}

// read parses an embedded font. The files are part of the program: that one
// cannot be read is a mistake of its makers, and every test would see it.
func read(name string) *loaded {
	f, err := files.Open("data/" + name)
	if err != nil {
		panic(fmt.Sprintf("open embedded font: %v", err))
	}
	defer f.Close()
	shape, err := font.ParseTTF(f.(io.ReadSeeker).(font.Resource))
	if err != nil {
		panic(fmt.Sprintf("parse embedded font %s: %v", name, err))
	}
	return &loaded{font: shape.Font, outlines: make([]atomic.Pointer[scene.Outline], 1<<16)}
}

func (f *face) outlines() []atomic.Pointer[scene.Outline] { return f.load().outlines }

// has reports whether the font has a shape for a character.
func (f *face) has(r rune) bool {
	id, ok := f.load().font.Cmap.Lookup(r)
	return ok && id != 0
}
