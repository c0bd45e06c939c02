package px

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// noteUnplaced tells of remarks on values or cells that the table does not
// have.
const noteUnplaced = "note-not-placed"

// Bounds of the notes of cells: how many different sets of remarks may meet in
// a cell, how long their texts are altogether, and in how many ways variables
// may be left open by *.
const (
	maxNoteSets = 1 << 18
	maxNoteText = 64 << 20
	maxPatterns = 256
	maxRemarks  = 100 // of one keyword at one place
)

// notes are the remarks on values and on cells. A set of remarks that meet in
// a cell is a number; 0 is none. What is put together once is kept, so that a
// cell costs no memory.
type notes struct {
	texts  []string         // by set
	parts  [][]int32        // by set: the sets of one remark that it is made of
	sets   map[string]int32 // by text
	joined map[uint64]int32 // two sets that meet: the set they make
	size   int              // of all texts
	vars   []*variable

	values   [][]int32 // by variable and position; nil for a variable without remarks
	patterns []*pattern
}

// pattern is a way to name cells: some variables have a value, the others *.
type pattern struct {
	fixed []int    // variables that have a value
	sizes []uint64 // how many values each has
	cells map[uint64]int32
}

// remark is a text at its place, the language of the text aside.
type remark struct {
	text  string
	shown bool // the text is in the language that is shown
	more  int  // remarks that were there before
}

// readNotes places all remarks of the file.
func (t *table) readNotes() (*notes, error) {
	n := &notes{
		texts: []string{""}, parts: [][]int32{nil}, sets: map[string]int32{}, joined: map[uint64]int32{},
		vars: t.vars, values: make([][]int32, len(t.vars)),
	}
	order := []string{} // of places, as the file has them
	at := map[string]remark{}
	places := map[string][]int32{}
	for _, st := range t.header.remarks {
		shown := t.shown != "" && st.language == t.shown
		if !shown && !t.header.isOwn(st.language) {
			continue
		}
		place, ok := t.place(st, shown)
		if !ok {
			t.report.Add(noteUnplaced, 1, st.keyword+" "+shorten(strings.Join(st.keys, ", ")))
			continue
		}
		text := plain(st.values[0])
		key := placeKey(st.keyword, place)
		before, known := at[key]
		now := remark{text: text, shown: shown}
		switch {
		case !known:
			order = append(order, key)
			places[key] = place
		case before.shown && !shown:
			continue
		case before.shown == shown && before.more == maxRemarks:
			return nil, stat.BadFile(st.at, "more than %d statements %s are about one place", maxRemarks, st.keyword)
		case before.shown == shown && before.text != text:
			now.text, now.more = before.text+"\n"+text, before.more+1
		}
		at[key] = now
	}
	for _, key := range order {
		if err := n.add(places[key], at[key].text); err != nil {
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
	texts := func(v *variable) map[string]int32 {
		if shown {
			return v.byLabel
		}
		return v.byValue
	}
	codes := func(v *variable) map[string]int32 { return v.byCode }
	first, second := texts, codes
	if st.keyword == "DATANOTECELL" { // which names cells by their codes
		first, second = codes, texts
	}
	if place, ok := t.cellPlace(st.keys, first); ok {
		return place, true
	}
	return t.cellPlace(st.keys, second)
}

// cellPlace finds the values that name a cell in one of the indexes of each
// variable.
func (t *table) cellPlace(keys []string, index func(*variable) map[string]int32) ([]int32, bool) {
	place := make([]int32, len(t.vars))
	for i, key := range keys {
		if place[i] = anyValue; strings.TrimSpace(key) == "*" {
			continue
		}
		var ok bool
		if place[i], ok = lookup(index(t.vars[i]), key); !ok {
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
		b = append(b, byte(at), byte(at>>8), byte(at>>16), byte(at>>24))
	}
	return string(b)
}

// add places a text.
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
	set, err := n.set(text)
	if err != nil {
		return err
	}
	if len(fixed) == 1 {
		of := &n.values[fixed[0]]
		for int(place[fixed[0]]) >= len(*of) {
			*of = append(*of, 0)
		}
		here := &(*of)[place[fixed[0]]]
		*here, err = n.join(*here, set)
		return err
	}
	p, err := n.pattern(fixed)
	if err != nil {
		return err
	}
	key := p.key(place)
	p.cells[key], err = n.join(p.cells[key], set)
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
	p := &pattern{fixed: fixed, cells: map[uint64]int32{}}
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

// set is the number of the set of one remark.
func (n *notes) set(text string) (int32, error) {
	made, err := n.keep(text)
	if err == nil && n.parts[made] == nil {
		n.parts[made] = []int32{made}
	}
	return made, err
}

// keep is the number of the set that has a text.
func (n *notes) keep(text string) (int32, error) {
	if known, ok := n.sets[text]; ok {
		return known, nil
	}
	if n.size += len(text); n.size > maxNoteText || len(n.texts) >= maxNoteSets {
		return 0, stat.BadFile(stat.Position{}, "the remarks on values and cells make more than %d different notes or %d bytes", maxNoteSets, maxNoteText)
	}
	n.texts, n.parts = append(n.texts, text), append(n.parts, nil)
	made := int32(len(n.texts) - 1)
	n.sets[text] = made
	return made, nil
}

// join is the set of two sets that meet. A remark that is in both is in it
// once.
func (n *notes) join(a, b int32) (int32, error) {
	switch {
	case a == 0:
		return b, nil
	case b == 0 || a == b:
		return a, nil
	}
	key := uint64(uint32(a))<<32 | uint64(uint32(b))
	if known, ok := n.joined[key]; ok {
		return known, nil
	}
	text, parts := n.texts[a], slices.Clone(n.parts[a])
	for _, part := range n.parts[b] {
		if !slices.Contains(parts, part) {
			text += "\n" + n.texts[part]
			parts = append(parts, part)
		}
	}
	made, err := n.keep(text)
	if err == nil && n.parts[made] == nil {
		n.parts[made] = parts
	}
	if len(n.joined) < maxNoteSets { // it is only quicker so
		n.joined[key] = made
	}
	return made, err
}

// of is the set of the cell at the positions at.
func (n *notes) of(at []int32) (int32, error) {
	set := int32(0)
	var err error
	for i, of := range n.values {
		if int(at[i]) < len(of) && of[at[i]] != 0 {
			if set, err = n.join(set, of[at[i]]); err != nil {
				return 0, err
			}
		}
	}
	for _, p := range n.patterns {
		if here, ok := p.cells[p.key(at)]; ok {
			if set, err = n.join(set, here); err != nil {
				return 0, err
			}
		}
	}
	return set, nil
}
