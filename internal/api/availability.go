package api

import (
	"almanac/internal/request"
	"almanac/internal/store"
)

// availability replies with what still gives data under a selection.
func (x *exchange) availability() (*reply, error) {
	p, invalid := request.BindAvailability(x.r.URL.RawQuery)
	sel, err := x.readSelection(&p.Data, invalid)
	if err != nil {
		return nil, err
	}
	read := func() (*request.Left, error) {
		found, err := sel.vintage.Availability(x.r.Context(), sel.query, p.Coverage)
		if err != nil {
			return nil, err
		}
		notices := sel.notices
		if found.Selected == (store.Available{}) && len(notices) == 0 {
			notices = []request.Notice{request.NoMatch(sel.vintage, p.Data)}
		}
		return &request.Left{Dataset: sel.vintage.Dataset, Availability: found, Notices: withoutKeys(notices)}, nil
	}
	if x.wantsValue() {
		left, err := read()
		return &reply{value: left}, err
	}
	encode := func(s *stream) error {
		left, err := read()
		if err != nil {
			return err
		}
		if err := s.Availability(left.Dataset, left.Availability); err != nil {
			return err
		}
		s.Buf = append(appendNotices(s.Buf, left.Notices), '}')
		return nil
	}
	form := "availability"
	if p.Coverage {
		form = "availability with coverage"
	}
	return &reply{tag: sel.tag(form), modified: sel.modified(), encode: encode}, nil
}

func (x *exchange) availabilityWantsFollowed() bool {
	p, _ := request.BindAvailability(x.r.URL.RawQuery) // other errors do not matter here
	return p.Followed
}
