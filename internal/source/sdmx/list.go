package sdmx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"time"

	"almanac/internal/format/sdmx/structure"
	"almanac/internal/source"
	"almanac/internal/stat"
)

// maxFlows limits the dataflows of a list.
const maxFlows = 2_000_000

// structureMediaTypes are the media types to request for structures; the last ones are for
// servers with their own media types.
const structureMediaTypes = "application/vnd.sdmx.structure+xml;version=2.1, application/xml;q=0.9, */*;q=0.1"

// listedFlow is a dataflow in a structure message.
type listedFlow struct {
	agency, id string
	title      string
	updated    time.Time

	language    string // of the title and the description
	description string
	others      []source.Text // in other languages
}

func incomplete(format string, args ...any) error {
	return stat.Errorf(stat.Unavailable, "the response is not a complete SDMX message: %s", fmt.Sprintf(format, args...))
}

// listFlows yields the dataflows of a structure message while it reads them. Titles are in
// English, otherwise in the language.
func listFlows(ctx context.Context, r io.Reader, language string) iter.Seq2[listedFlow, error] {
	return func(yield func(listedFlow, error) bool) {
		n := 0
		for f, err := range structure.Dataflows(r) {
			if n++; n > maxFlows {
				err = stat.Errorf(stat.Refused, "the list has more than %d dataflows, which no office has", maxFlows)
			}
			if err = cmp.Or(ctx.Err(), messageError(err)); err != nil {
				yield(listedFlow{}, err)
				return
			}
			listed := listedFlow{agency: f.Agency, id: f.ID, title: f.Title(language)}
			listed.addTexts(&f, language)
			for _, text := range f.Updated() {
				if at := source.ParseTime(text.Text); !at.IsZero() {
					listed.updated = at
				}
			}
			if idPattern.MatchString(f.ID) && !yield(listed, nil) {
				return
			}
		}
	}
}

// addTexts adds the description, and the texts in other languages.
func (l *listedFlow) addTexts(f *structure.Dataflow, own string) {
	var titles, descriptions stat.Texts
	l.language, titles = f.Titles(own)
	l.description, descriptions = f.Descriptions(l.language)
	l.description = source.Description(l.description)
	for _, language := range slices.Sorted(maps.Keys(titles)) {
		l.others = append(l.others, source.Text{Language: language, Title: titles[language], Description: source.Description(descriptions[language])})
	}
}

// messageError converts an error of reading a structure message to one of the kind
// Unavailable.
func messageError(err error) error {
	var message *structure.MessageError
	var file *stat.FileError
	switch {
	case errors.As(err, &message):
		return stat.Errorf(stat.Unavailable, "the office returned an error (%s): %s", cmp.Or(message.Code, "no code"), cmp.Or(message.Text, "no text"))
	case errors.As(err, &file):
		return incomplete("%v", err)
	}
	return err
}
