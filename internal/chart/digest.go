package chart

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Edition is part of every digest. Increase it when the same Spec is drawn differently,
// so that the new picture gets a new address.
const Edition = "1"

// Encode returns a Spec as JSON and its digest, 32 hexadecimal digits.
func (s *Spec) Encode() (text []byte, digest string) {
	text, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("chart: cannot encode a spec as JSON: %v", err)) // cannot happen: New rejects infinite values
	}
	sum := sha256.Sum256(append([]byte("chart "+Edition+" "), text...))
	return text, hex.EncodeToString(sum[:16])
}

// Decode reads what Encode wrote.
func Decode(text []byte) (*Spec, error) {
	s := &Spec{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("decode chart spec: %w", err)
	}
	return s, nil
}
