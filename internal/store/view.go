package store

import (
	"context"
	"iter"
	"slices"

	"almanac/internal/stat"
)

// View returns v with other texts, such as those in another language: d is a copy of its
// dataset that has the same codes in the same order, and names the language. Queries,
// choices and filters are those of v; what a view returns has the texts of d. A view of a
// view is one of v.
func (v *Vintage) View(d *stat.Dataset) *Vintage {
	base := v.Stored()
	view := &Vintage{
		Vintage: base.Vintage, Dataset: d, LastUpdate: base.LastUpdate, Oldest: base.Oldest, Newest: base.Newest, Periods: base.Periods,
		store: base.store, seq: base.seq, parts: base.parts, file: base.file, lists: base.lists, texts: base.texts, of: base,
	}
	size := int64(0)
	for i, axis := range d.Axes() {
		if codes := base.Dataset.Axes()[i].Codes; len(codes) > 0 && &codes[0] != &axis.Codes[0] {
			size += int64(len(codes)) * bytesPerText
		}
	}
	v.store.cache.addBytes(base, size)
	return view
}

// withNotes returns blocks with their notes in another language.
func withNotes(blocks iter.Seq2[*stat.Block, error], notes stat.Notes) iter.Seq2[*stat.Block, error] {
	return func(yield func(*stat.Block, error) bool) {
		for b, err := range blocks {
			if err == nil {
				translated := *b
				translated.Note = slices.Clone(b.Note)
				for i, note := range b.Note {
					if note != "" {
						translated.Note[i] = notes.Of(note)
					}
				}
				b = &translated
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// bytesPerText is about what a code takes in a view, with a label of its own.
const bytesPerText = 200

// IsView reports whether v has other texts than the stored vintage.
func (v *Vintage) IsView() bool { return v.of != nil }

// Stored returns the vintage of which v is a view, else v.
func (v *Vintage) Stored() *Vintage {
	if v.of != nil {
		return v.of
	}
	return v
}

// findTranslated returns the position of the code on an axis with a label in another
// language: that of the view, else any that has it.
func (v *Vintage) findTranslated(axis int, text string) (pos int32, ok bool) {
	if v.of != nil {
		if pos, ok = v.viewLabels(axis)[text]; ok {
			return pos, true
		}
	}
	if len(v.texts) == 0 {
		return 0, false
	}
	pos, ok = v.Stored().otherLabels()[axis][text]
	return pos, ok
}

// Keys of the memo of a vintage.
type (
	viewLabelsKey  struct{ axis int }
	otherLabelsKey struct{}
)

// viewLabels returns the position of each label of a view.
func (v *Vintage) viewLabels(axis int) map[string]int32 {
	return v.Memo(viewLabelsKey{axis}, func() any {
		codes := v.Dataset.Axes()[axis].Codes
		at := make(map[string]int32, len(codes))
		for i, code := range codes {
			at[code.Label] = int32(i)
		}
		return at
	}).(map[string]int32)
}

// otherLabels returns for each axis the position of each label in other languages than the
// vintage's own. If codes share a label, or labels of two languages are alike, the first of
// the languages and of the codes has it.
func (v *Vintage) otherLabels() []map[string]int32 {
	return v.Memo(otherLabelsKey{}, func() any {
		all := make([]map[string]int32, len(v.lists))
		for axis := range all {
			all[axis] = map[string]int32{}
		}
		size := int64(0)
		for _, language := range v.Languages() {
			t, err := v.Translation(context.Background(), language)
			if err != nil {
				v.store.log.Error("reading the labels of a dataset in another language", "dataset", v.Dataset.ID, "language", language, "error", err)
				continue
			}
			for axis, dim := range v.Dataset.Axes() {
				labels := t.Texts(dim.ID).Codes
				size += int64(len(labels)) * bytesPerText
				for i, code := range dim.Codes {
					label := labels[code.ID]
					if _, taken := all[axis][label]; label != "" && !taken {
						all[axis][label] = int32(i)
					}
				}
			}
		}
		v.store.cache.addBytes(v, size)
		return all
	}).([]map[string]int32)
}
