package portal

import (
	"cmp"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// citation says how to cite what is shown.
type citation struct {
	Office, Title, Code, Version, Read string
	Number                             string // the latest value, if one series of one area is shown
	Exact                              string // address of this view in this version
	BibTeX, RIS                        string // addresses of the files
	Key                                string
	day, published                     time.Time
}

func (p *page) cite(c *datasetPage) citation {
	m := &c.Meta
	s := c.Selection
	day := p.opts.Now().UTC()
	exact := s.with("version", m.Version)
	file := func(ending string) string {
		return strings.Replace(exact, s.page, s.page+"/cite."+ending, 1)
	}
	return citation{
		Number: p.latestShown(c), Office: p.lang.office(m.SourceName), Title: m.Name, Code: m.Code, Version: m.Version, Read: p.lang.date(day),
		Exact: strings.TrimSuffix(p.opts.BaseURL, "/") + exact, BibTeX: file("bib"), RIS: file("ris"),
		Key: citationKey(m), day: day, published: m.Imported,
	}
}

// latestShown says what the latest value of the only series that is shown is, and of what; empty if there are several series, or
// only forecasts.
func (p *page) latestShown(c *datasetPage) string {
	if c.Table == nil || len(c.Table.Rows) != 1 {
		return ""
	}
	row := &c.Table.Rows[0]
	var latest *cell
	for i := range row.Cells {
		one := &row.Cells[i]
		if one.Text != "" && !slices.Contains(one.Flags, "F") && (latest == nil || comparePeriods(latest.Period, one.Period) < 0) {
			latest = one
		}
	}
	if latest == nil {
		return ""
	}
	what := []string{c.Meta.Name}
	if c.IsUntitled() { // the office gives no title
		what[0] = cmp.Or(c.Described.Title, c.Meta.Code)
	}
	for i := range c.Selection.Pick {
		what = append(what, c.Selection.Pick[i].Chosen...)
	}
	value := strings.TrimSpace(latest.Text + " " + c.Meta.Unit)
	for _, flag := range latest.Flags {
		value += " (" + p.lang.flag(flag) + ")"
	}
	return strings.Join(what, ", ") + ", " + row.Name + ", " + p.lang.officePeriod(latest.Period, latest.Label) + ": " + value + "."
}

// citationFile is the file of a citation, for programs that manage literature.
func (p *page) citationFile() error {
	c := &datasetPage{}
	query, isMoved, err := p.selectionQuery()
	if err != nil || isMoved {
		return err
	}
	ending := path.Ext(p.r.URL.Path)
	if isMoved, err := p.readMeta(&c.Meta, query, "/cite"+ending); err != nil || isMoved {
		return err
	}
	s, err := p.readSelection(&c.Meta, query)
	if err != nil {
		return err
	}
	c.Selection = s
	one := p.cite(c)
	h := p.w.Header()
	h.Set("Content-Type", mediaTypes[ending])
	h.Set("Content-Disposition", `attachment; filename="`+one.Key+ending+`"`)
	h.Set("Cache-Control", "private, no-cache")
	h.Set("X-Content-Type-Options", "nosniff")
	p.w.WriteHeader(http.StatusOK)
	_, err = p.w.Write([]byte(citationForms[ending](&one)))
	return err
}

var mediaTypes = map[string]string{".bib": "application/x-bibtex; charset=utf-8", ".ris": "application/x-research-info-systems; charset=utf-8"}

var citationForms = map[string]func(*citation) string{".bib": (*citation).bibTeX, ".ris": (*citation).ris}

func (c *citation) bibTeX() string {
	return fmt.Sprintf("@misc{%s,\n  author = {{%s}},\n  title = {{%s}},\n  note = {Dataset %s, version %s, read through Almanac},\n  year = {%d},\n  url = {%s},\n  urldate = {%s}\n}\n",
		c.Key, escapeTeX(c.Office), escapeTeX(c.Title), escapeTeX(c.Code), c.Version, c.published.Year(), c.Exact, c.day.Format(time.DateOnly))
}

func (c *citation) ris() string {
	var b strings.Builder
	for _, line := range [][2]string{
		{"TY", "DATA"}, {"AU", c.Office}, {"TI", c.Title}, {"PY", fmt.Sprint(c.published.Year())}, {"PB", c.Office},
		{"N1", "Dataset " + c.Code + ", version " + c.Version + ", read through Almanac"}, {"UR", c.Exact}, {"Y2", c.day.Format("2006/01/02")}, {"ER", ""},
	} {
		b.WriteString(line[0] + "  - " + line[1] + "\r\n")
	}
	return b.String()
}

// escapeTeX writes the characters that TeX reads as commands.
func escapeTeX(text string) string { return texCharacters.Replace(text) }

var texCharacters = strings.NewReplacer(`\`, `\textbackslash{}`, "%", `\%`, "&", `\&`, "_", `\_`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// citationKey returns a key of a bibliography: letters of ASCII, digits and hyphens.
func citationKey(m *metadata) string {
	plain := func(text string) string {
		return strings.Trim(strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return '-'
		}, strings.ToLower(text)), "-")
	}
	return strings.Trim(plain(m.Source)+"-"+cmp.Or(plain(m.Code), strconv.Itoa(m.ID)), "-")
}
