package bar

// minNamedColumns is the smallest number of columns with names below them. If fewer would
// fit, more columns have numbers and a key instead.
const minNamedColumns = 12

// columnCounts lists the numbers of columns to try if not all fit.
var columnCounts = []int{250, 200, 150, 120, 100, 80, 60, 50, 40, 30, 25, 20, 15, 12, 10, 8, 6, 5, 4, 3, 2, 1}

// fitColumns leaves out columns that do not fit: columns that would be too thin to tell
// apart and, if there are many areas, those without space for a name. Areas need names
// because they are sorted by value, so that no name follows from its neighbours. The
// largest are kept, and a note says so.
func (c *columns) fitColumns() columnNames {
	names := c.names()
	wide := c.slot*c.Scene.Scale >= c.minSlot()
	if wide && (!names.parts || !c.t.Areas || !names.some && c.isReadable() && len(c.t.Groups) <= maxValuedColumns) {
		return names
	}
	if c.t.Ordered {
		return names // the shape of all tells more than the largest
	}
	t, plot := *c.t, c.Plot
	t.Rank()
	trial := t
	c.Plot.H -= c.NoteHeight(trial.Keep(max(len(t.Groups)/2, 1)))
	widest, named := 0, 0 // the most columns that are wide enough, and the most that can also be named
	try := func(n int) []string {
		*c.t = t
		notes := c.t.Keep(n)
		c.layOut()
		return notes
	}
	for _, n := range columnCounts {
		if n >= len(t.Groups) {
			continue
		}
		try(n)
		if c.slot*c.Scene.Scale < c.minSlot() {
			continue
		}
		widest = max(widest, n)
		if names = c.names(); names.parts || !c.isReadable() {
			continue
		}
		if named == 0 || !names.numbered {
			named = n
		}
		if !names.numbered || n <= minNamedColumns {
			break
		}
	}
	c.Plot = plot
	if named > 0 {
		widest = named
	}
	if forms := try(max(widest, 1)); len(c.t.Groups) < len(t.Groups) {
		c.AddNote(forms...)
	}
	c.layOut()
	return c.names()
}

// minSlot returns the smallest width of a slot that has space for bars and gaps, in
// pixels.
func (c *columns) minSlot() float64 {
	least := float64(3*c.t.Across() + 1)
	if c.t.Areas {
		return max(6, least)
	}
	return least
}
