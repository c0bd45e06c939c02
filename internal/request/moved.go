package request

import (
	"cmp"
	"fmt"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// movedNotices returns a notice for each of the first values that match a code, although the
// office's label with that text is now the one of another code. A label that was published always
// matches its first code.
func movedNotices(v *store.Vintage, axis int, values []string) []Notice {
	moved := movedLabels(v)[axis]
	if len(moved) == 0 {
		return nil
	}
	var notices []Notice
	isRead := map[string]bool{}
	for _, value := range values {
		if len(moved[value]) == 0 || isRead[value] || len(notices) == maxNamed {
			continue
		}
		isRead[value] = true
		if pos, ok := v.Find(axis, value); ok {
			notices = append(notices, movedNotice(v, axis, value, "selects "+matched(v, axis, pos, value)+"; it is now the office's label of"))
		}
	}
	return notices
}

// matched names the code at a position and says why a value matches it.
func matched(v *store.Vintage, axis int, pos int32, value string) string {
	dim := v.Stored().Dataset.Axes()[axis]
	code := &dim.Codes[pos]
	switch {
	case dim.Former[value] == code.ID && code.SourceLabel == value:
		return fmt.Sprintf("code %s, which has this label and had it first", code.ID)
	case dim.Former[value] == code.ID:
		return fmt.Sprintf("code %s, which had this label first", code.ID)
	case code.Label == value:
		return fmt.Sprintf("code %s, which has this label without a choice of language", code.ID)
	}
	return "code " + code.ID
}

// movedNotice returns the notice for a value that is the office's label of codes that it does not
// match. what says what it matches, and leads to these codes.
func movedNotice(v *store.Vintage, axis int, value, what string) Notice {
	n := NewNotice(axisParam(v.Dataset, axis), value, "")
	codes, now := v.Dataset.Axes()[axis].Codes, []string{}
	for _, pos := range movedLabels(v)[axis][value] {
		if len(now) == maxSuggested {
			now = append(now, "others")
			break
		}
		text := codes[pos].Label
		if at, ok := v.Find(axis, codes[pos].ID); ok && at == pos {
			text = codes[pos].ID
		}
		unit := ""
		if codes[pos].Unit != "" {
			unit = " (" + codes[pos].Unit + ")"
		}
		now, n.Nearest = append(now, fmt.Sprintf("code %s%s, which %q selects", codes[pos].ID, unit, text)), append(n.Nearest, text)
	}
	n.Message = fmt.Sprintf("%.*q %s %s", maxNamedLength, value, what, strings.Join(now, ", and of "))
	return n
}

// formerNotice returns the notice for a value that matches nothing, because it is a label of a
// code that the dataset no longer has, or of several codes, and is now the office's label of others.
func formerNotice(v *store.Vintage, axis int, value string) (n Notice, ok bool) {
	if len(movedLabels(v)[axis][value]) == 0 {
		return n, false
	}
	what := "selects nothing, because several codes have this label; it is the office's label of"
	if id, was := v.Dataset.Axes()[axis].Former[value]; was {
		what = fmt.Sprintf("selects nothing, because it was the label of code %s first, which the dataset no longer has; it is now the office's label of", id)
	}
	return movedNotice(v, axis, value, what), true
}

type movedLabelsKey struct{}

// movedLabels maps, for each axis, those of the office's labels, without a choice of language and
// in the language of the vintage, that do not select the codes that have them, to those codes.
func movedLabels(v *store.Vintage) []map[string][]int32 {
	return v.Memo(movedLabelsKey{}, func() any {
		moved := make([]map[string][]int32, len(v.Dataset.Dimensions)+1)
		for axis := range moved {
			moved[axis] = movedLabelsOf(v, axis)
		}
		return moved
	}).([]map[string][]int32)
}

// movedLabelsOf returns the moved labels of an axis.
func movedLabelsOf(v *store.Vintage, axis int) map[string][]int32 {
	moved := map[string][]int32{}
	add := func(pos int32, code *stat.Code) {
		label := cmp.Or(code.SourceLabel, code.Label)
		if at, ok := v.Find(axis, label); (!ok || at != pos) && (len(moved[label]) == 0 || moved[label][len(moved[label])-1] != pos) {
			moved[label] = append(moved[label], pos)
		}
	}
	stored := v.Stored().Dataset.Axes()[axis].Codes
	for i := range stored {
		add(int32(i), &stored[i])
		if v.IsView() {
			add(int32(i), &v.Dataset.Axes()[axis].Codes[i])
		}
	}
	return moved
}
