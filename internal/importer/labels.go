package importer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// completeLabels gives dim and each of its codes a label that is unique in the
// dimension.
//
// A label that was once published always matches its first code, so that an old
// URL never silently means another code. No other code gets the label here, and
// the store keeps it in dim.Former when it is no longer used.
func (b *codebook) completeLabels(dim *stat.Dimension) {
	before, labelOf := dimensionOf(b.previous(), dim.ID), b.labels(dim)
	dim.Label = cmp.Or(tidyText(dim.Label), before.Label, dim.ID)
	dim.Default = cmp.Or(dim.Default, before.Default)
	preferred := make([]string, len(dim.Codes))
	for i, c := range dim.Codes {
		if preferred[i] = tidyText(c.Label); preferred[i] == "" {
			preferred[i] = cmp.Or(tidyText(labelOf(c.ID)), c.ID)
		}
	}
	for i, label := range stat.UniqueLabels(dim.Codes, preferred, owners(dim, before)) {
		c := &dim.Codes[i]
		c.Label, c.SourceLabel = label, ""
		if label != preferred[i] {
			c.SourceLabel = preferred[i]
		}
	}
}

// owners maps the labels of the previous version to the codes that own them. A
// name that was used as a code then, and has a code now, owns no label.
func owners(dim *stat.Dimension, before stat.Dimension) map[string]string {
	owner, present := before.Published(), idSet(dim.Codes)
	for label, id := range owner {
		if label == tidyText(id) && isName(id) && !present[id] {
			delete(owner, label)
		}
	}
	return owner
}

// tidyText trims text and collapses white space, including control characters.
func tidyText(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// replaceNames replaces names by codes where the file has only names (SDMX-CSV
// with labels=name, Eurostat's Data Explorer), so that it gives the same data as
// a file with codes. It uses the labels of the office's dictionary and of the
// previous version. A name stays if it is the label of no code or of several, or
// if it is itself a code.
func replaceNames(d, before *stat.Dataset, dictionary *stat.Dictionary, report *stat.Report) {
	for _, axis := range d.Axes() {
		known := dimensionOf(before, axis.ID).Codes
		all := known
		if list := dictionary.List(d.Code, axis.ID); list != nil {
			all = slices.Concat(list.Codes, known)
		}
		isCode, taken := idSet(all), idSet(axis.Codes)
		codeOf := codesByLabel(all)
		if axis == &d.Geography { // areas also have their English names
			for _, c := range known {
				area, ok := geo.Find(c.Area)
				if _, isLabel := codeOf[area.Name]; ok && !isLabel && area.Name != c.ID {
					codeOf[area.Name] = c.ID
				}
			}
		}
		for i := range axis.Codes {
			c := &axis.Codes[i]
			name := tidyText(c.ID)
			code := codeOf[name]
			if code == "" || isCode[c.ID] || taken[code] || c.Label != "" && tidyText(c.Label) != name {
				continue
			}
			taken[code] = true
			c.ID, c.Label = code, name
			report.Add(NoteNamesForCodes, 1, axis.ID+": "+name+" is "+code)
		}
	}
}

func idSet(codes []stat.Code) map[string]bool {
	ids := make(map[string]bool, len(codes))
	for _, c := range codes {
		ids[c.ID] = true
	}
	return ids
}

// codesByLabel returns the code with each label, "" if several codes have it.
func codesByLabel(codes []stat.Code) map[string]string {
	codeOf := map[string]string{}
	for _, c := range codes {
		for _, label := range []string{tidyText(c.Label), tidyText(c.SourceLabel)} {
			if label == "" || label == c.ID {
				continue
			}
			if other, ok := codeOf[label]; ok && other != c.ID {
				codeOf[label] = ""
			} else {
				codeOf[label] = c.ID
			}
		}
	}
	return codeOf
}
