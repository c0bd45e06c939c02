package sdmxcsv

import (
	"bytes"
	"slices"
	"strings"
)

// The columns that are no components of the data.
const (
	firstOf1      = "DATAFLOW"
	firstOf2      = "STRUCTURE"
	firstOfKeyed  = "KEY"
	structureID   = "STRUCTURE_ID"
	structureName = "STRUCTURE_NAME"
	action        = "ACTION"
	seriesKey     = "SERIES_KEY"
	obsKey        = "OBS_KEY"
	updated       = "UPDATED" // or LAST UPDATE
)

// fixed are IDs of components that every reader of SDMX-CSV knows: no label of
// another column.
var fixed = []string{"TIME_PERIOD", "OBS_VALUE", "OBS_STATUS", "OBS_FLAG", "OBS_CONF", "CONF_STATUS", "LOWER_BOUND", "UPPER_BOUND"}

// column is a component of the data, or something that the office adds.
type column struct {
	id, label string
	at        int  // its cell
	labelAt   int  // the cell of the labels of its codes; -1: there is none
	several   bool // a cell may hold several values: "ATTR_1[]"
	languages bool // a cell holds a text in several languages: "ATTR_1[en;fr]"
}

// header is what the first record says; -1 for cells that are not there.
type header struct {
	kind                            kind
	sep, sub                        byte // between cells; between the values in one cell, 0: nothing
	width                           int
	dataflow, name, action, updated int
	isPaired                        bool // codes and labels stand in columns of their own
	hasLabels                       bool // cells are "ID: label"
	columns                         []column
}

// separators are what may stand between cells.
const separators = ",;\t|"

// firstHeading is the first heading of a line without quotes, with its label or
// brackets, and what stands after it. ok is false where no separator follows.
func firstHeading(line []byte) (heading string, sep byte, ok bool) {
	size := 0
	if len(line) > 0 && line[0] == '"' {
		if size = bytes.IndexByte(line[1:], '"') + 2; size < 2 {
			return "", 0, false
		}
	} else {
		for size < len(line) && !strings.ContainsRune(separators, rune(line[size])) {
			if line[size] == '[' { // STRUCTURE[;]: a separator of another kind
				size += max(bytes.IndexByte(line[size:], ']'), 0)
			}
			size++
		}
	}
	if size >= len(line) || !strings.ContainsRune(separators, rune(line[size])) {
		return "", 0, false
	}
	return strings.Trim(string(line[:size]), `"`), line[size], true
}

// kind is how a file begins.
type kind uint8

const (
	unknown kind = iota
	version1
	version2
	pairs // neither, but codes and labels in pairs
	keyed // neither, but a key of dataset and codes in front
)

// kindOf tells from the beginning of a file what it is, and what stands between
// its cells. Strict, since any CSV may have some of these headings.
func kindOf(head []byte) (k kind, sep byte) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	heading, sep, ok := firstHeading(line)
	if !ok {
		return unknown, 0
	}
	headings := strings.Split(strings.ReplaceAll(strings.TrimSpace(string(line)), `"`, ""), string(sep))
	id, _, _ := strings.Cut(heading, ":")
	name, _, _ := strings.Cut(id, "[")
	has := func(id string) bool {
		return slices.ContainsFunc(headings, func(h string) bool { return h == id || strings.HasPrefix(h, id+":") })
	}
	time := slices.Index(headings, "TIME_PERIOD")
	switch {
	case strings.EqualFold(id, firstOf1) && len(headings) > 2:
		return version1, sep
	case name == firstOf2 && len(headings) > 2 && has(structureID):
		return version2, sep
	case heading == "REF_AREA" && sep == ',' && headings[1] == "Geographic area" && has("TIME_PERIOD") && has("OBS_VALUE"):
		return pairs, sep
	case heading == firstOfKeyed && strings.EqualFold(headings[1], "FREQ") && time > 1 && slices.Index(headings, "OBS_VALUE") > time:
		return keyed, sep
	}
	return unknown, 0
}

// parseHeader reads the headings.
func parseHeader(k kind, r *records) (*header, error) {
	h := &header{kind: k, sep: r.sep, width: len(r.cells), dataflow: -1, name: -1, action: -1, updated: -1}
	names := make([]string, len(r.cells))
	for i, cell := range r.cells {
		names[i] = string(cell)
		if names[i] == "" {
			return nil, r.bad(i, "the column has no name in the first line")
		}
	}
	at := h.leading(names)
	h.isPaired = k == pairs || h.name >= 0
	for at < len(names) {
		c, size := h.column(names, at)
		if i := slices.IndexFunc(h.columns, func(d column) bool { return d.id == c.id }); i >= 0 {
			return nil, r.bad(at, "there are two columns %q, here and in column %d", c.id, h.columns[i].at+1)
		}
		isExtra := h.extra(c)
		if h.name >= 0 && !isExtra && !isID(c.id) {
			return nil, r.bad(at, "%q is no ID; with %s, every column of IDs has a column of labels to its right", c.id, structureName)
		}
		at += size
		if !isExtra {
			h.columns = append(h.columns, c)
		}
	}
	if len(h.columns) == 0 {
		return nil, r.bad(0, "the first line names no dimensions and no values")
	}
	return h, nil
}

// leading reads the columns that are no components; the answer is where the
// components begin.
func (h *header) leading(names []string) int {
	at := 0
	switch h.kind {
	case version1, keyed:
		h.dataflow, at = 0, 1
	case version2:
		h.dataflow, at = 1, 2
		if _, rest, found := strings.Cut(names[0], "["); found && rest != "" && rest[0] != ']' {
			h.sub = rest[0]
		}
	}
	for _, name := range names[at:] {
		switch name {
		case structureName:
			h.name = at
		case action:
			h.action = at
		case seriesKey, obsKey, structureID: // the same as other columns say
		default:
			return at
		}
		at++
	}
	return at
}

// column reads the heading at a cell; size is how many columns belong to it.
func (h *header) column(names []string, at int) (c column, size int) {
	c = column{id: names[at], at: at, labelAt: -1}
	if id, rest, found := strings.Cut(c.id, "["); found && isID(id) {
		if inner, label, closed := strings.Cut(rest, "]"); closed {
			c.several, c.languages = inner == "", inner != ""
			c.id = id + label
		}
	}
	if id, label, found := strings.Cut(c.id, ":"); found && isID(id) {
		c.id, c.label = id, strings.TrimSpace(label)
		h.hasLabels = true
	}
	if !h.isPaired || at+1 == len(names) || slices.Contains(fixed, names[at+1]) || extraName(c.id) != "" {
		return c, 1
	}
	if h.name < 0 && (strings.ToUpper(c.id) != c.id || !strings.ContainsFunc(names[at+1], isLower)) {
		return c, 1 // only codes have labels beside them
	}
	c.label, c.labelAt = names[at+1], at+1
	return c, 2
}

// extra takes in the columns that offices add, and reports whether c is one.
func (h *header) extra(c column) bool {
	switch extraName(c.id) {
	case updated:
		if h.updated < 0 {
			h.updated = c.at
		}
	case action:
		h.action = c.at
	case "":
		return false
	}
	return true
}

// extraName is the column that an office adds by the heading id; "" if it is
// one of the data.
func extraName(id string) string {
	switch name := strings.ReplaceAll(strings.ToUpper(id), " ", "_"); name {
	case updated, "LAST_UPDATE":
		return updated
	case action, seriesKey, obsKey:
		return name
	}
	return ""
}

func isLower(r rune) bool { return r >= 'a' && r <= 'z' }

// isID reports whether a text has the form of an ID in SDMX.
func isID(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && r != '@' && r != '$' && r != '.' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	})
}

// split takes a cell apart where cells are "ID: label".
func (h *header) split(cell []byte) (id, label []byte) {
	if !h.hasLabels {
		return cell, nil
	}
	if at := bytes.Index(cell, []byte(": ")); at > 0 {
		return cell[:at], bytes.TrimSpace(cell[at+2:])
	}
	return cell, nil
}

// identity reads the cell that names the dataset: "ESTAT:NA_MAIN(1.6.0)",
// perhaps with its name behind it, or a key that begins with it.
func (h *header) identity(cell string) (agency, code, name string) {
	switch h.kind {
	case keyed:
		code, _, _ = strings.Cut(cell, ".")
		return "ECB", code, ""
	case pairs:
		return "unicef", "", ""
	}
	id := cell
	if at := strings.Index(cell, ": "); at >= 0 {
		id, name = cell[:at], strings.TrimSpace(cell[at+2:])
	}
	id, _, _ = strings.Cut(id, "(")
	agency, code, found := strings.Cut(id, ":")
	if !found {
		agency, code = "", id
	}
	code, _, _ = strings.Cut(code, "$") // Eurostat's $DEFAULTVIEW
	return strings.TrimSpace(agency), strings.TrimSpace(code), name
}

// find is the column with an ID; nil if there is none.
func (h *header) find(id string) *column {
	for i := range h.columns {
		if strings.EqualFold(h.columns[i].id, id) {
			return &h.columns[i]
		}
	}
	return nil
}

// idAt is the ID of the column at a cell.
func (h *header) idAt(at int) string {
	for _, c := range h.columns {
		if c.at == at {
			return c.id
		}
	}
	return ""
}

func (h *header) ids() []string {
	ids := make([]string, len(h.columns))
	for i, c := range h.columns {
		ids[i] = c.id
	}
	return ids
}
