package worldbank

import (
	"strconv"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
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

func isAnswer(kind answerKind) func(string, []byte) bool {
	return func(_ string, head []byte) bool { return kindOf(head) == kind }
}

// kindOf tells what an answer lists by the fields of its first record.
func kindOf(head []byte) answerKind {
	j, ok := jsonscan.Head(head, jsonscan.Array)
	if !ok {
		return answerNone
	}
	h, err := readHeader(j)
	switch {
	case err != nil || h.page == "" && len(h.messages) == 0:
		return answerNone
	case len(h.messages) > 0:
		return answerData
	}
	for _, opens := range []jsonscan.Kind{jsonscan.Array, jsonscan.Object} { // of the records, and of the first
		switch token, err := j.Next(); {
		case err == nil && token.Kind == opens:
		case err == nil && (token.Kind == jsonscan.Null || token.Kind == jsonscan.ArrayEnd):
			return answerData // without records
		default:
			return answerNone
		}
	}
	switch has, err := j.Fields(); {
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

// readHeader reads the header of an answer, after its [.
func readHeader(j *jsonscan.Scanner) (h header, err error) {
	token, err := j.Next()
	if err != nil {
		return h, err
	}
	if token.Kind != jsonscan.Object {
		return h, badStart(token)
	}
	texts := map[string]*string{"page": &h.page, "pages": &h.pages, "per_page": &h.perPage, "total": &h.total, "lastupdated": &h.updated}
	err = j.Object(func(name string, value jsonscan.Token) (err error) {
		switch {
		case name == "message" && value.Kind == jsonscan.Array:
			return j.Array(func(item jsonscan.Token) error { return h.readMessage(j, item) })
		case texts[name] != nil:
			*texts[name], err = j.TextOf(value)
		default:
			err = j.SkipRest(value)
		}
		return err
	})
	return h, err
}

func badStart(token jsonscan.Token) error {
	return stat.BadFile(token.At, "an answer of the World Bank begins with [{\"page\":")
}

// readAnswer reads an answer: use gets its header and the first token of its
// list, reads the rest of that, and refuses anything else.
func readAnswer(in format.Input, report *stat.Report, use func(j *jsonscan.Scanner, h header, list jsonscan.Token) error) error {
	return jsonscan.Read(in.Again, in.Encoding, report, func(j *jsonscan.Scanner, first jsonscan.Token) error {
		if first.Kind != jsonscan.Array {
			return badStart(first)
		}
		h, err := readHeader(j)
		if err != nil {
			return err
		}
		token, err := j.Next()
		if err != nil {
			return err
		}
		if err = use(j, h, token); err == nil {
			token, err = j.Next()
		}
		if err == nil && token.Kind != jsonscan.ArrayEnd {
			err = stat.BadFile(token.At, "the answer is to end after its records")
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
