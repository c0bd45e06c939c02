package source

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// jsonstat is a server that returns each dataset as JSON-stat at a separate address and
// lists the datasets as a JSON-stat collection. The code of a dataset is the part of its
// address in place of {code} in Office.Data, or the whole address if that has another
// form.
type jsonstat struct {
	Office
	client *fetch.Client
}

func newJsonstat(o Office, c *fetch.Client) Server { return &jsonstat{o, c} }

// Fetch saves a dataset.
func (s *jsonstat) Fetch(ctx context.Context, r Request) (*Download, error) {
	address, err := s.addressOf(r.Code)
	if err != nil {
		return nil, err
	}
	d := &Download{Source: s.Name, SourceURL: s.Website, State: State{Answers: r.Known.Answers}}
	if !isAddress(r.Code) {
		d.Code = r.Code
	}
	if r.Listed != nil {
		d.Name, d.Updated, d.State.Updated = r.Listed.Title, r.Listed.Updated, storableTime(r.Listed.Updated, s.client.Now(), lastMidnight)
	}
	path := filepath.Join(r.Folder, "data")
	answer, err := s.client.Save(ctx, fetch.Request{
		Address: address, Accept: s.Accept, Known: r.Known.Answers[address], Pause: time.Duration(s.Pause),
	}, path)
	if err != nil {
		return nil, err
	}
	d.State.Answers = map[string]fetch.Validators{address: answer.Validators}
	if d.Unchanged = answer.NotModified; d.Unchanged {
		d.State.Updated = r.unchangedTime(d.Updated, s.client.Now(), lastMidnight)
		return d, nil
	}
	if err := jsonstatRefusal(address, answer); err != nil {
		return nil, err
	}
	name := r.Code
	if isAddress(name) {
		name = cmp.Or(baseOf(name), "download")
	}
	file := filepath.Join(r.Folder, fileNameOf(strings.TrimSuffix(name, ".json")+".json"))
	d.Data = []string{file}
	return d, os.Rename(path, file)
}

func (s *jsonstat) addressOf(code string) (string, error) {
	switch {
	case isAddress(code):
		return code, nil
	case s.Data == "":
		return "", stat.Errorf(stat.NotFound, "%q is not a dataset of %s; use the address of a dataset", code, s.Name)
	}
	return strings.ReplaceAll(s.Data, "{code}", url.PathEscape(code)), nil
}

// jsonstatRefusal returns the error for a response with status 200 that contains no data:
// text, or the error of a remote procedure call.
func jsonstatRefusal(address string, a fetch.Answer) error {
	head := bytes.TrimSpace(bytes.TrimPrefix(a.Head, []byte("\ufeff")))
	if !bytes.HasPrefix(head, []byte("{")) {
		return stat.Errorf(stat.Unavailable, "%s: the response is not JSON-stat; it begins with %.60q", address, head)
	}
	var response struct {
		Error json.RawMessage `json:"error"`
	}
	if a.Size <= int64(len(a.Head)) && json.Unmarshal(head, &response) == nil && response.Error != nil {
		return stat.Errorf(stat.Refused, "%s: the server returned the error %.200s", address, response.Error)
	}
	return nil
}
