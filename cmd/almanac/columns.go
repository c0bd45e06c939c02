package main

import (
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns writes lines of cells, which tabs separate, in aligned columns. Unlike
// text/tabwriter it knows that Chinese letters are two columns of a terminal wide.
type columns struct {
	to   io.Writer
	text strings.Builder
}

func newTable(w io.Writer) *columns { return &columns{to: w} }

func (c *columns) Write(p []byte) (int, error) { return c.text.Write(p) }

// Flush writes the lines. The last cell of a line does not widen its column.
func (c *columns) Flush() error {
	const between = 2
	var widths []int
	for line := range strings.Lines(c.text.String()) {
		cells := strings.Split(line, "\t")
		for i, cell := range cells[:len(cells)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], widthOf(cell)+between)
		}
	}
	var b strings.Builder
	for line := range strings.Lines(c.text.String()) {
		cells := strings.Split(line, "\t")
		for i, cell := range cells {
			b.WriteString(cell)
			if i < len(cells)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-widthOf(cell)))
			}
		}
	}
	c.text.Reset()
	_, err := io.WriteString(c.to, b.String())
	return err
}

// widthOf returns how many columns of a terminal a text takes.
func widthOf(text string) (n int) {
	for _, r := range text {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case kind == width.EastAsianWide, kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// clip cuts a long text.
func clip(text string) string {
	const most = 24
	if widthOf(text) <= most {
		return text
	}
	n := 0
	for i, r := range text {
		if n += widthOf(string(r)); n >= most {
			return text[:i] + "…"
		}
	}
	return text
}
