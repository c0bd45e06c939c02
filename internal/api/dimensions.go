package api

import (
	"strconv"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// dimensions answers with the values that a dataset can be filtered by.
func (x *exchange) dimensions() (reply, error) {
	v, err := x.bare()
	if err != nil {
		return reply{}, err
	}
	c := cardOf(v)
	encode := func(s *stream) error { return encodeDimensions(s, v) }
	return reply{contentType: applicationJSON, tag: c.tag("dimensions"), modified: c.modified, encode: encode}, nil
}

func encodeDimensions(s *stream, v *store.Vintage) error {
	d := v.Dataset
	s.buf = append(s.buf, `{"dimensions":[`...)
	for i := range d.Dimensions {
		dim := &d.Dimensions[i]
		s.buf = append(appendComma(s.buf), '{')
		s.buf = appendText(s.buf, "dim", "dim"+strconv.Itoa(i+1))
		s.buf = appendText(s.buf, "id", dim.ID)
		s.buf = appendText(s.buf, "label", dim.Label)
		s.buf = appendText(s.buf, "role", string(dim.Role))
		s.buf = appendName(s.buf, "values")
		if err := encodeCodes(s, dim.Codes); err != nil {
			return err
		}
		s.buf = append(s.buf, '}')
	}
	s.buf = append(s.buf, `],"geography":`...)
	if err := encodeCodes(s, d.Geography.Codes); err != nil {
		return err
	}
	s.buf = appendText(s.buf, "oldest_period", v.Oldest.String())
	s.buf = append(appendText(s.buf, "latest_period", v.Newest.String()), '}')
	return nil
}

// encodeCodes writes the values of a dimension.
func encodeCodes(s *stream, codes []stat.Code) error {
	s.buf = append(s.buf, '[')
	for i, c := range codes {
		if i > 0 {
			s.buf = append(s.buf, ',')
		}
		s.buf = appendString(append(s.buf, `{"code":`...), c.ID)
		s.buf = appendString(append(s.buf, `,"label":`...), c.Label)
		s.buf = append(s.buf, '}')
		if err := s.pass(); err != nil {
			return err
		}
	}
	s.buf = append(s.buf, ']')
	return nil
}
