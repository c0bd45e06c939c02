package agent

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var dataTool = mcp.Tool{
	Name: "get_data", Title: "Read values over time",
	Description: "Values of a dataset as a table: by default all periods of the usual series of the selected areas. At most max_rows rows and 24 KiB, the most recent first to stay; the result says what was left out and how to narrow.",
}

// Rows of a table.
const (
	defaultRows = 100
	largestRows = 500
	maxRowBytes = 24 << 10 // of all rows

	maxNoteBytes = 60 // of a note, if the rows would have more
)

type dataArgs struct {
	Selection
	Period     string `json:"period,omitzero" jsonschema:"One period: 2024, Q1/2024, 01/2024, W05/2024. A year has all its months." example:"\"2023\""`
	PeriodFrom string `json:"period_from,omitzero" jsonschema:"First period." example:"\"2015\""`
	PeriodTo   string `json:"period_to,omitzero" jsonschema:"Last period." example:"\"2024\""`
	Transform  string `json:"transform,omitzero" jsonschema:"Derived values: index:2015 (2015 = 100), change, percent (change in per cent of the period before), percent-year (of the same period a year before), per-capita (divided by the population in another dataset, which is named)." example:"\"percent-year\""`
	Aggregates *bool  `json:"aggregates,omitzero" jsonschema:"false leaves out groups of countries and totals."`
	MaxRows    int    `json:"max_rows,omitzero" range:"1,500" jsonschema:"Largest number of rows, up to 500 (100)." example:"50"`
}

// DataResult is the result of the tools that read values.
type DataResult struct {
	Dataset string `json:"dataset"`
	Name    string `json:"name"`
	*Table
	Total    int      `json:"total_rows" jsonschema:"Rows of the selection, shown or not."`
	LeftOut  string   `json:"left_out,omitzero" jsonschema:"What is not shown, and how to get it."`
	Level    string   `json:"level,omitzero" jsonschema:"The level of the ranked areas, and the other levels."`
	Usual    []string `json:"usual_values,omitzero" jsonschema:"Values chosen for dimensions that were left out."`
	Why      string   `json:"why_empty,omitzero"`
	Notices  []string `json:"notices,omitzero"`
	Address  string   `json:"address" jsonschema:"The same selection in the JSON interface."`
	Citation string   `json:"citation" jsonschema:"To be repeated with the numbers: source, dataset, version, licence."`
}

func (c *call) getData(a dataArgs) (*DataResult, error) {
	of, err := c.structure(&a.Selection)
	if err != nil {
		return nil, err
	}
	query, usual, err := c.query(&a.Selection, of)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"period": a.Period, "period_from": a.PeriodFrom, "period_to": a.PeriodTo, "transform": a.Transform,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if a.Aggregates != nil && !*a.Aggregates {
		query.Set("aggregates", "false")
	}
	found, err := c.fetch(a.Dataset, of, query)
	if err != nil {
		return nil, err
	}
	if found.ambiguous, err = c.ambiguous(&a.Selection, found); err != nil {
		return nil, err
	}
	if err := c.addLacking(&a.Selection, found, query, usual); err != nil {
		return nil, err
	}
	found.remarkProjections()
	limit := cmp.Or(a.MaxRows, defaultRows)
	r := found.fit(usual, limit, func(limit int) []observation { return mostRecent(found.list, limit) })
	if r.Total > len(r.Rows) {
		which := fmt.Sprintf("%d most recent", len(r.Rows))
		if distinct(found.list, func(o *observation) string { return o.period }) == 1 {
			which = fmt.Sprintf("first %d", len(r.Rows))
		}
		r.LeftOut = fmt.Sprintf("showing the %s of %d rows; to narrow: %s; all of them as CSV: %s", which, r.Total, narrower(of, found.list), strings.Replace(r.Address, "/data?", "/data.csv?", 1))
	}
	return r, nil
}

// mostRecent returns the values of the most recent periods, in the order of the list.
func mostRecent(list []observation, limit int) []observation {
	if len(list) <= limit {
		return list
	}
	newest := slices.Clone(list)
	slices.SortStableFunc(newest, func(a, b observation) int { return cmp.Compare(b.end, a.end) })
	oldest := newest[limit-1].end
	atOldest := 0 // how many of the oldest period may stay
	for _, o := range newest[:limit] {
		if o.end == oldest {
			atOldest++
		}
	}
	kept := make([]observation, 0, limit)
	for _, o := range list {
		if o.end > oldest || o.end == oldest && atOldest > 0 {
			if o.end == oldest {
				atOldest--
			}
			kept = append(kept, o)
		}
	}
	return kept
}

// fetched are the values of a selection.
type fetched struct {
	list    []observation
	of      *structure
	meta    metadata
	notices []notice
	ref     string
	address string

	ambiguous []string // names of areas
	level     string   // of a ranking, and the others
	lacking   []string // named areas without values, and other remarks on what the rows lack

	isUnpublished bool // named areas have flags in place of values, which lacking explains
}

// fetch reads the values of a selection.
func (c *call) fetch(ref string, of *structure, query url.Values) (*fetched, error) {
	asked := url.Values{"codes": {"true"}, "flags": {"true"}}
	for name, values := range query {
		asked[name] = values
	}
	path := datasetPath(ref) + "/data"
	var answer struct {
		Data    []block  `json:"data"`
		Meta    metadata `json:"meta"`
		Notices []notice `json:"notices"`
	}
	switch err := c.get(&answer, path, asked); {
	case errors.Is(err, errTooLarge):
		return nil, errorf("the selection has more than about 100,000 values, which no tool reads; choose areas, a period_from, or one value of a dimension (%s); call describe_dataset with {\"dataset\": %q} for the values", of.names(), ref)
	case err != nil:
		return nil, adviseDataset(err, ref)
	}
	if query.Get("as_of") == "" && answer.Meta.Version != "" {
		query.Set("version", answer.Meta.Version) // the address has these values whatever is published later
	}
	of.describe(&answer.Meta)
	f := &fetched{list: observations(answer.Data, of), of: of, meta: answer.Meta, notices: answer.Notices, ref: ref, address: c.link(path, query)}
	if len(f.list) > 0 {
		return f, nil
	}
	for _, n := range f.notices {
		if isUnknown(n) {
			return nil, c.unknownValue(f)
		}
	}
	return f, nil
}

// fewEnough is the number of values that an error lists whole.
const fewEnough = 30

// unknownValue returns the error of a selection that is empty because of values that the
// dataset does not have.
func (c *call) unknownValue(f *fetched) error {
	text := strings.Join(sentences(f.notices), "; ")
	for _, n := range f.notices {
		_, n.Parameter = cutOperator(n.Parameter)
		if d := f.of.find(n.Parameter); d != nil && len(d.Values) <= fewEnough {
			return errorf("%s; %s has the values %s", text, d.ID, strings.Join(d.list("", fewEnough).Values, ", "))
		}
		if d := f.of.find(n.Parameter); d != nil {
			return errorf("%s; call describe_dataset with {\"dataset\": %q, \"dimension\": %q, \"find\": %q} for its values", text, f.ref, d.ID, n.Value)
		}
		if n.Parameter == "country" || n.Parameter == "within" {
			if _, err := c.lookUp(n.Value, ""); isNoArea(err) && len(n.Nearest) == 0 {
				return advise(err, "correct the name in areas")
			}
			parts, err := c.partsIn(f.ref, n.Value)
			if err != nil {
				return err
			}
			if parts != "" {
				return errorf("%s; the dataset lacks %q%s", text, n.Value, parts)
			}
			if part := f.meta.incomplete(); part != "" {
				return errorf("%s; %s", text, part)
			}
			return errorf("%s; call resolve_area with {\"area\": %q, \"dataset\": %q} to see what it means and what the dataset has of it", text, n.Value, f.ref)
		}
	}
	return errorf("%s; call describe_dataset with {\"dataset\": %q}", text, f.ref)
}

// result returns the result for some of the values.
func (f *fetched) result(list []observation, usual []chosen) *DataResult {
	r := &DataResult{
		Dataset: f.meta.ref(), Name: f.meta.title(), Table: newTable(list, f.of), Total: len(f.list), Level: f.level, Notices: slices.Concat(f.of.readAs, sentences(f.notices), f.ambiguous, f.meta.Default.partNotices(usual), f.lacking),
		Address: f.address, Citation: f.meta.citation(),
	}
	for _, u := range usual {
		r.Usual = append(r.Usual, fmt.Sprintf("%s: %s, one of %d values of %s", u.Label, withCode(u.value.Label, u.value.Code), len(u.Values), u.ID))
	}
	if len(f.list) == 0 {
		r.Notices = slices.Concat(f.of.readAs, f.lacking)
		r.Why = strings.Join(sentences(f.notices), "; ")
		switch {
		case f.isUnpublished:
			r.Why = "the office publishes no value of this selection; notices say why"
		case r.Why == "":
			r.Why = "no value fits the selection"
		}
		r.Why += fmt.Sprintf("; the dataset has %s to %s; call get_data with fewer filters, or describe_dataset with {\"dataset\": %q}", f.meta.OldestPeriod, f.meta.LatestPeriod, r.Dataset)
	}
	if text := f.meta.incomplete(); text != "" {
		r.Notices = append(slices.Clip(r.Notices), text)
	}
	return r
}

// fit returns the result for at most limit values, or as many as have maxRowBytes in their rows.
// pick returns so many values. Long notes are cut before rows are left out.
func (f *fetched) fit(usual []chosen, limit int, pick func(limit int) []observation) *DataResult {
	shown := func(limit int) (r *DataResult, fits bool) {
		list := pick(limit)
		r = f.result(list, usual)
		if len(textOf(r.Rows)) <= maxRowBytes {
			return r, true
		}
		list = slices.Clone(list)
		for i := range list {
			list[i].note = shorten(list[i].note, maxNoteBytes)
		}
		r = f.result(list, usual)
		r.Notices = append(r.Notices, "long notes are cut; address has them whole with flags=true")
		return r, len(textOf(r.Rows)) <= maxRowBytes
	}
	best, fits := shown(limit)
	if fits {
		return best
	}
	most := sort.Search(len(best.Rows), func(i int) bool {
		_, fits := shown(i + 1)
		return !fits
	})
	best, _ = shown(max(most, 1))
	best.Notices = append(best.Notices, fmt.Sprintf("the rows are at their limit of %d KiB: a higher number of rows gives no more", maxRowBytes>>10))
	return best
}

// narrower says which parameters make a selection smaller, the most effective first.
func narrower(of *structure, list []observation) string {
	type way struct {
		text  string
		count int
	}
	var ways []way
	add := func(count int, text string) {
		if count > 1 {
			ways = append(ways, way{fmt.Sprintf("%s (%d in the selection)", text, count), count})
		}
	}
	add(distinct(list, func(o *observation) string { return o.area }), "name areas")
	add(distinct(list, func(o *observation) string { return o.period }), "give a later period_from or use get_latest")
	for i, d := range of.Dimensions {
		add(distinct(list, func(o *observation) string { return o.dims[i] }), "choose a value of "+strconv.Quote(d.ID))
	}
	slices.SortStableFunc(ways, func(a, b way) int { return cmp.Compare(b.count, a.count) })
	var texts []string
	for _, w := range ways {
		texts = append(texts, w.text)
	}
	return strings.Join(texts, ", ")
}

func distinct(list []observation, text func(*observation) string) int {
	found := map[string]bool{}
	for i := range list {
		found[text(&list[i])] = true
	}
	return len(found)
}
