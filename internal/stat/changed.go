package stat

import (
	"encoding/json"
	"strings"
)

// Changed lists what a vintage changed besides observations: labels, metadata, structure and
// units, in this order, separated by spaces. Its JSON is an array.
type Changed string

// List returns the words.
func (c Changed) List() []string { return strings.Fields(string(c)) }

// MarshalJSON writes the words as an array.
func (c Changed) MarshalJSON() ([]byte, error) { return json.Marshal(c.List()) }

// UnmarshalJSON reads an array of words.
func (c *Changed) UnmarshalJSON(text []byte) error {
	var list []string
	err := json.Unmarshal(text, &list)
	*c = Changed(strings.Join(list, " "))
	return err
}
