package importer

import (
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// NoteNamesForCodes tells of names that stood where codes do, and were given
// the codes that they are the labels of.
const NoteNamesForCodes = "names-for-codes"

// codesForNames gives a dataset codes where its file writes only their names
// (SDMX-CSV with labels=name, Eurostat's Data Explorer), so that such a file
// and one with codes are the same data. A name is given the one code whose
// label it is, in the office's dictionary or in the previous vintage; one that
// is the label of none, or of several, or is a code itself, stays as it is.
func codesForNames(d, before *stat.Dataset, dictionary *stat.Dictionary, report *stat.Report) {
	for _, axis := range d.Axes() {
		named := labelled{code: map[string]string{}, known: map[string]bool{}}
		if list := dictionary.List(d.Code, axis.ID); list != nil {
			named.add(list.Codes)
		}
		known := dimensionOf(before, axis.ID).Codes
		named.add(known)
		if axis == &d.Geography {
			named.addAreas(d.Source.ID, known)
		}
		taken := map[string]bool{}
		for _, c := range axis.Codes {
			taken[c.ID] = true
		}
		for i := range axis.Codes {
			c := &axis.Codes[i]
			name := tidyText(c.ID)
			code := named.code[name]
			if code == "" || named.known[c.ID] || taken[code] || c.Label != "" && tidyText(c.Label) != name {
				continue
			}
			taken[code] = true
			c.ID, c.Label = code, name
			report.Add(NoteNamesForCodes, 1, axis.ID+": "+name+" is "+code)
		}
	}
}

// labelled are codes by their labels.
type labelled struct {
	code  map[string]string // by label; "" where several codes have it
	known map[string]bool   // codes
}

// addAreas adds the English names of areas, where no label is the same.
func (l *labelled) addAreas(source string, codes []stat.Code) {
	for _, c := range codes {
		area, known := geo.Resolve(source, c.ID)
		if _, taken := l.code[area.Name]; known && !taken && area.Name != c.ID {
			l.code[area.Name] = c.ID
		}
	}
}

func (l *labelled) add(codes []stat.Code) {
	for _, c := range codes {
		l.known[c.ID] = true
		for _, label := range []string{tidyText(c.Label), tidyText(c.SourceLabel)} {
			if label == "" || label == c.ID {
				continue
			}
			if other, ok := l.code[label]; ok && other != c.ID {
				l.code[label] = ""
			} else {
				l.code[label] = c.ID
			}
		}
	}
}
