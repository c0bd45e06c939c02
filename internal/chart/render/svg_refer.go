package render

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart/scene"
)

// A page shows the values of the mark under the pointer. Its texts, the other marks of a line or
// an area, and the rows and columns of bars say which mark has their values: data-of has the
// numbers of the elements with values, in the order of the document, from zero.

// refer writes which element has the values of a line or the value of a mark. It returns false
// if the document is not that of a page, or no element before has them.
func (d *svg) refer(key any) bool {
	n, ok := d.order[key]
	if ok = ok && d.Packed; ok {
		d.text("data-of", strconv.Itoa(n))
	}
	return ok
}

// referAll writes the elements of the bars of a slot, like refer.
func (d *svg) referAll(s *scene.Slot) bool {
	marks := d.marksOf(s)
	ok := d.Packed && marks != nil
	if ok {
		d.text("data-of", strings.Join(marks, " "))
	}
	return ok
}

// marksOf returns the numbers of the elements of the bars of a slot.
func (d *svg) marksOf(s *scene.Slot) []string {
	var marks []string
	for _, v := range s.Data {
		if n, ok := d.order[v]; ok {
			marks = append(marks, strconv.Itoa(n))
		}
	}
	return marks
}

// slots writes an element that shows nothing: x, y, width and height of the rows or columns of
// bars, each followed by the numbers of the elements of its bars.
func (d *svg) slots(slots []*scene.Slot) {
	var all []string
	for _, s := range slots {
		if marks := d.marksOf(s); marks != nil && inRange(d.scale, s.X, s.Y, s.W, s.H) {
			all = append(all, strings.Join(slices.Concat([]string{short(s.X), short(s.Y), short(s.W), short(s.H)}, marks), " "))
		}
	}
	if d.Packed && all != nil {
		d.out.WriteString(`<g class="slots"`)
		d.text("data-slots", strings.Join(all, ";"))
		d.out.WriteString("/>\n")
	}
}
