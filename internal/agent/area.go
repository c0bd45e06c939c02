package agent

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/geo"
)

var areaTool = mcp.Tool{
	Name: "resolve_area", Title: "Find out what an area code or name means",
	Description: "What a code or name of a place means: its code, kind, codes in other lists, groups or members, and other places that it may mean (Georgia, Korea, Congo). With dataset, whether that has it and under which label. Not needed before other tools: they read any code or name.",
}

type areaArgs struct {
	Area    string `json:"area" jsonschema:"A code of any list, or a name in any language." example:"\"Georgia\""`
	Dataset string `json:"dataset,omitzero" jsonschema:"Also say whether this dataset has the area." example:"\"worldbank:SP.POP.TOTL\""`
	Lang    string `json:"lang,omitzero" jsonschema:"Language of the names." example:"\"fr\""`
}

// AreaResult says what a code or name means.
type AreaResult struct {
	Meaning
	Codes     map[string]string `json:"codes" jsonschema:"Its code in each list."`
	Groups    []string          `json:"groups,omitzero" jsonschema:"Groups that it belongs to now."`
	Members   []string          `json:"members,omitzero" jsonschema:"Members of a group, with the years of those that left."`
	Other     []Meaning         `json:"other_meanings,omitzero" jsonschema:"Other areas that the text may mean. Use their code if one of them is meant."`
	InDataset string            `json:"in_dataset,omitzero"`
}

// Meaning is an area in few words.
type Meaning struct {
	Code string `json:"code" jsonschema:"To be used in areas."`
	Name string `json:"name"`
	Kind string `json:"kind,omitzero" jsonschema:"country, group, region or other."`
}

// members and groups of an area, with their days.
type membership struct {
	Code string `json:"code"`
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// shownCodes are the lists whose codes are of use to an agent.
var shownCodes = []string{"iso2", "iso3", "m49", "iso3166_2", "nuts", "eurostat", "worldbank", "oecd", "imf", "national"}

// mostMembers is the number of members of a group that are listed.
const mostMembers = 60

// areaPage is what the interface says of a code or name.
type areaPage struct {
	Area struct {
		Meaning
		Codes   map[string]string `json:"codes"`
		Groups  []membership      `json:"groups"`
		Members []membership      `json:"members"`
	} `json:"area"`
	Other []Meaning `json:"other_meanings"`
}

// lookUp reads what a code or name means, in a language; empty: in English. For a text that is no area, [isNoArea] is true of the error.
func (c *call) lookUp(area, lang string) (*areaPage, error) {
	query := url.Values{}
	if lang != "" {
		query.Set("lang", lang)
	}
	found := &areaPage{}
	return found, c.get(found, "/api/areas/"+url.PathEscape(area), query)
}

// isNoArea reports whether the interface knows no area of a code or name.
func isNoArea(err error) bool {
	r, ok := errors.AsType[*refused](err)
	return ok && r.status != http.StatusServiceUnavailable
}

// adviseArea is [advise] for an area that nobody knows; or names another tool.
func adviseArea(err error, or string) error {
	if r, ok := errors.AsType[*refused](err); ok && !strings.Contains(r.message, "nearest: ") {
		return advise(err, "call resolve_area with another name of it or an ISO 3166 code%s", or)
	}
	return advise(err, "call resolve_area with one of these%s", or)
}

func (c *call) resolveArea(a areaArgs) (*AreaResult, error) {
	found, err := c.lookUp(a.Area, a.Lang)
	if a.Dataset != "" && isNoArea(err) {
		return c.findLabel(a, err)
	}
	if err != nil {
		return nil, adviseArea(err, "")
	}
	r := &AreaResult{Meaning: found.Area.Meaning, Codes: map[string]string{}, Other: found.Other}
	for _, list := range shownCodes {
		if code := found.Area.Codes[list]; code != "" {
			r.Codes[list] = code
		}
	}
	for _, g := range found.Area.Groups {
		if g.To == "" {
			r.Groups = append(r.Groups, withCode(g.Name, g.Code))
		}
	}
	for i, m := range found.Area.Members {
		if i == mostMembers {
			r.Members = append(r.Members, fmt.Sprintf("and %d others; %s.members in areas of other tools is each member", len(found.Area.Members)-i, r.Code))
			break
		}
		text := withCode(m.Name, m.Code)
		if m.To != "" {
			text += " until " + m.To
		}
		r.Members = append(r.Members, text)
	}
	if a.Dataset == "" {
		return r, nil
	}
	return r, c.findInDataset(r, a)
}

// findLabel returns the area of a dataset with a label that is the name of no known area, such as that of a county. unknown is
// the error for the name.
func (c *call) findLabel(a areaArgs, unknown error) (*AreaResult, error) {
	of, err := c.structure(&Selection{Dataset: a.Dataset, Lang: a.Lang})
	if err != nil {
		return nil, err
	}
	var similar []string
	for _, v := range of.Geography {
		if v.isCalled(a.Area) {
			return &AreaResult{Meaning: Meaning{Code: v.Code, Name: v.Label}, Codes: map[string]string{}, InDataset: "the dataset has " + withCode(v.Label, v.Code)}, nil
		}
		if strings.Contains(strings.ToLower(v.Label), strings.ToLower(a.Area)) {
			similar = append(similar, withCode(v.Label, v.Code))
		}
	}
	if similar == nil {
		return nil, adviseArea(unknown, ", or describe_dataset for the areas of the dataset")
	}
	more := ""
	if len(similar) > maxSimilar {
		more = fmt.Sprintf(" and %d more", len(similar)-maxSimilar)
	}
	return nil, errorf("no area of %s is called %q alone, but %s%s; call this or another tool with one of these codes", a.Dataset, a.Area, strings.Join(similar[:min(len(similar), maxSimilar)], ", "), more)
}

// maxSimilar is how many labels that have a name in them are listed.
const maxSimilar = 20

// findInDataset says whether a dataset has an area or one of its other meanings.
func (c *call) findInDataset(r *AreaResult, a areaArgs) error {
	s := &Selection{Dataset: a.Dataset, Lang: a.Lang}
	of, err := c.structure(s)
	if err != nil {
		return err
	}
	a.Dataset = s.Dataset
	at := slices.IndexFunc(of.Geography, func(v codeLabel) bool { return v.isCalled(a.Area) })
	if at >= 0 && of.Geography[at].id() != r.Code {
		v := &of.Geography[at]
		r.InDataset = fmt.Sprintf("in the dataset, %q is another area: %s", a.Area, v.known())
		if v.isOwn() && v.Label == v.Code {
			r.InDataset = fmt.Sprintf("the dataset has a text of its own, %q, and does not say that it is this area; if it is meant, use it in areas as it is", a.Area)
		}
		return nil
	}
	if r.InDataset, err = c.cityIn(a.Dataset, a.Area); err != nil || r.InDataset != "" {
		return err
	}
	for i, m := range append([]Meaning{r.Meaning}, r.Other...) {
		same := geo.SameAreas(m.Code)
		isIt := func(v codeLabel) bool { return v.Code == m.Code && !v.isOwn() || slices.Contains(same, v.ISO) }
		at := slices.IndexFunc(of.Geography, isIt)
		if at < 0 {
			continue
		}
		has := "the dataset has " + withCode(of.Geography[at].Label, of.Geography[at].Code)
		if i > 0 {
			has = "the dataset lacks it, but has another meaning: " + withCode(of.Geography[at].Label, of.Geography[at].Code)
		}
		r.InDataset = has
		return nil
	}
	if whole := of.wholeOf(r.Code); whole != nil {
		r.InDataset = "the dataset lacks it, but has the region that it is in: " + withCode(whole.Label, whole.Code)
		return nil
	}
	parts, err := c.partsIn(a.Dataset, a.Area)
	if err != nil {
		return err
	}
	r.InDataset = "the dataset lacks it" + parts
	return nil
}

// known returns the label of an area with the code of the known area that it is, and of a region with its country: Georgia, United States [US-GA].
func (v *codeLabel) known() string {
	if v.ISO == "" || v.isOwn() {
		return withCode(v.Label, v.Code)
	}
	label := v.Label
	if country, _, isRegion := strings.Cut(v.ISO, "-"); isRegion {
		if found := geo.Lookup(country); len(found) > 0 && found[0].Kind == geo.Country {
			label += ", " + found[0].Name
		}
	}
	return withCode(label, v.ISO)
}

// wholeOf returns the smallest region of NUTS in a dataset that a smaller one is in, nil if there is none. The country is no region.
func (of *structure) wholeOf(code string) *codeLabel {
	for end := len(code) - 1; geo.IsNUTS(code) && end > 2; end-- {
		at := slices.IndexFunc(of.Geography, func(v codeLabel) bool { return v.Code == code[:end] })
		if at >= 0 {
			return &of.Geography[at]
		}
	}
	return nil
}

// cityIn says as which area a dataset reads the name of a city, empty if its label does not tell.
func (c *call) cityIn(dataset, area string) (string, error) {
	var answer struct {
		Notices []notice `json:"notices"`
	}
	err := c.get(&answer, datasetPath(dataset)+"/data", url.Values{"country": {area}, "latest_mode": {"last"}})
	if r, ok := errors.AsType[*refused](err); ok && r.status != http.StatusServiceUnavailable || errors.Is(err, errTooLarge) {
		return "", nil
	}
	for _, n := range answer.Notices {
		if isReading(n, area) {
			return "in the dataset, " + n.Message, err
		}
	}
	return "", err
}

// partsIn says which parts of an area a dataset has.
func (c *call) partsIn(dataset, area string) (string, error) {
	var answer struct {
		Data []block `json:"data"`
	}
	query := url.Values{"within": {area}, "latest_mode": {"area"}}
	err := c.get(&answer, datasetPath(dataset)+"/data", query)
	if r, ok := errors.AsType[*refused](err); ok && r.status != http.StatusServiceUnavailable || errors.Is(err, errTooLarge) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var parts []string
	for _, b := range answer.Data {
		for _, area := range b.Countries {
			if !slices.Contains(parts, area) && len(parts) < fewValues {
				parts = append(parts, area)
			}
		}
	}
	if parts == nil {
		return "", nil
	}
	found := geo.Lookup(area)
	if len(parts) == 1 && geo.Cities(area) != nil && len(found) > 0 && found[0].Kind == geo.Region && !geo.IsMainName(found[0].ID, area) {
		return fmt.Sprintf(" under this name, but has one area in it: %s, which may be %s; its values are not those of the city", parts[0], withCode(found[0].Name, found[0].ID)), nil
	}
	if len(parts) == 1 && (len(found) == 0 || found[0].Kind == geo.Region) { // a province is not its country
		return fmt.Sprintf(" under this name, but has one area in it, which may be the same: %s; use this label in areas if it is meant", parts[0]), nil
	}
	return ", but has parts of it (use within): " + strings.Join(parts, ", "), nil
}

// ambiguous returns what is to be said of names in a selection beside the notices of the interface: other areas whose labels have the
// name, and the region that a dataset has in place of a smaller one.
func (c *call) ambiguous(s *Selection, f *fetched) (texts []string, err error) {
	of := f.of
	texts = of.sameNamed(s.Areas)
	for _, area := range slices.Concat(s.Areas, s.Within) {
		isExact := func(v codeLabel) bool { return v.Code == area || v.ISO == area || v.Label == area }
		if len(area) <= 3 || strings.Contains(area, ".") || slices.ContainsFunc(of.Geography, isExact) || f.isReadAs(area) {
			continue
		}
		found, err := c.lookUp(area, "")
		if isNoArea(err) {
			continue // the data say so
		}
		if err != nil {
			return nil, err
		}
		if whole := of.wholeOf(found.Area.Code); whole != nil && !of.isExact(found.Area.Code) {
			texts = append(texts, fmt.Sprintf("the dataset has no %s, but the region that it is in: %s", withCode(found.Area.Name, found.Area.Code), withCode(whole.Label, whole.Code)))
		}
	}
	return texts, nil
}
