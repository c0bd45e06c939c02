package px

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// variable is an axis of the table in the file; one of them is the time.
type variable struct {
	name, label string   // in the file's language, and in that of the labels
	id          string   // of the dimension
	values      []string // texts in the file's language
	labels      []string // texts in the language of the labels
	codes       []string
	index       [3]map[string]int32 // positions by naming; -1 for a text that several values have
	at          stat.Position       // of its VALUES

	axis *assemble.Axis // nil for the time
}

// naming is how a text names a value of a variable.
type naming int

const (
	byValue naming = iota
	byCode
	byLabel
)

// find returns the position of the value that a text names.
func (v *variable) find(n naming, text string) (int32, bool) {
	return positionIn(v.index[n], text)
}

func positionIn(index map[string]int32, text string) (int32, bool) {
	at, ok := index[text]
	if !ok {
		at, ok = index[strings.TrimSpace(text)]
	}
	return at, ok && at >= 0
}

// indexOf returns the position of each text, -1 for texts that occur twice.
func indexOf(texts []string) map[string]int32 {
	index := make(map[string]int32, len(texts))
	for i, text := range texts {
		at := int32(i)
		if _, twice := index[text]; twice {
			at = -1
		}
		index[text] = at
	}
	return index
}

// hasName reports whether is accepts one of the variable's names, in lower case.
func (v *variable) hasName(is func(name string) bool) bool {
	return slices.ContainsFunc([]string{v.id, v.name, v.label}, func(name string) bool {
		return is(strings.ToLower(strings.TrimSpace(name)))
	})
}

// noteTranslation is the kind of note for labels in a second language whose number is
// not that of the values.
const noteTranslation = "translation-not-used"

// maxVariables bounds the variables, against hostile files; the importer checks the
// number of dimensions.
const maxVariables = 100

func (r *reader) readVariables() error {
	h := r.header
	names := slices.Concat(h.list(slot{keyword: "STUB"}), h.list(slot{keyword: "HEADING"}))
	r.stub = len(h.list(slot{keyword: "STUB"}))
	if len(names) == 0 {
		return stat.BadFile(r.text.At(), "missing STUB and HEADING, which name the variables of the table")
	}
	if len(names) > maxVariables {
		return stat.BadFile(r.namesAt(), "STUB and HEADING name %d variables; at most %d are allowed", len(names), maxVariables)
	}
	labels := slices.Concat(h.list(slot{keyword: "STUB", language: r.language}), h.list(slot{keyword: "HEADING", language: r.language}))
	if len(labels) != len(names) {
		r.Report.Add(noteTranslation, 1, "STUB and HEADING in "+r.language)
		labels, r.language = names, ""
	}
	seen := map[string]bool{}
	for i, name := range names {
		v := &variable{name: name, label: labels[i]}
		if err := r.readVariable(v); err != nil {
			return err
		}
		if seen[v.id] {
			return stat.BadFile(v.at, "two variables are called %s", shorten(v.id))
		}
		seen[v.id] = true
		r.vars = append(r.vars, v)
	}
	return nil
}

// readVariable reads the values of a variable, their codes and their labels.
func (r *reader) readVariable(v *variable) error {
	values, ok := r.header.find(slot{keyword: "VALUES", a: v.name})
	codes, hasCodes := r.header.find(slot{keyword: "CODES", a: v.name})
	switch {
	case !ok && !hasCodes:
		return stat.BadFile(r.namesAt(), "missing VALUES(%q): STUB or HEADING names this variable", v.name)
	case !ok:
		values = codes
	case !hasCodes:
		codes = values
	}
	v.at, v.values, v.labels = values.at, values.values, values.values
	if len(codes.values) != len(values.values) {
		return stat.BadFile(codes.at, "%s has %d codes, and %d values in line %d", shorten(v.name), len(codes.values), len(values.values), values.at.Line)
	}
	seen := map[string]bool{}
	for i, code := range codes.values {
		code = strings.TrimSpace(code)
		switch {
		case code == "":
			return stat.BadFile(codes.at, "value %d of %s is empty; each value needs a code of its own", i+1, shorten(v.name))
		case seen[code]:
			return stat.BadFile(codes.at, "%s has %s twice; each value needs a code of its own", shorten(v.name), shorten(code))
		}
		seen[code] = true
		v.codes = append(v.codes, code)
	}
	if labels, ok := r.translation("VALUES", v); ok && len(labels.values) != len(v.values) {
		r.Report.Add(noteTranslation, 1, "VALUES of "+v.label+" in "+r.language)
	} else if ok {
		v.labels = labels.values
	}
	v.index = [...]map[string]int32{byValue: indexOf(v.values), byCode: indexOf(v.codes), byLabel: indexOf(v.labels)}
	if v.id = cmp.Or(r.header.text(slot{keyword: "VARIABLECODE", a: v.name}), strings.TrimSpace(v.name)); v.id == "" {
		return stat.BadFile(v.at, "a variable has no name")
	}
	return nil
}

// namesAt returns the position of STUB, else of HEADING.
func (r *reader) namesAt() stat.Position {
	stub, ok := r.header.find(slot{keyword: "STUB"})
	if !ok {
		stub, _ = r.header.find(slot{keyword: "HEADING"})
	}
	return stub.at
}

// find returns the file's own statement of a keyword on a variable, else the one in the
// language of the labels. The own one comes first: it fits the values, which a
// translation may not.
func (r *reader) find(keyword string, v *variable) (st statement, ok bool) {
	if st, ok = r.header.find(slot{keyword: keyword, a: v.name}); ok {
		return st, true
	}
	return r.header.find(slot{keyword: keyword, language: r.language, a: v.label})
}

// translation returns the statement of a keyword on a variable in the language of the
// labels, else the file's own. Some files name a variable in their own language in both.
func (r *reader) translation(keyword string, v *variable) (statement, bool) {
	if st, ok := r.header.find(slot{keyword, r.language, v.label, ""}); ok {
		return st, true
	}
	if st, ok := r.header.find(slot{keyword, r.language, v.name, ""}); ok {
		return st, true
	}
	return r.header.find(slot{keyword: keyword, a: v.name})
}

func (r *reader) textOf(keyword string, v *variable) string {
	st, _ := r.find(keyword, v)
	return st.text()
}

func (r *reader) dimension(v *variable) stat.Dimension {
	d := stat.Dimension{ID: v.id, Label: strings.TrimSpace(v.label), Total: r.total(v)}
	d.Codes = make([]stat.Code, len(v.codes))
	for i, code := range v.codes {
		d.Codes[i] = stat.Code{ID: code, Label: strings.TrimSpace(v.labels[i])}
	}
	return d
}

// total returns the code of the value for the whole variable; empty if there is none,
// or if the values are to be added up (YES).
func (r *reader) total(v *variable) string {
	text, ok := r.header.find(slot{keyword: "ELIMINATION", a: v.name})
	if !ok || len(text.values) != 1 {
		return ""
	}
	for _, n := range []naming{byValue, byCode, byLabel} {
		if at, ok := v.find(n, text.values[0]); ok {
			return v.codes[at]
		}
	}
	return ""
}
