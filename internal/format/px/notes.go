package px

import (
	"encoding/binary"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// noteUnplaced tells of remarks on values or cells that the table does not
// have.
const noteUnplaced = "note-not-placed"

// Bounds of the notes of cells: how many different ones there may be, how long
// their texts are altogether, and in how many ways variables may be left open
// by *.
const (
	maxNotes    = 1 << 18
	maxNoteText = 64 << 20
	maxPatterns = 256
	maxRemarks  = 100 // of one keyword at one place
)

// note is what an observation says: a remark, or several that meet in a cell.
type note struct {
	text    string
	remarks []string
}

// notes are the remarks on values and on cells. Notes that are put together
// once are kept, so that a cell costs no memory; a nil note says nothing.
type notes struct {
	known  map[string]*note // by text
	joined map[[2]*note]*note
	size   int // of all texts
	vars   []*variable

	values   [][]*note // by variable and position; nil for a variable without remarks
	patterns []*pattern
}

// pattern is a way to name cells: some variables have a value, the others *.
type pattern struct {
	fixed []int    // variables that have a value
	sizes []uint64 // how many values each has
	cells map[uint64]*note
}

// remark is a text at its place, the language of the text aside.
type remark struct {
	place []int32
	text  string
	shown bool // the text is in the language that is shown
	more  int  // remarks that were there before
}

func (t *table) readNotes() (*notes, error) {
	n := &notes{known: map[string]*note{}, joined: map[[2]*note]*note{}, vars: t.vars, values: make([][]*note, len(t.vars))}
	var all []*remark // in the order of the file
	known := map[string]*remark{}
	for _, st := range t.header.remarks {
		shown := t.language != "" && st.language == t.language
		if !shown && !t.header.isOwn(st.language) {
			continue
		}
		place, ok := t.place(st, shown)
		if !ok {
			t.Report.Add(noteUnplaced, 1, st.keyword+" "+shorten(strings.Join(st.keys, ", ")))
			continue
		}
		text := plain(st.values[0])
		key := placeKey(st.keyword, place)
		r := known[key]
		switch {
		case r == nil:
			r = &remark{place: place, text: text, shown: shown}
			known[key], all = r, append(all, r)
		case r.shown && !shown:
		case shown && !r.shown:
			r.text, r.shown, r.more = text, true, 0
		case r.more == maxRemarks:
			return nil, stat.BadFile(st.at, "more than %d statements %s are about one place", maxRemarks, st.keyword)
		case r.text != text:
			r.text, r.more = r.text+"\n"+text, r.more+1
		}
	}
	for _, r := range all {
		if err := n.add(r.place, r.text); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// anyValue is the position of *.
const anyValue = -1

// place is the positions of the values that a remark names, one for each
// variable.
func (t *table) place(st statement, shown bool) ([]int32, bool) {
	if strings.HasPrefix(st.keyword, "VALUENOTE") || st.keyword == "DATANOTE" {
		return t.valuePlace(st, shown)
	}
	if len(st.keys) != len(t.vars) {
		return nil, false
	}
	texts, codes := make([]map[string]int32, len(t.vars)), make([]map[string]int32, len(t.vars))
	for i, v := range t.vars {
		if texts[i], codes[i] = v.byValue, v.byCode; shown {
			texts[i] = v.byLabel
		}
	}
	if st.keyword == "DATANOTECELL" { // which names cells by their codes
		texts, codes = codes, texts
	}
	if place, ok := cellPlace(st.keys, texts); ok {
		return place, true
	}
	return cellPlace(st.keys, codes)
}

// cellPlace finds the values that name a cell, in an index of each variable.
func cellPlace(keys []string, indexes []map[string]int32) ([]int32, bool) {
	place := make([]int32, len(keys))
	for i, key := range keys {
		if place[i] = anyValue; strings.TrimSpace(key) == "*" {
			continue
		}
		var ok bool
		if place[i], ok = lookup(indexes[i], key); !ok {
			return nil, false
		}
	}
	return place, true
}

// valuePlace is the place of a remark on a value of one variable.
func (t *table) valuePlace(st statement, shown bool) ([]int32, bool) {
	if len(st.keys) != 2 {
		return nil, false
	}
	place := slices.Repeat([]int32{anyValue}, len(t.vars))
	for i, v := range t.vars {
		indexes := []map[string]int32{v.byValue, v.byCode}
		switch {
		case shown && (st.keys[0] == v.shown || st.keys[0] == v.name):
			indexes = []map[string]int32{v.byLabel, v.byValue, v.byCode}
		case st.keys[0] != v.name:
			continue
		}
		for _, index := range indexes {
			if at, ok := lookup(index, st.keys[1]); ok {
				place[i] = at
				return place, true
			}
		}
		return nil, false
	}
	return nil, false
}

// placeKey tells places of a keyword apart.
func placeKey(keyword string, place []int32) string {
	b := []byte(keyword)
	for _, at := range place {
		b = binary.LittleEndian.AppendUint32(b, uint32(at))
	}
	return string(b)
}

func (n *notes) add(place []int32, text string) error {
	if text == "" {
		return nil
	}
	var fixed []int
	for i, at := range place {
		if at != anyValue {
			fixed = append(fixed, i)
		}
	}
	made, err := n.keep(text, []string{text})
	if err != nil {
		return err
	}
	if len(fixed) == 1 {
		i := fixed[0]
		if n.values[i] == nil {
			n.values[i] = make([]*note, len(n.vars[i].values))
		}
		here := &n.values[i][place[i]]
		*here, err = n.join(*here, made)
		return err
	}
	p, err := n.pattern(fixed)
	if err != nil {
		return err
	}
	key := p.key(place)
	p.cells[key], err = n.join(p.cells[key], made)
	return err
}

// pattern is the one that has values for the variables fixed.
func (n *notes) pattern(fixed []int) (*pattern, error) {
	for _, p := range n.patterns {
		if slices.Equal(p.fixed, fixed) {
			return p, nil
		}
	}
	if len(n.patterns) == maxPatterns {
		return nil, stat.BadFile(stat.Position{}, "the remarks on cells leave variables open (*) in more than %d different ways", maxPatterns)
	}
	p := &pattern{fixed: fixed, cells: map[uint64]*note{}}
	for _, i := range fixed {
		p.sizes = append(p.sizes, uint64(len(n.vars[i].values)))
	}
	n.patterns = append(n.patterns, p)
	return p, nil
}

// key tells the cells of a pattern apart. It is smaller than the number of
// the table's cells, so that no two of them share one.
func (p *pattern) key(at []int32) uint64 {
	key := uint64(0)
	for j, i := range p.fixed {
		key = key*p.sizes[j] + uint64(at[i])
	}
	return key
}

// keep is the note with a text, made of remarks.
func (n *notes) keep(text string, remarks []string) (*note, error) {
	if known := n.known[text]; known != nil {
		return known, nil
	}
	if n.size += len(text); n.size > maxNoteText || len(n.known) >= maxNotes {
		return nil, stat.BadFile(stat.Position{}, "the remarks on values and cells make more than %d different notes or %d bytes", maxNotes, maxNoteText)
	}
	made := &note{text, remarks}
	n.known[text] = made
	return made, nil
}

// join is the note of two that meet. A remark that is in both is in it once.
func (n *notes) join(a, b *note) (*note, error) {
	switch {
	case a == nil:
		return b, nil
	case b == nil || a == b:
		return a, nil
	}
	if known := n.joined[[2]*note{a, b}]; known != nil {
		return known, nil
	}
	text, remarks := a.text, slices.Clone(a.remarks)
	for _, remark := range b.remarks {
		if !slices.Contains(remarks, remark) {
			text += "\n" + remark
			remarks = append(remarks, remark)
		}
	}
	made, err := n.keep(text, remarks)
	if len(n.joined) < maxNotes { // it is only quicker so
		n.joined[[2]*note{a, b}] = made
	}
	return made, err
}

// of is the note of the cell at the positions at.
func (n *notes) of(at []int32) (found *note, err error) {
	for i, of := range n.values {
		if of != nil && of[at[i]] != nil {
			if found, err = n.join(found, of[at[i]]); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range n.patterns {
		if found, err = n.join(found, p.cells[p.key(at)]); err != nil {
			return nil, err
		}
	}
	return found, nil
}
