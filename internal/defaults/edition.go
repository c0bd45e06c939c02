package defaults

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"

	"almanac/internal/stat"
)

// Edition names the rules and the table: a default series that another edition chose is
// chosen again. Increase the number when a rule changes.
var Edition = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(wellKnownText))
	return "1-" + hex.EncodeToString(sum[:4])
})

// of returns the codes for a dimension, best first; nil if the table has none.
func (k Known) of(d *stat.Dimension) []string { return k.Codes[strings.ToLower(d.ID)] }
