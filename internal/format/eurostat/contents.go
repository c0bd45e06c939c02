package eurostat

import (
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// A table of contents lists the datasets with their titles and times of
// update, as text or as XML:
//
//	"title" ⇥ "code" ⇥ "type" ⇥ "last update of data" ⇥ …
//	"    GDP and main components" ⇥ "nama_10_gdp" ⇥ "dataset" ⇥ "14.07.2023" ⇥ …
//
//	<nt:tree> … <nt:leaf type="dataset"> <nt:title language="en"> <nt:code> <nt:lastUpdate> …

// recogniseContents knows a table of contents by its first line or its
// outermost element. Those in other languages are passed over.
func recogniseContents(name string, head []byte) bool {
	stem := strings.ToLower(name)
	if at := strings.LastIndexByte(stem, '.'); at >= 0 {
		stem = stem[:at]
	}
	if strings.HasSuffix(stem, "_de") || strings.HasSuffix(stem, "_fr") {
		return false
	}
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	if first, _, _ := bytes.Cut(head, []byte("\n")); bytes.HasPrefix(first, []byte(`"title"`+"\t"+`"code"`+"\t"+`"type"`)) {
		return true
	}
	root, _ := text.FirstElement(head)
	return root == "tree" && bytes.Contains(head, []byte("eurostat"))
}

// maxContents is how large a table of contents may be.
const maxContents = 256 << 20

// learnContents reads a table of contents in either form.
func learnContents(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	file, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := bufio.NewReader(io.LimitReader(file, maxContents))
	c := contents{stat.NewDictionary(eurostatOffice.ID)}
	if first, _ := text.Peek(1); bytes.Equal(first, []byte("<")) {
		if err := c.readXML(text); err != nil {
			return nil, err
		}
		return c.Dictionary, nil
	}
	for line, err := range ContentsLines(text) {
		if err != nil {
			return nil, err
		}
		if line.Type == "dataset" || line.Type == "table" {
			c.add(stat.Structure{ID: line.Code, Title: line.Title}, line.Updated, line.DataEnd)
		}
	}
	return c.Dictionary, nil
}

// contents is a table of contents while it is read. It is as old as the last
// update that it knows of.
type contents struct{ *stat.Dictionary }

// add takes one dataset in. The same dataset stands in several places of the
// tree, always with the same words.
func (c contents) add(s stat.Structure, updated, dataEnd string) {
	s.ID = strings.TrimSpace(s.ID)
	code := strings.ToLower(s.ID)
	if code == "" || c.Structures[code] != nil {
		return
	}
	if updated = strings.TrimSpace(updated); updated != "" {
		if s.Updated = UpdateTime(updated); s.Updated.IsZero() {
			s.Unread = strings.Clone(updated)
		}
		if s.Updated.After(c.Prepared) {
			c.Prepared = s.Updated
		}
	}
	s.DataEnd, _ = stat.ParsePeriod(dataEnd) // only compared with the file's; often empty
	s.SourceURL = addressOf + code
	c.Structures[code] = &s
}

// ContentsLine is a line of a table of contents as text.
type ContentsLine struct {
	Type    string // "dataset", "table" or "folder"
	Code    string
	Title   string
	Indent  int // spaces before the title, which tell in which folder it stands
	Updated string
	DataEnd string
	Number  int  // of the line, from 1
	IsWhole bool // it has as many fields as the first line
}

// ContentsLines reads a table of contents as text: lines of quoted fields with
// tabs between, named by the first line.
func ContentsLines(in io.Reader) iter.Seq2[ContentsLine, error] {
	return func(yield func(ContentsLine, error) bool) {
		columns := map[string]int{}
		lines := newLines(in, maxEntry)
		for {
			line, err := lines.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(ContentsLine{}, err)
				return
			}
			fields := strings.Split(strings.TrimPrefix(string(line), "\ufeff"), "\t")
			for i := range fields {
				fields[i] = unquote(fields[i])
			}
			if lines.number == 1 {
				for i, name := range fields {
					columns[name] = i
				}
				for _, name := range []string{"title", "code", "type", "last update of data"} {
					if _, ok := columns[name]; !ok {
						yield(ContentsLine{}, stat.BadFile(stat.Position{Line: 1}, "a table of contents without a column %q", name))
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
				Updated: field("last update of data"), DataEnd: field("data end"),
				Number: lines.number, IsWhole: len(fields) == len(columns),
			}
			if !yield(entry, nil) {
				return
			}
		}
	}
}

// unquote takes a field out of its quotes. The spaces in them stay.
func unquote(field string) string {
	field = strings.TrimSpace(field)
	if len(field) >= 2 && field[0] == '"' && field[len(field)-1] == '"' {
		field = strings.ReplaceAll(field[1:len(field)-1], `""`, `"`)
	}
	return field
}

// xmlLeaf is a dataset in the XML form, which has titles in three languages.
type xmlLeaf struct {
	Titles []struct {
		Language string `xml:"language,attr"`
		Text     string `xml:",chardata"`
	} `xml:"title"`
	Code     string `xml:"code"`
	Updated  string `xml:"lastUpdate"`
	DataEnd  string `xml:"dataEnd"`
	Metadata []struct {
		Format  string `xml:"format,attr"`
		Address string `xml:",chardata"`
	} `xml:"metadata"`
}

// title is the English one, else the first.
func (l *xmlLeaf) title() string {
	first := ""
	for _, t := range l.Titles {
		text := tidy(t.Text)
		if strings.EqualFold(t.Language, "en") && text != "" {
			return text
		}
		if first == "" {
			first = text
		}
	}
	return first
}

// maxTree bounds how deep the branches of the tree go; the real one has ten.
const maxTree = 200

func (c contents) readXML(in io.Reader) error {
	decoder := xml.NewDecoder(in)
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 by now
	bad := func(message string, args ...any) error {
		line, column := decoder.InputPos()
		return stat.BadFile(stat.Position{Line: line, Column: column}, message, args...)
	}
	for depth := 0; ; {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return err
		case err != nil:
			return bad("the table of contents cannot be read: %v", err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return bad("<!%.20s…> is not read: a table of contents has no document type", t)
		case xml.EndElement:
			depth--
		case xml.StartElement:
			if depth++; depth > maxTree {
				return bad("elements stand within each other more than %d deep", maxTree)
			}
			if t.Name.Local != "leaf" {
				continue
			}
			depth--
			var leaf xmlLeaf
			if err := decoder.DecodeElement(&leaf, &t); err != nil {
				return bad("the table of contents cannot be read: %v", err)
			}
			s := stat.Structure{ID: leaf.Code, Title: leaf.title()}
			for _, m := range leaf.Metadata {
				if m.Format == "html" {
					s.MetadataURL = strings.TrimSpace(m.Address)
				}
			}
			c.add(s, leaf.Updated, strings.TrimSpace(leaf.DataEnd))
		}
	}
}

// home is the zone of the office's times.
var home = office.Zone(eurostatOffice.ID)

// UpdateTime reads a time of update, day first: a time of day is the office's,
// and a day alone, which says no zone, is in UTC. It is zero for anything else.
func UpdateTime(updated string) time.Time {
	zone := time.UTC
	if strings.ContainsRune(updated, ':') {
		zone = home
	}
	return text.Time(updated, zone)
}
