package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
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

// sdmxTime is ParseTime with the layout of Istat.
func sdmxTime(text string) time.Time {
	if at, err := time.Parse("01/02/2006 15:04:05", strings.Join(strings.Fields(text), " ")); err == nil {
		return at
	}
	return ParseTime(text)
}
