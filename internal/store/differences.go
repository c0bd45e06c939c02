package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// DifferenceKind says what differs between two versions besides their observations.
type DifferenceKind string

// The kinds of differences.
const (
	Labels    DifferenceKind = "labels"    // of dimensions, codes and periods
	Metadata  DifferenceKind = "metadata"  // name, description, addresses, licence
	Structure DifferenceKind = "structure" // dimensions, codes, their order and hierarchy
	Units     DifferenceKind = "units"     // of the dataset, a series or a code; labels of units
)

// Difference is a difference between two versions of a dataset that is not one of observations.
type Difference struct {
	Kind      DifferenceKind
	Member    string // what differs: "name", "label", "code" …
	Dimension string // its ID; empty: the dataset
	Code      string // its ID, or a period; empty: the dimension
	Language  string // of a translation; empty: of the texts that everybody gets
	Old, New  string // empty: only the other version has it
}

// Differences lists the differences between two vintages of a dataset besides their observations:
// those of the dataset, then those of each dimension, then those of translations. Units that are
// stated for series are not there, because observations are revised that have another unit.
func Differences(ctx context.Context, old, now *Vintage) ([]Difference, error) {
	var datasets [2]*stat.Dataset
	for i, v := range []*Vintage{old.Stored(), now.Stored()} {
		d := *v.Dataset
		var err error
		if d.Translations, err = v.Translations(ctx); err != nil {
			return nil, err
		}
		datasets[i] = &d
	}
	return differences(datasets[0], datasets[1]), nil
}

// KindsOf returns the kinds of differences, in order, each once. A changed label of a unit is
// both a label and a unit.
func KindsOf(list []Difference) []DifferenceKind {
	var kinds []DifferenceKind
	for i := range list {
		kinds = append(kinds, list[i].Kind)
		if list[i].Kind == Units && list[i].Member == memberLabel {
			kinds = append(kinds, Labels)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// changedText returns kinds as [stat.Vintage] has them.
func changedText(kinds []DifferenceKind) stat.Changed {
	var words []string
	for _, kind := range kinds {
		words = append(words, string(kind))
	}
	return stat.Changed(strings.Join(words, " "))
}

const memberLabel = "label"

// differ collects differences.
type differ struct {
	list   []Difference
	at     Difference                 // the dimension, code and language that are compared
	shared map[string]map[string]bool // the codes that both versions have, by dimension
}

// text adds a difference unless two texts are the same.
func (f *differ) text(kind DifferenceKind, member, old, now string) {
	if old == now {
		return
	}
	d := f.at
	d.Kind, d.Member, d.Old, d.New = kind, member, old, now
	f.list = append(f.list, d)
}

func differences(old, now *stat.Dataset) []Difference {
	f := &differ{shared: map[string]map[string]bool{}}
	f.text(Units, "unit", old.Unit, now.Unit)
	f.text(Metadata, "name", old.Name, now.Name)
	f.text(Metadata, "description", old.Description, now.Description)
	f.text(Metadata, "source_name", old.Source.Name, now.Source.Name)
	f.text(Metadata, "source_url", old.SourceURL, now.SourceURL)
	f.text(Metadata, "metadata_url", old.MetadataURL, now.MetadataURL)
	f.text(Metadata, "licence", old.Licence, now.Licence)
	f.text(Metadata, "attribution", old.Attribution, now.Attribution)
	f.text(Metadata, "pages", old.Partial, now.Partial)
	f.text(Metadata, "undated", strings.Join(old.Undated, ", "), strings.Join(now.Undated, ", "))
	f.text(Structure, "dimensions", dimensionIDs(old), dimensionIDs(now))
	f.periodLabels(old.PeriodLabels, now.PeriodLabels)
	before := allDimensions(old)
	for _, dim := range allDimensions(now) {
		if i := slices.IndexFunc(before, func(d stat.Dimension) bool { return d.ID == dim.ID }); i >= 0 {
			f.dimension(&before[i], &dim)
		}
	}
	for _, language := range sortedKeys(old.Translations, now.Translations) {
		f.translation(language, old.Translations[language], now.Translations[language])
	}
	return f.list
}

// dimensionIDs lists the dimensions in the source's order, then those that have one value.
func dimensionIDs(d *stat.Dataset) string {
	axes, ids := d.Axes(), []string{}
	for _, i := range d.SourceOrder() {
		ids = append(ids, axes[i].ID)
	}
	text := strings.Join(ids, ", ")
	for _, fixed := range d.Fixed {
		text += ", " + fixed.ID + "=" + fixed.Code.ID
	}
	return text
}

func (f *differ) periodLabels(old, now map[stat.Period]string) {
	for _, p := range slices.SortedFunc(maps.Keys(old), stat.Period.Compare) {
		if f.at.Code = p.String(); now[p] != "" {
			f.text(Labels, memberLabel, old[p], now[p])
		}
	}
	f.at.Code = ""
}

func (f *differ) dimension(old, now *stat.Dimension) {
	f.at.Dimension = now.ID
	shared := map[string]bool{}
	f.shared[now.ID] = shared
	f.text(Labels, memberLabel, old.Label, now.Label)
	f.text(Structure, "role", string(old.Role), string(now.Role))
	f.text(Structure, "total", old.Total, now.Total)
	f.text(Metadata, "default", old.Default, now.Default)
	positions := old.Positions()
	last, isReordered := int32(-1), false
	for i := range now.Codes {
		code := &now.Codes[i]
		f.at.Code = code.ID
		p, ok := positions[code.ID]
		if !ok {
			f.list = append(f.list, f.wholeCode("", code.Label))
			f.text(Structure, "source_label", "", code.SourceLabel)
			continue
		}
		shared[code.ID] = true
		isReordered = isReordered || p < last
		last = max(last, p)
		f.code(&old.Codes[p], code, now.Role)
	}
	for i := range old.Codes {
		if f.at.Code = old.Codes[i].ID; !shared[f.at.Code] {
			f.list = append(f.list, f.wholeCode(old.Codes[i].Label, ""))
		}
	}
	f.at.Code = ""
	if isReordered {
		f.list = append(f.list, Difference{Kind: Structure, Member: "order", Dimension: now.ID})
	}
	f.at.Dimension = ""
}

// wholeCode returns the difference that a code is only in one of the versions.
func (f *differ) wholeCode(old, now string) Difference {
	d := f.at
	d.Kind, d.Member, d.Old, d.New = Structure, "code", old, now
	return d
}

func (f *differ) code(old, now *stat.Code, role stat.Role) {
	kind := Labels
	if role == stat.RoleUnit {
		kind = Units
	}
	f.text(kind, memberLabel, old.Label, now.Label)
	if old.Label == now.Label || old.SourceLabel != "" || now.SourceLabel != "" {
		// the office's labels, of which one may differ from the label
		f.text(kind, "source_label", cmp.Or(old.SourceLabel, old.Label), cmp.Or(now.SourceLabel, now.Label))
	}
	f.text(Units, "unit", old.Unit, now.Unit)
	f.text(Structure, "area", old.Area, now.Area)
	f.text(Structure, "parents", strings.Join(old.Parents, ", "), strings.Join(now.Parents, ", "))
}

// translation compares the texts of what both versions have in another language.
func (f *differ) translation(language string, old, now *stat.Translation) {
	if old == nil {
		old = &stat.Translation{}
	}
	if now == nil {
		now = &stat.Translation{}
	}
	f.at.Language = language
	f.text(Metadata, "name", old.Name, now.Name)
	f.text(Metadata, "description", old.Description, now.Description)
	f.text(Units, "unit", old.Unit, now.Unit)
	for _, note := range sortedKeys(old.Notes, now.Notes) {
		f.text(Metadata, "note", old.Notes[note], now.Notes[note])
	}
	for _, unit := range sortedKeys(old.SeriesUnits, now.SeriesUnits) {
		f.text(Units, "unit", old.SeriesUnits[unit], now.SeriesUnits[unit])
	}
	for _, id := range slices.Sorted(maps.Keys(f.shared)) {
		f.at.Dimension = id
		before, after := old.Texts(id), now.Texts(id)
		f.text(Labels, memberLabel, before.Label, after.Label)
		for _, code := range slices.Sorted(maps.Keys(f.shared[id])) {
			f.at.Code = code
			f.text(Labels, memberLabel, before.Codes[code], after.Codes[code])
			f.text(Units, "unit", before.Units[code], after.Units[code])
		}
		f.at.Code = ""
	}
	f.at = Difference{}
}

// merged returns a map with the keys of two.
func merged[K comparable, V any](a, b map[K]V) map[K]V {
	all := maps.Clone(a)
	if all == nil {
		all = map[K]V{}
	}
	maps.Copy(all, b)
	return all
}

func sortedKeys[V any](a, b map[string]V) []string {
	return slices.Sorted(maps.Keys(merged(a, b)))
}
