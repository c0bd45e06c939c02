package eurostat

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// A dictionary is a file of codes with their labels:
//
//	unit.dic, geo-2021.dic     code ⇥ label, until 2023; dimlst.dic names the
//	                           dimensions and table_dic.dic the datasets
//	ESTAT_UNIT_49.1_EN.tsv     code ⇥ label, since 2023
//
// Its name has the list and the version.

var (
	// datedName is the file name of a dictionary with the year of its version.
	datedName = regexp.MustCompile(`^(.+)-([0-9]{4})$`)
	// listName is the file name of a code list since 2023, in English. Capital
	// letters and the version distinguish it from a table's, "estat_nrg_cb_e.tsv".
	listName = regexp.MustCompile(`^ESTAT_(.+)_([0-9]+(?:\.[0-9]+)*)_(EN|DE|FR)\.tsv$`)
	// entryLine begins with a code, a tab and a label.
	entryLine = regexp.MustCompile(`^[^\t\r\n,"\\]{1,100}\t[^\t\r\n]*\S`)
)

// dictionaryName returns an empty list with the name, the version and the language in the name
// of a dictionary, nil for any other name. Dictionaries until 2023 have no version or a year, so
// that all numbered lists are newer.
func dictionaryName(file string) *stat.CodeList {
	if m := listName.FindStringSubmatch(file); m != nil {
		return &stat.CodeList{Name: m[1], Version: m[2], Language: strings.ToLower(m[3])}
	}
	stem, isDic := strings.CutSuffix(strings.ToLower(file), ".dic")
	if !isDic || stem == "" {
		return nil
	}
	if m := datedName.FindStringSubmatch(stem); m != nil {
		return &stat.CodeList{Name: m[1], Version: "0." + m[2]}
	}
	return &stat.CodeList{Name: stem, Version: "0"}
}

func recogniseDictionary(name string, head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, text.ByteOrderMark), "\r\n")
	return dictionaryName(name) != nil && entryLine.Match(head)
}

// learnDictionary reads lines of code, tab, label. The error for other lines comes with
// the codes of the valid ones.
func learnDictionary(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	list := dictionaryName(in.Name)
	if list == nil {
		return nil, stat.BadFile(stat.Position{}, "the file name %q does not contain the name of a code list; it must look like unit.dic or ESTAT_UNIT_49.1_EN.tsv", in.Name)
	}
	var report stat.Report // for the note about the encoding
	file, err := text.Open(in.Again, cmp.Or(in.Encoding, "windows-1252"), &report)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if notes := report.Notes(); len(notes) > 0 {
		list.Encoding = notes[0].Example
	}
	err = readEntries(file, list)
	if len(list.Codes) == 0 && err != nil {
		return nil, err
	}
	return dictionaryOf(list), err
}

// readEntries reads the codes of a dictionary; the error is that of the last bad line.
func readEntries(in io.Reader, list *stat.CodeList) error {
	var bad error
	lines := newLines(in, maxEntry)
	for lines.Scan() {
		line := lines.Text()
		id, label, found := strings.Cut(line, "\t")
		id, label = strings.TrimSpace(id), tidy(label)
		switch {
		case id+label == "":
		case !found || id == "":
			bad = stat.BadFile(stat.Position{Line: lines.number, Column: 1}, "%q is not a code, a tab and a label", text.Clip(line))
		case label != "":
			list.Codes = append(list.Codes, stat.Code{ID: strings.Clone(id), Label: label})
		}
	}
	return cmp.Or(lines.Err(), bad)
}

// dictionaryOf returns the dictionary of a list: names of dimensions (dimlst),
// titles of datasets (table_dic), or codes of a dimension.
func dictionaryOf(list *stat.CodeList) *stat.Dictionary {
	if list.Language != "" && list.Language != "en" {
		return translationOf(list)
	}
	d := stat.NewDictionary(eurostatOffice.ID)
	switch strings.ToLower(list.Name) {
	case "dimlst":
		for _, c := range list.Codes {
			d.Concepts[strings.ToLower(c.ID)] = c.Label
		}
	case "table_dic":
		for _, c := range list.Codes {
			code := strings.ToLower(c.ID)
			d.Structures[code] = &stat.Structure{ID: c.ID, Title: c.Label, SourceURL: office.EurostatPage(code)}
		}
	default:
		d.Lists[stat.ListName(list.Name)] = list
	}
	return d
}

// translationOf is dictionaryOf for a list in another language than English.
func translationOf(list *stat.CodeList) *stat.Dictionary {
	d, language := stat.NewDictionary(eurostatOffice.ID), list.Language
	list.Language = ""
	for i := range list.Codes {
		c := &list.Codes[i]
		switch key := strings.ToLower(c.ID); strings.ToLower(list.Name) {
		case "dimlst":
			d.ConceptTexts[key] = stat.Texts{language: c.Label}
		case "table_dic":
			d.Structures[key] = &stat.Structure{ID: c.ID, Titles: stat.Texts{language: c.Label}, SourceURL: office.EurostatPage(key)}
		default:
			list.Translate(language, c.ID, c.Label)
			c.Label = ""
			d.Lists[stat.ListName(list.Name)] = list
		}
	}
	return d
}

// tidy trims a label and makes each stretch of white space one space.
func tidy(label string) string { return strings.Join(strings.Fields(label), " ") }
