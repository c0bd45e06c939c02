package jsonstat

import (
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// timeline is the time of a dataset: the periods of a dimension, or one period
// that the caller states.
type timeline struct {
	dim     *dimension    // nil with a stated period
	periods []stat.Period // by the codes of dim; zero for one that is not a period
	texts   []string      // of the periods
}

func (t *reader) setTime(in format.Input) error {
	c := t.cube
	found, err := c.timeline(in.Period)
	if err != nil {
		return err
	}
	noTime := stat.BadFile(c.at, "the dataset %q has no time dimension: state the period of its values with --period, for example --period 2024", text.Clip(c.title()))
	p, err := t.FilePeriod(found != nil, in.Period, noTime)
	if found == nil {
		t.time = timeline{periods: []stat.Period{p}}
		return err
	}
	t.time = *found
	for i, p := range found.periods {
		switch text := found.texts[i]; {
		case p.IsZero():
			t.Undated(found.dim.codes[i])
		case isSpan(text):
			t.LabelPeriod(p, text)
		}
	}
	return nil
}

// timeline returns the dimension with the role of time, else one with the name of a
// time, else the only one whose codes and labels look like periods; nil if there is
// none. With a stated period a dimension with the role may have no periods.
func (c *cube) timeline(stated string) (*timeline, error) {
	hasRole := func(d *dimension) bool { return slices.Contains(c.roles["time"], d.id) }
	hasName := func(d *dimension) bool {
		return assemble.IsTimeWord(d.id) || assemble.IsTimeWord(d.label) || strings.HasPrefix(strings.ToUpper(d.id), "TLIST(")
	}
	for _, isTime := range []func(*dimension) bool{hasRole, hasName} {
		for _, d := range c.order {
			if !isTime(d) {
				continue
			}
			if found, err := d.timeline(); err != nil || found != nil {
				return found, err
			}
			if hasRole(d) && stated == "" {
				return nil, stat.BadFile(d.at, "the dimension %q has the role of time, but neither its codes nor its labels are periods, which are written like 2024, 2024Q1 or 2024M01: the first is %q",
					text.Clip(d.id), text.Clip(d.codes[0]))
			}
		}
	}
	var found *timeline
	for _, d := range c.order {
		if !d.looksLikeTime() {
			continue
		}
		read, err := d.timeline()
		if err != nil {
			return nil, err
		}
		if found != nil {
			return nil, stat.BadFile(c.at, "the dimensions %q and %q may both be the time, and \"role\" does not tell which", text.Clip(found.dim.id), text.Clip(d.id))
		}
		found = read
	}
	return found, nil
}

// looksLikeTime reports whether all codes are periods, and all labels too:
// municipalities have codes like 1860.
func (d *dimension) looksLikeTime() bool {
	for _, code := range d.codes {
		label := strings.TrimSpace(d.labels[code])
		if label != "" && label != code && d.periodOf(label).IsZero() || d.periodOf(code).IsZero() {
			return false
		}
	}
	return true
}

// timeline reads the codes as periods, or the labels if more of those are periods. It
// is nil if none is.
func (d *dimension) timeline() (found *timeline, err error) {
	labels := make([]string, len(d.codes))
	for i, code := range d.codes {
		labels[i] = strings.TrimSpace(d.labels[code])
	}
	most := 0
	for _, texts := range [][]string{d.codes, labels} {
		t, n := &timeline{d, make([]stat.Period, len(texts)), texts}, 0
		for i, text := range texts {
			if t.periods[i] = d.periodOf(text); !t.periods[i].IsZero() {
				n++
			}
		}
		if n > most {
			found, most = t, n
		}
	}
	if found == nil {
		return nil, nil
	}
	seen := map[stat.Period]string{}
	for i, p := range found.periods {
		if p.IsZero() {
			continue
		}
		text := found.texts[i]
		if before, ok := seen[p]; ok && before != text && (isSpan(before) || isSpan(text)) {
			return nil, stat.BadFile(d.at, "%s and %s would both be stored as the year %s; a dataset can have only one of them", before, text, p)
		}
		seen[p] = text
	}
	return found, nil
}

// periodOf parses a period, zero for any other text. The codes of PxStat's time
// dimensions, such as TLIST(Q1), are a year and a number in it without a letter (20041).
func (d *dimension) periodOf(text string) stat.Period {
	text = strings.TrimSpace(text)
	if p, ok := table.ReadSpan(text); ok {
		return p
	}
	scale, isList := strings.CutPrefix(strings.ToUpper(d.id), "TLIST(")
	if !isList {
		scale = ""
	}
	return assemble.ParsePeriodOf(assemble.TimeScale(strings.TrimSuffix(scale, ")")), text)
}

func isSpan(text string) bool {
	_, ok := table.ReadSpan(text)
	return ok
}
