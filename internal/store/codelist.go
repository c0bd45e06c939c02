package store

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"weak"

	"almanac/internal/stat"
)

// codeList is a list of codes with lookup tables, shared by all vintages that use
// it.
type codeList struct {
	codes   []stat.Code
	byLabel map[string]int32
	byID    map[string]int32
}

func newCodeList(codes []stat.Code) *codeList {
	l := &codeList{codes: codes, byLabel: make(map[string]int32, len(codes)), byID: make(map[string]int32, len(codes))}
	for i, code := range codes {
		l.byLabel[code.Label] = int32(i)
		l.byID[code.ID] = int32(i)
	}
	return l
}

// codeList returns the code list with a digest. Vintages share one in memory as
// long as any of them uses it.
func (s *Store) codeList(ctx context.Context, digest string) (*codeList, error) {
	if at, ok := s.codeLists.Load(digest); ok {
		if l := at.(weak.Pointer[codeList]).Value(); l != nil {
			return l, nil
		}
	}
	body, err := s.catalog.CodeList(ctx, digest)
	if err != nil {
		return nil, err
	}
	var codes []stat.Code
	if err := json.Unmarshal(body, &codes); err != nil {
		return nil, fmt.Errorf("reading code list %s: %w", digest, err)
	}
	l := newCodeList(codes)
	at := weak.Make(l)
	s.codeLists.Store(digest, at)
	runtime.AddCleanup(l, func(digest string) { s.codeLists.CompareAndDelete(digest, at) }, digest)
	return l, nil
}
