package source

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"os"
	"regexp"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// A dataset that takes long to make is answered at once, with an envelope of
// XML instead of data:
//
//	<env:Envelope> … <queued> <id>98de05ea-…</id> <status>SUBMITTED</status>
//
// The status is asked for until it is AVAILABLE, and then the data. An answer
// that nobody came for expires, and the request is made anew.

// How long the service is waited for.
const (
	eurostatFirstPause = 5 * time.Second // before the first look, then ever longer
	eurostatLongPause  = time.Minute
	eurostatPatience   = time.Hour
)

// errEurostatExpired is an answer that is not there any more.
var errEurostatExpired = errors.New("the service has lost the answer")

// data saves a dataset, waiting for it where it must be made first.
func (s *eurostat) data(ctx context.Context, r fetch.Request, path string) (fetch.Answer, error) {
	for attempt := 1; ; attempt++ {
		answer, err := s.client.Save(ctx, r, path)
		if err != nil || answer.NotModified || !eurostatIsXML(answer.Head) {
			return answer, eurostatFault(err)
		}
		if err := os.Remove(path); err != nil {
			return answer, err
		}
		said := eurostatSaid(answer.Head)
		if said.fault != "" {
			return answer, stat.Errorf(stat.Unavailable, "%s: the service says: %s", r.Address, said.fault)
		}
		if said.id == "" {
			return answer, stat.Errorf(stat.Unavailable, "%s: the answer is XML without data and without a place in the queue", r.Address)
		}
		if err = s.wait(ctx, said.id, r.Pause); err == nil {
			return s.collect(ctx, said.id, r, path)
		}
		if !errors.Is(err, errEurostatExpired) || attempt == 2 {
			return answer, err
		}
	}
}

// wait waits until an answer is made.
func (s *eurostat) wait(ctx context.Context, id string, least time.Duration) error {
	var waited time.Duration
	for pause := eurostatFirstPause; waited < eurostatPatience; pause = min(pause*3/2, eurostatLongPause) {
		began := s.client.Now()
		if err := s.client.Wait(ctx, pause); err != nil {
			return err
		}
		body, _, err := s.client.Read(ctx, fetch.Request{Address: s.Address + "/1.0/async/status/" + id, Pause: least}, 64<<10)
		if err != nil {
			return eurostatFault(err)
		}
		waited += max(pause, s.client.Now().Sub(began)) // a status may take long, too
		said := eurostatSaid(body)
		switch said.status {
		case "AVAILABLE":
			return nil
		case "SUBMITTED", "PROCESSING":
		case "EXPIRED", "UNKNOWN", "UNKNOWN_REQUEST":
			return &stat.Error{Kind: stat.Unavailable, Message: "the request " + id + " is " + said.status, Err: errEurostatExpired}
		default:
			return stat.Errorf(stat.Unavailable, "the request %s was not done: the service says %.100q", id, said.status+said.fault)
		}
	}
	return stat.Errorf(stat.Unavailable, "the request %s is still not done after %v", id, waited)
}

// collect saves an answer that was waited for. Its address is new each time, so
// only the digest tells it from the one before.
func (s *eurostat) collect(ctx context.Context, id string, r fetch.Request, path string) (fetch.Answer, error) {
	answer, err := s.client.Save(ctx, fetch.Request{
		Address: s.Address + "/1.0/async/data/" + id,
		Known:   fetch.Validators{Digest: r.Known.Digest}, Pause: r.Pause,
	}, path)
	if err != nil {
		return answer, eurostatFault(err)
	}
	if !answer.NotModified && eurostatIsXML(answer.Head) {
		err := stat.Errorf(stat.Unavailable, "the request %s was done, and the service says: %.200q", id, eurostatSaid(answer.Head).fault)
		return answer, errors.Join(err, os.Remove(path))
	}
	answer.Validators = fetch.Validators{Digest: answer.Validators.Digest}
	return answer, nil
}

// eurostatIsXML tells an envelope from data, which are text or packed.
func eurostatIsXML(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))), []byte("<"))
}

// eurostatWords is what an envelope says.
type eurostatWords struct {
	id     string // of a request that waits; empty if it is none that can stand in an address
	status string
	fault  string // one line of text
}

var eurostatID = regexp.MustCompile(`^[A-Za-z0-9-]{1,100}$`)

// eurostatSaid reads an envelope, or the beginning of one. The elements count
// by their names alone: their namespaces and what they stand in have changed.
func eurostatSaid(body []byte) eurostatWords {
	var said eurostatWords
	in := xml.NewDecoder(bytes.NewReader(body))
	within := ""
	for {
		token, err := in.RawToken()
		if err != nil {
			return said
		}
		switch t := token.(type) {
		case xml.StartElement:
			within = strings.ToLower(t.Name.Local)
		case xml.EndElement:
			within = ""
		case xml.CharData:
			text := strings.Join(strings.Fields(string(t)), " ")
			switch {
			case text == "":
			case (within == "id" || within == "key") && eurostatID.MatchString(text):
				said.id = text
			case within == "status":
				said.status = strings.ToUpper(text)
			case within == "faultstring":
				said.fault = text
			}
		}
	}
}
