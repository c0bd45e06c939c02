package agent

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// isMissing reports whether a row has flags or a note, but no value.
func (o *observation) isMissing() bool { return string(o.value) == "null" }

// reason says by its flags why a value is missing.
func (o *observation) reason() string {
	var meanings []string
	for flag := range strings.FieldsSeq(o.flags) {
		meanings = append(meanings, o.meaningOf(flag))
	}
	switch {
	case meanings != nil:
		return strings.Join(meanings, ", ")
	case o.note != "":
		return o.note
	}
	return "the office gives no reason"
}

// missing says of which areas values are missing, and why. What the values have in common stands once, and so do areas if a notice above
// has just these.
func missing(list []observation, above ...string) (texts []string) {
	type gap struct{ period, reason string }
	areas, values, isAbove := map[gap][]string{}, map[gap]int{}, map[string]bool{}
	for i := range list {
		if o := &list[i]; o.isMissing() {
			g := gap{o.period, o.reason()}
			values[g]++
			if name := withCode(o.area, o.code); !slices.Contains(areas[g], name) {
				areas[g] = append(areas[g], name)
				isAbove[name] = slices.Contains(above, o.area)
			}
		}
	}
	hasSeries := distinct(list, func(o *observation) string { return fmt.Sprint(o.key) }) > 1
	byPeriod := func(a, b gap) int { return strings.Compare(a.period+a.reason, b.period+b.reason) }
	for _, g := range slices.SortedFunc(maps.Keys(areas), byPeriod) {
		others := slices.DeleteFunc(slices.Clone(areas[g]), func(name string) bool { return isAbove[name] })
		names := fewNames(areas[g])
		switch n := len(areas[g]); {
		case n == len(others):
		case n > fewValues:
			names = fmt.Sprintf("%d areas, among them %s", n, strings.Join(others[:min(len(others), examples)], ", "))
		case n == len(above)+len(others):
			names = strings.Join(append([]string{"the areas named above"}, others...), ", ")
		}
		if hasSeries {
			texts = append(texts, fmt.Sprintf("%d values of %s are not published (null in rows), of %s: %s", values[g], g.period, names, g.reason))
			continue
		}
		texts = append(texts, fmt.Sprintf("no value of %s is published for %s: %s", g.period, names, g.reason))
	}
	return texts
}

// ofOtherPeriod matches what follows an area in the notice of the interface on last values of other periods.
var ofOtherPeriod = regexp.MustCompile(` \([QHW]?\d[^()]*\)(, |$)`)

// namedAbove returns the areas that a notice of the interface names as those with last values of other periods.
func namedAbove(notices []notice) (areas []string) {
	for _, n := range notices {
		_, list, ok := strings.Cut(n.Message, " last values are of other periods")
		if !ok || n.Parameter != "latest_mode" {
			continue
		}
		list, _, _ = strings.Cut(list, "; latest_mode=")
		list = strings.TrimPrefix(strings.TrimPrefix(list, ": "), ", such as ")
		areas = append(areas, ofOtherPeriod.Split(list, -1)...)
	}
	return slices.DeleteFunc(areas, func(area string) bool { return area == "" })
}

// fewNames lists all of a few names, and examples of many.
func fewNames(names []string) string {
	if len(names) <= fewValues {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(names[:examples], ", "), len(names)-examples)
}

// history reads all periods of areas in the series of a selection.
func (c *call) history(f *fetched, query url.Values, areas []*codeLabel) (*fetched, error) {
	asked := maps.Clone(query)
	asked.Del("latest_mode")
	return c.ofAreas(f, asked, areas)
}

// ofAreas reads the series of a selection for areas, whatever areas and periods it has. It reads nothing if the interface refuses.
func (c *call) ofAreas(f *fetched, query url.Values, areas []*codeLabel) (*fetched, error) {
	asked := url.Values{"codes": {"true"}, "flags": {"true"}}
	for name, values := range query {
		if _, selected := cutOperator(name); strings.HasPrefix(selected, "dim") || slices.Contains([]string{"lang", "version", "as_of", "latest_mode"}, name) {
			asked[name] = values
		}
	}
	for _, v := range areas {
		asked.Add("country", v.Code)
	}
	all := &fetched{of: f.of}
	var answer struct {
		Data []block `json:"data"`
	}
	err := c.get(&answer, datasetPath(f.ref)+"/data", asked)
	if r, ok := errors.AsType[*refused](err); ok && r.status != http.StatusServiceUnavailable || errors.Is(err, errTooLarge) {
		return all, nil
	}
	all.list = observations(answer.Data, f.of)
	return all, err
}

// noteLast notes of areas without values in a selection which value is their last one in its series, and why those of their last
// period are missing if that is later.
func (f *fetched) noteLast(history *fetched, lacking []*codeLabel) {
	var gaps []observation
	for _, v := range lacking {
		text := withCode(v.Label, v.Code) + " has no values in this selection"
		all := history.ofArea(v)
		var values []observation
		for _, o := range all {
			if !o.isMissing() {
				values = append(values, o)
			}
		}
		if last := f.lastAmong(values, v); last != nil {
			text += "; its last value in the series is of " + last.period
		}
		newest := f.lastAmong(all, v)
		for _, o := range all {
			if o.isMissing() && o.end == newest.end {
				gaps = append(gaps, o)
			}
		}
		f.lacking = append(f.lacking, text)
	}
	f.lacking = append(f.lacking, missing(gaps)...)
	f.isUnpublished = len(gaps) > 0
}

// addUnpublished notes which values after the last ones of areas are missing, and why, such as confidential ones.
func (c *call) addUnpublished(f *fetched, query url.Values, shown []observation) error {
	var areas []*codeLabel
	for i, v := range f.of.Geography {
		if f.lastAmong(shown, &v) != nil {
			areas = append(areas, &f.of.Geography[i])
		}
	}
	if len(areas) == 0 || len(areas) > mostLacking {
		return nil
	}
	all, err := c.history(f, query, areas)
	if err != nil {
		return err
	}
	var later []observation
	for _, v := range areas {
		last := f.lastAmong(shown, v)
		for _, o := range all.ofArea(v) {
			if o.isMissing() && o.end > last.end && slices.Equal(o.key, last.key) {
				later = append(later, o)
			}
		}
	}
	f.lacking = append(f.lacking, missing(later)...)
	return nil
}

// lastAmong returns the value of the last period of an area in a list, nil if it has none.
func (f *fetched) lastAmong(list []observation, v *codeLabel) *observation {
	return (&fetched{list: list, of: f.of}).lastOf(v)
}
