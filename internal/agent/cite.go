package agent

import (
	"cmp"
	"fmt"
	"strings"

	"almanac/internal/chart/caption"
)

// metadata are the members of a dataset's metadata that tools use.
type metadata struct {
	ID           int      `json:"id"`
	Code         string   `json:"dataset_code"`
	Name         string   `json:"dataset_name"`
	Description  string   `json:"description"`
	Source       string   `json:"source"`
	SourceName   string   `json:"source_name"`
	SourceURL    string   `json:"source_url"`
	Version      string   `json:"version"`
	OldestPeriod string   `json:"oldest_period"`
	LatestPeriod string   `json:"latest_period"`
	LastUpdate   string   `json:"last_update"`
	Updated      string   `json:"updated_by_source"` // empty if the office does not state it
	Imported     string   `json:"imported"`
	Unit         string   `json:"unit"`
	Frequencies  []string `json:"frequencies"`
	Languages    []string `json:"languages"`
	Areas        []string `json:"available_geo"`
	Licence      *licence `json:"licence"`
	Partial      string   `json:"partial"`

	Default defaultSeries `json:"default_series"`
}

type licence struct {
	Name        string `json:"name"`
	URL         string `json:"url"`
	Attribution string `json:"attribution"`
}

// ref returns the name of the dataset for other tools.
func (m *metadata) ref() string { return m.Source + ":" + m.Code }

// citation returns what must be said with the numbers of a dataset.
func (m *metadata) citation() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %q (%s), version %s, %s", m.SourceName, m.title(), m.Code, m.Version, m.days())
	if m.SourceURL != "" {
		b.WriteString(", " + m.SourceURL)
	}
	if l := m.Licence; l != nil {
		var texts []string
		if l.Name != "" {
			text := "Licence: " + l.Name
			if l.URL != "" {
				text += " (" + l.URL + ")"
			}
			texts = append(texts, text)
		}
		if l.Attribution != "" {
			texts = append(texts, "Attribution: "+l.Attribution)
		}
		for _, text := range texts {
			b.WriteString(". " + text)
		}
	}
	if m.Partial != "" {
		b.WriteString(". The dataset is incomplete: " + m.Partial)
	}
	return b.String()
}

// title returns the name of the dataset; if that is only its code, the title that the office is known to give it.
func (m *metadata) title() string { return titleOf(m.Source, m.Code, m.Name) }

// titleOf returns the name of a dataset, or if its file has none but its code, the title by which it is well known.
func titleOf(source, code, name string) string {
	if strings.EqualFold(name, code) {
		return cmp.Or(caption.KnownTitle(source, code), name)
	}
	return name
}

// days says when the office updated the data and when they came here.
func (m *metadata) days() string {
	imported, _, _ := strings.Cut(m.Imported, "T")
	switch {
	case imported == "": // of an older server
		return "last update " + m.LastUpdate
	case m.Updated == "":
		return "imported " + imported + " (day of the office's update not known)"
	}
	return "updated by the office " + m.Updated + ", imported " + imported
}

// incomplete says that a dataset is here only in part, empty if it is not.
func (m *metadata) incomplete() string {
	if m.Partial == "" {
		return ""
	}
	return m.ref() + " is here only in part (" + m.Partial + "): areas, periods and series may be lacking that the office has"
}
