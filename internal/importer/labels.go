package importer

import (
	"cmp"
	"strings"
	"unicode"

	"almanac/internal/stat"
)

// completeLabels gives dim and each of its codes a label, and no two codes the
// same one. before is the dimension as the previous vintage had it, zero if
// there is none; fallback is the label of a code that neither the file nor the
// previous vintage names.
//
// A label that a vintage once published keeps matching its first code, so that
// an address written years ago never means another code in silence: no other
// code gets it here, and the store keeps it in dim.Former once it is in no
// use.
func completeLabels(dim *stat.Dimension, before stat.Dimension, fallback func(id string) string) {
	dim.Label = cmp.Or(tidyText(dim.Label), before.Label, dim.ID)
	dim.Default = cmp.Or(dim.Default, before.Default)
	known := map[string]string{}
	for _, c := range before.Codes {
		if label := cmp.Or(c.SourceLabel, c.Label); label != c.ID { // or none was known then
			known[c.ID] = label
		}
	}
	wanted := make([]string, len(dim.Codes))
	for i, c := range dim.Codes {
		wanted[i] = cmp.Or(tidyText(c.Label), known[c.ID])
		if wanted[i] == "" {
			wanted[i] = cmp.Or(tidyText(fallback(c.ID)), c.ID)
		}
	}
	for i, label := range tellApart(dim.Codes, wanted, owners(dim, before)) {
		c := &dim.Codes[i]
		c.Label, c.SourceLabel = label, ""
		if label != wanted[i] {
			c.SourceLabel = wanted[i]
		}
	}
}

// owners are the labels that belong to codes of the previous vintage. A name that
// stood in a code's place then, and has its code now, owns nothing: it is the
// same position.
func owners(dim *stat.Dimension, before stat.Dimension) map[string]string {
	owner := before.Published()
	present := map[string]bool{}
	for _, c := range dim.Codes {
		present[c.ID] = true
	}
	for label, id := range owner {
		if label == tidyText(id) && isName(id) && !present[id] {
			delete(owner, label)
		}
	}
	return owner
}

// tellApart returns the wanted labels, each followed by its code in brackets as
// often as it takes until no two codes share one and none has a label that
// belongs to another code.
func tellApart(codes []stat.Code, wanted []string, owner map[string]string) []string {
	labels := append([]string(nil), wanted...)
	for {
		users := make(map[string]int, len(labels))
		for _, label := range labels {
			users[label]++
		}
		clash := false
		for i, label := range labels {
			id, owned := owner[label]
			if users[label] > 1 || owned && id != codes[i].ID {
				labels[i] = label + " [" + codes[i].ID + "]"
				clash = true
			}
		}
		if !clash {
			return labels
		}
	}
}

// tidyText trims text and collapses the white space inside it; control
// characters are white space.
func tidyText(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
