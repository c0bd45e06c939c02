package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// A dataset that is too big for one answer is asked for in parts: by years, in
// halves of 1900 to 2027 down to one year, since that is the one division that
// needs no knowledge of the data; then by the codes of the dimension that has
// most of them. The years are always divided at the same places, so that a part
// has the same address next time and can be asked for conditionally. The first
// part has no beginning and the last no end: nothing lies outside of them.
//
// What was too big once is not asked for again: its address is remembered with
// the mark sdmxSplit instead of a digest, and an empty part with sdmxEmpty.
const (
	sdmxFirstYear = 1900
	sdmxLastYear  = 2027
	sdmxEndOfTime = 2099 // behind it not even the last part is divided

	sdmxMaxParts   = 900  // an archive of more is not imported
	sdmxMaxAsked   = 3000 // questions a dataset
	sdmxMaxAddress = 2000 // characters; many servers take no more

	sdmxSplit = "asked for in parts"
	sdmxEmpty = "no observations"
)

// sdmxPart is the answer to a question that was not too big.
type sdmxPart struct {
	query sdmxQuery
	file  string // empty where there is none
	same  bool   // as when it was last fetched
	empty bool
}

// collect asks a question, in parts if it must be.
func (f *sdmxFetch) collect(ctx context.Context, q sdmxQuery) ([]sdmxPart, error) {
	address := f.dataAddress(f.flow, q)
	if len(address) > sdmxMaxAddress {
		return f.split(ctx, q, fmt.Errorf("the address has %d characters", len(address)))
	}
	if f.known[address].Digest == sdmxSplit {
		return f.split(ctx, q, errors.New("it was too big before"))
	}
	part, err := f.ask(ctx, q, address)
	var big *sdmxTooBig
	if errors.As(err, &big) {
		return f.split(ctx, q, big)
	}
	if err != nil {
		return nil, err
	}
	return []sdmxPart{part}, nil
}

// split asks a question in two halves. why says why it must be.
func (f *sdmxFetch) split(ctx context.Context, q sdmxQuery, why error) ([]sdmxPart, error) {
	first, second, err := f.halves(ctx, q, why)
	if err != nil {
		return nil, err
	}
	f.answers[f.dataAddress(f.flow, q)] = fetch.Validators{Digest: sdmxSplit}
	parts, err := f.collect(ctx, first)
	if err != nil {
		return nil, err
	}
	more, err := f.collect(ctx, second)
	if parts = append(parts, more...); err == nil && len(parts) > sdmxMaxParts {
		err = stat.Errorf(stat.Refused, "%s gives the dataset %s only in more than %d parts: ask for some of its series, as in %s/KEY", f.Name, f.code(f.flow), sdmxMaxParts, f.flow.ref(f.Agency))
	}
	return parts, err
}

// halves divides a question: by years, else by codes.
func (f *sdmxFetch) halves(ctx context.Context, q sdmxQuery, why error) (first, second sdmxQuery, err error) {
	year, datable := q.middle()
	first, second = q, q
	first.to, second.from = year, year+1
	if _, before := f.known[f.dataAddress(f.flow, first)]; datable && before {
		return first, second, nil
	}
	// Whether the data have a time at all must be known before they are divided
	// by it: a server would give all of them for each year.
	if err := f.learnDimensions(ctx); err != nil {
		return q, q, err
	}
	one, other, ok := sdmxHalves(f.dimensions.Dimensions, q.key)
	_, before := f.known[f.dataAddress(f.flow, sdmxQuery{key: one, from: q.from, to: q.to})]
	if datable && (f.dimensions.HasTime || len(f.dimensions.Dimensions) == 0) && !(ok && before) {
		return first, second, nil
	}
	if q.from == 0 && q.to == sdmxFirstYear && ok {
		return q, q, errSdmxTimeless
	}
	if !ok {
		return q, q, stat.Errorf(stat.Refused, "%s does not give %s in one answer (%v), and there is no dimension left by which it could be divided: ask for some of its series, as in %s/KEY", f.Name, f.describe(q), why, f.flow.ref(f.Agency))
	}
	first, second = q, q
	first.key, second.key = one, other
	return first, second, nil
}

// errSdmxTimeless says that the office does not heed the years that it is asked
// for: there cannot be too much of before 1901.
var errSdmxTimeless = errors.New("the office gives all years whatever it is asked for")

// describe names a question for people.
func (f *sdmxFetch) describe(q sdmxQuery) string {
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

// middle is the last year of the first half of a question's years; ok is false
// where they cannot be divided.
func (q sdmxQuery) middle() (year int, ok bool) {
	from, to := cmp.Or(q.from, sdmxFirstYear), cmp.Or(q.to, sdmxLastYear)
	if q.to == 0 && q.from >= sdmxLastYear {
		return q.from, q.from < sdmxEndOfTime
	}
	return (from + to) / 2, from < to
}

// ask asks one question, in the media types that the office may understand.
func (f *sdmxFetch) ask(ctx context.Context, q sdmxQuery, address string) (sdmxPart, error) {
	if f.asked++; f.asked > sdmxMaxAsked {
		return sdmxPart{}, stat.Errorf(stat.Refused, "%s does not give the dataset %s in %d answers: ask for some of its series, as in %s/KEY", f.Name, f.code(f.flow), sdmxMaxAsked, f.flow.ref(f.Agency))
	}
	path := filepath.Join(f.folder, fmt.Sprintf("answer-%04d", f.asked))
	answer, err := f.save(ctx, address, path)
	part := sdmxPart{query: q}
	var said sdmxSaid
	switch {
	case err != nil:
		said, err = sdmxRefusal(err)
	case answer.NotModified:
		part.same = true
		f.answers[address] = answer.Validators
		keepIfZero(f.answers, f.known, address)
		keepAnswer(f.answers, f.known, address+"#content")
		return part, nil
	default:
		said, err = sdmxLook(path, answer)
	}
	if err == nil {
		err = f.judge(said, address)
	}
	if err != nil {
		_ = os.Remove(path)
		return part, err
	}
	if said.observations == 0 {
		_ = os.Remove(path)
		part.empty, part.same = true, f.known[address].Digest == sdmxEmpty
		f.answers[address] = fetch.Validators{Digest: sdmxEmpty}
		return part, nil
	}
	f.answers[address] = answer.Validators
	if part.same, err = f.sameContent(path, said.ending, address); err != nil || part.same {
		return part, errors.Join(err, os.Remove(path))
	}
	part.file = path + said.ending
	return part, os.Rename(path, part.file)
}

// keepIfZero keeps what is known of an address whose answer told nothing of
// itself but that it has not changed.
func keepIfZero(answers, known map[string]fetch.Validators, address string) {
	if answers[address] == (fetch.Validators{}) {
		keepAnswer(answers, known, address)
	}
}

// sameContent reports whether a message says what it said last time, but for its
// head, in which stands when it was written: servers that tell neither ETag nor
// time of change would else bring something new each time. What is known of it
// stands under the address with #content.
func (f *sdmxFetch) sameContent(path, ending, address string) (bool, error) {
	if ending != ".xml" {
		return false, nil
	}
	digest, err := sdmxDigest(path)
	f.answers[address+"#content"] = fetch.Validators{Digest: digest}
	_, asked := f.known[address]
	return asked && f.known[address+"#content"].Digest == digest, err
}

// judge says what an answer means that is not simply data.
func (f *sdmxFetch) judge(said sdmxSaid, address string) error {
	switch {
	case said.tooBig:
		return &sdmxTooBig{said.text}
	case f.Cells > 0 && said.observations >= f.Cells:
		return &sdmxTooBig{fmt.Sprintf("the answer holds %d observations, and the office cuts answers at %d", said.observations, f.Cells)}
	case said.failed:
		return stat.Errorf(stat.Unavailable, "%s: the office answers with an error instead of data: %s", address, cmp.Or(said.text, "without a text"))
	}
	return nil
}

// save asks for data in the media types that the office may understand, from
// the one that it understood last.
func (f *sdmxFetch) save(ctx context.Context, address, path string) (fetch.Answer, error) {
	f.mu.Lock()
	from := f.sdmx.accept
	f.mu.Unlock()
	types := f.acceptable()
	known := f.known[address]
	if known.Digest == sdmxEmpty {
		known = fetch.Validators{}
	}
	for i := from; ; i++ {
		request := fetch.Request{Address: address, Accept: types[i], Known: known, Pause: f.pause()}
		answer, err := f.client.Save(ctx, request, path)
		if i+1 < len(types) && sdmxNotAcceptable(err) {
			continue
		}
		if err == nil && i != from {
			f.mu.Lock()
			f.sdmx.accept = i
			f.mu.Unlock()
		}
		return answer, err
	}
}
