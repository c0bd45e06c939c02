package eurostat

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// layout gives the dataset its dimensions by the header, and the parts of the
// row keys and the columns their meaning in the observations' keys.
func (t *table) layout(statedGeo string) (*reader, error) {
	names, added := t.header.dimensions()
	geoAt, err := geography(names, statedGeo)
	if err != nil {
		return nil, err
	}
	t.addDimensions(names, geoAt)
	r := &reader{
		table: t, codeAt: -1, freqAt: -1,
		times: map[string]place{}, marks: marks{}, seen: map[uint64]rowSeen{},
	}
	axes := t.dataset.Axes()
	r.obs.Key = make([]int32, len(axes)) // without a geography its last position stays 0
	for _, dim := range axes[:len(names)] {
		r.axes = append(r.axes, &axis{dim: dim, codes: map[string]int32{}})
	}
	for i, name := range t.header.parts {
		if i == t.header.timeAt {
			r.parts = append(r.parts, timePart)
		} else {
			r.parts = append(r.parts, r.axisOf(name))
		}
	}
	switch {
	case t.header.timeInRows():
		r.codeAt = r.axisOf(t.header.column)
		if added {
			r.freqAt = r.axisOf(freqName)
		}
	case added:
		r.codeAt = r.axisOf(freqName)
	}
	return r, r.setColumns()
}

// addDimensions makes the dataset's dimensions, without codes.
func (t *table) addDimensions(names []string, geoAt int) {
	d := t.dataset
	for i, name := range names {
		dim := stat.Dimension{ID: name, Role: stat.RoleOther}
		switch {
		case i == geoAt:
			dim.Role = stat.RoleGeo
		case strings.EqualFold(name, freqName):
			dim.Role = stat.RoleFrequency
		case strings.EqualFold(name, "unit"):
			dim.Role = stat.RoleUnit
		}
		if i == geoAt {
			d.Geography, d.GeographyAt = dim, i
		} else {
			d.Dimensions = append(d.Dimensions, dim)
		}
	}
}

// axisOf is the key position of a dimension.
func (r *reader) axisOf(name string) int {
	return slices.IndexFunc(r.axes, func(a *axis) bool { return a.dim.ID == name })
}

// setColumns gives the columns their meaning.
func (r *reader) setColumns() error {
	before := map[string]int{}
	for i, head := range r.header.heads {
		at := stat.Position{Line: 1, Column: i + 2}
		var column place
		same := head
		if r.header.timeInRows() {
			column.code = r.axes[r.codeAt].position([]byte(head))
		} else {
			var err error
			if column, err = r.time(head, at, r.codeAt); err != nil {
				return err
			}
			same = column.period.SDMX() + column.undated
		}
		if first, ok := before[same]; ok {
			return stat.BadFile(at, "column %q says the same as column %d", head, first)
		}
		before[same] = at.Column
		r.columns = append(r.columns, column)
	}
	return nil
}

// time reads a period and remembers what it is for the dataset as a whole.
// freqAt is the key position of a frequency that follows from it, -1 if none.
func (r *reader) time(text string, at stat.Position, freqAt int) (place, error) {
	if undatedMark.MatchString(text) {
		if !slices.Contains(r.dataset.Undated, text) {
			r.dataset.Undated = append(r.dataset.Undated, text)
			r.report.Add(stat.NoteUndated, 0, text)
		}
		return place{undated: text}, nil
	}
	period, err := stat.ParsePeriod(text)
	if err != nil {
		return place{}, stat.BadFile(at, "%v", err)
	}
	p := place{period: period}
	if freqAt >= 0 {
		p.code = r.axes[freqAt].position([]byte(period.Frequency().Code()))
	}
	return p, nil
}
