package text_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

func open(data []byte, declared string) (decoded, note string, err error) {
	var report stat.Report
	file, err := text.Open(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }, declared, &report)
	if err != nil {
		return "", "", err
	}
	defer file.Close()
	all, err := io.ReadAll(file)
	for _, n := range report.Notes() {
		note += n.Example
	}
	return string(all), note, err
}

const polish = "Województwo;Płeć;Wartość\nŁódzkie;mężczyźni;1,5\nŚwiętokrzyskie;kobiety;2,5\n"

// TestOpenByWords checks that a file without a declared encoding is read by its words.
func TestOpenByWords(t *testing.T) {
	encoded, err := charmap.Windows1250.NewEncoder().String(polish)
	if err != nil {
		t.Fatal(err)
	}
	got, note, err := open([]byte(encoded), "")
	if err != nil || got != polish || note != "windows-1250" {
		t.Errorf("got %q, note %q, error %v", got, note, err)
	}
}

// TestOpenStrayByte checks that UTF-8 with one wrong byte is refused with its place.
func TestOpenStrayByte(t *testing.T) {
	damaged := strings.Replace(polish, ";kobiety", "\xb3;kobiety", 1)
	for _, declared := range []string{"", "utf-8", "UTF-8"} {
		_, _, err := open([]byte(damaged), declared)
		if err == nil || !strings.Contains(err.Error(), "file:3:17: the byte 0xB3 is not UTF-8") {
			t.Errorf("declared %q: the error is %v", declared, err)
		}
	}
}

// TestOpenDeclared checks that a declared encoding is used unless the text has bytes that
// it lacks; the words decide then, or the error names the place.
func TestOpenDeclared(t *testing.T) {
	for _, c := range []struct{ data, declared, want, err string }{
		{"x\xe3", "iso-8859-2", "xă", ""},
		{"l\x92\xe9cole et les \xe9l\xe8ves", "iso-8859-15", "l’école et les élèves", ""},
		{"a,b\nx,\xff\xff\n", "shift_jis", "", "file:2:3: the text has a byte here that is not in its encoding, shift_jis"},
		{"x", "klingon", "x", ""}, // ASCII needs no encoding
		{"\xe9", "klingon", "", "unknown text encoding"},
	} {
		got, _, err := open([]byte(c.data), c.declared)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q in %s: got %q, %v; want %q, %q", c.data, c.declared, got, err, c.want, c.err)
		}
	}
}

// TestOpenUnclear checks that an unclear encoding is refused, and that one is suggested.
func TestOpenUnclear(t *testing.T) {
	_, _, err := open([]byte("a,b\nTotal \xe3,1\n"), "")
	if err == nil || !strings.Contains(err.Error(), "file:2:7:") || !strings.Contains(err.Error(), "state the encoding") {
		t.Fatalf("the error is %v", err)
	}
	if s := stat.SuggestionsOf(err); len(s) != 1 || s[0].Option != "encoding" || s[0].Value == "" {
		t.Errorf("the suggestions are %v", s)
	}
}
