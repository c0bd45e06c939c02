package agent

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// Selection is what the tools that read data have in common.
type Selection struct {
	Dataset    string              `json:"dataset" jsonschema:"The dataset, as search_datasets names it." example:"\"eurostat:une_rt_a\""`
	Areas      []string            `json:"areas,omitzero" jsonschema:"Countries, groups or regions: any code or name. EU27_2020.members is each member. Without it: all areas." example:"[\"DE\", \"France\"]"`
	Within     []string            `json:"within,omitzero" jsonschema:"Areas with all their parts: the regions of a country, the countries of a group." example:"[\"Germany\"]"`
	Dimensions map[string][]string `json:"dimensions,omitzero" jsonschema:"Values by dimension (dim2, its id or its label), as codes or labels. \"*\" is all values. A dimension that is left out has its usual value: the total, if the office publishes one. not.sex leaves values out, like.sex takes patterns with * and ?, below.sex all values below one; area is the name for areas." example:"{\"sex\": [\"M\", \"F\"], \"age\": [\"Y15-24\"]}"`
	Lang       string              `json:"lang,omitzero" jsonschema:"Language of labels, if the office has it." example:"\"de\""`
	Version    string              `json:"version,omitzero" jsonschema:"This version instead of the current one; list_changes with dataset lists them." example:"\"1.0\""`
	AsOf       string              `json:"as_of,omitzero" jsonschema:"As the data were here on this day." example:"\"2026-05-01\""`
}

// dimension is a dimension of a dataset as the interface lists it.
type dimension struct {
	Dim    string      `json:"dim"`
	ID     string      `json:"id"`
	Label  string      `json:"label"`
	Role   string      `json:"role"`
	Values []codeLabel `json:"values"`

	positions map[string]int32 // of the values, by code
}

type codeLabel struct {
	Code  string `json:"code"`
	ISO   string `json:"iso"`
	Label string `json:"label"`

	// isNamed means that the office gives only the code here, and that the label is its name in well-known code lists.
	isNamed bool
}

// isCalled reports whether a text is the code or the label, in any case.
func (v *codeLabel) isCalled(text string) bool {
	return strings.EqualFold(v.Code, text) || strings.EqualFold(v.Label, text)
}

// structure is what a dataset can be filtered by.
type structure struct {
	Dimensions   []dimension `json:"dimensions"`
	Geography    []codeLabel `json:"geography"`
	OldestPeriod string      `json:"oldest_period"`
	LatestPeriod string      `json:"latest_period"`

	dataset *stat.Dataset     // in which units are found; nil if there are no metadata yet
	units   map[string]string // that were found
	readAs  []string          // what words of the selection are read as
}

func (c *call) structure(s *Selection) (*structure, error) {
	query := url.Values{}
	s.setTexts(query)
	found := &structure{}
	if strings.TrimSpace(s.Dataset) == "" {
		return nil, errorf("dataset is empty; call search_datasets with what you look for, and name a dataset as it does")
	}
	if err := c.getOf(found, &s.Dataset, "/dimensions", query); err != nil {
		return nil, adviseDataset(err, s.Dataset)
	}
	if err := cmp.Or(checkNames("areas", s.Areas, found, "leave areas out for all of them"), checkNames("within", s.Within, found, "leave within out")); err != nil {
		return nil, err
	}
	source, _, _ := strings.Cut(s.Dataset, ":")
	for i := range found.Dimensions {
		found.Dimensions[i].addNames(source)
	}
	return found, nil
}

// checkNames returns an error for texts in a parameter that are no names of areas, but are written like none, all or several.
// forAll says how to ask for all.
func checkNames(parameter string, areas []string, of *structure, forAll string) error {
	for _, name := range areas {
		switch parts := partsOf(name, of.hasArea); {
		case strings.TrimSpace(name) == "":
			return errorf("a name in %s is empty; name an area, or %s", parameter, forAll)
		case name == "*":
			return errorf("%s takes no \"*\"; %s", parameter, forAll)
		case parts != nil:
			return errorf("%s is a list with one name each: [%s], not %q", parameter, strings.Join(parts, ", "), name)
		}
	}
	return nil
}

// partsOf returns the parts of a text that is several names with commas between them, each in quotes; nil if it is none or one name.
func partsOf(text string, isName func(string) bool) (quoted []string) {
	parts := strings.Split(text, ",")
	if len(parts) == 1 || isName(text) {
		return nil
	}
	for _, part := range parts {
		if part = strings.TrimSpace(part); !isName(part) {
			return nil
		}
		quoted = append(quoted, strconv.Quote(part))
	}
	return quoted
}

// hasArea reports whether a text is a label or code of an area in the dataset, or any code or name of one.
func (of *structure) hasArea(text string) bool {
	return slices.ContainsFunc(of.Geography, func(v codeLabel) bool { return v.isCalled(text) }) || len(geo.Lookup(text)) > 0
}

// getOf reads an address of a dataset. If there is no such dataset, and ref is the code of the only one that has it, it reads that one
// and sets ref.
func (c *call) getOf(into any, ref *string, path string, query url.Values) error {
	err := c.get(into, datasetPath(*ref)+path, query)
	r, ok := errors.AsType[*refused](err)
	if !ok || r.status != http.StatusNotFound && !strings.HasPrefix(r.message, "a dataset id") {
		return err
	}
	found, findErr := c.datasetOfCode(*ref)
	if findErr != nil {
		return findErr
	}
	if found == "" {
		return err
	}
	*ref = found
	return c.get(into, datasetPath(found)+path, query)
}

// datasetOfCode returns the source and code of the only dataset here that has a code; empty if there is none or there are several.
func (c *call) datasetOfCode(code string) (ref string, err error) {
	if strings.Contains(code, ":") || code == "" {
		return "", nil
	}
	var page searchPage
	err = c.get(&page, "/api/search", url.Values{"q": {code}, "here": {"true"}, "limit": {"20"}})
	if r, ok := errors.AsType[*refused](err); ok && r.status != http.StatusServiceUnavailable {
		return "", nil // the text is no question
	}
	for _, d := range page.Data {
		switch {
		case !strings.EqualFold(d.Code, code):
		case ref != "":
			return "", err
		default:
			ref = d.Source + ":" + d.Code
		}
	}
	return ref, err
}

// setTexts adds the parameters of all addresses of a dataset: the language and the version.
func (s *Selection) setTexts(query url.Values) {
	if s.Lang != "" {
		query.Set("lang", s.Lang)
	}
	if s.Version != "" {
		query.Set("version", s.Version)
	}
	if s.AsOf != "" {
		query.Set("as_of", s.AsOf)
	}
}

// chosen is a dimension whose usual value was taken, because the agent named none.
type chosen struct {
	*dimension
	value codeLabel
}

// query turns a selection into the parameters of the data. The usual values of dimensions
// without a choice are those of the series that /latest chooses beside the others.
func (c *call) query(s *Selection, of *structure) (query url.Values, usual []chosen, err error) {
	query = url.Values{}
	s.setTexts(query)
	isChosen, err := s.addDimensions(of, query)
	if err != nil {
		return nil, nil, err
	}
	free := map[string]bool{}
	for _, d := range of.Dimensions {
		free[d.Dim] = !isChosen[d.Dim]
	}
	for _, area := range s.Areas {
		query.Add("country", of.areaCode(area))
	}
	if err := c.addUsual(s, of, query, free, &usual); err != nil {
		return nil, nil, err
	}
	for _, area := range s.Within {
		query.Add("within", area)
	}
	return query, usual, nil
}

// addUsual adds the usual values of the dimensions that are free.
func (c *call) addUsual(s *Selection, of *structure, query url.Values, free map[string]bool, usual *[]chosen) error {
	isFree := func(d dimension) bool { return free[d.Dim] && len(d.Values) > 1 }
	if !slices.ContainsFunc(of.Dimensions, isFree) {
		return nil
	}
	asked := url.Values{"codes": {"true"}}
	for name, values := range query {
		if operator, _ := cutOperator(name); operator != "" {
			continue // which /latest does not have
		}
		if strings.HasPrefix(name, "dim") {
			values = values[:1] // the parameter takes one value
		}
		asked[name] = values
	}
	var latest struct {
		LatestPeriod struct {
			Dimensions map[string]string `json:"dimensions"`
		} `json:"latest_period"`
	}
	err := c.get(&latest, datasetPath(s.Dataset)+"/latest", asked)
	if _, ok := err.(*refused); ok {
		// Nothing has these values or areas: the series is that of the whole dataset.
		asked = url.Values{"codes": {"true"}}
		s.setTexts(asked)
		err = c.get(&latest, datasetPath(s.Dataset)+"/latest", asked)
	}
	if _, ok := err.(*refused); ok {
		return nil // the data say what is wrong
	}
	if err != nil {
		return err
	}
	for i := range of.Dimensions {
		d := &of.Dimensions[i]
		code, ok := latest.LatestPeriod.Dimensions[d.Dim+"_code"]
		if !isFree(*d) || !ok {
			continue
		}
		query.Set(d.Dim, code)
		at := slices.IndexFunc(d.Values, func(v codeLabel) bool { return v.Code == code })
		if at >= 0 {
			*usual = append(*usual, chosen{d, d.Values[at]})
		}
	}
	return nil
}

// find returns the dimension with a parameter, id or label, nil if there is none.
func (of *structure) find(name string) *dimension {
	for _, same := range []func(d dimension) bool{
		func(d dimension) bool { return d.Dim == name || d.ID == name || d.Label == name },
		func(d dimension) bool {
			return strings.EqualFold(d.Dim, name) || strings.EqualFold(d.ID, name) || strings.EqualFold(d.Label, name)
		},
	} {
		if i := slices.IndexFunc(of.Dimensions, same); i >= 0 {
			return &of.Dimensions[i]
		}
	}
	return nil
}

// names lists the dimensions.
func (of *structure) names() string {
	var names []string
	for _, d := range of.Dimensions {
		names = append(names, d.ID+" ("+d.Label+")")
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}
