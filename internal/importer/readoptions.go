package importer

import (
	"cmp"
	"context"
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
	flags  string // the remembered options, as flags in shell syntax; empty if none
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
	var flags []string
	for _, option := range []struct {
		flag   string
		value  *string
		before string
	}{
		{"--source", &o.Source, before.Source}, {"--mapping", &o.Mapping, before.Mapping},
		{"--decimal", &o.Decimal, before.Decimal}, {"--encoding", &o.Encoding, before.Encoding},
	} {
		if *option.value == "" && option.before != "" {
			*option.value = option.before
			flags = append(flags, option.flag+" "+shellQuote(option.before))
		}
	}
	o.flags = strings.Join(flags, " ")
	return o, nil
}

func (im *Importer) statedOptions() store.ReadOptions {
	o := im.options
	return store.ReadOptions{Source: o.Source, Mapping: o.Mapping, Decimal: o.Decimal, Encoding: o.Encoding}
}

// isPlain reports whether a format is that of plain tables, which do not state
// their office.
func isPlain(format string) bool { return strings.HasPrefix(format, "table") }

// shellQuote quotes a flag's value if a shell would split it.
func shellQuote(value string) string {
	if strings.ContainsAny(value, " '\"") {
		return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	return value
}
