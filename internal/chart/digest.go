package chart

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Edition is part of every digest. It goes up when the same Spec is drawn
// differently, so that a new picture gets a new address.
const Edition = "1"

// Encode returns a Spec as JSON and the digest that it is known by, 32
// hexadecimal digits.
func (s *Spec) Encode() (text []byte, digest string) {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("chart: a spec that is no JSON: %v", err)) // New lets no infinity in
	}
	sum := sha256.Sum256(append([]byte("chart "+Edition+" "), text...))
	return text, hex.EncodeToString(sum[:16])
}

// Decode reads what Encode wrote.
func Decode(text []byte) (*Spec, error) {
	s := &Spec{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("reading the spec of a chart: %w", err)
	}
	return s, nil
}
