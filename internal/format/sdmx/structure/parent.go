package structure

import (
	"cmp"
	"strings"
)

// above names the code above another: in an element of its own in version 2.1, as text in
// version 3.0.
type above struct {
	Ref struct {
		ID string `xml:"id,attr"`
	} `xml:"Ref"`
	Text string `xml:",chardata"`
}

// parents returns the code above the code, if the list states one.
func (c *code) parents() []string {
	parent := cmp.Or(c.Parent, c.ParentCode, c.Above.Ref.ID, strings.TrimSpace(c.Above.Text))
	if parent == "" {
		return nil
	}
	return []string{parent}
}
