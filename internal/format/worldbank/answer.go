package worldbank

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// recognise returns f with its Recognise: of answers by what they list, of tables by
// one of the headings.
func recognise(f format.Format, headings ...[]string) format.Format {
	f.Recognise = func(_ string, head []byte) bool {
		if name := formatOf(head); name != "" {
			return name == f.Name
		}
		rows := table.FirstRows(head, ',', 1)
		return slices.ContainsFunc(headings, func(names []string) bool { return table.HasHeadings(rows, names...) })
	}
	return f
}

// formatOf returns the name of the format of an answer, by the fields of its first
// record. It is empty for text that is not an answer of the API.
func formatOf(head []byte) string {
	j, ok := jsonscan.Head(head, jsonscan.Array)
	if !ok {
		return ""
	}
	h, err := readHeader(j)
	switch {
	case err != nil && pagingFields.Match(head):
		return "worldbank-json" // reading it tells what is wrong and where
	case err != nil || h.page < 0 && h.pages < 0 && h.perPage < 0 && len(h.messages) == 0:
		return ""
	case len(h.messages) > 0:
		return "worldbank-json"
	}
	for _, opens := range []jsonscan.Kind{jsonscan.Array, jsonscan.Object} { // of the records, and of the first
		switch token, err := j.Next(); {
		case err == nil && token.Kind == opens:
		case err == nil && (token.Kind == jsonscan.Null || token.Kind == jsonscan.ArrayEnd):
			return "worldbank-json" // without records
		default:
			return ""
		}
	}
	switch has, err := j.Fields(); {
	case has["indicator.id"] && has["country.id"] && has["date"]:
		return "worldbank-json"
	case err != nil:
		return ""
	case has["iso2Code"] && has["name"] && (has["capitalCity"] || has["incomeLevel.id"]):
		return "worldbank-countries"
	case has["id"] && has["name"] && has["sourceNote"]:
		return "worldbank-indicators"
	}
	return "worldbank-list"
}

// pagingFields matches the beginning of an answer.
var pagingFields = regexp.MustCompile(`^\s*\[\s*\{[^{}]*"(per_page|pages)"\s*:`)

// header is the header of an answer; numbers that it does not state are -1.
type header struct {
	page, pages, perPage, total int
	updated                     string
	messages                    []string // of an answer that is an error
}

// readHeader reads the header of an answer, after the opening bracket.
func readHeader(j *jsonscan.Scanner) (header, error) {
	h := header{page: -1, pages: -1, perPage: -1, total: -1}
	token, err := j.Next()
	if err != nil {
		return h, err
	}
	if token.Kind != jsonscan.Object {
		return h, badStart(token)
	}
	err = j.Decode(token, map[string]any{
		"page": &h.page, "pages": &h.pages, "per_page": &h.perPage, "total": &h.total, "lastupdated": &h.updated,
		"message": jsonscan.Items(func(item jsonscan.Token) error { return h.readMessage(j, item) }),
	})
	return h, err
}

func badStart(token jsonscan.Token) error {
	return stat.BadFile(token.At, "an answer of the World Bank must begin with [{\"page\":")
}

// readAnswer reads an answer: use gets its header and the first token of its list, and
// reads the rest of the list.
func readAnswer(in format.Input, report *stat.Report, use func(j *jsonscan.Scanner, h header, list jsonscan.Token) error) error {
	return jsonscan.Read(in.Again, in.Encoding, report, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		if first.Kind != jsonscan.Array {
			return badStart(first)
		}
		h, err := readHeader(j)
		if err != nil {
			return err
		}
		if h.pages > 1 && (h.page < 1 || h.page > h.pages) {
			return stat.BadFile(first.At, "the header of the answer says that it has %d pages, but not which of them this is", h.pages)
		}
		token, err := j.Next()
		if err != nil {
			return err
		}
		if err = use(j, h, token); err == nil {
			token, err = j.Next()
		}
		if err == nil && token.Kind != jsonscan.ArrayEnd {
			err = stat.BadFile(token.At, "the answer must end after its records")
		}
		return err
	})
}

// readMessage reads a message of an answer that is an error:
// {"id":"120","key":"Invalid value","value":"The provided …"}.
func (h *header) readMessage(j *jsonscan.Scanner, item jsonscan.Token) error {
	if item.Kind != jsonscan.Object {
		return j.SkipRest(item)
	}
	var words []string
	err := j.Record(func(path []byte, value jsonscan.Token) error {
		if string(path) != "id" && len(value.Text) > 0 {
			words = append(words, strings.TrimSuffix(string(value.Text), "."))
		}
		return nil
	})
	if len(h.messages) < 8 {
		h.messages = append(h.messages, strings.Join(words, ": "))
	}
	return err
}

// partial describes which part of a dataset so many records are; it is empty for a
// whole dataset.
func (h *header) partial(records int) string {
	switch {
	case h.pages > 1:
		return fmt.Sprintf("page %d of %d", h.page, h.pages)
	case h.total >= 0 && h.total != records:
		return fmt.Sprintf("%d of %d records", records, h.total)
	}
	return ""
}

// share returns the place of a page with so many records among the records of all
// pages.
func (h *header) share(records int) stat.Share {
	if h.page < 1 || h.perPage < 1 || h.pages < 2 || h.page > h.pages || h.perPage > h.total {
		return stat.Share{}
	}
	before := (h.page - 1) * h.perPage
	return stat.Share{First: before + 1, Last: before + records, Of: h.total}
}

// updatedAt parses a time of update; it is zero for any other text.
func updatedAt(text string) time.Time {
	for _, layout := range []string{time.DateOnly, "01/02/2006", time.RFC3339} {
		if t, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return t
		}
	}
	return time.Time{}
}
