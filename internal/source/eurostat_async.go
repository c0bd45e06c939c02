package source

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"regexp"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// The response for a dataset that takes time to prepare is an XML envelope instead of
// data:
//
//	<env:Envelope> … <queued> <id>98de05ea-…</id> <status>SUBMITTED</status>
//
// The client polls the status until it is AVAILABLE and then requests the data. Prepared
// data expire; the client then repeats the request once.

// Limits of polling.
const (
	eurostatFirstPause = 5 * time.Second // before the first poll, then growing
	eurostatMaxPause   = time.Minute
	eurostatMaxWait    = time.Hour // in all
)

// errEurostatExpired reports that the prepared data have expired.
var errEurostatExpired = errors.New("the service no longer has the response")

// data saves a dataset and waits for it if the service must prepare it first.
func (s *eurostat) data(ctx context.Context, r fetch.Request, path string) (fetch.Answer, error) {
	for attempt := 1; ; attempt++ {
		answer, err := s.client.Save(ctx, r, path)
		if err != nil || answer.NotModified || !eurostatIsXML(answer.Head) {
			return answer, eurostatFault(err)
		}
		envelope := readEurostatEnvelope(answer.Head)
		if envelope.fault != "" {
			return answer, stat.Errorf(stat.Unavailable, "%s: the service returned an error: %s", r.Address, envelope.fault)
		}
		if envelope.id == "" {
			return answer, stat.Errorf(stat.Unavailable, "%s: the response is XML without data and without a request ID", r.Address)
		}
		if err = s.wait(ctx, envelope.id, r.Pause); err == nil {
			return s.collect(ctx, envelope.id, r, path)
		}
		if !errors.Is(err, errEurostatExpired) || attempt == 2 {
			return answer, err
		}
	}
}

// wait polls until the data are prepared.
func (s *eurostat) wait(ctx context.Context, id string, minPause time.Duration) error {
	var waited time.Duration
	for pause := eurostatFirstPause; waited < eurostatMaxWait; pause = min(pause*3/2, eurostatMaxPause) {
		began := s.client.Now()
		if err := s.client.Wait(ctx, pause); err != nil {
			return err
		}
		body, _, err := s.client.Read(ctx, fetch.Request{Address: s.Address + "/1.0/async/status/" + id, Pause: minPause}, 64<<10)
		if err != nil {
			return eurostatFault(err)
		}
		waited += max(pause, s.client.Now().Sub(began)) // a poll may take long itself
		envelope := readEurostatEnvelope(body)
		switch envelope.status {
		case "AVAILABLE":
			return nil
		case "SUBMITTED", "PROCESSING":
		case "EXPIRED", "UNKNOWN", "UNKNOWN_REQUEST":
			return &stat.Error{Kind: stat.Unavailable, Message: "request " + id + " has status " + envelope.status, Err: errEurostatExpired}
		default:
			return stat.Errorf(stat.Unavailable, "request %s failed: the service returned %.100q", id, envelope.status+envelope.fault)
		}
	}
	return stat.Errorf(stat.Unavailable, "request %s is still not ready after %v", id, waited)
}

// collect saves prepared data. Their address is new each time, so only the digest shows
// whether they have changed.
func (s *eurostat) collect(ctx context.Context, id string, r fetch.Request, path string) (fetch.Answer, error) {
	answer, err := s.client.Save(ctx, fetch.Request{
		Address: s.Address + "/1.0/async/data/" + id,
		Known:   fetch.Validators{Digest: r.Known.Digest}, Pause: r.Pause,
	}, path)
	if err != nil {
		return answer, eurostatFault(err)
	}
	if !answer.NotModified && eurostatIsXML(answer.Head) {
		return answer, stat.Errorf(stat.Unavailable, "request %s is ready, but the service returned an error: %.200q", id, readEurostatEnvelope(answer.Head).fault)
	}
	answer.Validators = fetch.Validators{Digest: answer.Validators.Digest}
	return answer, nil
}

// eurostatIsXML reports whether a response is an envelope. Data are text or packed.
func eurostatIsXML(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))), []byte("<"))
}

// eurostatEnvelope is the content of an envelope.
type eurostatEnvelope struct {
	id     string // of a queued request; empty if it is not safe in an address
	status string
	fault  string // one line of text
}

var eurostatID = regexp.MustCompile(`^[A-Za-z0-9-]{1,100}$`)

// readEurostatEnvelope reads an envelope or the beginning of one. It looks only at the
// local names of elements, because their namespaces and parents have changed in the past.
func readEurostatEnvelope(body []byte) eurostatEnvelope {
	var envelope eurostatEnvelope
	in := xml.NewDecoder(bytes.NewReader(body))
	element := ""
	for {
		token, err := in.RawToken()
		if err != nil {
			return envelope
		}
		switch t := token.(type) {
		case xml.StartElement:
			element = strings.ToLower(t.Name.Local)
		case xml.EndElement:
			element = ""
		case xml.CharData:
			text := strings.Join(strings.Fields(string(t)), " ")
			switch {
			case text == "":
			case (element == "id" || element == "key") && eurostatID.MatchString(text):
				envelope.id = text
			case element == "status":
				envelope.status = strings.ToUpper(text)
			case element == "faultstring":
				envelope.fault = text
			}
		}
	}
}
