package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"regexp"
	"strings"
	"time"

	"almanac/internal/format/sdmx/structure"
	"almanac/internal/stat"
)

// sdmxMaxFlows limits the dataflows of a list.
const sdmxMaxFlows = 2_000_000

// sdmxStructureTypes are the media types to request for structures; the last ones are for
// servers with their own media types.
const sdmxStructureTypes = "application/vnd.sdmx.structure+xml;version=2.1, application/xml;q=0.9, */*;q=0.1"

// sdmxSeen is the set of codes already read from a list. It stores only a hash of each,
// because a list may have a million codes. The hashes of 16 bytes do not collide in
// practice.
type sdmxSeen map[[16]byte]struct{}

// add reports whether the code is new.
func (s sdmxSeen) add(code string) bool {
	h := fnv.New128a()
	_, _ = io.WriteString(h, strings.ToLower(code))
	k := [16]byte(h.Sum(nil))
	_, isKnown := s[k]
	s[k] = struct{}{}
	return !isKnown
}

// sdmxListEntry is a dataflow in a structure message.
type sdmxListEntry struct {
	agency, id string
	title      string
	updated    time.Time
}

func sdmxIncomplete(format string, args ...any) error {
	return stat.Errorf(stat.Unavailable, "the response is not a complete SDMX message: %s", fmt.Sprintf(format, args...))
}

// sdmxFlows yields the dataflows of a structure message while it reads them. Titles are in
// English, otherwise in the language.
func sdmxFlows(ctx context.Context, r io.Reader, language string) iter.Seq2[sdmxListEntry, error] {
	return func(yield func(sdmxListEntry, error) bool) {
		n := 0
		for f, err := range structure.Dataflows(r) {
			if n++; n > sdmxMaxFlows {
				err = stat.Errorf(stat.Refused, "the list has more than %d dataflows, which no office has", sdmxMaxFlows)
			}
			if err = cmp.Or(ctx.Err(), sdmxMessageError(err)); err != nil {
				yield(sdmxListEntry{}, err)
				return
			}
			listed := sdmxListEntry{agency: f.Agency, id: f.ID, title: f.Title(language)}
			for _, text := range f.Updated() {
				if at := sdmxTime(text.Text); !at.IsZero() {
					listed.updated = at
				}
			}
			if sdmxID.MatchString(f.ID) && !yield(listed, nil) {
				return
			}
		}
	}
}

// sdmxMessageError converts an error of reading a structure message to one of the kind
// Unavailable.
func sdmxMessageError(err error) error {
	var message *structure.MessageError
	var file *stat.FileError
	switch {
	case errors.As(err, &message):
		return stat.Errorf(stat.Unavailable, "the office returned an error (%s): %s", cmp.Or(message.Code, "no code"), cmp.Or(message.Text, "no text"))
	case errors.As(err, &file):
		return sdmxIncomplete("%v", err)
	}
	return err
}

// sdmxTimes are the layouts of the times of updates.
var sdmxTimes = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "01/02/2006 15:04:05", time.DateOnly}

var sdmxSpaces = regexp.MustCompile(`\s+`)

// sdmxTime parses a time; zero if it is invalid. A time without a zone is in UTC.
func sdmxTime(text string) time.Time {
	text = sdmxSpaces.ReplaceAllString(strings.TrimSpace(text), " ")
	for _, layout := range sdmxTimes {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
