package encode

import (
	"strings"
	"time"
)

// Fact is something that is true of all numbers of a table.
type Fact struct {
	Name  string // for machines: "licence_url"
	Label string // for people: "Address of the licence"
	Text  string // not empty
}

// Facts returns what a form with room for metadata says of a table, in order. It is the same
// each time that the same version is read in the same way. isEmpty says that the table has no
// observations, which must have been read.
func (t *Table) Facts(isEmpty bool) []Fact {
	v, d := t.Vintage, t.Vintage.Dataset
	facts := []Fact{
		{"title", "Title", d.Name},
		{"description", "Description", d.Description},
		{"dataset", "Dataset", t.Reference()},
		{"source", "Source", d.Source.Name},
		{"source_url", "Address of the source", d.SourceURL},
		{"metadata_url", "Metadata of the source", d.MetadataURL},
		{"licence", "Licence", t.Licence.Name},
		{"licence_url", "Address of the licence", t.Licence.Terms()},
		{"licence_note", "Conditions", t.Licence.Note},
		{"attribution", "Attribution", t.Licence.Attribution},
		{"version", "Version", v.Version},
		{"versions_url", "All versions", t.Versions},
		{"last_update", "Updated by the source", updatedAt(t)},
		{"imported", "Imported", v.Imported.UTC().Format(time.RFC3339)},
		{"partial", "Incomplete", d.Partial},
		{"language", "Language", d.Language},
		{"transform", "Derived values", t.Transform},
		{"address", "Address of these data", t.Address},
	}
	var known []Fact
	for _, f := range facts {
		if f.Text != "" {
			known = append(known, f)
		}
	}
	if t.Notices == nil {
		return known
	}
	var notices []string
	for _, n := range t.Notices(isEmpty) {
		notices = append(notices, n.String())
	}
	if len(notices) > 0 {
		known = append(known, Fact{"notices", "Notices", strings.Join(notices, "\n")})
	}
	return known
}

// updatedAt returns the day on which the source updated the data; empty if it does not state it.
func updatedAt(t *Table) string {
	if !t.HasUpdateTime() {
		return ""
	}
	return t.Vintage.LastUpdate.Format(time.DateOnly)
}
