package portal

import (
	"net/url"
	"strconv"
)

// concept is what datasets of several sources measure.
type concept struct {
	ID, Label, Definition string
	Unit                  string // the family of its units
	Series                []conceptSeries
}

// conceptSeries is the series of a dataset that measures a concept.
type conceptSeries struct {
	ID         int
	Source     string
	SourceName string `json:"source_name"`
	Code       string `json:"dataset_code"`
	Name       string `json:"dataset_name"`
	Codes      map[string]string
	Remark     string
}

// concepts reads the measures that datasets here have, with their names in the language of the page.
func (p *page) concepts(query url.Values) ([]concept, error) {
	var answer struct{ Data []concept }
	err := p.read("/api/concepts", query, &answer)
	for i := range answer.Data {
		k := &answer.Data[i]
		k.Label = p.lang.textOr("measure."+k.ID, k.Label)
	}
	return answer.Data, err
}

// query returns the parameters that choose the series, for an area unless that is empty.
func (s *conceptSeries) query(area string) url.Values {
	query := url.Values{}
	for dim, code := range s.Codes {
		query.Set(dim, code)
	}
	if area != "" {
		query.Set("country", area)
	}
	return query
}

// api is the address of the dataset in the interface.
func (s *conceptSeries) api() string { return "/api/datasets/" + strconv.Itoa(s.ID) }

// page is the address of the page of the series.
func (s *conceptSeries) page(area string) string {
	address := (&metadata{ID: s.ID, Code: s.Code}).address()
	if query := s.query(area); len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}
