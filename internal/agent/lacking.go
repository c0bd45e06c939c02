package agent

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// mostLacking is the number of named areas for which other series are looked up.
const mostLacking = 20

// inDataset returns the area of a dataset that a code or name means, nil if it has none.
func (c *call) inDataset(area string, of *structure) (*codeLabel, error) {
	if area == "" {
		return nil, nil
	}
	area = of.areaCode(area)
	find := func(code string) *codeLabel {
		at := slices.IndexFunc(of.Geography, func(v codeLabel) bool {
			return v.isCalled(code) || strings.EqualFold(v.ISO, code)
		})
		if at < 0 {
			return nil
		}
		return &of.Geography[at]
	}
	if v := find(area); v != nil {
		return v, nil
	}
	found, err := c.lookUp(area, "")
	if isNoArea(err) {
		return nil, nil // the data say so
	}
	if err != nil {
		return nil, err
	}
	return find(found.Area.Code), nil
}

// addLacking adds to the notices which of the named areas have no values in a selection, and
// which values of the dimensions that were left out they have.
func (c *call) addLacking(s *Selection, f *fetched, query url.Values, usual []chosen) error {
	if len(s.Areas) > mostLacking {
		return nil
	}
	lacking, present := []*codeLabel{}, []*codeLabel{}
	for _, name := range s.Areas {
		if f.isReadAs(name) || f.isUnknownArea(name) {
			continue // its values are there, or the notice says why not
		}
		v, err := c.inDataset(name, f.of)
		if err != nil {
			return err
		}
		switch {
		case v == nil:
		case f.lastOf(v) == nil:
			lacking = append(lacking, v)
		default:
			present = append(present, v)
		}
	}
	for _, u := range usual {
		isPart := f.meta.Default.isPart(u.dimension)
		if len(lacking) == 0 && (!isPart || len(present) == 0 || query.Has("period") || query.Has("period_to")) {
			continue
		}
		other, err := c.withoutUsual(f, query, u.dimension, slices.Concat(lacking, present))
		if err != nil {
			return err
		}
		lacking = slices.DeleteFunc(lacking, func(v *codeLabel) bool { return f.noteOthers(other, v, u) })
		if isPart {
			for _, v := range present {
				f.noteLater(other, v, u)
			}
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	all, err := c.history(f, query, lacking)
	f.noteLast(all, lacking)
	return err
}

// isReadAs reports whether a notice says which area of the dataset a name was read as.
func (f *fetched) isReadAs(area string) bool {
	return slices.ContainsFunc(f.notices, func(n notice) bool { return isReading(n, area) })
}

// isUnknownArea reports whether a notice says that the dataset has no area of a name. What the name
// resembles is not guessed.
func (f *fetched) isUnknownArea(area string) bool {
	return slices.ContainsFunc(f.notices, func(n notice) bool {
		return n.Parameter == "country" && n.Value == area && isUnknown(n)
	})
}

// isReading reports whether a notice says as which area a name was read, or which ones it may mean.
func isReading(n notice, area string) bool {
	return n.Parameter == "country" && n.Value == area && (strings.Contains(n.Message, " is read as ") || strings.Contains(n.Message, " may mean "))
}

// isUnknown reports whether a notice is about a value that the dataset does not have, or that may mean several areas. Others
// say what a name was read as.
func isUnknown(n notice) bool {
	return strings.HasPrefix(n.Message, strconv.Quote(n.Value)) && !strings.Contains(n.Message, " is read as ") && !strings.Contains(n.Message, " is the region ")
}

// withoutUsual reads the last value of areas in each series that a selection has if all
// values of a dimension are selected.
func (c *call) withoutUsual(f *fetched, query url.Values, d *dimension, areas []*codeLabel) (*fetched, error) {
	asked := maps.Clone(query)
	asked.Del(d.Dim)
	asked.Set("latest_mode", "area")
	return c.ofAreas(f, asked, areas)
}

// noteOthers notes with which other values of a dimension an area has values, and reports whether it has. If it also has some with
// the usual value, they are of other periods.
func (f *fetched) noteOthers(other *fetched, v *codeLabel, u chosen) bool {
	var values []string
	for _, o := range other.ofArea(v) {
		if !o.isMissing() && o.dims[f.of.index(u.dimension)] == withCode(u.value.Label, u.value.Code) {
			return false
		}
		text := fmt.Sprintf("%s (%s)", o.dims[f.of.index(u.dimension)], o.period)
		if string(o.value) != "null" && len(values) <= fewValues && !slices.Contains(values, text) {
			values = append(values, text)
		}
	}
	if values == nil {
		return false
	}
	f.lacking = append(f.lacking, fmt.Sprintf("%s has no values in this selection, which takes %s of %s; it has values with %s; name them in dimensions", withCode(v.Label, v.Code), withCode(u.value.Label, u.value.Code), u.ID, strings.Join(values, ", ")))
	return true
}

// noteLater notes if an area has a later value with another value of a dimension.
func (f *fetched) noteLater(other *fetched, v *codeLabel, u chosen) {
	last := f.lastOf(v)
	for _, o := range other.ofArea(v) {
		if string(o.value) != "null" && o.end > last.end {
			f.lacking = append(f.lacking, fmt.Sprintf("%s has a later value, of %s, with %s of %s; name it in dimensions", withCode(v.Label, v.Code), o.period, o.dims[f.of.index(u.dimension)], u.ID))
			return
		}
	}
}

// ofArea returns the values of an area.
func (f *fetched) ofArea(v *codeLabel) (list []observation) {
	for _, o := range f.list {
		if o.code == v.Code || o.code == "" && o.area == v.Label {
			list = append(list, o)
		}
	}
	return list
}

// lastOf returns the value of the last period of an area, nil if it has none.
func (f *fetched) lastOf(v *codeLabel) *observation {
	list := f.ofArea(v)
	if list == nil {
		return nil
	}
	last := &list[0]
	for i := range list {
		if list[i].end > last.end {
			last = &list[i]
		}
	}
	return last
}

// index returns the place of a dimension.
func (of *structure) index(d *dimension) int {
	return slices.IndexFunc(of.Dimensions, func(one dimension) bool { return one.Dim == d.Dim })
}
