package importer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// fileOptions holds the caller's options for reading a file, completed with those
// remembered for a dataset.
type fileOptions struct {
	store.ReadOptions
	before string // the remembered options, in words; empty if none
	source string // of the dataset for which they were remembered
	code   string
}

// areFor reports whether the options were remembered for the dataset of all tables.
func (o *fileOptions) areFor(tables []*table) bool {
	return !slices.ContainsFunc(tables, func(t *table) bool {
		return t.dataset.Source.ID != o.source || !strings.EqualFold(t.dataset.Code, o.code)
	})
}

// optionsFor returns the options for reading a file. The caller's code or the
// file's name identifies the dataset, because the file has not been read yet.
// The office's name is remembered only for plain tables, which do not state it.
func (im *Importer) optionsFor(ctx context.Context, c content) (o fileOptions, err error) {
	o.ReadOptions = im.statedOptions()
	o.code = cmp.Or(im.options.Code, assemble.CodeFromName(c.name, &stat.Report{}))
	before, source, ok, err := im.store.ReadOptions(ctx, office.Find(o.Source).ID, o.code)
	if err != nil || !ok {
		return o, err
	}
	o.source = source
	if !isPlain(c.format.Name) {
		before.Source = ""
	}
	var used []string
	for _, option := range []struct {
		name   string
		value  *string
		before string
	}{
		{"source", &o.Source, before.Source}, {"mapping", &o.Mapping, before.Mapping},
		{"decimal", &o.Decimal, before.Decimal}, {"encoding", &o.Encoding, before.Encoding},
	} {
		if *option.value == "" && option.before != "" {
			*option.value = option.before
			used = append(used, fmt.Sprintf("%s %q", option.name, option.before))
		}
	}
	o.before = stat.JoinWords(used)
	return o, nil
}

func (im *Importer) statedOptions() store.ReadOptions {
	o := im.options
	return store.ReadOptions{Source: o.Source, Mapping: o.Mapping, Decimal: o.Decimal, Encoding: o.Encoding}
}

// isPlain reports whether a format is that of plain tables, which do not state
// their office.
func isPlain(format string) bool { return strings.HasPrefix(format, "table") }
