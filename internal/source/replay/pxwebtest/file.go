package pxwebtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// tableFile is a real PX file, parsed as far as a server needs to describe it and to extract
// parts of it.
type tableFile struct {
	raw        []byte
	latin      bool        // the file has one byte per character; otherwise it is UTF-8
	statements []statement // before DATA
	cells      []string    // as written in the file
	stub       int         // variables in STUB; the others are in HEADING
	variables  []variable
}

// statement is KEYWORD[language]("key","key")=values;
type statement struct {
	keyword, language string
	keys, values      []string
	text              string // after the =, without the semicolon
}

type variable struct {
	names  map[string]string // by language; "" is the main language of the file
	codes  []string
	texts  map[string][]string // by language
	code   string
	time   bool
	isArea bool
}

// readFile reads a file. Servers share the result, because it never changes.
func readFile(path string) (*tableFile, error) {
	if f, ok := files.Load(path); ok {
		return f.(*tableFile), nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := parseFile(path, raw)
	if err == nil {
		files.Store(path, f)
	}
	return f, err
}

var files sync.Map // path: *tableFile

func parseFile(path string, raw []byte) (*tableFile, error) {
	f := &tableFile{raw: raw, latin: !utf8.Valid(raw)}
	text := string(raw)
	if f.latin {
		// The encoding does not matter, because the bytes are written back unchanged.
		characters := make([]rune, len(raw))
		for i, b := range raw {
			characters[i] = rune(b)
		}
		text = string(characters)
	}
	at := strings.Index(text, "\nDATA=")
	if at < 0 {
		return nil, fmt.Errorf("%s: missing DATA", path)
	}
	for _, statement := range splitUnquoted(text[:at+1], ';') {
		if st, ok := parseStatement(statement); ok {
			f.statements = append(f.statements, st)
		}
	}
	f.cells = strings.FieldsFunc(text[at+len("\nDATA="):], func(r rune) bool { return r == ' ' || r == '\n' || r == '\r' || r == '\t' || r == ';' || r == 0x1a })
	return f, f.describe(path)
}

// splitUnquoted splits a text at a character outside of quotation marks.
func splitUnquoted(text string, separator byte) []string {
	var parts []string
	from, quoted := 0, false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == separator && !quoted:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}

func parseStatement(text string) (st statement, ok bool) {
	head, value, ok := strings.Cut(strings.TrimLeft(text, "\ufeff \t\r\n"), "=")
	for ok && strings.Count(head, `"`)%2 == 1 { // the = was inside a key
		var more string
		more, value, ok = strings.Cut(value, "=")
		head += "=" + more
	}
	if !ok {
		return st, false
	}
	head, keys, _ := strings.Cut(head, "(")
	st.keys = parseList(strings.TrimSuffix(strings.TrimSpace(keys), ")"))
	st.keyword, st.language, _ = strings.Cut(head, "[")
	st.language = strings.TrimSuffix(st.language, "]")
	st.text, st.values = value, parseList(value)
	return st, true
}

// parseList reads quoted texts, which may continue on the next line.
func parseList(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var list []string
	for _, item := range splitUnquoted(text, ',') {
		item = strings.TrimSpace(item)
		if strings.HasPrefix(item, `"`) {
			item = strings.Join(quotedTexts(item), "")
		}
		list = append(list, item)
	}
	return list
}

func quotedTexts(text string) []string {
	var inside []string
	for i, piece := range strings.Split(text, `"`) {
		if i%2 == 1 {
			inside = append(inside, piece)
		}
	}
	return inside
}

// find returns a statement.
func (f *tableFile) find(keyword, language string, keys ...string) (statement, bool) {
	for _, st := range f.statements {
		if st.keyword == keyword && st.language == language && slices.Equal(st.keys, keys) {
			return st, true
		}
	}
	return statement{}, false
}

// text returns the text of a statement, in English if available.
func (f *tableFile) text(keyword string) string {
	for _, language := range []string{"en", ""} {
		if st, ok := f.find(keyword, language); ok {
			return strings.Join(st.values, " ")
		}
	}
	return ""
}

// updated returns the last LAST-UPDATED or CREATION-DATE: 20230224 08:30.
func (f *tableFile) updated() string {
	last, _ := f.find("CREATION-DATE", "")
	text := strings.Join(last.values, "")
	for _, st := range f.statements {
		if st.keyword == "LAST-UPDATED" && st.values[0] > text {
			text = st.values[0]
		}
	}
	return text
}

// describe reads the variables.
func (f *tableFile) describe(path string) error {
	languages := []string{""}
	if st, ok := f.find("LANGUAGES", ""); ok {
		languages = append(languages, st.values...)
	}
	names := map[string][]string{}
	for _, language := range languages {
		stub, _ := f.find("STUB", language)
		heading, _ := f.find("HEADING", language)
		names[language] = slices.Concat(stub.values, heading.values)
		if language == "" {
			f.stub = len(stub.values)
		}
	}
	cells := 1
	for i, name := range names[""] {
		v := variable{names: map[string]string{}, texts: map[string][]string{}, code: name}
		for _, language := range languages {
			if i < len(names[language]) {
				v.names[language] = names[language][i]
				if st, ok := f.find("VALUES", language, names[language][i]); ok {
					v.texts[language] = st.values
				}
			}
		}
		if st, ok := f.find("CODES", "", name); ok {
			v.codes = st.values
		} else {
			v.codes = v.texts[""]
		}
		if st, ok := f.find("VARIABLECODE", "", name); ok {
			v.code = st.values[0]
		}
		_, v.time = f.find("TIMEVAL", "", name)
		_, v.isArea = f.find("MAP", "", name)
		f.variables = append(f.variables, v)
		cells *= len(v.codes)
	}
	if cells != len(f.cells) || cells == 0 {
		return fmt.Errorf("%s: want %d cells, found %d", path, cells, len(f.cells))
	}
	return nil
}

// text returns a value's text, in English if available.
func (v *variable) text(i int) string {
	for _, language := range []string{"en", ""} {
		if texts := v.texts[language]; i < len(texts) {
			return texts[i]
		}
	}
	return v.codes[i]
}

// label returns the variable's name, in English if available.
func (v *variable) label() string {
	if name, ok := v.names["en"]; ok {
		return name
	}
	return v.names[""]
}

// find returns the position of a value by code.
func (v *variable) find(code string) int { return slices.Index(v.codes, code) }

// extract returns the file of a part: the values of each variable at the kept positions,
// which must be in ascending order. If all positions are kept, it is the file itself.
func (f *tableFile) extract(kept [][]int) ([]byte, error) {
	whole := true
	for i, v := range f.variables {
		whole = whole && len(kept[i]) == len(v.codes)
	}
	if whole {
		return f.raw, nil
	}
	var b strings.Builder
	for _, st := range f.statements {
		f.writeStatement(&b, st, kept)
	}
	b.WriteString("DATA=\n")
	f.writeCells(&b, kept)
	if !f.latin {
		return []byte(b.String()), nil
	}
	var bytes []byte
	for _, character := range b.String() {
		bytes = append(bytes, byte(character))
	}
	return bytes, nil
}

// writeStatement writes the part of a statement that concerns the kept values.
func (f *tableFile) writeStatement(b *strings.Builder, st statement, kept [][]int) {
	text := st.text
	i := slices.IndexFunc(f.variables, func(v variable) bool { return len(st.keys) > 0 && v.names[st.language] == st.keys[0] })
	switch {
	case i >= 0 && len(st.keys) == 1 && (st.keyword == "VALUES" || st.keyword == "CODES"):
		text = quote(st.values, kept[i], 0)
	case i >= 0 && len(st.keys) == 1 && st.keyword == "TIMEVAL":
		if len(st.values) != 1+len(f.variables[i].codes) {
			return // a range of periods, which the values also state
		}
		text = st.values[0] + "," + quote(st.values, kept[i], 1)
	case i >= 0 && len(st.keys) == 2 && !f.isKept(i, st.language, st.keys[1], kept[i]):
		return // it concerns a removed value
	case len(st.keys) == len(f.variables):
		for j, key := range st.keys {
			if key != "*" && !f.isKept(j, st.language, key, kept[j]) {
				return // it concerns a removed cell
			}
		}
	case len(st.keys) == 1 && i < 0:
		for j := range f.variables { // the contents variable's values: UNITS("Persons")
			if slices.Contains(f.variables[j].texts[st.language], st.keys[0]) && !f.isKept(j, st.language, st.keys[0], kept[j]) {
				return
			}
		}
	}
	b.WriteString(st.keyword)
	if st.language != "" {
		b.WriteString("[" + st.language + "]")
	}
	if len(st.keys) > 0 {
		b.WriteString(`("` + strings.Join(st.keys, `","`) + `")`)
	}
	b.WriteString("=" + text + ";\n")
}

// isKept reports whether a value, given by its text or code, is kept.
func (f *tableFile) isKept(variable int, language, value string, kept []int) bool {
	v := f.variables[variable]
	for _, at := range kept {
		if v.codes[at] == value || at < len(v.texts[language]) && v.texts[language][at] == value {
			return true
		}
	}
	return false
}

// quote returns the values at the kept positions as a list of quoted texts. Positions
// are counted after the leading values.
func quote(values []string, kept []int, leading int) string {
	var list []string
	for _, at := range kept {
		list = append(list, `"`+values[leading+at]+`"`)
	}
	return strings.Join(list, ",")
}

// writeCells writes the cells of all combinations of kept values.
func (f *tableFile) writeCells(b *strings.Builder, kept [][]int) {
	at := make([]int, len(kept))
	for {
		cell := 0
		for i, v := range f.variables {
			cell = cell*len(v.codes) + kept[i][at[i]]
		}
		b.WriteString(f.cells[cell])
		i := len(at) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < len(kept[i]) {
				break
			}
			at[i] = 0
		}
		switch {
		case i < 0:
			b.WriteString(";\n")
			return
		case i < f.stub:
			b.WriteString("\n")
		default:
			b.WriteString(" ")
		}
	}
}
