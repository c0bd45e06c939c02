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

// keptOptions holds the caller's options, completed with those remembered for a
// dataset.
type keptOptions struct {
	store.ReadOptions
	flags  string // the remembered options, as flags in shell syntax; empty if none
	source string // of the dataset for which they were remembered
	code   string
}

// areFor reports whether the options were remembered for the dataset of all tables.
func (k *keptOptions) areFor(tables []*table) bool {
	return !slices.ContainsFunc(tables, func(t *table) bool {
		return t.dataset.Source.ID != k.source || !strings.EqualFold(t.dataset.Code, k.code)
	})
}

// keptOptions returns the options for reading a file. The caller's code or the
// file's name identifies the dataset, because the file has not been read yet.
// The office's name is remembered only for plain tables, which do not state it.
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
			flags = append(flags, o.flag+" "+shellQuote(*o.known))
		}
	}
	k.flags = strings.Join(flags, " ")
	return k, nil
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
