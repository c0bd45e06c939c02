package importer

import (
	"context"
	"errors"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// NoteFlagsRemembered tells that the file was read with flags that an earlier
// import of the dataset was given.
const NoteFlagsRemembered = "flags-remembered"

// remembered is how the file of a dataset was read before, because a person
// said so.
type remembered struct {
	flags  string // that were remembered, as a shell reads them; empty if none were
	source string // of the dataset that they were given for
	code   string
}

// of reports whether the flags were given for the dataset of a table.
func (m remembered) of(t *table) bool {
	return m.flags == "" || t.dataset.Source.ID == m.source && strings.EqualFold(t.dataset.Code, m.code)
}

// reading is how a file is to be read: as the caller says, else as an earlier
// import of the dataset was told. Which dataset it is must be known before it is
// read, so the caller's code or the file's name decides. The office's name is
// remembered for plain tables, which do not name it.
func (im *Importer) reading(ctx context.Context, c content) (r store.Reading, m remembered, err error) {
	r = im.stated()
	code := first(im.options.Code, assemble.CodeFromName(c.name, &stat.Report{}))
	before, source, ok, err := im.store.RememberedReading(ctx, office.Find(r.Source).ID, code)
	if err != nil || !ok {
		return r, m, err
	}
	if !isPlain(c.format.Name) {
		before.Source = ""
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
	return r, remembered{strings.Join(used, " "), source, code}, nil
}

// stated is how the caller says that a file is to be read.
func (im *Importer) stated() store.Reading {
	o := im.options
	return store.Reading{Source: o.Source, Mapping: o.Mapping, Decimal: o.Decimal, Encoding: o.Encoding}
}

// isPlain reports whether a format is that of plain tables, which say nothing of
// themselves.
func isPlain(format string) bool { return strings.HasPrefix(format, "table") }

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
