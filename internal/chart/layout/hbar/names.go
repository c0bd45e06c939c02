package hbar

import (
	"slices"
	"strings"

	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
)

// chooseTall finds the rows whose names are much longer than four in five of the
// others and can be broken. They get two lines, so that the bars do not become shorter only because the
// name of the European Union includes its number of countries.
func (r *rows) chooseTall(row float64) {
	count := len(r.t.Groups)
	r.tall = make([]bool, count)
	if r.namesAbove || row > frame.LabelSize*2.4 || count < 8 {
		return // all rows have space for two lines, or there are few rows
	}
	widths := r.nameWidths(row)
	sorted := slices.Sorted(slices.Values(widths))
	usual := sorted[count-1-count/5]
	r.usual = max(r.Plot.W*shortNameShare, usual*1.15)
	if r.usual > r.maxNamesWidth()*.85 {
		return // the gain would be small
	}
	for i, width := range widths {
		r.tall[i] = width > r.usual
	}
	for i, width := range r.nameWidths(r.rowOf(0)) { // the letters of lower rows are smaller
		r.tall[i] = r.tall[i] && width > r.usual && strings.Contains(r.t.Groups[i].Name, " ")
	}
}

// nameWidths returns the widths of the names on one line in rows of a height.
func (r *rows) nameWidths(row float64) []float64 {
	size := min(max(row*nameSizeShare, r.Smallest()), frame.LabelSize)
	widths := make([]float64, len(r.t.Groups))
	for i := range r.t.Groups {
		widths[i] = font.Width(r.t.Groups[i].Name, size, r.t.Groups[i].Weight())
	}
	return widths
}

// placeNames breaks the names into the lines that fit into a row.
func (r *rows) placeNames() {
	if r.namesAbove {
		r.placeAbove()
		return
	}
	limit := r.maxNamesWidth()
	lines := r.linesOfNames()
	for size := r.size; r.size > r.Smallest() && !r.allWhole(limit, lines); lines = r.linesOfNames() { // smaller letters, if that helps
		if r.size--; r.size < r.Smallest() {
			if r.size = size; r.Plot.W < narrowPlot {
				r.size = r.Smallest()
			}
			lines = r.linesOfNames()
			break
		}
	}
	if lines > 1 {
		limit = r.narrowest(lines)
	}
	widest := r.headingsWidth()
	for i := range r.t.Groups {
		g := &r.t.Groups[i]
		name := balanced(g, r.size, limit, lines)
		if r.tall[i] {
			name = r.twoLines(g)
		}
		for _, line := range name {
			widest = max(widest, font.Width(line, r.size, g.Weight()))
		}
		r.names = append(r.names, name)
	}
	r.left, r.right = r.Plot.X, r.Plot.X+r.Plot.W
	switch {
	case widest == 0:
	case r.mirrored:
		r.nameX = r.right - widest
		r.right = r.nameX - nameGap
	default:
		r.nameX = r.left + widest
		r.left = r.nameX + nameGap
	}
}

// linesOfNames returns how many lines of a name fit into a row.
func (r *rows) linesOfNames() int { return max(1, min(3, int((r.row+1)/(r.size*1.15)))) }

// narrowPlot is the width of a plot in which names are short of space.
const narrowPlot = 340.0

// maxNamesWidth returns the largest width for names. It is larger in a very small
// picture, because a bar without a name is useless.
func (r *rows) maxNamesWidth() float64 {
	const narrowest, most = 130.0, .5
	part := min(max((narrowPlot-r.Plot.W)/(narrowPlot-narrowest), 0), 1)
	return r.Plot.W * (maxNamesShare + (most-maxNamesShare)*part)
}

// balanced breaks a name into lines of similar length, and no more lines than it needs
// at the full width. It cuts a name with a word that is too wide, rather than breaking
// the word.
func balanced(g *bartable.Group, size, width float64, most int) []string {
	if g.LongestWord(size) > width {
		most = 1
	}
	lines, whole := font.Wrap(g.Name, size, g.Weight(), width, most)
	if len(lines) < 2 || !whole {
		return lines
	}
	for part := .6; part < 1; part += .05 {
		if g.LongestWord(size) > width*part {
			continue
		}
		if narrow, whole := font.Wrap(g.Name, size, g.Weight(), width*part, len(lines)); whole {
			return breakAtBracket(g, size, width, narrow)
		}
	}
	return breakAtBracket(g, size, width, lines)
}

// breakAtBracket breaks a name of two lines before its bracket or at its dash, if it
// hardly gets wider: "European Union" and "27 countries (from 2020)", not "European Union
// - 27" and "countries (from 2020)".
func breakAtBracket(g *bartable.Group, size, width float64, lines []string) []string {
	const wider = 1.5
	if len(lines) != 2 {
		return lines
	}
	widest := func(lines []string) float64 {
		return max(font.Width(lines[0], size, g.Weight()), font.Width(lines[1], size, g.Weight()))
	}
	most := min(width, widest(lines)*wider)
	if head, bracket, ok := strings.Cut(g.Name, " ("); ok {
		if parts := []string{head, "(" + bracket}; widest(parts) <= most {
			return parts
		}
	}
	if head, tail, ok := strings.Cut(g.Name, " - "); ok {
		if parts := []string{head, tail}; widest(parts) <= most {
			return parts
		}
	}
	return lines
}

// widthSteps is how many widths of the name column are tried.
const widthSteps = 4

// twoLines breaks a name into two lines, as narrow as the usual names if possible.
func (r *rows) twoLines(g *bartable.Group) []string {
	most := r.maxNamesWidth()
	for i := range widthSteps {
		width := r.usual + (most-r.usual)*float64(i)/widthSteps
		if _, whole := font.Wrap(g.Name, r.size, g.Weight(), width, 2); whole && g.LongestWord(r.size) <= width {
			return balanced(g, r.size, width, 2)
		}
	}
	return balanced(g, r.size, most, 2)
}

// narrowest returns the smallest width of the name column in which all names fit, or else
// the largest width.
func (r *rows) narrowest(lines int) float64 {
	for i := range widthSteps {
		width := r.Plot.W * (shortNameShare + (r.maxNamesWidth()/r.Plot.W-shortNameShare)*float64(i)/widthSteps)
		if r.allWhole(width, lines) {
			return width
		}
	}
	return r.maxNamesWidth()
}

func (r *rows) allWhole(width float64, lines int) bool {
	for i := range r.t.Groups {
		g := &r.t.Groups[i]
		if _, whole := font.Wrap(g.Name, r.size, g.Weight(), width, lines); !whole || g.LongestWord(r.size) > width {
			return false
		}
	}
	return true
}
