package source

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	eurostatformat "almanac/internal/format/eurostat"
	"almanac/internal/format/office"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// eurostatTitleIndent is how many spaces before a title stand for one folder.
const eurostatTitleIndent = 4

// eurostatDepth bounds how deep folders stand within each other; the real list
// has ten.
const eurostatDepth = 100

// Contents yields the datasets of the office's table of contents. Predefined
// tables are datasets too.
func (s *eurostat) Contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		address := cmp.Or(s.Office.Contents, s.Address+"/catalogue/toc/txt?lang=en")
		file, _, err := save(ctx, s.client, fetch.Request{Address: address, Pause: time.Duration(s.Pause)})
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer func() { _ = file.Close() }()
		seen, chosen := map[string]bool{}, choice{Filter: f}
		for e, err := range eurostatEntries(file) {
			if err != nil {
				yield(Entry{}, fmt.Errorf("%s: %w", address, err))
				return
			}
			if code := strings.ToLower(e.Code); !seen[code] && chosen.takes(e) {
				seen[code] = true
				if !yield(e, nil) {
					return
				}
			}
		}
		if err := chosen.missing(s.Office); err != nil {
			yield(Entry{}, err)
		}
	}
}

// eurostatEntries reads a table of contents. The spaces before a title say in
// which folder it stands; a dataset stands in several.
func eurostatEntries(in io.Reader) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		var above eurostatFolders
		for line, err := range eurostatformat.ContentsLines(in) {
			if err == nil && !line.IsWhole {
				err = fmt.Errorf("line %d has too few fields, or too many", line.Number)
			}
			if err != nil {
				yield(Entry{}, &stat.Error{Kind: stat.Unavailable, Message: "the table of contents cannot be read", Err: err})
				return
			}
			depth := min(line.Indent/eurostatTitleIndent, eurostatDepth)
			switch line.Type {
			case "folder":
				above.enter(depth, line.Code, line.Title)
			case "dataset", "table":
				folders, theme := above.at(depth)
				e := Entry{Code: line.Code, Title: line.Title, Theme: theme, Folders: folders, Updated: eurostatformat.UpdateTime(line.Updated)}
				if e.Code != "" && !yield(e, nil) {
					return
				}
			}
		}
	}
}

// eurostatFolders are the folders from the top to the one that is being read.
// What they are called is joined once a folder and shared by its datasets.
type eurostatFolders []struct {
	codes []string
	theme string
}

// at says which folders something at a depth stands in.
func (f eurostatFolders) at(depth int) (codes []string, theme string) {
	if depth = min(depth, len(f)); depth == 0 {
		return nil, ""
	}
	return f[depth-1].codes, f[depth-1].theme
}

// enter enters a folder at a depth and leaves those that are not above it.
func (f *eurostatFolders) enter(depth int, code, title string) {
	codes, theme := f.at(depth)
	codes = append(append([]string(nil), codes...), code)
	if theme != "" {
		title = theme + " / " + title
	}
	*f = append((*f)[:min(depth, len(*f))], struct {
		codes []string
		theme string
	}{codes, title})
}

// eurostatZone is the office's: its days and its clock.
var eurostatZone = office.Zone("eurostat")
