package eurostat

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"path"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// A table of contents lists the datasets with their titles and times of update, as
// text or as XML:
//
//	"title" ⇥ "code" ⇥ "type" ⇥ "last update of data" ⇥ …
//	"    GDP and main components" ⇥ "nama_10_gdp" ⇥ "dataset" ⇥ "14.07.2023" ⇥ …
//
//	<nt:tree> … <nt:leaf type="dataset"> <nt:title language="en"> <nt:code> <nt:lastUpdate> …

// recogniseContents accepts tables of contents in English by their first line or their
// outermost element.
func recogniseContents(name string, head []byte) bool {
	stem := strings.ToLower(strings.TrimSuffix(name, path.Ext(name)))
	if strings.HasSuffix(stem, "_de") || strings.HasSuffix(stem, "_fr") {
		return false
	}
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	if bytes.HasPrefix(head, []byte(`"title"`+"\t"+`"code"`+"\t"+`"type"`)) {
		return true
	}
	root, _ := text.FirstElement(head)
	return root == "tree" && bytes.Contains(head, []byte("eurostat"))
}

// maxContents is the largest size of a table of contents.
const maxContents = 256 << 20

// learnContents reads a table of contents in either form. The dictionary is as old
// as its newest time of update.
func learnContents(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	file, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := bufio.NewReader(io.LimitReader(file, maxContents))
	lines := ContentsLines
	if first, _ := text.Peek(1); string(first) == "<" {
		lines = contentsLeaves
	}
	d := stat.NewDictionary(eurostatOffice.ID)
	for line, err := range lines(text) {
		if err != nil {
			return nil, err
		}
		code := strings.ToLower(line.Code)
		// A dataset is in several places of the tree, always with the same texts.
		if code == "" || d.Structures[code] != nil || line.Type != "dataset" && line.Type != "table" {
			continue
		}
		s := &stat.Structure{ID: line.Code, Title: line.Title, Titles: line.Titles, Listed: UpdateTime(line.Updated), SourceURL: office.EurostatPage(code), MetadataURL: line.MetadataURL}
		if len(s.Titles) < 2 {
			s.Titles = nil
		}
		if s.Listed.After(d.Prepared) {
			d.Prepared = s.Listed
		}
		d.Structures[code] = s
	}
	return d, nil
}

// ContentsLine is a line of a table of contents.
type ContentsLine struct {
	Type        string // "dataset", "table" or "folder"
	Code        string
	Title       string
	Titles      stat.Texts // by language; only as XML
	Indent      int        // spaces before the title, which show the folder; only as text
	Updated     string
	DataStart   string // only as text
	DataEnd     string // likewise
	MetadataURL string // only as XML
	Number      int    // of the line, from 1; only as text
	IsWhole     bool   // it has as many fields as the first line; only as text
}

// ContentsLines reads a table of contents as text: lines of quoted fields separated
// by tabs, which the first line names.
func ContentsLines(in io.Reader) iter.Seq2[ContentsLine, error] {
	return func(yield func(ContentsLine, error) bool) {
		columns := map[string]int{}
		lines := newLines(in, maxEntry)
		for lines.Scan() {
			fields := strings.Split(strings.TrimPrefix(lines.Text(), "\ufeff"), "\t")
			for i := range fields {
				fields[i] = unquote(fields[i])
			}
			if lines.number == 1 {
				for i, name := range fields {
					columns[name] = i
				}
				for _, name := range []string{"title", "code", "type", "last update of data"} {
					if _, ok := columns[name]; !ok {
						yield(ContentsLine{}, stat.BadFile(stat.Position{Line: 1}, "missing column %q in the table of contents", name))
						return
					}
				}
				continue
			}
			field := func(name string) string {
				if i, ok := columns[name]; ok && i < len(fields) {
					return fields[i]
				}
				return ""
			}
			title := field("title")
			entry := ContentsLine{
				Type: field("type"), Code: strings.Clone(strings.TrimSpace(field("code"))),
				Title: tidy(title), Indent: len(title) - len(strings.TrimLeft(title, " ")),
				Updated: strings.TrimSpace(field("last update of data")), DataStart: field("data start"), DataEnd: field("data end"),
				Number: lines.number, IsWhole: len(fields) == len(columns),
			}
			if !yield(entry, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(ContentsLine{}, err)
		}
	}
}

// unquote removes the quotes around a field, but not the spaces in them.
func unquote(field string) string {
	field = strings.TrimSpace(field)
	if len(field) >= 2 && field[0] == '"' && field[len(field)-1] == '"' {
		field = strings.ReplaceAll(field[1:len(field)-1], `""`, `"`)
	}
	return field
}

type xmlLeaf struct {
	Titles []struct {
		Language string `xml:"language,attr"`
		Text     string `xml:",chardata"`
	} `xml:"title"`
	Code     string `xml:"code"`
	Updated  string `xml:"lastUpdate"`
	Metadata []struct {
		Format  string `xml:"format,attr"`
		Address string `xml:",chardata"`
	} `xml:"metadata"`
}

// line returns the leaf with its English title, else its first.
func (l *xmlLeaf) line() ContentsLine {
	line := ContentsLine{Type: "dataset", Code: strings.TrimSpace(l.Code), Updated: strings.TrimSpace(l.Updated)}
	for _, t := range l.Titles {
		title := tidy(t.Text)
		line.Titles = line.Titles.Set(stat.LanguageTag(t.Language), title)
		line.Title = cmp.Or(line.Titles["en"], line.Title, title)
	}
	for _, m := range l.Metadata {
		if m.Format == "html" {
			line.MetadataURL = strings.TrimSpace(m.Address)
		}
	}
	return line
}

// maxTree bounds the depth of the tree; the real one has ten levels.
const maxTree = 200

func contentsLeaves(in io.Reader) iter.Seq2[ContentsLine, error] {
	return func(yield func(ContentsLine, error) bool) {
		decoder := xml.NewDecoder(in)
		decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // in is UTF-8
		depth := 0
		for {
			leaf, err := nextLeaf(decoder, &depth)
			if err != nil {
				yield(ContentsLine{}, err)
				return
			}
			if leaf == nil || !yield(leaf.line(), nil) {
				return
			}
		}
	}
}

// nextLeaf returns the next dataset; nil at the end.
func nextLeaf(decoder *xml.Decoder, depth *int) (*xmlLeaf, error) {
	bad := func(message string, args ...any) error {
		line, column := decoder.InputPos()
		return stat.BadFile(stat.Position{Line: line, Column: column}, message, args...)
	}
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return nil, err
		case err != nil:
			return nil, bad("invalid table of contents: %v", err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, bad("unexpected <!%.20s…>: a table of contents has no document type", t)
		case xml.EndElement:
			*depth--
		case xml.StartElement:
			if t.Name.Local == "leaf" {
				leaf := &xmlLeaf{}
				if err := decoder.DecodeElement(leaf, &t); err != nil {
					return nil, bad("invalid table of contents: %v", err)
				}
				return leaf, nil
			}
			if *depth++; *depth > maxTree {
				return nil, bad("elements are nested more than %d deep", maxTree)
			}
		}
	}
}

var officeZone = office.Zone(eurostatOffice.ID)

// UpdateTime parses a time of update, day first. A time of day is in the office's
// zone; a day alone is in UTC. It returns the zero time for any other text.
func UpdateTime(updated string) time.Time {
	zone := time.UTC
	if strings.ContainsRune(updated, ':') {
		zone = officeZone
	}
	return text.Time(updated, zone)
}
