package api

import (
	"encoding/binary"
	"slices"
	"strings"

	"almanac/internal/encode/json"
	"almanac/internal/geo"
	"almanac/internal/request"
	"almanac/internal/store"
)

// catalogTime is the time format of the catalogue, with an offset without a colon.
const catalogTime = "2006-01-02T15:04:05-0700"

// catalogText has the entries of the catalogue as JSON, rendered once: entry i is
// text[ends[i-1]:ends[i]] and begins with a comma.
type catalogText struct {
	text     []byte
	ends     []int
	identity []byte // begins every tag
	modified lastModified
}

type catalogTextKey struct{}

func catalogTextOf(c *store.Catalog) *catalogText {
	return c.Memo(catalogTextKey{}, func() any {
		t := &catalogText{ends: make([]int, len(c.Entries)), modified: modifiedAt(c.Changed)}
		t.identity = binary.AppendVarint([]byte("catalog "+encoderVersion+" "), c.Generation)
		t.identity = binary.AppendVarint(t.identity, c.Changed.UnixNano())
		t.identity = binary.AppendVarint(t.identity, int64(len(c.Entries)))
		for i := range c.Entries {
			e := &c.Entries[i]
			t.text = append(appendEntry(append(t.text, ',', '{'), e, e.Name), '}')
			t.ends[i] = len(t.text)
		}
		return t
	}).(*catalogText)
}

// entries returns entries i to j-1, at least one, without the leading comma.
func (t *catalogText) entries(i, j int) []byte {
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.text[start+1 : t.ends[j-1]]
}

func (x *exchange) catalog() (*reply, error) {
	p, err := bind[request.Catalog](x)
	if err == nil {
		err = x.api.checkLimit(p.Limit)
	}
	if err != nil {
		return nil, err
	}
	c := x.api.opts.Store.Catalog()
	readers, err := request.ReadersOf(c, p.Lang, x.acceptLanguage())
	if err != nil {
		return nil, err
	}
	if request.HaveSeveralNames(c) {
		x.w.Header()["Vary"] = varyLanguage
	}
	if !p.IsPlain() || readers != nil {
		return x.listing(c, &p, readers)
	}
	t := catalogTextOf(c)
	what := binary.AppendUvarint(slices.Clip(t.identity), uint64(p.Page))
	what = binary.AppendUvarint(what, uint64(p.Limit))
	total := len(c.Entries)
	found, isEmpty := withAreas(c, &p)
	if isEmpty {
		return x.listing(c, &p, readers) // with a notice
	}
	if found != nil {
		total = len(found)
	}
	if p.Country != "" {
		what = append(append(what, ' '), strings.Join(request.CountryAreas(p.Country), " ")...)
	}
	if p.Within != "" {
		what = append(append(what, " within "...), p.Within...)
	}
	x.linkPages(p.Page, p.Limit, total)
	encode := func(s *stream) error {
		from, to := pageBounds(p.Page, p.Limit, total)
		s.Buf = append(s.Buf, `{"data":[`...)
		if found != nil {
			for _, at := range found[from:to] {
				s.Buf = append(json.AppendComma(s.Buf), t.entries(int(at), int(at)+1)...)
			}
		} else if from < to {
			s.Buf = append(s.Buf, t.entries(from, to)...)
		}
		s.Buf = append(appendPagination(append(s.Buf, ']'), p.Page, p.Limit, total), '}')
		return s.Flush()
	}
	return &reply{tag: tagOf(what), modified: t.modified, encode: encode}, nil
}

// withAreas returns the positions of the datasets with the areas of the parameters, nil without
// any. isEmpty is true if there are none for a reason that a notice must state.
func withAreas(c *store.Catalog, p *request.Catalog) (found []int32, isEmpty bool) {
	if p.Country != "" {
		found = c.With(request.CountryAreas(p.Country)...)
		if found == nil {
			found = []int32{}
		}
	}
	if p.Within == "" {
		return found, false
	}
	in := c.Select(geo.WholeOf(p.Within).Has)
	if p.Country != "" && len(in) > 0 {
		in = slices.DeleteFunc(slices.Clone(in), func(at int32) bool {
			_, isFound := slices.BinarySearch(found, at)
			return !isFound
		})
		return in, false
	}
	return in, len(in) == 0
}
