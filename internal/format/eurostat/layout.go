package eurostat

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Kinds of notes that only this format writes.
const (
	noteLabelsUnread     = "labels-unread"      // dictionaries that could not be read, or not whole
	noteContentsOlder    = "contents-older"     // the table of contents is of an older vintage than the file
	noteUpdateTimeUnread = "update-time-unread" // a time of update in a form that is not known
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
		r.axes = append(r.axes, &axis{dim: dim, known: t.list(dim.ID).positions()})
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

// addDimensions makes the dataset's dimensions, with the codes of their
// dictionaries.
func (t *table) addDimensions(names []string, geoAt int) {
	d := t.dataset
	for i, name := range names {
		dim := stat.Dimension{ID: name, Label: t.labels.dimension(d.Code, name), Role: stat.RoleOther}
		switch {
		case i == geoAt:
			dim.Role = stat.RoleGeo
		case strings.EqualFold(name, freqName):
			dim.Role = stat.RoleFrequency
		case strings.EqualFold(name, "unit"):
			dim.Role = stat.RoleUnit
		}
		if list := t.list(name); list != nil {
			dim.Codes = slices.Clone(list.codes)
			for _, file := range list.eightBit {
				t.report.Add(stat.NoteEncoding, 1, false, file)
			}
		}
		if i == geoAt {
			d.Geography, d.GeographyAt = dim, i
		} else {
			d.Dimensions = append(d.Dimensions, dim)
		}
	}
}

// list is the dictionary of a dimension; nil if there is none.
func (t *table) list(dimension string) *codelist { return t.labels.list(t.dataset.Code, dimension) }

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
			r.report.Add(stat.NoteUndated, 0, true, text)
		}
		return place{undated: text}, nil
	}
	period, err := stat.Parse(text)
	if err != nil {
		return place{}, stat.BadFile(at, "%v", err)
	}
	if r.newest.IsZero() || period.End().After(r.newest.End()) {
		r.newest = period
	}
	p := place{period: period}
	if freqAt >= 0 {
		p.code = r.axes[freqAt].position([]byte(period.Frequency().Code()))
	}
	return p, nil
}

// finish writes the notes that need the whole file.
func (r *reader) finish() {
	for _, a := range r.axes {
		if len(a.own) > 0 && a.dim.Role != stat.RoleGeo { // areas have names without a dictionary
			first := a.dim.Codes[len(a.dim.Codes)-len(a.own)].ID
			r.report.Add(stat.NoteNoLabels, len(a.own), false, a.dim.ID+": "+first)
		}
	}
	for _, problem := range r.labels.problems() {
		r.report.Add(noteLabelsUnread, 1, false, problem)
	}
	if r.contents == nil {
		return
	}
	if r.contents.unread != "" {
		r.report.Add(noteUpdateTimeUnread, 1, false, r.contents.unread)
	}
	if end := r.contents.dataEnd; !end.IsZero() && !r.newest.IsZero() && r.newest.End().After(end.End()) {
		r.report.Add(noteContentsOlder, 1, false,
			fmt.Sprintf("data until %s there, until %s in the file", end, r.newest))
	}
}
