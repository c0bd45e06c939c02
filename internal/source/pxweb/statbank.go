package pxweb

import (
	"context"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
)

// statbank is the interface of Statistics Denmark's Statbank:
//
//	GET  base/tables?lang=en            all tables with the times of their updates
//	GET  base/tableinfo/TABLE?lang=en   the variables of a table with their values
//	POST base/data                      cells of a table as PX
//
// It limits the cells of a response as PxWeb does, so tables are split and joined like
// those of PxWeb.
type statbank struct{ *caller }

// NewStatbank returns the server of an office.
func NewStatbank(o source.Office, c *fetch.Client) source.Server {
	caller := &caller{Office: o, client: c, base: o.Address}
	caller.known.Store(&serverLimits{cells: o.Cells, pause: time.Duration(o.Pause)})
	return &server{protocol: statbank{caller}}
}

// statbankTable is the beginning of an entry of the list, or of a table's information.
type statbankTable struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Updated string `json:"updated"`
}

// statbankEntry is an entry of the list.
type statbankEntry struct {
	statbankTable
	First     string   `json:"firstPeriod"`
	Last      string   `json:"latestPeriod"`
	Variables []string `json:"variables"`
}

// statbankLanguages are the languages of the service.
var statbankLanguages = []string{"en", "da"}

func (s statbank) contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		others := otherTexts{}
		if f.Languages {
			for _, language := range otherLanguages(statbankLanguages, s.language()) {
				err := s.tables(ctx, language, func(t statbankEntry) error {
					others.add(t.ID, source.Text{Language: language, Title: plainText(t.Text, ""), Description: strings.Join(t.Variables, ", ")})
					return nil
				})
				if err != nil && !source.IsMissing(err) {
					return err
				}
			}
		}
		return s.tables(ctx, s.language(), func(t statbankEntry) error {
			return add(source.Entry{
				Code: t.ID, Title: plainText(t.Text, t.ID), Updated: source.ParseTime(t.Updated), Language: s.language(),
				Description: strings.Join(t.Variables, ", "), First: t.First, Last: t.Last, Others: others[t.ID],
			})
		})
	})
}

// tables reads the list in a language.
func (s statbank) tables(ctx context.Context, language string, use func(statbankEntry) error) error {
	var tables []statbankEntry
	if _, err := s.decode(ctx, s.base+"/tables?lang="+language, "a list of tables", &tables); err != nil {
		return err
	}
	for _, t := range tables {
		if err := use(t); err != nil {
			return err
		}
	}
	return nil
}

// otherTexts are the texts of tables in other languages than that of the office's row.
type otherTexts map[string][]source.Text

func (o otherTexts) add(code string, text source.Text) { o[code] = append(o[code], text) }

// otherLanguages returns the languages of a server but one.
func otherLanguages(all []string, own string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(l string) bool { return l == own })
}

func (s statbank) infoAddress(code string) string {
	return s.base + "/tableinfo/" + url.PathEscape(code) + "?lang=" + s.language()
}

func (s statbank) updated(ctx context.Context, code string) (time.Time, error) {
	var t statbankTable
	_, err := s.decode(ctx, s.infoAddress(code), "a table", &t)
	return source.ParseTime(t.Updated), err
}

func (s statbank) table(ctx context.Context, code string) (tableInfo, error) {
	var info struct {
		Variables []struct {
			ID     string `json:"id"`
			Values []struct {
				ID string `json:"id"`
			} `json:"values"`
		} `json:"variables"`
	}
	answer, err := s.decode(ctx, s.infoAddress(code), "the variables of a table", &info)
	if err != nil {
		return tableInfo{}, err
	}
	t := tableInfo{digest: answer.Validators.Digest}
	for _, v := range info.Variables {
		of := variable{code: v.ID}
		for _, value := range v.Values {
			of.values = append(of.values, value.ID)
		}
		t.variables = append(t.variables, of)
	}
	if err := t.check(); err != nil {
		return t, s.unreadable(s.infoAddress(code), "the variables of a table", err)
	}
	return t, nil
}

func (s statbank) query(code string, part []variable) fetch.Request {
	type selection struct {
		Code   string   `json:"code"`
		Values []string `json:"values"`
	}
	message := struct {
		Table     string      `json:"table"`
		Format    string      `json:"format"`
		Language  string      `json:"lang"`
		Variables []selection `json:"variables"`
	}{code, "PX", s.language(), nil}
	for _, v := range part {
		message.Variables = append(message.Variables, selection{v.code, v.values})
	}
	return fetch.Request{Address: s.base + "/data", Body: encodeQuery(message)}
}

func (s statbank) dataset(code string) string { return strings.ToUpper(code) }
