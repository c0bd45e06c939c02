package crosstab

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/format/office"
)

const maxDescription = 4000 // bytes

// describe fills in the metadata of the dataset: what the caller states, the lines above
// and below the table, and the remarks of the boxhead.
func (r *reader) describe() {
	d := r.Dataset
	titles, footer := r.titles(), r.found.footer
	d.Source = r.publisher(slices.Concat(titles, footer))
	d.Unit = cmp.Or(r.readGenesis(titles), infoshareUnit(footer))
	code, lines := r.readTitles(titles)
	lines = append(lines, r.constants()...)
	for i, line := range lines { // files in sections
		if strings.EqualFold(line, "name") && i+1 < len(lines) {
			d.Name = lines[i+1]
			lines = slices.Delete(lines, i, i+2)
			break
		}
	}
	if d.Name == "" && len(lines) > 0 {
		d.Name, lines = lines[0], lines[1:]
	}
	lines = slices.Concat(lines, r.remarks(), footer)
	d.Description = strings.Join(lines, "\n")
	if len(d.Description) > maxDescription {
		d.Description = strings.ToValidUTF8(d.Description[:maxDescription], "") + " …"
	}
	if unit := r.unit(0); unit != "" && r.hasOneUnit() {
		d.Unit = unit
	}
	if len(r.values) == 1 && d.Name == "" {
		d.Name = r.label(0)
	}
	r.setUpdated()
	r.SetCode(r.in.Code, code)
}

// readTitles takes the unit and the code of the dataset from the lines above the table, and
// returns the code and the other lines.
func (r *reader) readTitles(titles []string) (code string, lines []string) {
	d := r.Dataset
	for _, line := range titles {
		if cube, ok := strings.CutPrefix(line, snbCube); ok {
			code = cube
			continue
		}
		if after, ok := strings.CutPrefix(line, genesisTable); ok && code == "" {
			code = after
			continue
		}
		if m := unitLine.FindStringSubmatch(line); m != nil && d.Unit == "" {
			d.Unit = m[1]
			continue
		}
		if m := sidraVariable.FindStringSubmatch(line); m != nil && d.Unit == "" {
			d.Unit = m[1]
		}
		lines = append(lines, line)
	}
	return code, lines
}

// hasOneUnit reports whether all numbers have the unit of the first column.
func (r *reader) hasOneUnit() bool {
	for j := range r.values {
		if r.unit(j) != r.unit(0) || len(r.times) > 0 && j > 0 { // series keep theirs
			return false
		}
	}
	return true
}

// snbCube begins the first line of the tables of the Swiss National Bank.
const snbCube = "CubeId "

// sidraVariable matches the line of the tables of SIDRA, the database of the IBGE, that
// names their only measure with its unit.
var sidraVariable = regexp.MustCompile(`^Variável - .+ \(([^()]+)\)$`)

// infoshareUnit returns the unit of a table of Stats NZ, which stands in the lines below
// it: "Index, Magnitude = Units" after "Units:".
func infoshareUnit(footer []string) string {
	at := slices.Index(footer, "Units:")
	if at < 0 || at+1 >= len(footer) {
		return ""
	}
	unit, multiplier, ok := strings.Cut(footer[at+1], ", Magnitude = ")
	if !ok {
		return ""
	}
	return withMultiplier(unit, multiplier)
}

// updateLayouts are the forms of dates of an update that can be read in one way only.
var updateLayouts = []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "02-Jan-2006", "2 January 2006", "2 Jan 2006", "January 2, 2006"}

// setUpdated sets the date of the last update, the latest of those that the boxhead
// states.
func (r *reader) setUpdated() {
	for _, h := range r.ofRole(roleUpdated) {
		for _, c := range h.cells {
			for _, layout := range updateLayouts {
				if t, err := time.ParseInLocation(layout, c, office.Zone(r.Dataset.Source.ID)); err == nil && t.After(r.Dataset.Updated) {
					r.Dataset.Updated = t
				}
			}
		}
	}
}
