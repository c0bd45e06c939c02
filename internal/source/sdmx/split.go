package sdmx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// A dataset that is too large for one response is requested in parts. It is split by years
// first, because that needs no knowledge of the data: in halves of 1900 to 2027, down to
// one year. Then it is split by the codes of the dimension with the most codes. The years
// are always split at the same places, so that a part keeps its address and can be
// requested conditionally. The first part has no beginning and the last no end, so that
// nothing is left out.
//
// A request that was too large is not repeated: its address is stored with digestSplit in
// place of a digest, and that of an empty part with digestEmpty. These stored texts must not
// change.
const (
	firstYear = 1900
	lastYear  = 2027
	endOfTime = 2099 // from this year on, the last part is not split either

	maxParts    = 900  // the importer accepts no more files
	maxRequests = 3000 // requests per dataset
	maxAddress  = 2000 // characters; many servers accept no more

	digestSplit = "asked for in parts"
	digestEmpty = "no observations"
)

// dataPart is a response that was not too large.
type dataPart struct {
	query query
	file  string // empty if there is none
	same  bool   // unchanged since the last fetch
	empty bool
}

// collectAll sends the requests for all keys. If one of several keys has no data, nothing
// is stored, because a part of what was requested would be missing.
func (f *flowFetch) collectAll(ctx context.Context) (parts []dataPart, err error) {
	queries := f.flow.queries()
	for _, q := range queries {
		more, err := f.collect(ctx, q)
		if err != nil {
			return nil, err
		}
		hasData := slices.ContainsFunc(more, func(p dataPart) bool { return !p.empty })
		if !hasData && len(queries) > 1 {
			return nil, stat.Errorf(stat.Refused, "%s has no observations for the key %s of %s", f.Name, q.key, f.flow.ref(f.Agency))
		}
		parts = append(parts, more...)
	}
	return parts, nil
}

// collect sends a request, in parts if necessary.
func (f *flowFetch) collect(ctx context.Context, q query) ([]dataPart, error) {
	address := f.dataAddress(f.flow, q)
	if len(address) > maxAddress {
		return f.split(ctx, q, fmt.Errorf("the address has %d characters", len(address)))
	}
	if f.known[address].Digest == digestSplit {
		return f.split(ctx, q, errors.New("the response was too large before"))
	}
	part, err := f.request(ctx, q, address)
	var tooBig *tooBigError
	if errors.As(err, &tooBig) {
		return f.split(ctx, q, tooBig)
	}
	if err != nil {
		return nil, err
	}
	return []dataPart{part}, nil
}

// split sends a request in two halves. why is the reason for an error message.
func (f *flowFetch) split(ctx context.Context, q query, why error) ([]dataPart, error) {
	first, second, err := f.halve(ctx, q, why)
	if err != nil {
		return nil, err
	}
	f.answers[f.dataAddress(f.flow, q)] = fetch.Validators{Digest: digestSplit}
	parts, err := f.collect(ctx, first)
	if err != nil {
		return nil, err
	}
	more, err := f.collect(ctx, second)
	if parts = append(parts, more...); err == nil && len(parts) > maxParts {
		err = stat.Errorf(stat.Refused, "%s returns dataset %s only in more than %d parts; request some of its series, as in %s/KEY", f.Name, f.code(f.flow), maxParts, f.flow.ref(f.Agency))
	}
	return parts, err
}

// halve splits a request by years, otherwise by codes.
func (f *flowFetch) halve(ctx context.Context, q query, why error) (first, second query, err error) {
	year, hasYears := q.middle()
	hasYears = hasYears && !f.flow.hasPeriods()
	first, second = q, q
	first.to, second.from = year, year+1
	if _, wasSent := f.known[f.dataAddress(f.flow, first)]; hasYears && wasSent {
		return first, second, nil
	}
	// Data without a time must not be split by years: a server would return all of
	// them for each year.
	if err := f.loadDimensions(ctx); err != nil {
		return q, q, err
	}
	one, other, ok := halves(f.dimensions.Dimensions, q.key)
	_, wasSent := f.known[f.dataAddress(f.flow, query{key: one, from: q.from, to: q.to})]
	if hasYears && (f.dimensions.HasTime || len(f.dimensions.Dimensions) == 0) && !(ok && wasSent) {
		return first, second, nil
	}
	if q.from == 0 && q.to == firstYear && ok {
		return q, q, errTimeless
	}
	if !ok {
		return q, q, stat.Errorf(stat.Refused, "%s does not return %s in one response (%v), and no dimension is left to split it by; request some of its series, as in %s/KEY", f.Name, f.describe(q), why, f.flow.ref(f.Agency))
	}
	first, second = q, q
	first.key, second.key = one, other
	return first, second, nil
}

// errTimeless reports that the office ignores the requested years: the data before
// 1901 alone cannot be too large.
var errTimeless = errors.New("the office returns all years, whichever are requested")

// describe describes a request for a message.
func (f *flowFetch) describe(q query) string {
	text := f.flow.ref(f.Agency) + "/" + cmp.Or(q.key, "all")
	switch {
	case q.from != 0 && q.from == q.to:
		text += fmt.Sprintf(" of %d", q.from)
	case q.from != 0 && q.to != 0:
		text += fmt.Sprintf(" of %d to %d", q.from, q.to)
	case q.to != 0:
		text += fmt.Sprintf(" until %d", q.to)
	case q.from != 0:
		text += fmt.Sprintf(" from %d", q.from)
	}
	return text
}

// middle returns the last year of the first half of a request's years; ok is false if they
// cannot be split.
func (q query) middle() (year int, ok bool) {
	from, to := cmp.Or(q.from, firstYear), cmp.Or(q.to, lastYear)
	if q.to == 0 && q.from >= lastYear {
		return q.from, q.from < endOfTime
	}
	return (from + to) / 2, from < to
}

// request sends one request for data and examines the response.
func (f *flowFetch) request(ctx context.Context, q query, address string) (dataPart, error) {
	if f.requests++; f.requests > maxRequests {
		return dataPart{}, stat.Errorf(stat.Refused, "%s does not return dataset %s in %d responses; request some of its series, as in %s/KEY", f.Name, f.code(f.flow), maxRequests, f.flow.ref(f.Agency))
	}
	path := filepath.Join(f.folder, fmt.Sprintf("answer-%04d", f.requests))
	answer, err := f.savePrepared(ctx, address, path)
	part := dataPart{query: q}
	var summary responseSummary
	switch {
	case err != nil:
		summary, err = refusalOf(err)
	case answer.NotModified:
		part.same = true
		f.answers[address] = answer.Validators
		keepIfZero(f.answers, f.known, address)
		keepAnswer(f.answers, f.known, address+"#content")
		return part, nil
	default:
		summary, err = summarize(path, answer)
	}
	if err == nil {
		err = f.check(summary, address)
	}
	if err != nil {
		return part, err
	}
	if summary.observations == 0 {
		part.empty, part.same = true, f.known[address].Digest == digestEmpty
		f.answers[address] = fetch.Validators{Digest: digestEmpty}
		return part, nil
	}
	f.answers[address] = answer.Validators
	if part.same, err = f.sameContent(path, summary.extension, address); err != nil || part.same {
		return part, err
	}
	part.file = path + summary.extension
	return part, os.Rename(path, part.file)
}

// keepIfZero keeps the known validators if a response confirmed the known version without
// sending validators.
func keepIfZero(answers, known map[string]fetch.Validators, address string) {
	if answers[address] == (fetch.Validators{}) {
		keepAnswer(answers, known, address)
	}
}

// sameContent reports whether a message equals the last one except for its header, which
// contains the time of the response. Otherwise the data of servers that send neither ETag
// nor Last-Modified would seem to change each time. The digest is stored under the address
// with #content.
func (f *flowFetch) sameContent(path, extension, address string) (bool, error) {
	if extension != ".xml" {
		return false, nil
	}
	digest, err := digestOf(path)
	f.answers[address+"#content"] = fetch.Validators{Digest: digest}
	_, wasFetched := f.known[address]
	return wasFetched && f.known[address+"#content"].Digest == digest, err
}

// check returns the error for a response that is too large or an error message.
func (f *flowFetch) check(summary responseSummary, address string) error {
	switch {
	case summary.tooBig:
		return &tooBigError{summary.text}
	case f.Cells > 0 && summary.observations >= f.Cells:
		return &tooBigError{fmt.Sprintf("the response has %d observations, and the office truncates responses at %d", summary.observations, f.Cells)}
	case summary.failed:
		return stat.Errorf(stat.Unavailable, "%s: the office returned an error instead of data: %s", address, cmp.Or(summary.text, "no text"))
	}
	return nil
}

// dataRequest returns a request for data of a media type.
func (s *server) dataRequest(address, media string) fetch.Request {
	r := s.Request(address)
	r.Accept, r.DataPause = media, time.Duration(s.DataPause)
	return r
}

// save requests data with the media types in turn, beginning with the one that the server
// accepted last.
func (f *flowFetch) save(ctx context.Context, address, path string) (fetch.Answer, error) {
	f.mu.Lock()
	from := f.server.accept
	f.mu.Unlock()
	types := f.mediaTypes()
	known := f.known[address]
	if known.Digest == digestEmpty {
		known = fetch.Validators{}
	}
	for i := from; ; i++ {
		request := f.dataRequest(address, types[i])
		request.Known = known
		answer, err := f.client.Save(ctx, request, path)
		if i+1 < len(types) && isNotAcceptable(err) {
			continue
		}
		if isNotAcceptable(err) {
			return answer, stat.Errorf(stat.Refused, "%s offers none of the formats that were requested (%s); state others as accept in its row: %v", f.Name, strings.Join(types, ", "), err)
		}
		if err == nil && i != from {
			f.mu.Lock()
			f.server.accept = i
			f.mu.Unlock()
		}
		return answer, err
	}
}
