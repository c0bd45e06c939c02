package geo_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// coded is a code of an office's geography with the office's label; the label is
// empty if the file has none.
type coded struct{ code, label string }

// read returns the content of a file, unpacked and without a byte order mark.
func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(path, err)
		}
		if data, err = io.ReadAll(z); err != nil {
			t.Fatal(path, err)
		}
	}
	return bytes.TrimPrefix(data, []byte("\uFEFF"))
}

// readTSV reads the geography of one of Eurostat's bulk files, which is in the
// rows, or in the columns if time is in the rows.
func readTSV(t *testing.T, path string) []coded {
	t.Helper()
	lines := strings.Split(string(read(t, path)), "\n")
	head := strings.Split(strings.TrimSpace(lines[0]), "\t")
	keys, columns, _ := strings.Cut(head[0], `\`)
	var found []coded
	if columns == "geo" {
		for _, code := range head[1:] {
			found = append(found, coded{code: code})
		}
		return found
	}
	names := strings.Split(keys, ",")
	if names[len(names)-1] != "geo" {
		t.Fatalf("%s: geography is not the last key of %q", path, head[0])
	}
	seen := map[string]bool{}
	for _, line := range lines[1:] {
		key, _, _ := strings.Cut(line, "\t")
		code := strings.TrimSpace(key[strings.LastIndexByte(key, ',')+1:])
		if code != "" && !seen[code] {
			seen[code] = true
			found = append(found, coded{code: code})
		}
	}
	return found
}

// readDic reads a dictionary of code, tab, label; 8-bit if it is not UTF-8.
func readDic(t *testing.T, path string) []coded {
	t.Helper()
	data := read(t, path)
	if bytes.ContainsRune(data, '\uFFFD') || !bytes.Equal(data, bytes.ToValidUTF8(data, nil)) {
		var err error
		if data, err = charmap.Windows1252.NewDecoder().Bytes(data); err != nil {
			t.Fatal(path, err)
		}
	}
	var found []coded
	for line := range strings.Lines(string(data)) {
		code, label, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if !ok {
			t.Fatalf("%s: no tab in %q", path, line)
		}
		found = append(found, coded{code, strings.Join(strings.Fields(label), " ")})
	}
	return found
}

// readColumns reads two columns of a CSV file by name; label may be "".
func readColumns(t *testing.T, path string, separator rune, code, label string) []coded {
	t.Helper()
	data := read(t, path)
	if !bytes.Equal(data, bytes.ToValidUTF8(data, nil)) {
		data, _ = charmap.Windows1252.NewDecoder().Bytes(data)
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, true
	codeAt, labelAt := -1, -1
	seen := map[coded]bool{}
	var found []coded
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(path, err)
		}
		if codeAt < 0 { // lines before the header, and the header
			for i, name := range record {
				switch strings.TrimPrefix(name, "\uFEFF") {
				case code:
					codeAt = i
				case label:
					if label != "" {
						labelAt = i
					}
				}
			}
			continue
		}
		if len(record) <= codeAt || record[codeAt] == "" {
			continue
		}
		c := coded{code: record[codeAt]}
		if labelAt >= 0 && labelAt < len(record) {
			c.label = strings.TrimSpace(record[labelAt])
		}
		if !seen[c] {
			seen[c] = true
			found = append(found, c)
		}
	}
	return found
}

// readWorldBankCountries reads the API's list of countries by both its codes.
func readWorldBankCountries(t *testing.T, path string) []coded {
	t.Helper()
	var countries []struct{ ID, Iso2Code, Name string }
	var parts []json.RawMessage
	unmarshal(t, path, &parts)
	if err := json.Unmarshal(parts[1], &countries); err != nil {
		t.Fatal(path, err)
	}
	var found []coded
	for _, c := range countries {
		name := strings.TrimSpace(c.Name)
		found = append(found, coded{c.ID, name}, coded{c.Iso2Code, name})
	}
	return found
}

// readWorldBankData reads the areas of the API's observations.
func readWorldBankData(t *testing.T, path string) []coded {
	t.Helper()
	var observations []struct {
		CountryISO3Code string
		Country         struct{ ID, Value string }
	}
	var parts []json.RawMessage
	unmarshal(t, path, &parts)
	if err := json.Unmarshal(parts[1], &observations); err != nil {
		t.Fatal(path, err)
	}
	seen := map[coded]bool{}
	var found []coded
	for _, o := range observations {
		for _, code := range []string{o.Country.ID, o.CountryISO3Code} {
			if c := (coded{code, o.Country.Value}); code != "" && !seen[c] {
				seen[c] = true
				found = append(found, c)
			}
		}
	}
	return found
}

// readNUTS reads the codes of GISCO's regions.
func readNUTS(t *testing.T, path string) []coded {
	t.Helper()
	var file struct {
		Features []struct {
			Properties struct {
				ID string `json:"NUTS_ID"`
			}
		}
	}
	unmarshal(t, path, &file)
	var found []coded
	for _, f := range file.Features {
		found = append(found, coded{code: f.Properties.ID})
	}
	return found
}

// readGiscoWorld reads the codes and English names of GISCO's countries.
func readGiscoWorld(t *testing.T, path string) []coded {
	t.Helper()
	var file struct {
		Objects map[string]struct {
			Geometries []struct {
				Properties struct{ ID, Na any }
			}
		}
	}
	unmarshal(t, path, &file)
	var found []coded
	for name, object := range file.Objects {
		if !strings.HasPrefix(name, "CNTR_RG") {
			continue
		}
		for _, g := range object.Geometries {
			code, _ := g.Properties.ID.(string)
			label, _ := g.Properties.Na.(string)
			found = append(found, coded{code, label})
		}
	}
	return found
}

func unmarshal(t *testing.T, path string, into any) {
	t.Helper()
	if err := json.Unmarshal(read(t, path), into); err != nil {
		t.Fatal(path, err)
	}
}

// readCodelists reads the code lists of an SDMX 2.0 or 2.1 structure whose ID
// contains part, with their English labels.
func readCodelists(t *testing.T, path, part string) []coded {
	t.Helper()
	type name struct {
		Lang string `xml:"lang,attr"`
		Text string `xml:",chardata"`
	}
	var found []coded
	d := xml.NewDecoder(bytes.NewReader(read(t, path)))
	keep := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(path, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "CodeList", "Codelist":
			keep = false
			for _, a := range start.Attr {
				keep = keep || a.Name.Local == "id" && strings.Contains(a.Value, part)
			}
		case "Code":
			var code struct {
				ID           string `xml:"id,attr"`
				Value        string `xml:"value,attr"`
				Descriptions []name `xml:"Description"`
				Names        []name `xml:"Name"`
			}
			if err := d.DecodeElement(&code, &start); err != nil {
				t.Fatal(path, err)
			}
			if !keep {
				continue
			}
			c := coded{code: code.ID + code.Value} // 2.1 has id, 2.0 value
			for _, n := range append(code.Names, code.Descriptions...) {
				if n.Lang == "" || n.Lang == "en" {
					c.label = n.Text
				}
			}
			found = append(found, c)
		}
	}
}

// readList reads a file of testdata: fields separated by " | "; lines that begin
// with "#" are comments.
func readList(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list [][]string
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "|")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		list = append(list, fields)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
