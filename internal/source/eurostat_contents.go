package source

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

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
func (s *eurostat) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		address := cmp.Or(s.Office.Contents, s.Address+"/catalogue/toc/txt?lang=en")
		file, _, err := save(ctx, s.client, fetch.Request{Address: address, Pause: time.Duration(s.Pause)})
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer func() { _ = file.Close() }()
		seen, chosen := map[string]bool{}, choice{Wanted: w}
		for e, err := range eurostatEntries(ctx, file) {
			if err != nil {
				yield(Entry{}, fmt.Errorf("%s: %w", address, err))
				return
			}
			e.Code = strings.Clone(e.Code) // the rest of its line is not kept
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

// eurostatEntries reads a table of contents. Each line is
//
//	"    title" ⇥ "code" ⇥ "type" ⇥ "last update of data" ⇥ …
//
// and the spaces before the title say in which folder it stands. A dataset
// stands in several.
func eurostatEntries(ctx context.Context, in io.Reader) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 1<<20)
		columns := map[string]int{}
		var above eurostatFolders
		for number := 1; lines.Scan(); number++ {
			if ctx.Err() != nil {
				yield(Entry{}, ctx.Err())
				return
			}
			fields := strings.Split(strings.TrimPrefix(lines.Text(), "\ufeff"), "\t")
			for i := range fields {
				fields[i] = eurostatUnquoted(fields[i])
			}
			if number == 1 {
				for i, name := range fields {
					columns[name] = i
				}
				for _, name := range []string{"title", "code", "type", "last update of data"} {
					if _, ok := columns[name]; !ok {
						yield(Entry{}, stat.Errorf(stat.Unavailable, "a table of contents has a column %q; this begins with %.60q", name, lines.Text()))
						return
					}
				}
				continue
			}
			if len(fields) != len(columns) {
				yield(Entry{}, stat.Errorf(stat.Unavailable, "line %d of the table of contents has %d fields where %d are right", number, len(fields), len(columns)))
				return
			}
			title, code := fields[columns["title"]], strings.TrimSpace(fields[columns["code"]])
			depth := min((len(title)-len(strings.TrimLeft(title, " ")))/eurostatTitleIndent, eurostatDepth)
			title = strings.Join(strings.Fields(title), " ")
			switch fields[columns["type"]] {
			case "folder":
				above.enter(depth, code, title)
			case "dataset", "table":
				folders, theme := above.at(depth)
				e := Entry{Code: code, Title: title, Theme: theme, Folders: folders, Updated: eurostatTime(fields[columns["last update of data"]])}
				if code != "" && !yield(e, nil) {
					return
				}
			}
		}
		if err := lines.Err(); err != nil {
			yield(Entry{}, &stat.Error{Kind: stat.Unavailable, Message: "the table of contents cannot be read", Err: err})
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

// eurostatUnquoted takes a field out of its quotes. The spaces in them stay.
func eurostatUnquoted(field string) string {
	field = strings.TrimSpace(field)
	if len(field) >= 2 && field[0] == '"' && field[len(field)-1] == '"' {
		field = strings.ReplaceAll(field[1:len(field)-1], `""`, `"`)
	}
	return field
}

// eurostatZone is the office's: its days and its clock.
var eurostatZone = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		panic(err) // the zones are embedded
	}
	return zone
}()

// eurostatTime reads a time of update; it is zero where there is none that can
// be read. A day alone is in UTC, which marks it as one.
func eurostatTime(text string) time.Time {
	text = strings.TrimSpace(text)
	for _, form := range []string{"02.01.2006 15:04:05", "02.01.2006 15:04", "02/01/2006 15:04:05", time.RFC3339, "2006-01-02T15:04:05-0700"} {
		if t, err := time.ParseInLocation(form, text, eurostatZone); err == nil {
			return t
		}
	}
	for _, form := range []string{"02.01.2006", "02/01/2006", "2006-01-02"} {
		if t, err := time.Parse(form, text); err == nil {
			return t
		}
	}
	return time.Time{}
}
