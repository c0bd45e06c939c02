package importer

import (
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// NoteNamesForCodes: the file has names in place of codes, which were replaced by
// the codes with these labels.
const NoteNamesForCodes = "names-for-codes"

// replaceNames replaces names by codes where the file has only names (SDMX-CSV
// with labels=name, Eurostat's Data Explorer), so that it gives the same data as
// a file with codes. It uses the labels of the office's dictionary and of the
// previous version. A name stays if it is the label of no code or of several, or
// if it is itself a code.
func replaceNames(d, before *stat.Dataset, dictionary *stat.Dictionary, report *stat.Report) {
	for _, axis := range d.Axes() {
		named := codesByLabel{code: map[string]string{}, known: map[string]bool{}}
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

// codesByLabel finds codes by their labels.
type codesByLabel struct {
	code  map[string]string // by label; "" if several codes have it
	known map[string]bool   // all codes
}

// addAreas adds the English names of areas, unless they are labels already.
func (l *codesByLabel) addAreas(source string, codes []stat.Code) {
	for _, c := range codes {
		area, known := geo.Resolve(source, c.ID)
		if _, taken := l.code[area.Name]; known && !taken && area.Name != c.ID {
			l.code[area.Name] = c.ID
		}
	}
}

func (l *codesByLabel) add(codes []stat.Code) {
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
