package eurostat

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"

	eurostatformat "almanac/internal/format/eurostat"
	"almanac/internal/format/office"
	"almanac/internal/source"
	"almanac/internal/stat"
)

// indentWidth is the number of spaces before a title for each level of folders.
const indentWidth = 4

// maxDepth limits the depth of folders. The real list has ten levels.
const maxDepth = 100

// otherLanguages are the languages of the table of contents besides English.
var otherLanguages = []string{"de", "fr"}

// Contents yields the datasets of the office's table of contents, including the
// predefined tables.
func (s *server) Contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		others := map[string][]source.Text{}
		address := s.Office.Contents
		if address == "" {
			address = s.Address + contentsIn + "en"
			if f.Languages {
				if err := s.addOthers(ctx, others); err != nil {
					return err
				}
			}
		}
		return s.readContents(ctx, address, func(e source.Entry) error {
			e.Language, e.Others = "en", others[e.Code]
			return add(e)
		})
	})
}

// contentsIn is the path of the table of contents in a language.
const contentsIn = "/catalogue/toc/txt?lang="

// addOthers reads the titles in the other languages.
func (s *server) addOthers(ctx context.Context, others map[string][]source.Text) error {
	for _, language := range otherLanguages {
		seen := source.CodeSet{}
		err := s.readContents(ctx, s.Address+contentsIn+language, func(e source.Entry) error {
			if seen.Add(e.Code) {
				others[e.Code] = append(others[e.Code], source.Text{Language: language, Title: e.Title, Theme: e.Theme})
			}
			return nil
		})
		if err != nil && !source.IsMissing(err) {
			return err
		}
	}
	return nil
}

func (s *server) readContents(ctx context.Context, address string, use func(source.Entry) error) error {
	return source.ReadList(ctx, s.client, s.Request(address), func(list io.Reader, _ string) error {
		for e, err := range readEntries(list) {
			if err != nil {
				return fmt.Errorf("%s: %w", address, err)
			}
			if err := use(e); err != nil {
				return err
			}
		}
		return nil
	})
}

// readEntries yields the entries of a table of contents. The indent of a title shows
// its folder. A dataset may be in several folders.
func readEntries(in io.Reader) iter.Seq2[source.Entry, error] {
	return func(yield func(source.Entry, error) bool) {
		var folders folders
		for line, err := range eurostatformat.ContentsLines(in) {
			if err == nil && !line.IsWhole {
				err = fmt.Errorf("line %d has the wrong number of fields", line.Number)
			}
			if err != nil {
				yield(source.Entry{}, &stat.Error{Kind: stat.Unavailable, Message: "invalid table of contents", Err: err})
				return
			}
			depth := min(line.Indent/indentWidth, maxDepth)
			switch line.Type {
			case "folder":
				folders.enter(depth, line.Code, line.Title)
			case "dataset", "table":
				codes, theme := folders.at(depth)
				e := source.Entry{
					Code: line.Code, Title: line.Title, Theme: theme, Folders: codes, Updated: eurostatformat.UpdateTime(line.Updated),
					First: strings.TrimSpace(line.DataStart), Last: strings.TrimSpace(line.DataEnd),
				}
				e.Frequency = frequencyOf(e.First, e.Last)
				if e.Code != "" && !yield(e, nil) {
					return
				}
			}
		}
	}
}

// frequencyOf returns the frequency that both periods state with their form: "M" for
// 2000M01 and 2023M07; empty if they differ.
func frequencyOf(first, last string) string {
	from, fromErr := stat.ParsePeriod(first)
	to, toErr := stat.ParsePeriod(last)
	if fromErr != nil || toErr != nil || from.Frequency() != to.Frequency() {
		return ""
	}
	return to.Frequency().Code()
}

// folders are the folders from the top to the current one, each with its codes and
// theme from the top, which its datasets share.
type folders []struct {
	codes []string
	theme string
}

// at returns the folders of an entry at a depth.
func (f folders) at(depth int) (codes []string, theme string) {
	if depth = min(depth, len(f)); depth == 0 {
		return nil, ""
	}
	return f[depth-1].codes, f[depth-1].theme
}

// enter adds a folder at a depth and removes those at this depth and below.
func (f *folders) enter(depth int, code, title string) {
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

// zone is the office's time zone.
var zone = office.Zone("eurostat")
