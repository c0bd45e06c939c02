package portal

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Bounds of an answer as the guide shows it.
const (
	outlineItems = 3   // of a list
	outlineNames = 10  // of an object
	outlineText  = 90  // characters of a text
	outlineWidth = 64  // characters of what stands on one line
	outlineLines = 6   // of an answer that is not JSON
	outlineLine  = 160 // characters of a line of it
)

// outline returns an answer of the interface as readers take it in: JSON in lines, with long lists
// and texts cut, and of other answers the first lines. "…" stands for what is left out.
func outline(answer []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.UseNumber()
	if len(answer) > 0 && (answer[0] == '{' || answer[0] == '[') {
		if value, err := readOutline(decoder); err == nil {
			return value.text("")
		}
	}
	lines := strings.Split(strings.TrimRight(string(answer), "\n"), "\n")
	isCut := len(lines) > outlineLines
	lines = lines[:min(len(lines), outlineLines)]
	for i, line := range lines {
		lines[i] = cutText(strings.TrimRight(line, "\r"), outlineLine)
	}
	if isCut {
		lines = append(lines, "…")
	}
	return strings.Join(lines, "\n")
}

func cutText(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// outlined is a value of JSON: a scalar, or the parts of a list or of an object, in order.
type outlined struct {
	scalar      string
	open, close string // brackets; empty for a scalar
	names       []string
	parts       []*outlined
	isCut       bool
}

func readOutline(d *json.Decoder) (*outlined, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	bracket, isBracket := token.(json.Delim)
	if !isBracket {
		return &outlined{scalar: scalarText(token)}, nil
	}
	v := &outlined{open: "[", close: "]"}
	most := outlineItems
	if bracket == '{' {
		v.open, v.close, most = "{", "}", outlineNames
	}
	for d.More() {
		name := ""
		if bracket == '{' {
			token, err := d.Token()
			if err != nil {
				return nil, err
			}
			name = token.(string)
		}
		part, err := readOutline(d)
		if err != nil {
			return nil, err
		}
		if v.isCut = len(v.parts) == most; !v.isCut {
			v.names, v.parts = append(v.names, name), append(v.parts, part)
		}
	}
	_, err = d.Token()
	return v, err
}

func scalarText(token json.Token) string {
	switch v := token.(type) {
	case string:
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(cutText(v, outlineText)) // a text can be encoded
		return strings.TrimSpace(b.String())
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return "null"
}

// text writes the value on one line if it is short, else a part a line.
func (v *outlined) text(indent string) string {
	if v.open == "" {
		return v.scalar
	}
	var parts []string
	isShort := true
	length := len(indent)
	for i, part := range v.parts {
		text := part.text(indent + "  ")
		if v.open == "{" {
			text = strconv.Quote(v.names[i]) + ": " + text
		}
		length += len(text) + 2
		isShort = isShort && !strings.Contains(text, "\n")
		parts = append(parts, text)
	}
	if v.isCut {
		parts = append(parts, "…")
	}
	if isShort && length <= outlineWidth || len(parts) == 0 {
		return v.open + strings.Join(parts, ", ") + v.close
	}
	inner := "\n" + indent + "  "
	return v.open + inner + strings.Join(parts, ","+inner) + "\n" + indent + v.close
}
