package chart

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/stat"
)

// Edition is part of every digest. Increase it when the same Spec is drawn differently,
// so that the new picture gets a new address.
const Edition = "5"

// Encode returns a Spec as JSON and its digest, 32 hexadecimal digits.
func (s *Spec) Encode() (text []byte, digest string) {
	head := []byte("chart " + Edition + " ")
	text = s.appendJSON(head)
	sum := sha256.Sum256(text)
	return text[len(head):], hex.EncodeToString(sum[:16])
}

// appendJSON appends the Spec as JSON. Its periods and values, which are nearly all of a long text, are put in afterwards: package json
// would read again what their methods write.
func (s *Spec) appendJSON(buf []byte) []byte {
	short := *s
	short.Periods, short.Series = nil, slices.Clone(s.Series)
	for i := range short.Series {
		short.Series[i].Values = nil
	}
	rest, err := json.Marshal(&short)
	if err != nil {
		panic(fmt.Sprintf("chart: cannot encode a spec as JSON: %v", err)) // cannot happen: New rejects infinite values
	}
	before, rest, _ := bytes.Cut(rest, []byte(`"Periods":null`)) // no text has it, because quotes in a text have a backslash
	buf = s.Periods.appendJSON(append(append(buf, before...), `"Periods":`...))
	for i := range s.Series {
		before, rest, _ = bytes.Cut(rest, []byte(`"Values":[]`))
		buf = s.Series[i].Values.appendJSON(append(append(buf, before...), `"Values":`...))
	}
	return append(buf, rest...)
}

// Decode reads what Encode wrote. The outlines of a map are those of an atlas, nil for the
// embedded ones; if it no longer has them, the error is [stat.NotFound].
func Decode(text []byte, from *atlas.Atlas) (*Spec, error) {
	s := &Spec{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("decode chart spec: %w", err)
	}
	if s.Outlines == "" {
		return s, nil
	}
	if from == nil {
		from = atlas.New()
	}
	if s.set = from.Named(s.Outlines); s.set == nil {
		return nil, stat.Errorf(stat.NotFound, "the chart needs the borders %s, which have been replaced; request it again", s.Outlines)
	}
	return s, nil
}
