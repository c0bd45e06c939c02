package px

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// noteUnplaced is the kind of note for remarks on values or cells that are not in
// the table.
const noteUnplaced = "note-not-placed"

// Bounds of the notes of cells.
const (
	maxNotes    = 1 << 18
	maxNoteText = 64 << 20 // bytes of all texts together
	maxPatterns = 256
	maxRemarks  = 100 // of one keyword on one place
)

// note is the note of an observation: all remarks on its cell.
type note struct {
	text    string
	remarks []string
}

// notes are the remarks on values and on cells. Cells with the same remarks share
// one note; a nil note is empty.
type notes struct {
	known    map[string]*note // by text
	joined   map[[2]*note]*note
	size     int // of all texts
	vars     []*variable
	patterns []*pattern
}

// pattern holds the notes that name values of the same variables; the others are *.
type pattern struct {
	fixed []int    // the variables whose values are named
	sizes []uint64 // number of values of each
	few   []*note  // by key, where there are at most maxFew keys
	many  map[uint64]*note
}

const maxFew = 1 << 14

// remark holds the texts of one keyword on one place.
type remark struct {
	place        []int32
	texts        []string
	isTranslated bool
}

// readNotes reads the remarks; those on one place in the language of the labels if
// there are any.
func (r *reader) readNotes() (*notes, error) {
	n := &notes{known: map[string]*note{}, joined: map[[2]*note]*note{}, vars: r.vars}
	var all []*remark // in the order of the file
	byPlace := map[[2]string]*remark{}
	for _, st := range r.header.remarks {
		isTranslated := r.language != "" && st.language == r.language
		if !isTranslated && !r.header.isOwn(st.language) {
			continue
		}
		var in *localNames
		if isTranslated {
			in = r.labelNames()
		}
		place := r.place(st, in)
		if place == nil {
			r.Report.Add(noteUnplaced, 1, st.keyword+" "+shorten(strings.Join(st.keys, ", ")))
			continue
		}
		text := plain(st.values[0])
		key := [2]string{st.keyword, fmt.Sprint(place)}
		known := byPlace[key]
		switch {
		case known == nil:
			known = &remark{place, []string{text}, isTranslated}
			byPlace[key], all = known, append(all, known)
		case isTranslated && !known.isTranslated:
			known.texts, known.isTranslated = []string{text}, true
		case known.isTranslated != isTranslated || slices.Contains(known.texts, text):
		case len(known.texts) > maxRemarks:
			return nil, stat.BadFile(st.at, "more than %d statements %s are about one place", maxRemarks, st.keyword)
		default:
			known.texts = append(known.texts, text)
		}
	}
	r.translateNotes(byPlace)
	for _, known := range all {
		if err := n.add(known.place, strings.Join(known.texts, "\n")); err != nil {
			return nil, err
		}
	}
	// Remarks on values come first, in the order of the variables.
	rank := func(p *pattern) int {
		if len(p.fixed) == 1 {
			return p.fixed[0]
		}
		return len(r.vars)
	}
	slices.SortStableFunc(n.patterns, func(a, b *pattern) int { return cmp.Compare(rank(a), rank(b)) })
	return n, nil
}

// anyValue is the position of *.
const anyValue = -1

// place returns the positions of the values that a remark names, one for each
// variable; nil if the table lacks one of them. in are the names in the language of the remark, nil for the file's own.
func (r *reader) place(st statement, in *localNames) []int32 {
	keys := st.keys
	if strings.HasPrefix(st.keyword, "VALUENOTE") || st.keyword == "DATANOTE" { // names a variable and its value
		if len(keys) != 2 {
			return nil
		}
		i := slices.IndexFunc(r.vars, func(v *variable) bool { return keys[0] == v.name })
		if i < 0 && in != nil {
			i = slices.Index(in.variables, keys[0])
		}
		if i < 0 {
			return nil
		}
		keys = slices.Repeat([]string{"*"}, len(r.vars))
		keys[i] = st.keys[1]
	}
	if len(keys) != len(r.vars) {
		return nil
	}
	namings := []naming{byLabel, byValue, byCode}
	if in == nil {
		namings = namings[1:]
	}
	if st.keyword == "DATANOTECELL" { // names cells by their codes
		slices.Reverse(namings)
	}
	place := make([]int32, len(keys))
	findAll := func(n naming) bool {
		for i, key := range keys {
			if place[i] = anyValue; strings.TrimSpace(key) == "*" {
				continue
			}
			index := r.vars[i].index[n]
			if n == byLabel {
				index = in.values[i]
			}
			var ok bool
			if place[i], ok = positionIn(index, key); !ok {
				return false
			}
		}
		return true
	}
	if !slices.ContainsFunc(namings, findAll) {
		return nil
	}
	return place
}

func (n *notes) add(place []int32, text string) error {
	if text == "" {
		return nil
	}
	added, err := n.keep(text)
	if err != nil {
		return err
	}
	p, err := n.pattern(place)
	if err != nil {
		return err
	}
	key := p.key(place)
	joined, err := n.join(p.find(key), added)
	if p.few != nil {
		p.few[key] = joined
	} else {
		p.many[key] = joined
	}
	return err
}

func (n *notes) pattern(place []int32) (*pattern, error) {
	fixed := make([]int, 0, len(place))
	for i, at := range place {
		if at != anyValue {
			fixed = append(fixed, i)
		}
	}
	for _, p := range n.patterns {
		if slices.Equal(p.fixed, fixed) {
			return p, nil
		}
	}
	if len(n.patterns) == maxPatterns {
		return nil, stat.BadFile(stat.Position{}, "the remarks on cells have * for variables in more than %d different ways", maxPatterns)
	}
	p := &pattern{fixed: fixed, many: map[uint64]*note{}}
	keys := uint64(1)
	for _, i := range fixed {
		p.sizes = append(p.sizes, uint64(len(n.vars[i].values)))
		keys *= uint64(len(n.vars[i].values))
	}
	if keys <= maxFew {
		p.few = make([]*note, keys)
	}
	n.patterns = append(n.patterns, p)
	return p, nil
}

// key returns the number of a cell among the values that the pattern names. It is
// smaller than the number of cells of the table.
func (p *pattern) key(at []int32) uint64 {
	key := uint64(0)
	for j, i := range p.fixed {
		key = key*p.sizes[j] + uint64(at[i])
	}
	return key
}

func (p *pattern) find(key uint64) *note {
	if p.few != nil {
		return p.few[key]
	}
	return p.many[key]
}

// keep returns the note with the remarks, each on a line.
func (n *notes) keep(remarks ...string) (*note, error) {
	text := strings.Join(remarks, "\n")
	if known := n.known[text]; known != nil {
		return known, nil
	}
	if n.size += len(text); n.size > maxNoteText || len(n.known) >= maxNotes {
		return nil, stat.BadFile(stat.Position{}, "the remarks on values and cells make more than %d different notes or %d bytes", maxNotes, maxNoteText)
	}
	n.known[text] = &note{text, remarks}
	return n.known[text], nil
}

// join returns a note with the remarks of both, each once.
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
	remarks := slices.Clone(a.remarks)
	for _, remark := range b.remarks {
		if !slices.Contains(remarks, remark) {
			remarks = append(remarks, remark)
		}
	}
	joined, err := n.keep(remarks...)
	if len(n.joined) < maxNotes { // joined only saves time
		n.joined[[2]*note{a, b}] = joined
	}
	return joined, err
}

func (n *notes) find(at []int32) (found *note, err error) {
	for _, p := range n.patterns {
		if found, err = n.join(found, p.find(p.key(at))); err != nil {
			return nil, err
		}
	}
	return found, nil
}
