package importer

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"almanac/internal/stat"
)

// tablesByDataset holds tables, whole or partial, grouped by dataset.
type tablesByDataset [][]*table

func (all *tablesByDataset) add(tables ...*table) {
	for _, t := range tables {
		i := slices.IndexFunc(*all, func(group []*table) bool { return group[0].key() == t.key() })
		if i < 0 {
			*all = append(*all, []*table{t})
		} else {
			(*all)[i] = append((*all)[i], t)
		}
	}
}

// join makes one table of the parts of a dataset. Their order is that of their
// numbers, not of the command line.
func join(tables []*table) (*table, error) {
	slices.SortStableFunc(tables, func(a, b *table) int { return a.first() - b.first() })
	partial := partialOf(tables)
	t := tables[0]
	for _, next := range tables[1:] {
		if err := t.addPart(next); err != nil {
			return nil, err
		}
	}
	t.partial = partial
	return t, nil
}

// partialOf joins the parts' statements that they are parts. It returns "" if
// together they are complete.
func partialOf(tables []*table) string {
	var texts []string
	var shares []stat.Share
	allShared := true // each states which part it is
	for _, t := range tables {
		allShared = allShared && len(t.shares) > 0
		if t.partial != "" && !slices.Contains(texts, t.partial) {
			texts = append(texts, t.partial)
		}
		shares = append(shares, t.shares...)
	}
	if allShared && areComplete(shares) {
		return ""
	}
	return strings.Join(texts, "; ")
}

// first returns the number of the part's first item, or 0 if it is unknown.
func (t *table) first() int {
	if len(t.shares) == 0 {
		return 0
	}
	return t.shares[0].First
}

// addPart adds another part of the dataset. Parts of different releases are an
// error.
func (t *table) addPart(next *table) error {
	if len(t.shares) > 0 && len(next.shares) > 0 && !t.dataset.Updated.Equal(next.dataset.Updated) {
		return stat.Errorf(stat.Refused, "%s (%s, updated %s) and %s (%s, updated %s) are parts of different releases of dataset %s: import all parts of one release",
			t.files, t.partial, t.dataset.Updated.Format(time.DateOnly), next.files, next.partial, next.dataset.Updated.Format(time.DateOnly), t.dataset.Code)
	}
	if t.isNamedByFile() && t.dataset.Name != next.dataset.Name {
		return stat.Errorf(stat.Refused, "two parts have the name %s, from which the dataset takes its code, but different titles (%s and %s): import them as different datasets, each with a code of its own",
			t.dataset.Code, t.dataset.Name, next.dataset.Name)
	}
	codes, err := mergeCodes(t.dataset, next.dataset)
	if err != nil {
		return err
	}
	if err := t.builder.Append(next.builder, codes); err != nil {
		return err
	}
	t.values += next.values
	t.report.Merge(next.report)
	if !slices.Contains(strings.Split(t.files, ", "), next.files) {
		t.files += ", " + next.files
	}
	if next.dataset.Updated.After(t.dataset.Updated) {
		t.dataset.Updated = next.dataset.Updated
	}
	t.dataset.JoinPeriods(next.dataset)
	t.dataset.JoinTranslations(next.dataset)
	t.shares = append(t.shares, next.shares...)
	return nil
}

// isNamedByFile reports whether the dataset's code is only the name of its file.
func (t *table) isNamedByFile() bool {
	return slices.ContainsFunc(t.report.Notes(), func(n stat.Note) bool { return n.Kind == stat.NoteCodeFromFilename })
}

// areComplete reports whether shares cover all items without a gap.
func areComplete(shares []stat.Share) bool {
	sort.Slice(shares, func(i, j int) bool { return shares[i].First < shares[j].First })
	next := 1
	for _, s := range shares {
		if s.First > next || s.Of != shares[0].Of {
			return false
		}
		next = max(next, s.Last+1)
	}
	return len(shares) > 0 && next > shares[0].Of
}

// mergeCodes returns for each axis the positions in d of the part's codes. It
// appends new codes to d. Parts with different structures, units or labels are an error.
func mergeCodes(d, part *stat.Dataset) ([][]int32, error) {
	axes, theirs := d.Axes(), part.Axes()
	if !slices.EqualFunc(axes, theirs, func(a, b *stat.Dimension) bool { return a.ID == b.ID && a.Role == b.Role }) || d.Unit != part.Unit {
		return nil, stat.Errorf(stat.Refused, "two parts of dataset %s have different structures (%s and %s): import them as different datasets, each with a code of its own",
			d.Code, structureText(d), structureText(part))
	}
	at := make([][]int32, len(axes))
	for i, axis := range axes {
		var err error
		if at[i], err = axis.Join(theirs[i]); err != nil {
			return nil, stat.Errorf(stat.Refused, "two parts of dataset %s cannot be joined: %v: import them as different datasets, each with a code of its own", d.Code, err)
		}
	}
	return at, nil
}

// structureText lists the axes of a dataset: "FREQ, SEX, geo".
func structureText(d *stat.Dataset) string {
	var ids []string
	for _, axis := range d.Axes() {
		ids = append(ids, axis.ID)
	}
	text := strings.Join(ids, ", ")
	if d.Unit != "" {
		text += fmt.Sprintf(" in %s", d.Unit)
	}
	return text
}
