package importer

import (
	"context"
	"errors"
	"strings"

	"almanac/internal/format"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// NoteFlagsRemembered tells that the file was read with flags that an earlier
// import of the dataset was given.
const NoteFlagsRemembered = "flags-remembered"

// reading is how a file is to be read: as the caller says, else as an earlier
// import of the dataset was told. Which dataset it is must be known before it is
// read, so the caller's code or the file's name decides. remembered writes what
// was remembered, as flags; empty if nothing was.
func (im *Importer) reading(ctx context.Context, name string) (r store.Reading, remembered string, err error) {
	o := im.options
	r = store.Reading{Source: o.Source, Mapping: o.Mapping, Decimal: o.Decimal, Encoding: o.Encoding}
	code := first(o.Code, format.CodeFromName(name, &stat.Report{}))
	before, ok, err := im.store.RememberedReading(ctx, format.Office(o.Source).ID, code)
	if err != nil || !ok {
		return r, "", err
	}
	var used []string
	for _, f := range []struct {
		flag         string
		said, before *string
	}{
		{"--source", &r.Source, &before.Source}, {"--mapping", &r.Mapping, &before.Mapping},
		{"--decimal", &r.Decimal, &before.Decimal}, {"--encoding", &r.Encoding, &before.Encoding},
	} {
		if *f.said == "" && *f.before != "" {
			*f.said = *f.before
			used = append(used, f.flag+" "+quoted(*f.before))
		}
	}
	return r, strings.Join(used, " "), nil
}

// withRemembered says in the refusal of a file that flags were remembered for
// it, which may be why.
func withRemembered(err error, flags string) error {
	var at *stat.FileError
	if flags != "" && errors.As(err, &at) {
		at.Message += "; it was read with flags remembered from an earlier import (" + flags + "), which flags of this one replace"
	}
	return err
}

// quoted writes a flag's value as a shell reads it.
func quoted(value string) string {
	if strings.ContainsAny(value, " '\"") {
		return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	return value
}

// rememberReading keeps the flags that a dataset was read with.
func (im *Importer) rememberReading(ctx context.Context, t *table) error {
	r := t.said
	if r.Mapping == "" && r.Decimal == "" && r.Encoding == "" {
		return nil
	}
	return im.store.RememberReading(ctx, t.dataset.Source.ID, t.dataset.Code, r)
}
