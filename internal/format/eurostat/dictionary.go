package eurostat

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// A dictionary is a file of codes with their labels:
//
//	unit.dic, geo-2021.dic     code ⇥ label, until 2023; dimlst.dic names the
//	                           dimensions and table_dic.dic the datasets
//	ESTAT_UNIT_49.1_EN.tsv     code ⇥ label, since 2023
//
// Its name says of which list, and of which vintage.

var (
	// datedName is a dictionary's file name with the year of its vintage.
	datedName = regexp.MustCompile(`^(.+)-([0-9]{4})$`)
	// listName is a file name of the code lists since 2023, in English. Capital
	// letters and the version tell it from a table's, "estat_nrg_cb_e.tsv".
	listName = regexp.MustCompile(`^ESTAT_(.+)_([0-9]+(?:\.[0-9]+)*)_EN\.tsv$`)
	// entryLine begins with a code, a tab and a label.
	entryLine = regexp.MustCompile(`^[^\t\r\n,"\\]{1,100}\t[^\t\r\n]*\S`)
)

// Names of the dictionaries that are not of a dimension's codes.
const (
	dimensionNames = "dimlst"
	datasetTitles  = "table_dic"
)

// dictionaryName tells from a file's name which list it holds and of which
// version; ok is false if it is no name of a dictionary. Dictionaries until
// 2023 have no version, some a year: all numbered lists are newer.
func dictionaryName(file string) (list, version string, ok bool) {
	if m := listName.FindStringSubmatch(file); m != nil {
		return m[1], m[2], true
	}
	stem, isDic := strings.CutSuffix(strings.ToLower(file), ".dic")
	if !isDic || stem == "" {
		return "", "", false
	}
	if m := datedName.FindStringSubmatch(stem); m != nil {
		return m[1], "0." + m[2], true
	}
	return stem, "0", true
}

// recogniseDictionary knows a dictionary by its name and its first line.
func recogniseDictionary(name string, head []byte) bool {
	_, _, ok := dictionaryName(name)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, text.ByteOrderMark), "\r\n")
	return ok && entryLine.Match(head)
}

// learnDictionary reads lines of code, tab, label. Lines of another form are
// an error, which comes with what the others say.
func learnDictionary(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	name, version, ok := dictionaryName(in.Name)
	if !ok {
		return nil, stat.BadFile(stat.Position{}, "the name %q does not tell which codes the dictionary has; it would be like unit.dic or ESTAT_UNIT_49.1_EN.tsv", in.Name)
	}
	var read stat.Report // for the note of the encoding
	file, err := text.Open(in.Again, in.Encoding, &read)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	list := &stat.CodeList{Name: name, Version: version}
	if notes := read.Notes(); len(notes) > 0 {
		list.Encoding = notes[0].Example
	}
	err = readEntries(file, list)
	if len(list.Codes) == 0 && err != nil {
		return nil, err
	}
	return dictionaryOf(list), err
}

// readEntries reads the codes of a dictionary; the error is that of the last
// line that is none.
func readEntries(in io.Reader, list *stat.CodeList) error {
	var bad error
	for lines := newLines(in, maxEntry); ; {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return bad
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		id, label, found := strings.Cut(string(line), "\t")
		id, label = strings.TrimSpace(id), tidy(label)
		if !found || id == "" {
			bad = stat.BadFile(stat.Position{Line: lines.number, Column: 1}, "%s is no code, a tab and a label", quote(line))
			continue
		}
		if label != "" {
			list.Codes = append(list.Codes, stat.Code{ID: strings.Clone(id), Label: label})
		}
	}
}

// dictionaryOf is a list as what it says of the office's codes.
func dictionaryOf(list *stat.CodeList) *stat.Dictionary {
	d := stat.NewDictionary(eurostatOffice.ID)
	switch strings.ToLower(list.Name) {
	case dimensionNames:
		for _, c := range list.Codes {
			d.Concepts[strings.ToLower(c.ID)] = c.Label
		}
	case datasetTitles:
		for _, c := range list.Codes {
			code := strings.ToLower(c.ID)
			d.Structures[code] = &stat.Structure{ID: c.ID, Title: c.Label, SourceURL: addressOf + code}
		}
	default:
		d.Lists[stat.ListName(list.Name)] = list
	}
	return d
}

// tidy trims a label and makes each stretch of white space in it one space.
func tidy(label string) string { return strings.Join(strings.Fields(label), " ") }
