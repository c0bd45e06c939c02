package json

import "almanac/internal/stat"

// Numbers writes numbers as the interface does: the shortest decimal that reads back as the
// same value, without exponent below 1e21, and negative zero as 0. The zero value is ready
// to use.
type Numbers struct{ encoder numberEncoder }

// Append appends a number, which must be finite.
func (n *Numbers) Append(buf []byte, v float64) []byte { return n.encoder.append(buf, v, 0) }

// AppendOf appends a number of a block with these decimals, which must be finite.
func (n *Numbers) AppendOf(buf []byte, v float64, d stat.Decimals) []byte {
	return n.encoder.append(buf, v, d)
}
