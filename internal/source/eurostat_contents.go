package source

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"time"

	eurostatformat "almanac/internal/format/eurostat"
	"almanac/internal/format/office"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// eurostatIndent is the number of spaces before a title for each level of folders.
const eurostatIndent = 4

// eurostatMaxDepth limits the depth of folders. The real list has ten levels.
const eurostatMaxDepth = 100

// Contents yields the datasets of the office's table of contents, including the
// predefined tables.
func (s *eurostat) Contents(ctx context.Context, _ Filter) iter.Seq2[Entry, error] {
	return Entries(func(add func(Entry) error) error {
		address := cmp.Or(s.Office.Contents, s.Address+"/catalogue/toc/txt?lang=en")
		file, _, err := SaveList(ctx, s.client, fetch.Request{Address: address, Pause: time.Duration(s.Pause)})
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		for e, err := range eurostatEntries(file) {
			if err != nil {
				return fmt.Errorf("%s: %w", address, err)
			}
			if err := add(e); err != nil {
				return err
			}
		}
		return nil
	})
}

// eurostatEntries yields the entries of a table of contents. The indent of a title shows
// its folder. A dataset may be in several folders.
func eurostatEntries(in io.Reader) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		var folders eurostatFolders
		for line, err := range eurostatformat.ContentsLines(in) {
			if err == nil && !line.IsWhole {
				err = fmt.Errorf("line %d has the wrong number of fields", line.Number)
			}
			if err != nil {
				yield(Entry{}, &stat.Error{Kind: stat.Unavailable, Message: "invalid table of contents", Err: err})
				return
			}
			depth := min(line.Indent/eurostatIndent, eurostatMaxDepth)
			switch line.Type {
			case "folder":
				folders.enter(depth, line.Code, line.Title)
			case "dataset", "table":
				codes, theme := folders.at(depth)
				e := Entry{Code: line.Code, Title: line.Title, Theme: theme, Folders: codes, Updated: eurostatformat.UpdateTime(line.Updated)}
				if e.Code != "" && !yield(e, nil) {
					return
				}
			}
		}
	}
}

// eurostatFolders are the folders from the top to the current one, each with its codes and
// theme from the top, which its datasets share.
type eurostatFolders []struct {
	codes []string
	theme string
}

// at returns the folders of an entry at a depth.
func (f eurostatFolders) at(depth int) (codes []string, theme string) {
	if depth = min(depth, len(f)); depth == 0 {
		return nil, ""
	}
	return f[depth-1].codes, f[depth-1].theme
}

// enter adds a folder at a depth and removes those at this depth and below.
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

// eurostatZone is the office's time zone.
var eurostatZone = office.Zone("eurostat")
