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

// rememberedOptions holds the caller's options, completed with those remembered for
// a dataset.
type rememberedOptions struct {
	store.ReadOptions
	flags  string // the remembered options, as flags in shell syntax; empty if none
	source string // of the dataset for which they were remembered
	code   string
}

// areFor reports whether the options were remembered for the dataset of all tables.
func (r *rememberedOptions) areFor(tables []*table) bool {
	return !slices.ContainsFunc(tables, func(t *table) bool {
		return t.dataset.Source.ID != r.source || !strings.EqualFold(t.dataset.Code, r.code)
	})
}

// rememberedOptions returns the options for reading a file. The caller's code or the
// file's name identifies the dataset, because the file has not been read yet.
// The office's name is remembered only for plain tables, which do not state it.
func (im *Importer) rememberedOptions(ctx context.Context, c content) (r rememberedOptions, err error) {
	r.ReadOptions = im.statedOptions()
	r.code = cmp.Or(im.options.Code, assemble.CodeFromName(c.name, &stat.Report{}))
	before, source, ok, err := im.store.ReadOptions(ctx, office.Find(r.Source).ID, r.code)
	if err != nil || !ok {
		return r, err
	}
	r.source = source
	if !isPlain(c.format.Name) {
		before.Source = ""
	}
	var flags []string
	for _, o := range []struct {
		flag   string
		value  *string
		before string
	}{
		{"--source", &r.Source, before.Source}, {"--mapping", &r.Mapping, before.Mapping},
		{"--decimal", &r.Decimal, before.Decimal}, {"--encoding", &r.Encoding, before.Encoding},
	} {
		if *o.value == "" && o.before != "" {
			*o.value = o.before
			flags = append(flags, o.flag+" "+shellQuote(o.before))
		}
	}
	r.flags = strings.Join(flags, " ")
	return r, nil
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
