package jsonscan_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// rebuild returns the value that encoding/json decodes from the text.
func rebuild(j *jsonscan.Scanner) (any, error) {
	v, err := value(j)
	if err != nil {
		return nil, err
	}
	end, err := j.Next()
	if err == nil && end.Kind != jsonscan.End {
		return nil, fmt.Errorf("a token %q after the end", end.Kind)
	}
	return v, err
}

func value(j *jsonscan.Scanner) (any, error) {
	token, err := j.Next()
	if err != nil {
		return nil, err
	}
	if token.At.Line < 1 || token.At.Column < 1 {
		return nil, fmt.Errorf("a token at %v", token.At)
	}
	switch token.Kind {
	case jsonscan.Object:
		object := map[string]any{}
		for {
			name, err := j.Next()
			if err != nil || name.Kind == jsonscan.ObjectEnd {
				return object, err
			}
			key := string(name.Text)
			if object[key], err = value(j); err != nil {
				return nil, err
			}
		}
	case jsonscan.Array:
		array := []any{}
		for {
			v, err := value(j)
			if err == errEnd {
				return array, nil
			}
			if err != nil {
				return nil, err
			}
			array = append(array, v)
		}
	case jsonscan.ArrayEnd:
		return nil, errEnd
	case jsonscan.String:
		return string(token.Text), nil
	case jsonscan.Number:
		return json.Number(token.Text), nil
	case jsonscan.True, jsonscan.False:
		return token.Kind == jsonscan.True, nil
	case jsonscan.Null:
		return nil, nil
	}
	return nil, fmt.Errorf("a token of the kind %q", token.Kind)
}

var errEnd = errors.New("end of an array")

// FuzzJSON: the tokens are those of encoding/json, and text that it refuses is an error
// with a position.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-0.5e+3,"x\n\u00e9\ud83d\ude00\ud83dx",true,false,null,{}],"b":{"c":[]}}`, ` [ ] `, `{"a":1,}`, `[1,]`, `[,1]`, `{,}`, `[1 2]`,
		`{"a" 1}`, `{1:2}`, `"`, `"\x"`, `01`, `1.`, `.5`, `-`, `+1`, `NaN`, `tru`, `nulll`, `[]]`, `[}`, `{]`, `1 2`, ``, "[\"\t\"]", `{"a":1 "b":2}`,
		`{"a":}`, `{"a"}`, `[1`, `{"a":1`, `"\u12"`, `:1`, `,1`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ToValidUTF8(text, "") != text || strings.Count(text, "[")+strings.Count(text, "{") > 60 {
			return // encoding/json repairs the one, and allows the other
		}
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var want any
		wantErr := d.Decode(&want)
		if wantErr == nil {
			if _, err := d.Token(); err != io.EOF {
				wantErr = errors.New("more after the end")
			}
		}
		got, err := rebuild(jsonscan.New(strings.NewReader(text)))
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: error %v; encoding/json returns %v", text, err, wantErr)
		}
		var at *stat.FileError
		if err != nil && (!errors.As(err, &at) || at.At.Line < 1 || at.At.Column < 1) {
			t.Fatalf("%q: the error has no place: %v", text, err)
		}
		if err == nil && fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
			t.Fatalf("%q: %#v, want %#v", text, got, want)
		}
	})
}

// TestJSONPlace: errors have their position in the text.
func TestJSONPlace(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": 1,\n  \"b\": x\n}":   "file:3:8: ",
		"{\n  \"a\": 1":                   "file:2:9: ",
		"[1,\n2 3]":                       "file:2:3: ",
		"[01]":                            "file:1:2: ",
		strings.Repeat("[", 1<<17):        "file:1:65: ",
		`["` + strings.Repeat("x", 2<<20): "file:1:104",
	} {
		j := jsonscan.New(strings.NewReader(text))
		var err error
		for token := (jsonscan.Token{Kind: 1}); err == nil && token.Kind != jsonscan.End; {
			token, err = j.Next()
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.20q: %v; want an error at %s", text, err, want)
		}
	}
}

// TestJSONRecord: a record has the path of each scalar.
func TestJSONRecord(t *testing.T) {
	j := jsonscan.New(strings.NewReader(`{"a":{"id":"x","of":{"n":1}},"list":[{"id":2}],"b":null} `))
	if token, err := j.Next(); err != nil || token.Kind != jsonscan.Object {
		t.Fatal(token, err)
	}
	var got []string
	err := j.Record(func(path []byte, v jsonscan.Token) error {
		got = append(got, fmt.Sprintf("%s=%s@%d", path, v.Text, v.At.Column))
		return nil
	})
	if want := "a.id=x@12 a.of.n=1@26 b=null@52"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if token, err := j.Next(); err != nil || token.Kind != jsonscan.End {
		t.Error(token, err)
	}
}
