package chart

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"almanac/internal/chart/atlas"
	"almanac/internal/stat"
)

// Edition is part of every digest. Increase it when the same Spec is drawn differently,
// so that the new picture gets a new address.
const Edition = "3"

// Encode returns a Spec as JSON and its digest, 32 hexadecimal digits.
func (s *Spec) Encode() (text []byte, digest string) {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("chart: cannot encode a spec as JSON: %v", err)) // cannot happen: New rejects infinite values
	}
	sum := sha256.Sum256(append([]byte("chart "+Edition+" "), text...))
	return text, hex.EncodeToString(sum[:16])
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
