package people

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"almanac/internal/stat"
)

// Bounds of stored selections.
const (
	MaxSelection  = 32 << 10 // bytes of one
	maxSelections = 20_000
	selectionHash = 32 // characters
)

// StoreSelection stores the selection of a page, which is too long for an address, and returns its
// hash. The same selection has the same hash always.
func (p *People) StoreSelection(ctx context.Context, query string) (hash string, err error) {
	if len(query) > MaxSelection {
		return "", stat.Errorf(stat.Invalid, "the selection has %d characters; at most %d can be stored", len(query), MaxSelection)
	}
	sum := sha256.Sum256([]byte(query))
	hash = hex.EncodeToString(sum[:])[:selectionHash]
	return hash, p.db.PutSelection(ctx, hash, query, p.now(), maxSelections)
}

// Selection returns a stored selection. The error is [stat.NotFound] if there is none with the hash:
// the ones that were used longest ago are deleted.
func (p *People) Selection(ctx context.Context, hash string) (query string, err error) {
	query, err = p.db.Selection(ctx, hash, p.now())
	if err == nil && query == "" {
		err = stat.Errorf(stat.NotFound, "there is no stored selection %.40q", hash)
	}
	return query, err
}
