package eurostat

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

// maxWait limits how long the client polls.
const maxWait = time.Hour

// errExpired reports that the prepared data have expired.
var errExpired = errors.New("the service no longer has the response")

// data saves a dataset and waits for it if the service must prepare it first.
func (s *server) data(ctx context.Context, r fetch.Request, path string) (fetch.Answer, error) {
	for attempt := 1; ; attempt++ {
		answer, err := s.client.Save(ctx, r, path)
		if err != nil || answer.NotModified || !isXML(answer.Head) {
			return answer, faultOf(err)
		}
		envelope := readEnvelope(answer.Head)
		if envelope.fault != "" {
			return answer, stat.Errorf(stat.Unavailable, "%s: the service returned an error: %s", r.Address, envelope.fault)
		}
		if envelope.id == "" {
			return answer, stat.Errorf(stat.Unavailable, "%s: the response is XML without data and without a request ID", r.Address)
		}
		if err = s.wait(ctx, envelope.id, r.Pause); err == nil {
			return s.collect(ctx, envelope.id, r, path)
		}
		if !errors.Is(err, errExpired) || attempt == 2 {
			return answer, err
		}
	}
}

// wait polls until the data are prepared.
func (s *server) wait(ctx context.Context, id string, minPause time.Duration) error {
	isReady, err := s.client.Poll(ctx, maxWait, func() (bool, error) {
		body, _, err := s.client.Read(ctx, fetch.Request{Address: s.Address + "/1.0/async/status/" + id, Pause: minPause}, 64<<10)
		if err != nil {
			return false, faultOf(err)
		}
		switch envelope := readEnvelope(body); envelope.status {
		case "AVAILABLE":
			return true, nil
		case "SUBMITTED", "PROCESSING":
			return false, nil
		case "EXPIRED", "UNKNOWN", "UNKNOWN_REQUEST":
			return false, &stat.Error{Kind: stat.Unavailable, Message: "request " + id + " has status " + envelope.status, Err: errExpired}
		default:
			return false, stat.Errorf(stat.Unavailable, "request %s failed: the service returned %.100q", id, envelope.status+envelope.fault)
		}
	})
	if err == nil && !isReady {
		err = stat.Errorf(stat.Unavailable, "request %s is still not ready after %v", id, maxWait)
	}
	return err
}

// collect saves prepared data. Their address is new each time, so only the digest shows
// whether they have changed.
func (s *server) collect(ctx context.Context, id string, r fetch.Request, path string) (fetch.Answer, error) {
	answer, err := s.client.Save(ctx, fetch.Request{
		Address: s.Address + "/1.0/async/data/" + id,
		Known:   fetch.Validators{Digest: r.Known.Digest}, Pause: r.Pause,
	}, path)
	if err != nil {
		return answer, faultOf(err)
	}
	if !answer.NotModified && isXML(answer.Head) {
		return answer, stat.Errorf(stat.Unavailable, "request %s is ready, but the service returned an error: %.200q", id, readEnvelope(answer.Head).fault)
	}
	answer.Validators = fetch.Validators{Digest: answer.Validators.Digest}
	return answer, nil
}

// isXML reports whether a response is an envelope. Data are text or packed.
func isXML(head []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))), []byte("<"))
}

// envelope is the content of an envelope.
type envelope struct {
	id     string // of a queued request; empty if it is not safe in an address
	status string
	fault  string // one line of text
}

var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9-]{1,100}$`)

// readEnvelope reads an envelope or the beginning of one. It looks only at the
// local names of elements, because their namespaces and parents have changed in the past.
func readEnvelope(body []byte) envelope {
	var envelope envelope
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
			case (element == "id" || element == "key") && requestIDPattern.MatchString(text):
				envelope.id = text
			case element == "status":
				envelope.status = strings.ToUpper(text)
			case element == "faultstring":
				envelope.fault = text
			}
		}
	}
}
