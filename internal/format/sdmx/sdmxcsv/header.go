package sdmxcsv

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/sdmx"
	"almanac/internal/stat"
)

// column is a component of the data.
type column struct {
	id, label    string
	at           int  // its cell
	labelAt      int  // the cell with the label of its code; -1: none
	hasSeveral   bool // cells may hold several values: "ATTR_1[]"
	hasLanguages bool // cells hold a text in several languages: "ATTR_1[en;fr]"

	role      stat.Role       // of a dimension, as the source states it
	last      [2]string       // the last cell that was read, and its label
	measure   int32           // of numbers: their position among the measures
	number    []byte          // of numbers: the current one
	isBound   bool            // of numbers: they are bounds of uncertainty
	attribute *sdmx.Attribute // nil: observations have no place for it
	isDropped bool            // of an attribute without a place: some cell is not empty
}

// header describes the columns. The position of a missing column is -1.
type header struct {
	kind       kind
	sep        byte // between cells
	valueSep   byte // between the values in one cell; 0: none
	dataflowAt int
	nameAt     int
	actionAt   int
	updatedAt  int
	hasLabels  bool // cells are "ID: label"
	columns    []column
}

// kind is the form of a file, which its headings tell.
type kind uint8

const (
	unknown kind = iota
	version1
	version2
	pairs // UNICEF's: columns of codes and labels in pairs
	keyed // the ECB's: a key of dataset and codes comes first
)

// heading matches an ID, what is in brackets, and a label: "ATTR_1[]: Note".
var heading = regexp.MustCompile(`(?s)^([\w.@$-]+)(\[[^\]]*\])?(:.*)?$`)

// labelEnding is that of the headings of labels in the World Bank's Data360.
const labelEnding = "_LABEL"

// firstCell matches the first cell of a line and the separator after it. Brackets
// hold a separator of another kind: "STRUCTURE[;]".
var firstCell = regexp.MustCompile(`^(?:"[^"]*"|[^",;\t|[]*(?:\[[^\]]*\])?[^",;\t|]*)([,;\t|])`)

// firstLines match the separator and the headings of a file, each on a line. They are
// strict, because any CSV may have some of these headings.
var firstLines = [...]*regexp.Regexp{
	version1: regexp.MustCompile(`^.\n(?i:DATAFLOW)(:.*)?\n.*\n.*\n`),
	version2: regexp.MustCompile(`^.\n(?:STRUCTURE(\[.*\])?(:.*)?\n(.*\n)*STRUCTURE_ID(:.*)?\n(.*\n)+|STRUCTURE_ID\n(.*\n)*ACTION\n(.*\n)*OBS_VALUE\n)`), // some remove the first column
	pairs:    regexp.MustCompile(`^,\nREF_AREA\nGeographic area\n(.*\n)*TIME_PERIOD(:.*)?\n(.*\n)*OBS_VALUE(:.*)?\n`),
	keyed:    regexp.MustCompile(`^.\nKEY\n(?i:FREQ)\n(.*\n)*TIME_PERIOD\n(.*\n)*OBS_VALUE\n`),
}

// kindOf returns the kind and the separator of the file that begins with head.
func kindOf(head []byte) (k kind, sep byte) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	first := firstCell.FindSubmatch(line)
	if first == nil {
		return unknown, 0
	}
	headings := bytes.ReplaceAll(bytes.ReplaceAll(bytes.TrimSpace(line), []byte{'"'}, nil), first[1], []byte("\n"))
	headings = slices.Concat(first[1], []byte("\n"), headings, []byte("\n"))
	for k := version1; k <= keyed; k++ {
		if firstLines[k].Match(headings) {
			return k, first[1][0]
		}
	}
	return unknown, 0
}

// readHeader returns the records of a text in UTF-8 after it has read their headings.
func readHeader(text io.Reader) (*header, *records, error) {
	h := &header{dataflowAt: -1, nameAt: -1, actionAt: -1, updatedAt: -1}
	var r *records
	if r, h.kind, h.sep = newRecords(text); h.kind == unknown {
		return nil, nil, stat.BadFile(stat.Position{Line: 1}, "the headings are not those of SDMX-CSV, which begin with DATAFLOW, with STRUCTURE and STRUCTURE_ID, or with KEY and FREQ")
	}
	if err := r.read(); err != nil {
		return nil, nil, err
	}
	r.cells = trimEmpty(r.cells, 0)
	r.width = len(r.cells)
	if empty := slices.IndexFunc(r.cells, func(cell string) bool { return cell == "" }); empty >= 0 {
		return nil, nil, r.bad(empty, "the column has no heading")
	}
	return h, r, h.readColumns(r)
}

func (h *header) readColumns(r *records) error {
	at := 0
	switch h.kind {
	case version1, keyed:
		h.dataflowAt, at = 0, 1
	case version2:
		h.dataflowAt, at = 1, 2
		if r.cells[0] == "STRUCTURE_ID" {
			h.dataflowAt, at, r.isEdited = 0, 1, true
		}
		if _, rest, _ := strings.Cut(r.cells[0], "["); len(rest) > 0 && rest[0] != ']' {
			h.valueSep = rest[0]
		}
	}
	repeated := -1 // columns that repeat others
	notData := map[string]*int{
		"STRUCTURE_NAME": &h.nameAt, "ACTION": &h.actionAt, "UPDATED": &h.updatedAt, "LAST_UPDATE": &h.updatedAt,
		"STRUCTURE_ID": &repeated, "SERIES_KEY": &repeated, "OBS_KEY": &repeated,
	}
	for ; at < r.width; at++ {
		c := h.newColumn(r.cells[at], at)
		if cell := notData[strings.ReplaceAll(strings.ToUpper(c.id), " ", "_")]; cell != nil {
			if *cell < 0 {
				*cell = at
			}
			continue
		}
		if other := h.find(func(id string) bool { return id == c.id }); other != nil {
			return r.bad(at, "column %q is repeated; it is also column %d", c.id, other.at+1)
		}
		if h.nameAt >= 0 && !heading.MatchString(c.id) {
			return r.bad(at, "%q is not an ID; with STRUCTURE_NAME, every column of IDs has a column of labels to its right", c.id)
		}
		if at+1 < r.width && h.isLabelOf(r.cells[at+1], c.id) {
			at++
			c.labelAt = at
			if label := r.cells[at]; label != c.id+labelEnding {
				c.label = label
			}
		}
		h.columns = append(h.columns, c)
	}
	if len(h.columns) == 0 {
		return r.bad(0, "the headings have neither dimensions nor values")
	}
	return nil
}

func (h *header) newColumn(name string, at int) column {
	c := column{id: name, at: at, labelAt: -1}
	if parts := heading.FindStringSubmatch(name); parts != nil {
		c.id, c.label = parts[1], strings.TrimSpace(strings.TrimPrefix(parts[3], ":"))
		c.hasSeveral, c.hasLanguages = parts[2] == "[]", len(parts[2]) > 2
		h.hasLabels = h.hasLabels || parts[3] != ""
	}
	return c
}

// isLabelOf reports whether the column name has the labels of the column id to its
// left. In files without STRUCTURE_NAME only codes have such columns.
func (h *header) isLabelOf(name, id string) bool {
	switch name {
	case "TIME_PERIOD", "OBS_VALUE", "OBS_STATUS", "OBS_FLAG", "OBS_CONF", "CONF_STATUS", "LOWER_BOUND", "UPPER_BOUND":
		return false
	}
	if name == id+labelEnding {
		return true
	}
	isLower := func(r rune) bool { return r >= 'a' && r <= 'z' }
	return h.nameAt >= 0 || h.kind == pairs && strings.ToUpper(id) == id && strings.ContainsFunc(name, isLower)
}

func (h *header) splitLabel(cell string) (id, label string) {
	if !h.hasLabels {
		return cell, ""
	}
	if at := strings.Index(cell, ": "); at > 0 {
		return cell[:at], strings.TrimSpace(cell[at+2:])
	}
	return cell, ""
}

// identity reads the cell that names the dataset: "ESTAT:NA_MAIN(1.6.0)", perhaps with
// a title, or a key that begins with the code.
func (h *header) identity(cell string) (agency, code, name string) {
	switch h.kind {
	case keyed:
		code, _, _ = strings.Cut(cell, ".")
		return "ECB", code, ""
	case pairs:
		return "unicef", "", ""
	}
	id, name, _ := strings.Cut(cell, ": ")
	id, _, _ = strings.Cut(id, "(")
	agency, code, found := strings.Cut(id, ":")
	if !found {
		agency, code = "", id
	}
	code, _, _ = strings.Cut(code, "$") // Eurostat's $DEFAULTVIEW
	return strings.TrimSpace(agency), strings.TrimSpace(code), strings.TrimSpace(name)
}

// find returns the first column whose ID is accepts; nil if there is none.
func (h *header) find(is func(id string) bool) *column {
	for i := range h.columns {
		if is(h.columns[i].id) {
			return &h.columns[i]
		}
	}
	return nil
}

func (h *header) column(id string) *column {
	return h.find(func(other string) bool { return strings.EqualFold(other, id) })
}

func (h *header) ids() string {
	ids := make([]string, len(h.columns))
	for i, c := range h.columns {
		ids[i] = c.id
	}
	return strings.Join(ids, ", ")
}
