package agent

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

var compareTool = mcp.Tool{
	Name: "compare_sources", Title: "Compare what several offices say",
	Description: "The same measure from all sources here, side by side for the same areas and period, with what differs between their definitions. Sources are never merged.",
}

type compareArgs struct {
	Measure string   `json:"measure" jsonschema:"The name of the measure without area or period, or as search_datasets gives it in measures." example:"\"unemployment rate\""`
	Areas   []string `json:"areas" jsonschema:"Up to ten areas: any code or name." example:"[\"DE\", \"FR\"]"`
	Period  string   `json:"period,omitzero" jsonschema:"One period. Without it: the latest observed value of each source." example:"\"2008\""`
}

// Comparison has the values of several sources.
type Comparison struct {
	Measure    string     `json:"measure"`
	Definition string     `json:"definition" jsonschema:"What is equal in all sources."`
	Columns    []string   `json:"columns"`
	Rows       [][]Cell   `json:"rows"`
	Sources    []Compared `json:"sources"`
	// Flags are those of the rows.
	Flags   map[string]string `json:"flag_meanings,omitzero"`
	NotHere []string          `json:"not_here,omitzero" jsonschema:"Datasets with the measure that this service does not have."`
	Notices []string          `json:"notices,omitzero"`
}

// Compared is one of the sources of a comparison.
type Compared struct {
	Dataset  string `json:"dataset"`
	Differs  string `json:"differs,omitzero" jsonschema:"How its definition differs."`
	Lacks    string `json:"lacks,omitzero" jsonschema:"What it does not have here of the areas and period of the question. Say so with the numbers."`
	Series   string `json:"series"`
	Address  string `json:"address"`
	Citation string `json:"citation"`
}

const (
	maxCompared      = 10 // datasets
	maxComparedAreas = 10
)

func (c *call) compareSources(a compareArgs) (*Comparison, error) {
	if len(a.Areas) == 0 || len(a.Areas) > maxComparedAreas {
		return nil, errorf("areas must have 1 to %d areas, not %d", maxComparedAreas, len(a.Areas))
	}
	if err := checkNames("areas", a.Areas, &structure{}, fmt.Sprintf("name up to %d, or a group with .members, such as G7.members", maxComparedAreas)); err != nil {
		return nil, err
	}
	concept, err := conceptOf(a.Measure)
	if err != nil {
		return nil, err
	}
	r := &Comparison{
		Measure: concept.Label, Definition: concept.Definition, Rows: [][]Cell{}, Sources: []Compared{},
		Columns: []string{"dataset", "area", "period", "value", "unit", "flags"},
	}
	if !strings.EqualFold(a.Measure, concept.Label) && a.Measure != concept.ID {
		r.Notices = append(r.Notices, fmt.Sprintf("%q is read as %s", a.Measure, concept.Label))
	}
	similar := similarTo(concept)
	here, err := c.datasetsOf(append(similar, concept))
	if err != nil {
		return nil, err
	}
	for i := range concept.Series {
		s := &concept.Series[i]
		ref, isHere := here[s]
		switch {
		case !isHere:
			r.NotHere = append(r.NotHere, s.Source+":"+s.Code)
		case len(r.Sources) == maxCompared:
			r.Notices = append(r.Notices, "not compared: "+ref)
		default:
			if err := c.compareOne(r, &a, s, ref); err != nil {
				return nil, err
			}
		}
	}
	r.notePeriods(&a)
	r.noteSimilar(similar, here)
	if len(r.Rows) == 0 {
		if err := c.checkAreas(a.Areas); err != nil {
			return nil, err
		}
		r.Notices = append(r.Notices, "no dataset here has the measure for these areas and the period; call compare_sources without period, or search_datasets with {\"query\": "+strconv.Quote(a.Measure)+"}")
	}
	return r, nil
}

// checkAreas returns an error for the first text that is no area.
func (c *call) checkAreas(areas []string) error {
	for _, name := range areas {
		_, err := c.lookUp(strings.TrimSuffix(name, ".members"), "")
		if isNoArea(err) {
			return advise(err, "call compare_sources with one of these, or resolve_area with another name or code of the area that is meant")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// notePeriods notes that the compared values are of different periods.
func (r *Comparison) notePeriods(a *compareArgs) {
	periods := map[string]bool{}
	for _, row := range r.Rows {
		periods[string(row[2])] = true
	}
	if a.Period == "" && len(periods) > 1 {
		r.Notices = append(r.Notices, "the values are of different periods, each the last of its source; for values of one period call compare_sources with period")
	}
}

// compareOne adds the values of one dataset.
func (c *call) compareOne(r *Comparison, a *compareArgs, of *defaults.Series, ref string) error {
	s := &Selection{Dataset: ref, Dimensions: map[string][]string{}}
	has, err := c.structure(s)
	if err != nil {
		return err
	}
	elsewhere, err := c.selectSame(s, a.Areas, has)
	if err != nil {
		return err
	}
	if len(s.Areas) == 0 {
		r.Notices = append(r.Notices, ref+": "+strings.Join(elsewhere, "; "))
		return nil
	}
	s.selectSeries(has, of)
	query, _, err := c.query(s, has)
	if err != nil {
		return err
	}
	if a.Period != "" {
		query.Set("period", a.Period)
	} else {
		query.Set("latest_mode", string(stat.LatestArea))
	}
	found, err := c.fetch(ref, has, query)
	if e, ok := errors.AsType[*toolError](err); ok {
		r.Notices = append(r.Notices, ref+": "+e.message)
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.noteAreas(r, s, found); err != nil {
		return err
	}
	if len(found.list) == 0 {
		r.Notices = append(r.Notices, ref+" has no value for these areas"+inPeriod(a.Period)+"; it has "+found.meta.OldestPeriod+" to "+found.meta.LatestPeriod)
		return nil
	}
	for i := range found.list {
		o := &found.list[i]
		r.Rows = append(r.Rows, []Cell{textCell(ref), textCell(o.area), textCell(o.period), o.value, textCell(has.unit(o)), textCell(o.flags)})
	}
	lacks, err := c.lacks(s, found, a.Period)
	if err != nil {
		return err
	}
	lacks = strings.Join(slices.DeleteFunc(append(elsewhere, lacks), func(text string) bool { return text == "" }), "; ")
	for flag, meaning := range found.of.meaningsOf(found.list) {
		if r.Flags == nil {
			r.Flags = map[string]string{}
		}
		r.Flags[flag] = meaning
	}
	r.Sources = append(r.Sources, Compared{ref, of.Remark, lacks, strings.Join(found.list[0].dims, " · "), found.address, found.meta.citation()})
	return nil
}

// selectSeries selects the codes of a series that a dataset has.
func (s *Selection) selectSeries(has *structure, of *defaults.Series) {
	for _, d := range has.Dimensions {
		for _, code := range of.Codes[strings.ToLower(d.ID)] {
			if slices.ContainsFunc(d.Values, func(v codeLabel) bool { return v.Code == code }) {
				s.Dimensions[d.Dim] = []string{code}
				break
			}
		}
	}
}

// noteAreas notes as which areas of a dataset names are read, and which others it has of the same name.
func (c *call) noteAreas(r *Comparison, s *Selection, f *fetched) error {
	texts, err := c.ambiguous(s, f)
	if err != nil {
		return err
	}
	for _, n := range f.notices {
		if n.Parameter == "country" && (!isUnknown(n) || isReading(n, n.Value)) { // Lacks has those that are unknown
			texts = append(texts, sentences([]notice{n})...)
		}
	}
	for _, text := range texts {
		r.Notices = append(r.Notices, f.ref+": "+text)
	}
	return nil
}

// lacks says which of the compared areas have no value in a dataset, and that it is here only in part.
func (c *call) lacks(s *Selection, f *fetched, period string) (string, error) {
	var unknown, without, texts []string
	names, err := c.withMembers(s.Areas)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if f.isReadAs(name) { // a notice says as what
			continue
		}
		v, err := c.inDataset(name, f.of)
		switch {
		case err != nil:
			return "", err
		case v == nil:
			unknown = append(unknown, name)
		case f.lastOf(v) == nil:
			without = append(without, withCode(v.Label, v.Code))
		}
	}
	if unknown != nil {
		texts = append(texts, "the dataset does not have "+fewNames(unknown))
	}
	if without != nil {
		texts = append(texts, "no value of "+fewNames(without)+inPeriod(period)+" (the dataset has "+span(f.meta.OldestPeriod, f.meta.LatestPeriod, "")+")")
	}
	texts = append(texts, missing(f.list)...)
	if text := f.meta.incomplete(); text != "" {
		texts = append(texts, text)
	}
	return strings.Join(texts, "; "), nil
}

// withMembers returns areas with the present members of a group in place of its .members.
func (c *call) withMembers(areas []string) (names []string, err error) {
	for _, name := range areas {
		group, isMembers := strings.CutSuffix(name, ".members")
		if !isMembers {
			names = append(names, name)
			continue
		}
		found, err := c.lookUp(group, "")
		if isNoArea(err) {
			continue // the data say so
		}
		if err != nil {
			return nil, err
		}
		for _, m := range found.Area.Members {
			if m.To == "" {
				names = append(names, m.Code)
			}
		}
	}
	return names, nil
}

func inPeriod(p string) string {
	if p == "" {
		return ""
	}
	return " in " + p
}

// conceptOf returns the concept that words are a name of. The error names similar ones: a number of another measure would be
// taken for the one that was asked for.
func conceptOf(words string) (*defaults.Concept, error) {
	if c := defaults.ConceptNamed(words); c != nil {
		return c, nil
	}
	search := fmt.Sprintf("call search_datasets with {\"query\": %q} and get_data for each dataset", words)
	if similar := defaults.SimilarConcepts(words); similar != nil {
		var labels []string
		for _, c := range similar {
			labels = append(labels, c.Label)
		}
		return nil, errorf("no measure that several sources have is called %q; call compare_sources with one of these if it is meant: %s; else %s", words, strings.Join(labels, "; "), search)
	}
	var labels []string // all, if none is similar
	for _, c := range defaults.Concepts() {
		labels = append(labels, c.Label)
	}
	if nearest := stat.Nearest(words, labels); len(nearest) > 0 {
		labels = nearest
	}
	return nil, errorf("no measure that several sources have is called %q; measures: %s; for others %s", words, strings.Join(labels, "; "), search)
}

// datasetsOf returns the datasets here of the series of concepts.
func (c *call) datasetsOf(concepts []*defaults.Concept) (map[*defaults.Series]string, error) {
	query := url.Values{"fields": {"source,code"}, "limit": {"5000"}, "source": {stat.LocalSource}}
	var series []*defaults.Series
	for _, concept := range concepts {
		for i := range concept.Series {
			s := &concept.Series[i]
			if series = append(series, s); !slices.Contains(query["source"], s.Source) {
				query.Add("source", s.Source)
			}
		}
	}
	here := map[*defaults.Series]string{}
	for page := 0; ; page++ {
		query.Set("page", strconv.Itoa(page))
		var list catalogPage
		if err := c.get(&list, "/api/datasets", query); err != nil {
			return nil, advise(err, "call search_datasets")
		}
		for _, e := range list.Data {
			for _, s := range series {
				isIt, err := c.covers(s, e.Source, e.Code)
				if err != nil {
					return nil, err
				}
				if isIt {
					here[s] = cmp.Or(here[s], e.Source+":"+e.Code)
				}
			}
		}
		if !list.Pagination.HasMore {
			return here, nil
		}
	}
}

// covers reports whether a row of the table of well-known datasets is about a dataset. A local file is that of the office that is its
// source, if its name is the ID of the office, such as FRED.
func (c *call) covers(s *defaults.Series, source, code string) (bool, error) {
	if s.Covers(source, code) || source != stat.LocalSource || !s.Covers(s.Source, code) {
		return s.Covers(source, code), nil
	}
	var meta struct {
		Source string `json:"source_name"`
	}
	ref := source + ":" + code
	if err := c.get(&meta, datasetPath(ref)+"/meta", nil); err != nil {
		return false, adviseDataset(err, ref)
	}
	return s.Covers(meta.Source, code), nil
}

// similarTo returns the concepts that are called nearly as one and have the same kind of unit: inflation of twelve months beside that of a year.
func similarTo(concept *defaults.Concept) (list []*defaults.Concept) {
	all := defaults.Concepts()
	for i := range all {
		other := &all[i]
		isNear := strings.HasPrefix(other.ID, concept.ID+"-") || strings.HasPrefix(concept.ID, other.ID+"-")
		if other != concept && other.Unit == concept.Unit && isNear {
			list = append(list, other)
		}
	}
	return list
}

// noteSimilar names the datasets here of similar measures, if the comparison has not these.
func (r *Comparison) noteSimilar(similar []*defaults.Concept, here map[*defaults.Series]string) {
	for _, other := range similar {
		var refs []string
		for k := range other.Series {
			ref := here[&other.Series[k]]
			isCompared := func(s Compared) bool { return s.Dataset == ref }
			if ref != "" && !slices.ContainsFunc(r.Sources, isCompared) && !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
		if refs != nil {
			r.Notices = append(r.Notices, fmt.Sprintf("another measure is %s (%s), which is here from %s; call compare_sources with measure %q for it", other.Label, strings.TrimSuffix(other.Definition, "."), fewNames(refs), other.Label))
		}
	}
}

// catalogPage are the members of a page of the list of datasets that are used.
type catalogPage struct {
	Data []struct {
		Name    string `json:"dataset_name"`
		Update  string `json:"last_update"`
		Source  string `json:"source"`
		Code    string `json:"dataset_code"`
		Version string `json:"version"`
		Oldest  string `json:"oldest_period"`
		Newest  string `json:"latest_period"`
	} `json:"data"`
	Pagination struct {
		Total   int  `json:"total"`
		HasMore bool `json:"hasMore"`
	} `json:"pagination"`
	Notices []notice `json:"notices"`
}
