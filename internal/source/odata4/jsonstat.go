package odata4

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
)

// writer writes a table as JSON-stat 2.0 with sparse values. Codes, labels, units and
// decimals are those of the office.
type writer struct {
	out          *bufio.Writer
	dimensions   []dimension
	positions    []map[string]int // of codes, by dimension
	properties   tableProperties
	status       strings.Builder // the member status
	seen         map[int]bool
	observations int
}

func newWriter(out *bufio.Writer, p tableProperties, dimensions []dimension) *writer {
	w := &writer{out: out, dimensions: dimensions, properties: p, seen: map[int]bool{}}
	for _, d := range dimensions {
		positions := map[string]int{}
		for i, c := range d.codes {
			positions[c.Identifier] = i
		}
		w.positions = append(w.positions, positions)
	}
	_, _ = out.WriteString(`{"version":"2.0","class":"dataset","value":{`) // Flush returns the error
	return w
}

// add writes one observation.
func (w *writer) add(observation map[string]json.RawMessage) error {
	at := 0
	for i, d := range w.dimensions {
		var code string
		if err := json.Unmarshal(observation[d.Identifier], &code); err != nil {
			return fault("an observation has no code in %s", d.Identifier)
		}
		position, ok := w.positions[i][strings.TrimSpace(code)]
		size := len(d.codes)
		if !ok || at > math.MaxInt/max(size, 1)-1 {
			return fault("the code %q in %s is not listed", code, d.Identifier)
		}
		at = at*size + position
	}
	if w.seen[at] {
		return fault("two observations have the same codes")
	}
	w.seen[at] = true
	w.observations++
	value := string(observation["Value"])
	if value == "" || value[0] == '"' {
		value = "null"
	}
	if len(w.seen) > 1 {
		_ = w.out.WriteByte(',')
	}
	_, _ = fmt.Fprintf(w.out, `"%d":%s`, at, value)
	var attribute string
	if json.Unmarshal(observation["ValueAttribute"], &attribute) == nil && attribute != "" && attribute != "None" {
		if w.status.Len() > 0 {
			w.status.WriteByte(',')
		}
		fmt.Fprintf(&w.status, `"%d":%s`, at, encode(attribute))
	}
	return nil
}

// encode writes a text or a structure of texts, which never fails.
func encode(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// end writes the rest of the file; Flush returns the error.
func (w *writer) end() {
	var ids []string
	var sizes []int
	roles := map[string][]string{"metric": {measure}}
	members := map[string]any{}
	for _, d := range w.dimensions {
		ids, sizes = append(ids, d.Identifier), append(sizes, len(d.codes))
		switch d.Kind {
		case "TimeDimension":
			roles["time"] = append(roles["time"], d.Identifier)
		case "GeoDimension":
			roles["geo"] = append(roles["geo"], d.Identifier)
		}
		members[d.Identifier] = d.member()
	}
	_, _ = fmt.Fprintf(w.out, `},"status":{%s},"label":%s,"extension":{"code":%s},"id":%s,"size":%s,"role":%s,"dimension":%s}`,
		w.status.String(), encode(w.properties.Title), encode(w.properties.Identifier), encode(ids), encode(sizes), encode(roles), encode(members))
}

// member returns a dimension of JSON-stat.
func (d dimension) member() any {
	periods := d.periods()
	index, labels, units := []string{}, map[string]string{}, map[string]map[string]any{}
	for i, c := range d.codes {
		code := c.Identifier
		if periods != nil {
			code = periods[i]
		}
		index = append(index, code)
		labels[code] = strings.Join(strings.Fields(c.Title), " ")
		if c.Unit != "" {
			units[code] = map[string]any{"base": c.Unit}
			if c.Decimals != nil {
				units[code]["decimals"] = *c.Decimals
			}
		}
	}
	category := map[string]any{"index": index, "label": labels}
	if len(units) > 0 {
		category["unit"] = units
	}
	return map[string]any{"label": d.Title, "category": category}
}

// periodPattern matches the office's codes of years, half-years, quarters and months:
// 2019JJ00, 2019HJ01, 2019KW03, 2019MM12.
var periodPattern = regexp.MustCompile(`^([0-9]{4})(JJ00|(HJ|KW|MM)([0-9]{2}))$`)

// periods returns the codes of a time dimension in the usual form; nil if the codes are
// no such periods.
func (d dimension) periods() (list []string) {
	if d.Kind != "TimeDimension" {
		return nil
	}
	for _, c := range d.codes {
		match := periodPattern.FindStringSubmatch(c.Identifier)
		if match == nil {
			return nil
		}
		period := match[1]
		switch number := strings.TrimPrefix(match[4], "0"); match[3] {
		case "HJ":
			period += "S" + number
		case "KW":
			period += "Q" + number
		case "MM":
			period += "M" + match[4]
		}
		list = append(list, period)
	}
	return list
}
