package caption

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"almanac/internal/stattest"
)

// The names of the tables are those of the offices' own code lists and dictionaries. A case is a
// file of code lists with the part of a table that comes from it, and the codes whose names
// differ from the office's: its misspellings, and labels too long for a picture.
func TestNamesAreThoseOfTheOffices(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, c := range []struct {
		name, file, list string // the list is that of the XML file
		table, dimension string
		differ           []string
		isWhole          bool // the list has each code of the table
	}{
		{"units", "eurostat/dic/unit.dic", "", "eurostat", "eurostat:unit", []string{"MRD", "MRD_EUR"}, false},
		{"activities", "eurostat/dic/nace_r2.dic", "", "classifications", "nace_r2", []string{"D-F", "G-I"}, true},
		{"purposes of consumption", "eurostat/dic/coicop.dic", "", "classifications", "coicop", nil, false},
		{"energy balances", "eurostat/sdmx-ml/NRG_BAL_S-dsd.xml", "NRG_BAL", "eurostat", "eurostat:nrg_bal", nil, false},
		{"energy products", "eurostat/sdmx-ml/NRG_BAL_S-dsd.xml", "SIEC", "eurostat", "eurostat:siec", nil, true},
		{"currencies", "ecb/ecb-datastructure-2.1.xml", "CL_CURRENCY", "currencies", "@currency", []string{"BAM", "CNY", "KRW", "GBP", "PEN"}, false},
		{"exchange rates", "ecb/ecb-datastructure-2.1.xml", "CL_EXR_TYPE", "finance", "exr_type", []string{"SP00", "EN00", "ERC0"}, true},
		{"subjects of the OECD", "oecd/oecd-mei-datastructure-2.0.xml", "CL_MEI_SUBJECT", "mei", "oecd:subject", nil, true},
		{"units of the OECD", "../data-more/oecd-gdp/structure.xml", "CL_UNIT_MEASURE", "oecd_units", "oecd:unit_measure", nil, true},
		{"measures of the OECD", "oecd/oecd-mei-datastructure-2.0.xml", "CL_MEI_MEASURE", "mei", "oecd:measure", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if more, ok := strings.CutPrefix(c.file, "../data-more/"); ok {
				stattest.SampleMore(t, more) // skips the test if the folder is missing
			}
			labels := labelsIn(t, filepath.Join(dir, filepath.FromSlash(c.file)), c.list)
			compared := 0
			for file, row := range rowsOf("codes") {
				if !slices.Contains(strings.Fields(row[0]), c.dimension) || file != c.table+".tsv" || slices.Contains(c.differ, row[1]) {
					continue
				}
				label, ok := labels[row[1]]
				switch {
				case !ok && c.isWhole:
					t.Errorf("%s %s: no code of %s", c.dimension, row[1], c.file)
				case ok && plain(label) != plain(row[2]):
					t.Errorf("%s %s is %q, the office's name is %q", c.dimension, row[1], row[2], label)
				case ok:
					compared++
				}
			}
			if compared == 0 {
				t.Error("no name was compared")
			}
		})
	}
}

// Titles of Eurostat's datasets are those of its table of contents.
func TestTitlesAreThoseOfEurostat(t *testing.T) {
	file, err := os.Open(filepath.Join(stattest.DataDir(t), "eurostat", "toc", "table_of_contents_en.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	contents := csv.NewReader(file)
	contents.Comma, contents.LazyQuotes, contents.FieldsPerRecord = '\t', true, -1
	wanted := map[string]string{}
	for {
		row, err := contents.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if kind := row[2]; kind == "dataset" || kind == "table" {
			if code := strings.TrimSpace(row[1]); wanted[code] == "" {
				wanted[code] = strings.Join(strings.Fields(row[0]), " ")
			}
		}
	}
	compared := 0
	for file, row := range rowsOf("titles") {
		if file != "eurostat.tsv" {
			continue
		}
		compared++
		if row[2] != wanted[row[1]] {
			t.Errorf("%s is %q, want %q", row[1], row[2], wanted[row[1]])
		}
	}
	if compared < 100 {
		t.Errorf("compared %d titles, want at least 100", compared)
	}
}

// plain returns the words of a name, without case, and without the levels of a hierarchy that
// say nothing.
func plain(name string) string {
	var levels []string
	for level := range strings.SplitSeq(name, pathSeparator) {
		if level != "Total" && level != "Leading indicators" && !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	return strings.Trim(strings.ReplaceAll(fold(strings.Join(levels, " ")), " and", ""), " ")
}

// labelsIn returns the labels of codes in a dictionary of Eurostat, or in a list of a file of
// structures.
func labelsIn(t *testing.T, file, list string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if list != "" {
		return labelsInXML(t, text, list)
	}
	text, err = charmap.Windows1252.NewDecoder().Bytes(text)
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{}
	for line := range strings.Lines(string(text)) {
		code, label, _ := strings.Cut(strings.TrimSpace(line), "\t")
		labels[code] = label
	}
	return labels
}

func labelsInXML(t *testing.T, text []byte, list string) map[string]string {
	t.Helper()
	type label struct {
		Language string `xml:"http://www.w3.org/XML/1998/namespace lang,attr"`
		Text     string `xml:",chardata"`
	}
	type codeList struct {
		Codes []struct {
			ID          string  `xml:"id,attr"`
			Value       string  `xml:"value,attr"` // in SDMX 2.0
			Name        []label `xml:"Name"`
			Description []label `xml:"Description"`
		} `xml:"Code"`
	}
	labels := map[string]string{}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return labels
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		isList := ok && slices.ContainsFunc(start.Attr, func(a xml.Attr) bool { return a.Name.Local == "id" && a.Value == list })
		if !isList || !strings.EqualFold(start.Name.Local, "codelist") {
			continue
		}
		var l codeList
		if err := decoder.DecodeElement(&l, &start); err != nil {
			t.Fatal(err)
		}
		for _, code := range l.Codes {
			for _, label := range append(code.Name, code.Description...) {
				if label.Language == "en" {
					labels[code.ID+code.Value] = label.Text
					break
				}
			}
		}
	}
}
