package agent

import (
	"fmt"

	"almanac/internal/search/terms"
)

// resolve returns the code of the value of a dimension that a text means, if it is just one: a code or label in other letters, or else
// a label that is another word for the same, such as "Frauen" for women, which a notice says. Other texts stay as they are.
func (of *structure) resolve(d *dimension, text string) string {
	var called []*codeLabel
	for i := range d.Values {
		v := &d.Values[i]
		switch {
		case v.isNamed && v.Label == text:
			return v.Code
		case v.Code == text || v.Label == text:
			return text
		case v.isCalled(text):
			called = append(called, v)
		}
	}
	switch len(called) {
	case 1:
		return called[0].Code
	case 0:
		if v := d.meant(text); v != nil {
			of.readAs = append(of.readAs, fmt.Sprintf("%q is read as %s", text, withCode(v.Label, v.Code)))
			return v.Code
		}
	}
	return text
}

// meant returns the only value of a dimension whose label is another word for a text, nil if there is none or several.
func (d *dimension) meant(text string) (only *codeLabel) {
	for i := range d.Values {
		v := &d.Values[i]
		switch {
		case !terms.Load().AreSame(text, v.Label):
		case only != nil:
			return nil
		default:
			only = v
		}
	}
	return only
}
