package px

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// variable is an axis of the table as the file has it, the time among them.
type variable struct {
	name, shown string   // in the file's language, and in the one that is shown
	id          string   // of the dimension
	values      []string // texts in the file's language
	labels      []string // texts in the language that is shown
	codes       []string
	byValue     map[string]int32 // positions; -1 for a text that several have
	byLabel     map[string]int32
	byCode      map[string]int32
	at          stat.Position // of its VALUES

	axis *assemble.Axis // nil for the time
}

// isCalled reports whether one of the names of the variable is such, in lower
// case.
func (v *variable) isCalled(such func(name string) bool) bool {
	for _, name := range []string{v.id, v.name, v.shown} {
		if such(strings.ToLower(strings.TrimSpace(name))) {
			return true
		}
	}
	return false
}

// noteTranslation tells of labels in a second language that are not used,
// because they do not pair with the values.
const noteTranslation = "translation-not-used"

// maxVariables is more than any table has; the limit of the interface is the
// importer's concern.
const maxVariables = 100

// readVariables reads what the table is made of, in the order of the cells.
func (t *table) readVariables() error {
	h := t.header
	stub := h.list(slot{keyword: "STUB"})
	t.stub = len(stub)
	names := slices.Concat(stub, h.list(slot{keyword: "HEADING"}))
	if len(names) == 0 {
		return stat.BadFile(t.text.place(), "there is neither STUB nor HEADING, which name the variables of the table")
	}
	if len(names) > maxVariables {
		return stat.BadFile(t.named(), "STUB and HEADING name %d variables; at most %d are read", len(names), maxVariables)
	}
	shown := slices.Concat(h.list(slot{keyword: "STUB", language: t.language}), h.list(slot{keyword: "HEADING", language: t.language}))
	if len(shown) != len(names) {
		t.Report.Add(noteTranslation, 1, "STUB and HEADING in "+t.language)
		shown, t.language = names, ""
	}
	seen := map[string]bool{}
	for i, name := range names {
		v, err := t.variable(name, shown[i])
		if err != nil {
			return err
		}
		if seen[v.id] {
			return stat.BadFile(v.at, "two variables are called %s", shorten(v.id))
		}
		seen[v.id] = true
		t.vars = append(t.vars, v)
	}
	return nil
}

func (t *table) variable(name, shown string) (*variable, error) {
	h := t.header
	v := &variable{name: name, shown: shown}
	values, ok := h.find(slot{keyword: "VALUES", a: name})
	codes, hasCodes := h.find(slot{keyword: "CODES", a: name})
	switch {
	case !ok && !hasCodes:
		return nil, stat.BadFile(t.named(), "there are no VALUES(%q), the values of a variable that STUB or HEADING names", name)
	case !ok:
		values = codes
	case !hasCodes:
		codes = values
	}
	v.at, v.values, v.labels = values.at, values.values, values.values
	if len(codes.values) != len(values.values) {
		return nil, stat.BadFile(codes.at, "%s has %d codes, and %d values in line %d", shorten(name), len(codes.values), len(values.values), values.at.Line)
	}
	for i, code := range codes.values {
		if code = strings.TrimSpace(code); code == "" {
			return nil, stat.BadFile(codes.at, "value %d of %s is empty; each needs a code of its own", i+1, shorten(name))
		}
		v.codes = append(v.codes, code)
	}
	v.byCode = positions(v.codes)
	for _, code := range v.codes {
		if v.byCode[code] < 0 {
			return nil, stat.BadFile(codes.at, "%s has %s twice; each value needs a code of its own", shorten(name), shorten(code))
		}
	}
	v.byValue = positions(v.values)
	t.translate(v)
	v.byLabel = positions(v.labels)
	if v.id = cmp.Or(h.text(slot{keyword: "VARIABLECODE", a: name}), strings.TrimSpace(name)); v.id == "" {
		return nil, stat.BadFile(v.at, "a variable has no name")
	}
	return v, nil
}

// named is where the file names its variables.
func (t *table) named() stat.Position {
	if stub, ok := t.header.find(slot{keyword: "STUB"}); ok {
		return stub.at
	}
	heading, _ := t.header.find(slot{keyword: "HEADING"})
	return heading.at
}

// translate gives a variable its labels in the language that is shown.
func (t *table) translate(v *variable) {
	if t.language == "" {
		return
	}
	labels, ok := t.header.find(slot{keyword: "VALUES", language: t.language, a: v.shown})
	if !ok { // some files name the variable in their own language
		labels, ok = t.header.find(slot{keyword: "VALUES", language: t.language, a: v.name})
	}
	switch {
	case !ok:
	case len(labels.values) != len(v.values):
		t.Report.Add(noteTranslation, 1, "VALUES of "+v.shown+" in "+t.language)
	default:
		v.labels = labels.values
	}
}

// positions finds texts; those that several values have are at -1.
func positions(texts []string) map[string]int32 {
	at := make(map[string]int32, len(texts))
	for i, text := range texts {
		if _, twice := at[text]; twice {
			at[text] = -1
			continue
		}
		at[text] = int32(i)
	}
	return at
}

// lookup finds a text among one of the indexes of a variable.
func lookup(index map[string]int32, text string) (int32, bool) {
	at, ok := index[text]
	if !ok {
		at, ok = index[strings.TrimSpace(text)]
	}
	return at, ok && at >= 0
}

// about is what a keyword says of the variable, in any of the ways that files
// name it.
func (t *table) about(keyword string, v *variable) string {
	if text := t.header.text(slot{keyword: keyword, a: v.name}); text != "" {
		return text
	}
	return t.header.text(slot{keyword: keyword, language: t.language, a: v.shown})
}

func (t *table) dimension(v *variable) stat.Dimension {
	d := stat.Dimension{ID: v.id, Label: strings.TrimSpace(v.shown), Total: t.total(v)}
	d.Codes = make([]stat.Code, len(v.codes))
	for i, code := range v.codes {
		d.Codes[i] = stat.Code{ID: code, Label: strings.TrimSpace(v.labels[i])}
	}
	return d
}

// total is the code of the value that stands for the variable when it is left
// out; none where the values are to be added up (YES).
func (t *table) total(v *variable) string {
	text, ok := t.header.find(slot{keyword: "ELIMINATION", a: v.name})
	if !ok || len(text.values) != 1 {
		return ""
	}
	for _, index := range []map[string]int32{v.byValue, v.byCode, v.byLabel} {
		if at, ok := lookup(index, text.values[0]); ok {
			return v.codes[at]
		}
	}
	return ""
}
