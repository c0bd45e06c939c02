package jsonstat

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
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

func (t *table) setTime(in format.Input) error {
	c := t.cube
	found, err := c.timeline(in.Period)
	if err != nil {
		return err
	}
	if found == nil {
		p, err := t.FilePeriod(in.Period, stat.BadFile(c.at, "the dataset %q has no time dimension: state the period of its values with --period, for example --period 2024", text.Clip(c.title())))
		t.time = timeline{periods: []stat.Period{p}}
		return err
	}
	t.IgnorePeriod(in.Period)
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
// none. With a stated period the role need not be right.
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
		if label != "" && label != code && periodOf("", label).IsZero() || periodOf("", code).IsZero() {
			return false
		}
	}
	return true
}

// timeline reads the codes as periods, or the labels where more of those are
// periods. It is nil where none is.
func (d *dimension) timeline() (*timeline, error) {
	labels := make([]string, len(d.codes))
	for i, code := range d.codes {
		labels[i] = strings.TrimSpace(d.labels[code])
	}
	texts := d.codes
	periods, n := periodsOf(d.id, d.codes)
	if byLabel, m := periodsOf("", labels); m > n {
		periods, n, texts = byLabel, m, labels
	}
	if n == 0 {
		return nil, nil
	}
	seen := map[stat.Period]string{}
	for i, p := range periods {
		if p.IsZero() {
			continue
		}
		text := texts[i]
		if before, ok := seen[p]; ok && before != text && (isSpan(before) || isSpan(text)) {
			return nil, stat.BadFile(d.at, "%s and %s would both be stored as the year %s; a dataset can have only one of them", before, text, p)
		}
		seen[p] = text
	}
	return &timeline{d, periods, texts}, nil
}

// periodsOf reads texts as periods and counts those that are. id is that of their
// dimension if they are its codes.
func periodsOf(id string, texts []string) (periods []stat.Period, n int) {
	periods = make([]stat.Period, len(texts))
	for i, text := range texts {
		if periods[i] = periodOf(id, text); !periods[i].IsZero() {
			n++
		}
	}
	return periods, n
}

// periodOf reads a period; the zero Period is none. The codes of PxStat's time
// dimensions, as TLIST(Q1), are the year and the number in it, without a letter
// (20041).
func periodOf(id, text string) stat.Period {
	text = strings.TrimSpace(text)
	if isSpan(text) {
		last, _ := strconv.Atoi(text[5:])
		return stat.NewPeriod(stat.Annual, last, 1)
	}
	scale, _ := strings.CutPrefix(strings.ToUpper(id), "TLIST(")
	return assemble.ParsePeriodOf(assemble.TimeScale(strings.TrimSuffix(scale, ")")), text)
}

// isSpan reports whether a text is a span of years, 1950-1955.
func isSpan(text string) bool {
	if len(text) != 9 || text[4] != '-' {
		return false
	}
	first, err1 := strconv.ParseUint(text[:4], 10, 16)
	last, err2 := strconv.ParseUint(text[5:], 10, 16)
	return err1 == nil && err2 == nil && first < last
}
