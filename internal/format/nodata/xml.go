package nodata

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// firstElement is the name, without its prefix, of the first element of a
// text of XML or HTML; empty if it is neither. What stands before an element
// (declarations, comments) is passed over; rest begins after the name.
func firstElement(text []byte) (name string, rest []byte) {
	for range 32 {
		text = textStart(text)
		switch {
		case bytes.HasPrefix(text, []byte("<!--")):
			text = after(text, "-->")
		case bytes.HasPrefix(text, []byte("<?")):
			text = after(text, "?>")
		case len(text) > 9 && strings.EqualFold(string(text[:9]), "<!doctype"):
			if fields := bytes.Fields(text[9:min(len(text), 200)]); len(fields) > 0 {
				if word := bytes.TrimRight(fields[0], ">"); strings.EqualFold(string(word), "html") {
					return "html", nil
				}
			}
			text = after(text, ">")
		case bytes.HasPrefix(text, []byte("<")):
			end := bytes.IndexAny(text[1:], " \t\r\n/>")
			if end < 1 {
				return "", nil
			}
			word := string(text[1 : 1+end])
			if at := strings.LastIndexByte(word, ':'); at >= 0 {
				word = word[at+1:]
			}
			return word, text[1+end:]
		default:
			return "", nil
		}
	}
	return "", nil
}

// after is the text after the first occurrence of an end; nothing if there is
// none.
func after(text []byte, end string) []byte {
	_, rest, _ := bytes.Cut(text, []byte(end))
	return rest
}

// isXMLError recognises answers that are errors: those of SDMX, of web services,
// of the World Bank. An envelope of a web service is one unless data stand in
// it; it may say that the data are still being prepared.
func isXMLError(_ string, head []byte) bool {
	name, rest := firstElement(textStart(head))
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

// maxErrorDepth bounds how deep the elements of an answer stand.
const maxErrorDepth = 64

// plainElements are elements whose text needs no name before it.
var plainElements = []string{"Text", "ErrorMessage", "faultstring", "message", "Fault"}

// xmlWords are the words of an answer in XML: all its text, with the names of
// the elements that it stands in, and the codes that it gives.
func xmlWords(text io.Reader) (string, error) {
	d := xml.NewDecoder(text)
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	var words []string
	element := ""
	for depth, size := 0, 0; size < 4096; {
		token, err := d.RawToken()
		if err != nil {
			break // what was understood until here is said
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
