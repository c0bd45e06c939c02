package px_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"almanac/internal/stat"
)

// The small reader below reads the same files with regular expressions; it is written
// for clarity only.

var (
	smallStatement = regexp.MustCompile(`(?s)([A-Z][A-Z0-9-]*)(?:\[(\w+)\])?(?:\(([^)]*(?:"[^"]*"[^)]*)*)\))?=((?:"[^"]*"|[^";])*);`)
	smallJoin      = regexp.MustCompile(`"\s+"`)
	smallText      = regexp.MustCompile(`"([^"]*)"`)
	smallData      = regexp.MustCompile(`(?m)^DATA\s*=`)
	smallToken     = regexp.MustCompile(`"[^"]*"|[^\s,;"]+`)
	smallTags      = regexp.MustCompile(`<[A-Za-z/!][^>]*>`)
	smallCodepage  = regexp.MustCompile(`CODEPAGE="([^"]*)"`)
)

// smallFile is a file as the small reader reads it.
type smallFile struct {
	text, data string
	says       map[string][]string // by keyword[language](keys)
	remarks    []smallRemark
	exact      map[string]string // DATANOTECELL without *, by its codes
	vars       []string
}

type smallRemark struct {
	keyword, language, text string
	keys                    []string
}

// smallOpen decodes and splits a file.
func smallOpen(t *testing.T, raw []byte) *smallFile {
	f := &smallFile{text: string(raw), says: map[string][]string{}, exact: map[string]string{}}
	page := smallCodepage.FindSubmatch(raw)
	switch {
	case page != nil && strings.EqualFold(string(page[1]), "utf-8"):
	case page != nil && strings.EqualFold(string(page[1]), "iso-8859-15"):
		f.text = smallDecode(t, charmap.ISO8859_15, raw)
	default:
		f.text = smallDecode(t, charmap.Windows1252, raw)
	}
	at := smallData.FindStringIndex(f.text)
	f.data = f.text[at[1]:]
	for _, m := range smallStatement.FindAllStringSubmatch(f.text[:at[0]], -1) {
		keys := smallTexts(m[3])
		values := smallTexts(smallJoin.ReplaceAllString(m[4], ""))
		if len(values) == 0 {
			values = []string{m[4]}
		}
		f.says[m[1]+"["+m[2]+"]"+strings.Join(keys, "|")] = values
		switch {
		case m[1] == "DATANOTECELL" && !slices.Contains(keys, "*"):
			f.exact[strings.Join(keys, "|")] = values[0]
		case m[1] == "DATANOTECELL" || strings.HasPrefix(m[1], "CELLNOTE") || strings.HasPrefix(m[1], "VALUENOTE"):
			f.remarks = append(f.remarks, smallRemark{m[1], m[2], values[0], keys})
		}
	}
	f.vars = slices.Concat(f.says["STUB[]"], f.says["HEADING[]"])
	return f
}

func smallDecode(t *testing.T, page *charmap.Charmap, raw []byte) string {
	text, err := page.NewDecoder().Bytes(raw)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func smallTexts(s string) []string {
	var texts []string
	for _, m := range smallText.FindAllStringSubmatch(s, -1) {
		texts = append(texts, m[1])
	}
	return texts
}

// codes are those of a variable, else its values.
func (f *smallFile) codes(name string) []string {
	if codes := f.says["CODES[]"+name]; codes != nil {
		return codes
	}
	return f.says["VALUES[]"+name]
}

// time returns the variable that is the time, and its periods as SDMX writes them.
func (f *smallFile) time() (name string, periods []string) {
	for _, v := range f.vars {
		if texts := f.says["TIMEVAL[]"+v]; texts != nil {
			name, periods = v, texts
		}
	}
	if name == "" { // the file of INE
		name, periods = "Periodo", f.says["VALUES[]Periodo"]
	}
	var sdmx []string
	for _, p := range periods {
		switch rest := strings.Trim(p[4:], "KMUHQW"); {
		case rest == "":
			sdmx = append(sdmx, p)
		case len(rest) == 1 && strings.Contains(f.says["TIMEVAL[]"+name+"/scale"][0], "H"):
			sdmx = append(sdmx, p[:4]+"-S"+rest)
		case len(rest) == 1:
			sdmx = append(sdmx, p[:4]+"-Q"+rest)
		case strings.Contains(p, "U"):
			sdmx = append(sdmx, p[:4]+"-W"+rest)
		default:
			sdmx = append(sdmx, p[:4]+"-"+rest)
		}
	}
	return name, sdmx
}

// smallCell is one cell as text.
type smallCell struct {
	key, period, value, flag, note string
	at                             stat.Position
}

// cells returns all cells of the table.
func (f *smallFile) cells(office string) []smallCell {
	scale := regexp.MustCompile(`TLIST\(\w+\)`).FindString(f.text)
	timeName := ""
	for _, v := range f.vars {
		if f.says["TIMEVAL[]"+v] != nil {
			timeName = v
		}
	}
	f.says["TIMEVAL[]"+timeName+"/scale"] = []string{scale}
	timeName, periods := f.time()
	start := len(f.text) - len(f.data)
	line, lineStart, scanned := 1, 0, 0
	var cells []smallCell
	var row []string // keys of a sparse row
	stub := len(f.says["STUB[]"])
	sparse := strings.Contains(f.text, "\nKEYS(")
	width := 1
	for _, v := range f.says["HEADING[]"] {
		width *= len(f.says["VALUES[]"+v])
	}
	for n, span := range smallToken.FindAllStringIndex(f.data, -1) {
		token := f.data[span[0]:span[1]]
		from := start + span[0]
		for ; scanned < from; scanned++ {
			if f.text[scanned] == '\n' {
				line, lineStart = line+1, scanned+1
			}
		}
		if sparse {
			if n%(stub+width) < stub {
				row = append(row, strings.Trim(token, `"`))
				continue
			}
			row = row[len(row)-stub:]
		}
		c := smallCell{at: stat.Position{Line: line, Column: from - lineStart + 1}}
		texts := f.place(len(cells), row)
		for i, v := range f.vars {
			at := slices.Index(f.says["VALUES[]"+v], texts[i])
			if v == timeName {
				c.period = periods[at]
			} else {
				c.key += f.codes(v)[at] + "|"
			}
		}
		c.value, c.flag = f.meaning(strings.Trim(token, `"`), office)
		c.note = f.note(texts)
		cells = append(cells, c)
	}
	return cells
}

// place returns the values of the n-th cell, one for each variable.
func (f *smallFile) place(n int, row []string) []string {
	texts := make([]string, len(f.vars))
	for i := len(f.vars) - 1; i >= 0; i-- {
		values := f.says["VALUES[]"+f.vars[i]]
		texts[i] = values[n%len(values)]
		n /= len(values)
	}
	copy(texts, row)
	return texts
}

// meaning returns the value and the flag of a cell.
func (f *smallFile) meaning(token, office string) (value, flag string) {
	symbol, value := "", token
	switch {
	case token == "-":
		symbol, value = "DATASYMBOLNIL", "0"
	case strings.Trim(token, ".") == "":
		symbol, value = "DATASYMBOL"+strconv.Itoa(len(token)), "NaN"
	default:
		number, err := strconv.ParseFloat(token, 64)
		if err != nil {
			return err.Error(), ""
		}
		return fmt.Sprint(number), ""
	}
	if text := f.says[symbol+"[]"]; text != nil {
		token = text[0]
	}
	return value, office + ":" + token
}

// note returns the distinct remarks on a cell, sorted.
func (f *smallFile) note(texts []string) string {
	var found []string
	for _, r := range f.remarks {
		if r.language != "" || !f.meets(r, texts) {
			continue
		}
		for _, line := range strings.Split(smallTags.ReplaceAllString(r.text, ""), "#") {
			found = append(found, strings.Join(strings.Fields(line), " "))
		}
	}
	codes := make([]string, len(texts))
	for i, v := range f.vars {
		codes[i] = f.codes(v)[slices.Index(f.says["VALUES[]"+v], texts[i])]
	}
	if text := f.exact[strings.Join(codes, "|")]; text != "" {
		found = append(found, text)
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), "\n")
}

// meets reports whether a remark applies to the cell with these values.
func (f *smallFile) meets(r smallRemark, texts []string) bool {
	if strings.HasPrefix(r.keyword, "VALUENOTE") {
		at := slices.Index(f.vars, r.keys[0])
		return texts[at] == r.keys[1]
	}
	for i, key := range r.keys {
		at := slices.Index(f.says["VALUES[]"+f.vars[i]], texts[i])
		if key != "*" && key != texts[i] && (r.keyword != "DATANOTECELL" || key != f.codes(f.vars[i])[at]) {
			return false
		}
	}
	return true
}
