package store

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"weak"

	"almanac/internal/stat"
)

// codeList is a list of codes with its look-ups, shared by all the vintages
// that have it.
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

// codeList returns the code list with a digest. Vintages that have equal lists
// share one in memory, for as long as any of them lives.
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
