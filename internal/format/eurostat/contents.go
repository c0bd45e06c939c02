package eurostat

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // the office's zone is needed on machines without zone files too

	"almanac/internal/stat"
)

// entry is what a table of contents says of one dataset.
type entry struct {
	title    string
	updated  time.Time // zero where it says nothing
	unread   string    // the time of update, where its form is not known
	dataEnd  stat.Period
	metadata string // address of the dataset's reference metadata
}

// contents is one table of contents.
type contents struct {
	entries map[string]*entry // by code, lower case
	newest  time.Time         // the last update it knows of, which is its age
}

// addContents takes in all tables of contents, the newest before the others.
func (l *library) addContents(lists []contents) {
	slices.SortStableFunc(lists, func(a, b contents) int { return b.newest.Compare(a.newest) })
	for _, c := range lists {
		for code, e := range c.entries {
			known := l.contents[code]
			if known == nil {
				l.contents[code] = e
			} else if known.metadata == "" {
				known.metadata = e.metadata // only one of the two forms has it
			}
		}
	}
}

// add takes one dataset in. The same dataset stands in several places of the
// tree, always with the same words.
func (c *contents) add(code string, e *entry, updated, dataEnd string) {
	code = strings.ToLower(strings.TrimSpace(code))
	if code == "" || c.entries[code] != nil {
		return
	}
	if updated = strings.TrimSpace(updated); updated != "" {
		t, err := parseUpdated(updated)
		if err != nil {
			e.unread = updated
		}
		e.updated = t
		if t.After(c.newest) {
			c.newest = t
		}
	}
	e.dataEnd, _ = stat.Parse(dataEnd) // only compared with the file's; often empty
	if c.entries == nil {
		c.entries = map[string]*entry{}
	}
	c.entries[code] = e
}

// readContentsText reads table_of_contents_en.txt: lines of quoted fields
// with tabs between, named by the first line. Folders are passed over.
func readContentsText(in io.Reader) (contents, error) {
	var c contents
	columns := map[string]int{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(strings.TrimPrefix(lines.Text(), string(byteOrderMark)), "\t")
		for i := range fields {
			fields[i] = unquote(fields[i])
		}
		if len(columns) == 0 {
			for i, name := range fields {
				columns[name] = i
			}
			if err := missingColumn(columns); err != nil {
				return c, err
			}
			continue
		}
		field := func(name string) string {
			if i, ok := columns[name]; ok && i < len(fields) {
				return fields[i]
			}
			return ""
		}
		if kind := field("type"); kind == "dataset" || kind == "table" {
			c.add(field("code"), &entry{title: tidy(field("title"))}, field("last update of data"), field("data end"))
		}
	}
	return c, lines.Err()
}

func missingColumn(columns map[string]int) error {
	for _, name := range []string{"title", "code", "type"} {
		if _, ok := columns[name]; !ok {
			return fmt.Errorf("a table of contents without a column %q", name)
		}
	}
	return nil
}

// unquote takes a field out of its quotes.
func unquote(field string) string {
	field = strings.TrimSpace(field)
	if len(field) >= 2 && field[0] == '"' && field[len(field)-1] == '"' {
		field = strings.ReplaceAll(field[1:len(field)-1], `""`, `"`)
	}
	return field
}

// xmlLeaf is a dataset in the XML form, which has titles in three languages.
type xmlLeaf struct {
	Titles   []xmlText `xml:"title"`
	Code     string    `xml:"code"`
	Updated  string    `xml:"lastUpdate"`
	DataEnd  string    `xml:"dataEnd"`
	Metadata []struct {
		Format  string `xml:"format,attr"`
		Address string `xml:",chardata"`
	} `xml:"metadata"`
}

// readContentsXML reads table_of_contents.xml.
func readContentsXML(in io.Reader) (contents, error) {
	var c contents
	decoder := newDecoder(in)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return c, err
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "leaf" {
			continue
		}
		var leaf xmlLeaf
		if err := decoder.DecodeElement(&leaf, &start); err != nil {
			return c, err
		}
		e := &entry{title: english(leaf.Titles)}
		for _, m := range leaf.Metadata {
			if m.Format == "html" {
				e.metadata = strings.TrimSpace(m.Address)
			}
		}
		c.add(leaf.Code, e, leaf.Updated, leaf.DataEnd)
	}
}

// brussels is the office's zone: Luxembourg keeps the same time.
var brussels = mustLoad("Europe/Brussels")

func mustLoad(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic(err) // the zone data are embedded
	}
	return zone
}

// Forms of the time of update, day first: of those with a time of day, which
// is the office's, and of those without, which say no zone and so are UTC.
var (
	timeForms = []string{
		"02/01/06 15:04:05", "02/01/2006 15:04:05", "02/01/06 15:04", "02/01/2006 15:04",
		"02.01.2006 15:04:05", "02.01.2006 15:04", "20060102 15:04", "2006-01-02T15:04:05",
	}
	dateForms = []string{"02.01.2006", "02/01/2006", "02/01/06", "20060102", "2006-01-02"}
	zoneForms = []string{time.RFC3339, "2006-01-02T15:04:05-0700"}
)

// parseUpdated reads a time of update.
func parseUpdated(text string) (time.Time, error) {
	for _, form := range timeForms {
		if t, err := time.ParseInLocation(form, text, brussels); err == nil {
			return t, nil
		}
	}
	for _, form := range append(dateForms, zoneForms...) {
		if t, err := time.Parse(form, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time of update", text)
}
