package worldbank

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// answerKind is what an answer of the API lists.
type answerKind int

const (
	answerNone       answerKind = iota // the text is no answer of the API
	answerData                         // observations, or nothing, or an error
	answerCountries                    // countries
	answerIndicators                   // indicators
	answerList                         // something else
)

// isAnswer recognises answers of a kind.
func isAnswer(kind answerKind) func(string, []byte) bool {
	return func(_ string, head []byte) bool { return kindOf(head) == kind }
}

// kindOf tells what an answer lists by the fields of its first record.
func kindOf(head []byte) answerKind {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("[")) {
		return answerNone
	}
	j := jsonscan.New(bytes.NewReader(head))
	h, err := readHeader(j)
	switch {
	case err != nil || h.page == "" && len(h.messages) == 0:
		return answerNone
	case len(h.messages) > 0:
		return answerData
	}
	if token, err := j.Next(); err != nil || token.Kind != jsonscan.Array {
		return emptyKind(err, token)
	}
	token, err := j.Next()
	if err != nil || token.Kind != jsonscan.Object {
		return emptyKind(err, token)
	}
	return kindOfRecord(j)
}

// emptyKind is the kind of an answer without records.
func emptyKind(err error, token jsonscan.Token) answerKind {
	if err == nil && (token.Kind == jsonscan.Null || token.Kind == jsonscan.ArrayEnd) {
		return answerData
	}
	return answerNone
}

// kindOfRecord tells the kind of an answer by a record of it.
func kindOfRecord(j *jsonscan.Scanner) answerKind {
	has := map[string]bool{}
	err := j.Record(func(path []byte, _ jsonscan.Token) error {
		if len(has) < 64 {
			has[string(path)] = true
		}
		return nil
	})
	switch {
	case has["indicator.id"] && has["country.id"] && has["date"]:
		return answerData
	case err != nil:
		return answerNone
	case has["iso2Code"] && has["name"] && (has["capitalCity"] || has["incomeLevel.id"]):
		return answerCountries
	case has["id"] && has["name"] && has["sourceNote"]:
		return answerIndicators
	}
	return answerList
}

// header is what an answer says of itself, as it stands there.
type header struct {
	page, pages, perPage, total, updated string
	messages                             []string // of an answer that is an error
}

// readHeader reads an answer to the comma after its header.
func readHeader(j *jsonscan.Scanner) (header, error) {
	var h header
	for _, want := range []jsonscan.Kind{jsonscan.Array, jsonscan.Object} {
		if token, err := j.Next(); err != nil || token.Kind != want {
			return h, first(err, stat.BadFile(token.At, "an answer of the World Bank begins with [{\"page\":"))
		}
	}
	for {
		name, err := j.Next()
		if err != nil || name.Kind == jsonscan.ObjectEnd {
			return h, err
		}
		field := string(name.Text)
		value, err := j.Next()
		if err != nil {
			return h, err
		}
		switch {
		case field == "message" && value.Kind == jsonscan.Array:
			err = h.readMessages(j)
		default:
			h.set(field, value)
			err = j.SkipRest(value)
		}
		if err != nil {
			return h, err
		}
	}
}

// set takes one field of the header.
func (h *header) set(field string, value jsonscan.Token) {
	if value.Kind != jsonscan.Number && value.Kind != jsonscan.String {
		return
	}
	switch field {
	case "page":
		h.page = string(value.Text)
	case "pages":
		h.pages = string(value.Text)
	case "per_page":
		h.perPage = string(value.Text)
	case "total":
		h.total = string(value.Text)
	case "lastupdated":
		h.updated = string(value.Text)
	}
}

// readMessages reads the messages of an answer that is an error:
// [{"id":"120","key":"Invalid value","value":"The provided …"}].
func (h *header) readMessages(j *jsonscan.Scanner) error {
	for {
		token, err := j.Next()
		if err != nil || token.Kind == jsonscan.ArrayEnd {
			return err
		}
		if token.Kind != jsonscan.Object {
			if err := j.SkipRest(token); err != nil {
				return err
			}
			continue
		}
		var words []string
		err = j.Record(func(path []byte, value jsonscan.Token) error {
			if string(path) != "id" && len(value.Text) > 0 {
				words = append(words, strings.TrimSuffix(string(value.Text), "."))
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(h.messages) < 8 {
			h.messages = append(h.messages, strings.Join(words, ": "))
		}
	}
}

// partial says which part of its dataset a file of so many records is; empty
// if it is all of it.
func (h *header) partial(records int) string {
	pages, err := strconv.Atoi(h.pages)
	if err == nil && pages > 1 {
		return "page " + h.page + " of " + h.pages
	}
	if total, err := strconv.Atoi(h.total); err == nil && total != records {
		return strconv.Itoa(records) + " of " + h.total + " records"
	}
	return ""
}

// share tells which records of the whole answer a page of so many holds, where
// there are several pages.
func (h *header) share(records int) stat.Share {
	var n [4]int
	for i, text := range []string{h.page, h.pages, h.perPage, h.total} {
		number, err := strconv.Atoi(text)
		if err != nil || number < 1 {
			return stat.Share{}
		}
		n[i] = number
	}
	page, pages, perPage, total := n[0], n[1], n[2], n[3]
	if pages < 2 || page > pages || perPage > total {
		return stat.Share{}
	}
	before := (page - 1) * perPage
	return stat.Share{First: before + 1, Last: before + records, Of: total}
}

// updatedAt is the time of update; zero if none is given.
func updatedAt(text string) time.Time {
	for _, layout := range []string{time.DateOnly, "01/02/2006", time.RFC3339} {
		if t, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return t
		}
	}
	return time.Time{}
}

// first is the first error that is one.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
