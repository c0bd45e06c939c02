package agent

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/chart/caption"
	"almanac/internal/defaults"
	"almanac/internal/stat"
)

var searchTool = mcp.Tool{
	Name: "search_datasets", Title: "Find datasets",
	Description: "Finds datasets by words, a code or a question, in any of five languages; misspelt words are corrected. Each hit has its periods, its usual series with the latest value for the area, and the same measure from other sources. Start here.",
}

type searchArgs struct {
	Query     string   `json:"query" jsonschema:"What to look for: the topic, with or without a place." example:"\"youth unemployment in Spain\""`
	Area      []string `json:"area,omitzero" jsonschema:"Only datasets that have this area: any code or name." example:"[\"ES\"]"`
	Source    []string `json:"source,omitzero" jsonschema:"Only these sources." example:"[\"eurostat\", \"worldbank\"]"`
	Frequency []string `json:"frequency,omitzero" jsonschema:"Only A (annual), S, Q, M, W or D." example:"[\"M\"]"`
	Since     string   `json:"last_period_from,omitzero" jsonschema:"Only datasets whose last period is in this year or later." example:"\"2022\""`
	Limit     int      `json:"limit,omitzero" range:"1,25" jsonschema:"Number of hits, up to 25 (8)." example:"3"`
}

// SearchResult are the hits of a search, the best first.
type SearchResult struct {
	Hits    []Hit    `json:"datasets"`
	Total   int      `json:"total"`
	Areas   []string `json:"areas,omitzero" jsonschema:"Areas that the question names."`
	Offered []string `json:"not_here,omitzero" jsonschema:"Datasets that offices offer and that cannot be read here yet."`
	Notices []string `json:"notices,omitzero"`
	Next    string   `json:"next,omitzero"`
}

// Hit is a dataset that was found.
type Hit struct {
	Dataset  string   `json:"dataset" jsonschema:"To be used in the other tools."`
	Name     string   `json:"name"`
	Periods  string   `json:"periods,omitzero"`
	Updated  string   `json:"updated,omitzero"`
	Matched  string   `json:"matched,omitzero" jsonschema:"Words of the question that were found, and where. If they are in values only, the measure may not be the usual series: see describe_dataset with find."`
	Coverage string   `json:"coverage,omitzero" jsonschema:"Whether it has the areas of the question."`
	Latest   string   `json:"latest,omitzero" jsonschema:"Latest value of the usual series, or of that which the question names, and of what it is if not of a total. Repeat it if it is a forecast."`
	ReadAs   string   `json:"read_as,omitzero" jsonschema:"What the latest value was taken to answer, such as another place of the same name. Repeat it."`
	Flags    []string `json:"flags,omitzero" jsonschema:"Flags of the latest value, with their meanings."`
	Members  string   `json:"composition,omitzero" jsonschema:"Of which members the latest value is, if the area is one of several compositions of a group."`
	NoLatest string   `json:"no_latest,omitzero" jsonschema:"Why there is no latest value."`
	Series   string   `json:"usual_series,omitzero" jsonschema:"What get_data reads if no dimension is given."`
	Measures string   `json:"measures,omitzero" jsonschema:"The concept of the usual series, for compare_sources."`
	AlsoFrom []string `json:"also_here_from,omitzero" jsonschema:"Other datasets with the same measure."`
}

// searchPage are the members of a page of the search that are used.
type searchPage struct {
	Data []struct {
		Source string      `json:"source"`
		Code   string      `json:"dataset_code"`
		Name   string      `json:"dataset_name"`
		Oldest string      `json:"oldest_period"`
		Newest string      `json:"latest_period"`
		Update string      `json:"last_update"`
		Freq   string      `json:"frequency"`
		Here   bool        `json:"here"`
		Found  []foundText `json:"found"`
		Cover  []struct {
			Area   string `json:"area"`
			Status string `json:"status"`
			Latest string `json:"latest_period"`
		} `json:"coverage"`
		Latest *struct {
			Area     struct{ Code, Name string } `json:"area"`
			ReadAs   string                      `json:"read_as"`
			Members  string                      `json:"composition"`
			Period   string                      `json:"period"`
			Label    string                      `json:"period_label"`
			Value    Cell                        `json:"value"`
			Unit     string                      `json:"unit"`
			UnitCode string                      `json:"unit_code"`
			Flags    []string                    `json:"flags"`
			Forecast bool                        `json:"forecast"`
			Dims     map[string]string           `json:"dimensions"`
		} `json:"latest"`
		NoLatest string `json:"no_latest"`
		Concept  *struct {
			ID    string `json:"id"`
			Label string `json:"label"`
		} `json:"concept"`
		AlsoFrom []struct {
			Source string `json:"source"`
			Code   string `json:"dataset_code"`
			ID     int    `json:"id"`
		} `json:"also_from"`
	} `json:"data"`
	Areas []struct {
		Code string `json:"code"`
		Name string `json:"name"`
	} `json:"areas"`
	Pagination struct {
		Total int `json:"total"`
	} `json:"pagination"`
	Notices []notice `json:"notices"`
}

const (
	defaultHits = 8
	mostOffered = 5
)

func (c *call) searchDatasets(a searchArgs) (*SearchResult, error) {
	query := url.Values{"q": {a.Query}, "here": {"true"}, "limit": {strconv.Itoa(cmp.Or(a.Limit, defaultHits))}}
	if strings.TrimSpace(a.Query) == "" {
		query.Del("q")
	}
	for name, values := range map[string][]string{"area": a.Area, "source": a.Source, "frequency": a.Frequency} {
		if values != nil {
			query[name] = values
		}
	}
	if a.Since != "" {
		query.Set("last_period_from", a.Since)
	}
	var page searchPage
	if err := c.get(&page, "/api/search", query); err != nil {
		return nil, advise(err, "call search_datasets again with other words")
	}
	r := &SearchResult{Hits: []Hit{}, Total: page.Pagination.Total, Notices: sentences(page.Notices)}
	if slices.ContainsFunc(page.Notices, func(n notice) bool { return n.Parameter == "source" }) {
		sources, err := c.sources()
		if err != nil {
			return nil, err
		}
		r.Notices = append(r.Notices, "sources here: "+sources)
	}
	for i := range page.Data {
		h := page.hit(i)
		if err := c.nameSeries(&h, &page, i); err != nil {
			return nil, err
		}
		r.Hits = append(r.Hits, h)
	}
	for _, area := range page.Areas {
		r.Areas = append(r.Areas, withCode(area.Name, area.Code))
	}
	if len(r.Hits) == 0 {
		c.addOffered(r, query)
	}
	return r, nil
}

// addOffered adds to a result without hits what to ask in its place, and what offices offer.
func (c *call) addOffered(r *SearchResult, query url.Values) {
	r.Next = "no dataset here fits; call search_datasets with fewer or other words"
	unfiltered := url.Values{"q": query["q"], "here": query["here"], "limit": {"1"}}
	var page searchPage
	if isFiltered := len(query) > len(unfiltered); isFiltered && query.Has("q") && c.get(&page, "/api/search", unfiltered) == nil {
		r.Next = "no dataset here fits, with or without the filters; call search_datasets with fewer or other words"
		if page.Pagination.Total > 0 {
			r.Next = fmt.Sprintf("no dataset here fits the filters; call search_datasets without them: it finds %d then", page.Pagination.Total)
		}
	}
	query.Set("here", "false")
	query.Set("limit", strconv.Itoa(mostOffered))
	var offered searchPage
	if err := c.get(&offered, "/api/search", query); err != nil {
		return // there is nothing either
	}
	for _, d := range offered.Data {
		r.Offered = append(r.Offered, d.Source+":"+d.Code+" "+d.Name)
	}
}

// sources lists the IDs and names of the sources of datasets here.
func (c *call) sources() (string, error) {
	var status struct {
		Sources []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		} `json:"sources"`
	}
	if err := c.get(&status, "/api/status", nil); err != nil {
		return "", advise(err, "call search_datasets without source")
	}
	var texts []string
	for _, s := range status.Sources {
		texts = append(texts, s.ID+" ("+s.Name+")")
	}
	return strings.Join(texts, ", "), nil
}

func (p *searchPage) hit(i int) Hit {
	d := &p.Data[i]
	h := Hit{Dataset: d.Source + ":" + d.Code, Name: d.Name, Periods: span(d.Oldest, d.Newest, d.Freq)}
	h.Updated, _, _ = strings.Cut(d.Update, "T")
	h.Matched = matchedIn(d.Found)
	var covers []string
	for _, cover := range d.Cover {
		text := cover.Area + " " + cover.Status
		if cover.Latest != "" {
			text += ", latest " + cover.Latest
		}
		covers = append(covers, text)
	}
	h.Coverage = strings.Join(covers, "; ")
	if l := d.Latest; l != nil {
		h.ReadAs = l.ReadAs
		h.Latest = strings.TrimSpace(fmt.Sprintf("%s %s: %s %s", p.areaOf(i), cmp.Or(l.Label, l.Period), l.Value, p.unit(i)))
		if l.Forecast {
			h.Latest += ", a forecast"
		}
		for _, flag := range l.Flags {
			meaning := defaults.FlagName(&stat.Dataset{Source: stat.Source{ID: d.Source}, Code: d.Code}, flag)
			h.Flags = append(h.Flags, flag+": "+cmp.Or(meaning, flagMeaning(flag)))
		}
		var dims []string
		for n := 1; n <= 8; n++ {
			if value := l.Dims["dim"+strconv.Itoa(n)+"_value"]; value != "" {
				dims = append(dims, value)
			}
		}
		h.Series = strings.Join(dims, " · ")
		h.Members = l.Members
	}
	h.NoLatest = d.NoLatest
	if d.Concept != nil {
		h.Measures = d.Concept.ID
	}
	for _, o := range d.AlsoFrom {
		if o.ID != 0 && !slices.Contains(h.AlsoFrom, o.Source+":"+o.Code) {
			h.AlsoFrom = append(h.AlsoFrom, o.Source+":"+o.Code)
		}
	}
	return h
}

// foundText says which words of a question a dataset has, and where.
type foundText struct {
	Field string `json:"field"`
	Asked string `json:"asked"`
	Text  string `json:"text"`
	Kind  string `json:"kind"`
}

// matchedIn lists the words of a question that a dataset has, and where.
func matchedIn(list []foundText) string {
	var matched []string
	for _, f := range list {
		where := f.Field
		if where == "label" {
			where = "values"
		}
		text := where + ": " + f.Asked
		switch isOther := !strings.EqualFold(f.Text, f.Asked); {
		case f.Kind == "synonym" && isOther:
			text = fmt.Sprintf("%s: %s (for %s)", where, f.Text, f.Asked)
		case f.Kind == "broader" && isOther:
			text = fmt.Sprintf("%s: %s (broader than %s)", where, f.Text, f.Asked)
		}
		if where != "area" && !slices.Contains(matched, text) {
			matched = append(matched, text)
		}
	}
	return strings.Join(matched, "; ")
}

// areaOf names the area of the latest value of a hit: with its code if it is none of those that the question asks for.
func (p *searchPage) areaOf(i int) string {
	d := &p.Data[i]
	isAsked := len(d.Cover) == 0
	for _, cover := range d.Cover {
		isAsked = isAsked || cover.Latest != ""
	}
	if isAsked {
		return d.Latest.Area.Name
	}
	return withCode(d.Latest.Area.Name, d.Latest.Area.Code)
}

// unit returns the unit of the latest value of a hit.
func (p *searchPage) unit(i int) string {
	d := &p.Data[i]
	if d.Latest.UnitCode != "" {
		return withStated(d.Latest.Unit, d.Latest.UnitCode)
	}
	named := &stat.Dataset{Source: stat.Source{ID: d.Source}, Code: d.Code, Name: d.Name}
	for n := 1; n <= 8; n++ {
		if value := d.Latest.Dims["dim"+strconv.Itoa(n)+"_value"]; value != "" {
			named.Dimensions = append(named.Dimensions, stat.Dimension{Codes: []stat.Code{{ID: value, Label: value}}})
		}
	}
	return withStated(caption.UnitOf(named, make([]int32, len(named.Dimensions)), d.Latest.Unit), d.Latest.Unit)
}

// span returns the first and last period with the frequency.
func span(oldest, newest, frequency string) string {
	text := oldest
	if newest != oldest {
		text += " to " + newest
	}
	if frequency != "" && text != "" {
		text += " (" + frequency + ")"
	}
	return text
}

// nameSeries adds to the latest value of a hit what it is of, unless that is the total.
func (c *call) nameSeries(h *Hit, p *searchPage, i int) error {
	d := &p.Data[i]
	if d.Latest == nil || len(d.Latest.Dims) == 0 {
		return nil
	}
	var usual defaultSeries
	labels := map[string]string{}
	var raw map[string]json.RawMessage
	if err := c.get(&raw, datasetPath(h.Dataset)+"/meta", nil); err != nil {
		if _, ok := errors.AsType[*refused](err); ok {
			return nil
		}
		return err
	}
	_ = json.Unmarshal(raw["default_series"], &usual)
	for n := 1; n <= 8; n++ {
		name, label := fmt.Sprintf("dim%d_label", n), ""
		if json.Unmarshal(raw[name], &label) == nil {
			labels[name] = label
		}
	}
	if named := namedValues(d.Latest.Dims, usual, labels, cmp.Or(d.Latest.UnitCode, d.Latest.Unit)); named != "" {
		h.Latest += " (" + named + ")"
	}
	return nil
}
