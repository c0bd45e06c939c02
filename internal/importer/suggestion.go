package importer

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// maxStatements is how many statements after one another a file may need.
const maxStatements = 3

// maxTried is the size of files that are read again with what their error suggests. Of
// larger ones, the caller learns the next statement from the next import.
const maxTried = 64 << 20

// completeReadings reads a refused file with what its error suggests, and adds what is
// suggested then, so that the caller can state all at once. If nothing helps, the error
// says why and suggests nothing.
func (im *Importer) completeReadings(ctx context.Context, path string, refused error) error {
	if info, err := os.Stat(path); stat.ReadingsOf(refused) == nil || err != nil || !info.Mode().IsRegular() || info.Size() > maxTried {
		return refused
	}
	readings, next := im.tryReadings(ctx, path, nil, refused, maxStatements)
	if len(readings) == 0 {
		return andThen(refused, next)
	}
	return stat.Choose(refused, readings...)
}

// tryReadings returns the readings of a refusal with which the file can be read, all with
// what was stated before. next is the last error of one with which it cannot.
func (im *Importer) tryReadings(ctx context.Context, path string, stated []stat.Suggestion, refused error, left int) (works [][]stat.Suggestion, next error) {
	for _, reading := range stat.ReadingsOf(refused) {
		isReplaced := func(s stat.Suggestion) bool {
			return slices.ContainsFunc(reading, func(o stat.Suggestion) bool { return o.Option == s.Option })
		}
		all := append(slices.DeleteFunc(slices.Clone(stated), isReplaced), reading...)
		other := *im
		other.options, other.opened = im.options.with(all), nil
		other.country, _ = geo.Find(other.options.Country)
		found, err := other.inspectFile(ctx, path)
		if err == nil {
			err = errDoubled(other.options.Mapping, found)
		}
		switch {
		case err == nil:
			works = append(works, all)
		case stat.ReadingsOf(err) == nil || left == 1:
			next = err
		default:
			more, err := im.tryReadings(ctx, path, all, err, left-1)
			works, next = append(works, more...), err
		}
	}
	return works, next
}

// errDoubled returns an error if a mapping leaves out columns without which values are there
// twice: their rows may be different ones that have the same numbers.
func errDoubled(mapping string, found []Inspection) error {
	if !strings.Contains(mapping, "ignore=") {
		return nil
	}
	for _, i := range found {
		for _, note := range i.Notes {
			if note.Kind == stat.NoteDoubled {
				return stat.BadFile(stat.Position{}, "without the columns that %q leaves out, %d rows are the same as others (%s); state what these columns mean", mapping, note.Count, note.Example)
			}
		}
	}
	return nil
}

// suggestCode adds to a refusal that the caller can state a code.
func suggestCode(refused error) error {
	return stat.Suggest(refused, stat.Suggestion{Option: "code", Value: stat.AnyText})
}

// with returns the options with suggested ones. A file is tried with some value for one that
// only the caller knows.
func (o Options) with(suggested []stat.Suggestion) Options {
	texts := map[string]*string{
		"source": &o.Source, "code": &o.Code, "country": &o.Country, "geo": &o.Geo, "period": &o.Period,
		"decimal": &o.Decimal, "mapping": &o.Mapping, "encoding": &o.Encoding,
	}
	for _, s := range suggested {
		switch {
		case s.Option == "no-geo":
			o.NoGeo = true
		case s.Value == stat.AnyPeriod && s.Option == "period":
			o.Period = "2000"
		case s.Value == stat.AnyText && texts[s.Option] != nil:
			*texts[s.Option] = "any"
		case texts[s.Option] != nil:
			*texts[s.Option] = s.Value
		}
	}
	o.NoGeo = o.NoGeo && o.Country == "" && o.Geo == ""
	return o
}

// andThen adds to the message of a refusal the error that follows once it is mended.
func andThen(refused, next error) error {
	var first, second *stat.FileError
	message := next.Error()
	if errors.As(next, &second) {
		message = second.Message
	}
	if !errors.As(refused, &first) {
		return refused
	}
	both := *first
	both.Message += "; and then: " + message
	var as formatError
	if errors.As(refused, &as) {
		return formatError{as.format, &both}
	}
	return &both
}
