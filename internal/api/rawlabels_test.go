package api_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"almanac/internal/stattest"
)

// rawLabels are the labels of an office's file as a reader that knows nothing of this program
// finds them: by dimension in lower case, code and language; the code "" is the dimension itself.
type rawLabels map[string]map[string]map[string]string

func (r rawLabels) set(dimension, code, language, label string) {
	if r[dimension] == nil {
		r[dimension] = map[string]map[string]string{}
	}
	if r[dimension][code] == nil {
		r[dimension][code] = map[string]string{}
	}
	if label = strings.Join(strings.Fields(label), " "); label != "" && r[dimension][code][language] == "" {
		r[dimension][code][language] = label
	}
}

// readRaw reads the labels of a PX file or of the code lists of SDMX messages.
func readRaw(t *testing.T, files ...string) rawLabels {
	t.Helper()
	if strings.HasSuffix(files[0], ".px") {
		return readRawPX(t, files[0])
	}
	r := rawLabels{}
	for _, file := range files {
		readRawXML(t, r, unpacked(t, file))
	}
	return r
}

// unpacked returns the bytes of a file, or of the structures in an archive.
func unpacked(t *testing.T, file string) []byte {
	t.Helper()
	data := stattest.Sample(t, file).Data
	switch filepath.Ext(file) {
	case ".gz":
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	case ".zip":
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, member := range z.File {
			if strings.HasSuffix(member.Name, ".dsd.xml") || strings.HasSuffix(member.Name, "_Structure.xml") {
				f, err := member.Open()
				if err != nil {
					t.Fatal(err)
				}
				if data, err = io.ReadAll(f); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return data
}

// readRawXML walks through a structure message: the names of codes by list, and which list each
// dimension has.
func readRawXML(t *testing.T, r rawLabels, data []byte) {
	t.Helper()
	lists, listOf := rawLabels{}, map[string]string{}
	var list, code, dimension, language string
	inName := false
	attribute := func(start xml.StartElement, name string) string {
		for _, a := range start.Attr {
			if a.Name.Local == name {
				return a.Value
			}
		}
		return ""
	}
	decoder := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "Codelist", "CodeList":
				list = attribute(token, "id")
			case "Code":
				code = attribute(token, "id") + attribute(token, "value")
			case "Dimension":
				if dimension = attribute(token, "id"); dimension == "" { // version 2.0
					listOf[attribute(token, "conceptRef")] = attribute(token, "codelist")
				}
			case "Ref":
				if dimension != "" && attribute(token, "class") == "Codelist" {
					listOf[dimension] = attribute(token, "id")
				}
			case "Name", "Description":
				inName, language = code != "", attribute(token, "lang")
			}
		case xml.EndElement:
			switch token.Name.Local {
			case "Codelist", "CodeList":
				list = ""
			case "Code":
				code = ""
			case "Dimension":
				dimension = ""
			case "Name", "Description":
				inName = false
			}
		case xml.CharData:
			if inName && list != "" {
				lists.set(list, code, language, string(token))
			}
		}
	}
	for list := range lists { // a message without a structure: the list of sexes is CL_SEX
		if dimension, ok := strings.CutPrefix(list, "CL_"); ok && len(listOf) == 0 {
			listOf[dimension] = list
		}
	}
	for dimension, list := range listOf {
		dimension = strings.ToLower(dimension)
		for code, labels := range lists[list] {
			for language, label := range labels {
				r.set(dimension, code, language, label)
			}
		}
	}
}

// pxStatement matches KEYWORD[language]("variable")="text","text";
var pxStatement = regexp.MustCompile(`(?m)^([A-Z]+)(?:\[(\w+)\])?(?:\("([^"]*)"\))?=((?:\s*"[^"]*"\s*,?)+);`)

var quoted = regexp.MustCompile(`"([^"]*)"`)

// readRawPX reads the values of the variables of a PX file in all its languages.
func readRawPX(t *testing.T, file string) rawLabels {
	t.Helper()
	data := stattest.Sample(t, file).Data
	if !bytes.Contains(data[:400], []byte("utf-8")) {
		decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
		if err != nil {
			t.Fatal(err)
		}
		data = decoded
	}
	header, _, _ := strings.Cut(string(data), "\nDATA=")
	statements := map[[3]string][]string{} // by keyword, language and variable
	for _, m := range pxStatement.FindAllStringSubmatch(strings.ReplaceAll(header, "\r", ""), -1) {
		var texts []string
		for _, text := range quoted.FindAllStringSubmatch(m[4], -1) {
			texts = append(texts, text[1])
		}
		statements[[3]string{m[1], m[2], m[3]}] = texts
	}
	own := statements[[3]string{"LANGUAGE"}][0]
	axes := func(language string) []string {
		return append(append([]string{}, statements[[3]string{"STUB", language}]...), statements[[3]string{"HEADING", language}]...)
	}
	r := rawLabels{}
	for _, language := range statements[[3]string{"LANGUAGES"}] {
		written := language
		if language == own {
			written = ""
		}
		for i, name := range axes(written) {
			ownName := axes("")[i]
			codes := statements[[3]string{"CODES", "", ownName}]
			values := statements[[3]string{"VALUES", written, name}]
			id := ownName
			if stated := statements[[3]string{"VARIABLECODE", "", ownName}]; stated != nil {
				id = stated[0]
			}
			id = strings.ToLower(id)
			r.set(id, "", language, name)
			if codes == nil {
				codes = statements[[3]string{"VALUES", "", ownName}]
			}
			for at, value := range values {
				r.set(id, strings.TrimSpace(codes[at]), language, value)
			}
		}
	}
	return r
}
