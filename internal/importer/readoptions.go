package importer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// NoteFlagsRemembered tells that the file was read with flags that an earlier
// import of the dataset was given.
const NoteFlagsRemembered = "flags-remembered"

// keptOptions are the caller's, completed with those that an earlier import of a
// dataset was given.
type keptOptions struct {
	store.ReadOptions
	flags  string // that were completed, as a shell reads them; empty if none were
	source string // of the dataset that they were given for
	code   string
}

// areFor reports whether the options were given for the dataset of every table.
func (k *keptOptions) areFor(tables []*table) bool {
	return !slices.ContainsFunc(tables, func(t *table) bool {
		return t.dataset.Source.ID != k.source || !strings.EqualFold(t.dataset.Code, k.code)
	})
}

// explain says in the refusal of a file that flags were remembered for it, which
// may be why.
func (k *keptOptions) explain(err error) error {
	var at *stat.FileError
	if errors.As(err, &at) {
		at.Message += "; it was read with flags remembered from an earlier import (" + k.flags + "), which flags of this one replace"
	}
	return err
}

// keptOptions finds the options with which a file is to be read. Which dataset it
// is must be known before it is read, so the caller's code or the file's name
// decides. The office's name is kept for plain tables, which do not name it.
func (im *Importer) keptOptions(ctx context.Context, c content) (k keptOptions, err error) {
	k.ReadOptions = im.statedOptions()
	k.code = cmp.Or(im.options.Code, assemble.CodeFromName(c.name, &stat.Report{}))
	before, source, ok, err := im.store.ReadOptions(ctx, office.Find(k.Source).ID, k.code)
	if err != nil || !ok {
		return k, err
	}
	k.source = source
	if !isPlain(c.format.Name) {
		before.Source = ""
	}
	var flags []string
	for _, o := range []struct {
		flag         string
		value, known *string
	}{
		{"--source", &k.Source, &before.Source}, {"--mapping", &k.Mapping, &before.Mapping},
		{"--decimal", &k.Decimal, &before.Decimal}, {"--encoding", &k.Encoding, &before.Encoding},
	} {
		if *o.value == "" && *o.known != "" {
			*o.value = *o.known
			flags = append(flags, o.flag+" "+quoted(*o.known))
		}
	}
	k.flags = strings.Join(flags, " ")
	return k, nil
}

// statedOptions are those of the caller.
func (im *Importer) statedOptions() store.ReadOptions {
	o := im.options
	return store.ReadOptions{Source: o.Source, Mapping: o.Mapping, Decimal: o.Decimal, Encoding: o.Encoding}
}

// isPlain reports whether a format is that of plain tables, which say nothing of
// themselves.
func isPlain(format string) bool { return strings.HasPrefix(format, "table") }

// quoted writes a flag's value as a shell reads it.
func quoted(value string) string {
	if strings.ContainsAny(value, " '\"") {
		return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	return value
}
