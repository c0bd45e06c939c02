package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"html"
	"io"
	"iter"
	"os"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// Entries returns the entries that read adds. add fails if the caller wants no more, and
// read then ends with that error.
func Entries(read func(add func(Entry) error) error) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		err := read(func(e Entry) error {
			if e.Code != "" && !yield(e, nil) {
				return ErrStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, ErrStop) {
			yield(Entry{}, err)
		}
	}
}

// ReadJSON requests a JSON document of at most limit bytes and decodes it. It also returns
// the document, for messages.
func ReadJSON(ctx context.Context, c *fetch.Client, r fetch.Request, limit int64, into any) (body []byte, err error) {
	r.Accept = "application/json"
	if body, _, err = c.Read(ctx, r, limit); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), into); err != nil {
		return body, UnexpectedResponse(stat.Unavailable, r.Address, err)
	}
	return body, nil
}

// markup matches a tag in a text.
var markup = regexp.MustCompile(`<[/!A-Za-z][^<>]*>`)

// Description returns a description as plain text with single spaces. Some offices write
// it as HTML.
func Description(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(markup.ReplaceAllString(text, " "))), " ")
}

// ErrStop ends the reading of a list that the caller no longer needs.
var ErrStop = errors.New("stop")

// ReadList downloads a list of contents to a temporary file, because it may be too long for
// memory, and passes it to read with its address after redirects.
func ReadList(ctx context.Context, c *fetch.Client, r fetch.Request, read func(list io.Reader, address string) error) error {
	file, err := os.CreateTemp("", "almanac-contents-*")
	if err != nil {
		return err
	}
	_ = os.Remove(file.Name()) // so that nothing remains if the process is killed
	defer func() {
		_ = file.Close()
		_ = os.Remove(file.Name()) // where an open file cannot be removed
	}()
	answer, err := c.SaveTo(ctx, r, file)
	if err != nil {
		return err
	}
	return read(file, answer.Address)
}

// CodeSet is a set of codes, whose case is ignored. It stores only a hash of each, because
// a list may have a million codes. The hashes of 16 bytes do not collide in practice.
type CodeSet map[[16]byte]struct{}

// Add reports whether the code is new.
func (s CodeSet) Add(code string) bool {
	h := fnv.New128a()
	_, _ = io.WriteString(h, strings.ToLower(code))
	k := [16]byte(h.Sum(nil))
	_, isKnown := s[k]
	s[k] = struct{}{}
	return !isKnown
}

// IsShort reports whether a list lacks more than one in a hundred of the stated entries.
// Fewer may be missing, because some offices count datasets that are not public. More
// missing entries would make existing datasets look removed.
func IsShort(entries, stated int) bool { return entries < stated-stated/100 }

// CodePattern matches a code without characters that have a meaning in an address, a
// reference or a query.
const CodePattern = `[A-Za-z0-9_][^/;?#'"\\\s[:cntrl:]]{0,199}`

// IsUnder reports whether Under is one of the entry's folders, by code, by name, or by the
// codes from the top: BE/BE0101.
func (f Filter) IsUnder(e Entry) bool {
	under := strings.Trim(f.Under, "/")
	isUnder := func(folder string) bool { return strings.EqualFold(folder, under) }
	path := strings.ToLower(strings.Join(e.Folders, "/") + "/")
	return under == "" || slices.ContainsFunc(e.Folders, isUnder) || slices.ContainsFunc(strings.Split(e.Theme, " / "), isUnder) ||
		strings.HasPrefix(path, strings.ToLower(under)+"/")
}

// Matches reports whether all words of Search occur in the entry.
func (f Filter) Matches(e Entry) bool {
	if f.Search == "" {
		return true
	}
	text := strings.ToLower(e.Code + " " + e.Title + " " + e.Theme)
	for word := range strings.FieldsSeq(strings.ToLower(f.Search)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
