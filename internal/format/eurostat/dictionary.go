package eurostat

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"almanac/internal/stat"
)

// dictionary is one file's codes with their labels, in its order.
type dictionary struct {
	codes    []stat.Code
	eightBit bool // the file is no UTF-8, and was read as windows-1252
}

var (
	// datedName is a dictionary's file name with the year of its vintage.
	datedName = regexp.MustCompile(`^(.+)-([0-9]{4})$`)
	// listName is a file name of the code lists since 2023, in English. Capital
	// letters and the version tell it from a table's, "estat_nrg_cb_e.tsv".
	listName = regexp.MustCompile(`^ESTAT_(.+)_([0-9]+(?:\.[0-9]+)*)_EN\.tsv$`)
)

// dictionaryName tells from a file's name which list it holds and of which
// vintage; ok is false if it is no name of a dictionary.
func dictionaryName(file string) (list string, v vintage, ok bool) {
	if m := listName.FindStringSubmatch(file); m != nil {
		return strings.ToUpper(m[1]), versionVintage(m[2]), true
	}
	stem, isDic := strings.CutSuffix(strings.ToLower(file), ".dic")
	if !isDic {
		return "", v, false
	}
	if m := datedName.FindStringSubmatch(stem); m != nil {
		stem = m[1]
		v[1], _ = strconv.Atoi(m[2])
	}
	return strings.ToUpper(stem), v, true
}

// versionVintage is the vintage of a numbered code list: "49.1".
func versionVintage(version string) vintage {
	major, minor, _ := strings.Cut(version, ".")
	v := vintage{1}
	v[1], _ = strconv.Atoi(major)
	v[2], _ = strconv.Atoi(minor)
	return v
}

// readDictionary reads lines of code, tab, label. A line of another form is
// an error, but the codes around it are returned all the same.
func readDictionary(in io.Reader) (dictionary, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return dictionary{}, err
	}
	text = bytes.TrimPrefix(text, byteOrderMark)
	var d dictionary
	// The files declare no encoding. UTF-8 is recognised by being valid; the
	// others are the 8-bit files of the years before.
	if !utf8.Valid(text) {
		d.eightBit = true
		if text, err = charmap.Windows1252.NewDecoder().Bytes(text); err != nil {
			return dictionary{}, err
		}
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		id, label, found := strings.Cut(line, "\t")
		id, label = strings.TrimSpace(id), tidy(label)
		if !found || id == "" {
			err = fmt.Errorf("line %d is not a code, a tab and a label", number)
			continue
		}
		if label != "" {
			d.codes = append(d.codes, stat.Code{ID: id, Label: label})
		}
	}
	return d, err
}

// tidy trims a label and makes each stretch of white space in it one space.
func tidy(label string) string { return strings.Join(strings.Fields(label), " ") }
