package charset_test

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"pgregory.net/rapid"

	"almanac/internal/format/text/charset"
	"almanac/internal/stattest/property"
)

// sample is a text of an office and an encoding in which the office may write it.
type sample struct{ name, text string }

// samples reads testdata/texts.txt: lines of encodings and a text.
func samples(t testing.TB) (all []sample) {
	t.Helper()
	data, err := os.ReadFile("testdata/texts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		names, text, _ := strings.Cut(line, ": ")
		for name := range strings.FieldsSeq(names) {
			all = append(all, sample{name, text})
		}
	}
	return all
}

func (s sample) encoding() encoding.Encoding {
	if e, err := htmlindex.Get(s.name); err == nil {
		return e
	}
	e, err := ianaindex.IANA.Encoding(strings.Replace(s.name, "cp", "ibm", 1))
	if err != nil {
		panic(err)
	}
	return e
}

func collect(text string) *charset.Collector {
	c := &charset.Collector{}
	_, _ = c.Write([]byte(text)) // never fails
	_ = c.Close()
	return c
}

// TestDetect finds the encodings of texts in the languages of offices.
func TestDetect(t *testing.T) {
	for _, s := range samples(t) {
		encoded, err := s.encoding().NewEncoder().String(s.text)
		if err != nil {
			t.Errorf("%s: the text cannot be written in it: %.40s", s.name, s.text)
			continue
		}
		found := collect(encoded).Detect()
		if found.Encoding == nil {
			t.Errorf("%s: not found, the best are %q: %.40s", s.name, found.Likely, s.text)
			continue
		}
		if decoded, _ := found.Encoding.NewDecoder().String(encoded); decoded != s.text {
			t.Errorf("%s is taken for %s:\n%.80s\n%.80s", s.name, found.Name, s.text, decoded)
		}
	}
}

// TestNeverWrong: a part of a text, with numbers between its words, is decoded exactly or
// not at all.
func TestNeverWrong(t *testing.T) {
	all := samples(t)
	refused, total := 0, 0
	property.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(all).Draw(t, "text")
		words := strings.Fields(s.text)
		first := rapid.IntRange(0, max(len(words)-6, 0)).Draw(t, "first")
		last := rapid.IntRange(min(first+6, len(words)), len(words)).Draw(t, "last")
		text := strings.Join(words[first:last], ";1,5\n")
		encoded, err := s.encoding().NewEncoder().String(text)
		if err != nil || encoded == text {
			return
		}
		total++
		found := collect(encoded).Detect()
		if found.Encoding == nil {
			refused++
			return
		}
		if decoded, _ := found.Encoding.NewDecoder().String(encoded); decoded != text {
			t.Fatalf("%s is taken for %s:\n%s\n%s", s.name, found.Name, text, decoded)
		}
	})
	if refused*2 > total {
		t.Errorf("%d of %d texts are refused", refused, total)
	}
}

// TestStrayByte: text in UTF-8 with one wrong byte is damaged, and the byte is found.
func TestStrayByte(t *testing.T) {
	all := samples(t)
	property.Check(t, func(t *rapid.T) {
		text := []byte(rapid.SampledFrom(all).Draw(t, "text").text)
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		if text[at] >= 0x80 { // a byte between characters, so that its place is known
			return
		}
		text[at] = byte(rapid.IntRange(0x80, 0xff).Draw(t, "byte"))
		c := collect(string(text))
		if c.Strays == 0 { // it completes a character, by chance
			return
		}
		if !c.IsDamagedUTF8() {
			t.Fatalf("%d characters, %d stray bytes: not damaged", c.Sequences, c.Strays)
		}
		if got := c.First.Column; got != at+1 || c.Byte != text[at] {
			t.Fatalf("the stray byte is %#x in column %d, want %#x in %d", c.Byte, got, text[at], at+1)
		}
	})
}

// TestUndecided: letters that make sense in no encoding, or in several, decide nothing.
func TestUndecided(t *testing.T) {
	for _, text := range []string{"Total \xe3", "\x80\x81\xff\xfe\x90", "x\xf1"} {
		if found := collect(text).Detect(); found.Encoding != nil {
			decoded, _ := found.Encoding.NewDecoder().String(text)
			t.Errorf("%q is taken for %s: %q", text, found.Name, decoded)
		}
	}
}
