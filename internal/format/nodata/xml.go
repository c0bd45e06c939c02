package nodata

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// isXMLError recognises answers that are errors: of SDMX, of web services, and of
// the World Bank. An envelope of a web service is one if it does not contain data;
// it may say that the data are still being prepared.
func isXMLError(_ string, head []byte) bool {
	name, rest := text.FirstElement(head)
	switch name {
	case "Error", "ErrorMessage", "Fault", "error":
		return true
	case "Envelope":
		return !bytes.Contains(rest, []byte("DataSet"))
	case "RegistryInterface":
		return bytes.Contains(rest, []byte(`status="Failure"`))
	}
	return bytes.Contains(rest, []byte("www.worldbank.org")) && bytes.Contains(rest, []byte(":message "))
}

const maxErrorDepth = 64 // of elements

// plainElements are elements whose text needs no name before it.
var plainElements = []string{"Text", "ErrorMessage", "faultstring", "message", "Fault"}

// xmlWords returns the words of an answer in XML: its text with the names of the
// elements, and its codes.
func xmlWords(answer io.Reader) (string, error) {
	d := xml.NewDecoder(answer)
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is already UTF-8
	var words []string
	element := ""
	for depth, size := 0, 0; size < 4096; {
		token, err := d.RawToken()
		if err != nil {
			break // the words up to here are used
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxErrorDepth {
				return "", stat.BadFile(stat.Position{Line: 1}, "elements are nested more than %d deep", maxErrorDepth)
			}
			element = token.Name.Local
			for _, a := range token.Attr {
				if strings.EqualFold(a.Name.Local, "code") && len(a.Value) < 40 {
					words = append(words, "code "+a.Value+":")
				}
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if word := strings.TrimSpace(string(token)); word != "" {
				if !slices.Contains(plainElements, element) {
					word = element + " " + word
				}
				words = append(words, word)
				size += len(word)
			}
		}
	}
	return strings.Join(words, " "), nil
}
