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

// timeline is the time of a dataset: the periods of one of its dimensions, or
// one period that the caller states.
type timeline struct {
	at      int           // among the dimensions in the file's order; -1: none
	periods []stat.Period // by the dimension's codes; zero: no period
	spans   map[stat.Period]string
}

// setTime finds the time of the dataset: the dimension with the role of time,
// else one that is called so, else the only one whose codes and labels have the
// shape of periods, else the period that the caller states.
func (t *table) setTime(in format.Input) error {
	c := t.cube
	found, err := c.timeDimension(in.Period)
	if err != nil {
		return err
	}
	if found == nil {
		p, err := t.FilePeriod(in.Period, stat.BadFile(c.at, "the dataset %q has no dimension of time: state the period of its values with --period, for example --period 2024", text.Clip(c.title())))
		t.time = timeline{at: -1, periods: []stat.Period{p}}
		return err
	}
	t.IgnorePeriod(in.Period)
	t.time = *found
	for i, p := range found.periods {
		if p.IsZero() {
			t.Undated(c.dims[c.ids[found.at]].codes[i])
		}
	}
	for p, span := range found.spans {
		t.LabelPeriod(p, span)
	}
	return nil
}

func (c *cube) timeDimension(stated string) (*timeline, error) {
	for i, id := range c.ids {
		if !slices.Contains(c.roles["time"], id) {
			continue
		}
		read, err := c.timelineOf(i)
		if err != nil || read != nil {
			return read, err
		}
		if stated == "" {
			return nil, stat.BadFile(c.dims[id].at, "the dimension %q has the role of time, and neither its codes nor their labels are periods, which are written like 2024, 2024Q1 or 2024M01: the first is %q",
				text.Clip(id), text.Clip(c.dims[id].codes[0]))
		}
	}
	for i, id := range c.ids {
		if assemble.IsTimeWord(id) || assemble.IsTimeWord(c.dims[id].label) || strings.HasPrefix(strings.ToUpper(id), "TLIST(") {
			if read, err := c.timelineOf(i); err != nil || read != nil {
				return read, err
			}
		}
	}
	var found *timeline
	for i, id := range c.ids {
		if !c.dims[id].looksLikeTime() {
			continue
		}
		read, err := c.timelineOf(i)
		if err != nil {
			return nil, err
		}
		if found != nil {
			return nil, stat.BadFile(c.at, "the dimensions %q and %q may both be the time, and \"role\" does not say which", text.Clip(c.ids[found.at]), text.Clip(id))
		}
		found = read
	}
	return found, nil
}

// looksLikeTime reports whether all codes are periods, and no label says that
// they are something else: municipalities have codes like 1860 too.
func (d *dimension) looksLikeTime() bool {
	for _, code := range d.codes {
		label := strings.TrimSpace(d.labels[code])
		if label != "" && label != code && periodOf("", label).IsZero() || periodOf("", code).IsZero() {
			return false
		}
	}
	return true
}

// timelineOf reads the codes of a dimension as periods, or their labels where
// more of those are. It is nil where none is.
func (c *cube) timelineOf(i int) (*timeline, error) {
	id := c.ids[i]
	d := c.dims[id]
	labels := make([]string, len(d.codes))
	for k, code := range d.codes {
		labels[k] = strings.TrimSpace(d.labels[code])
	}
	texts := d.codes
	periods, n := periodsOf(id, d.codes)
	if byLabel, m := periodsOf("", labels); m > n {
		periods, n, texts = byLabel, m, labels
	}
	if n == 0 {
		return nil, nil
	}
	read := &timeline{at: i, periods: periods, spans: map[stat.Period]string{}}
	seen := map[stat.Period]string{}
	for k, p := range periods {
		if p.IsZero() {
			continue
		}
		text := texts[k]
		if before, ok := seen[p]; ok && before != text && (isSpan(before) || isSpan(text)) {
			return nil, stat.BadFile(d.at, "%s and %s would both be stored as the year %s; a dataset can have one of them", before, text, p)
		}
		seen[p] = text
		if isSpan(text) {
			read.spans[p] = text
		}
	}
	return read, nil
}

// periodsOf reads texts as periods and counts those that are. id is that of
// their dimension if they are its codes.
func periodsOf(id string, texts []string) (periods []stat.Period, n int) {
	periods = make([]stat.Period, len(texts))
	for i, text := range texts {
		if periods[i] = periodOf(id, text); !periods[i].IsZero() {
			n++
		}
	}
	return periods, n
}

// scales are the frequencies of PxStat's dimensions of time, TLIST(Q1): their
// codes are the year and the number in it, without a letter (20041).
var scales = map[string]stat.Frequency{
	"TLIST(H1)": stat.HalfYear, "TLIST(Q1)": stat.Quarter, "TLIST(M1)": stat.Month, "TLIST(W1)": stat.Week,
}

// periodOf reads a period; the zero Period is none.
func periodOf(id, text string) stat.Period {
	text = strings.TrimSpace(text)
	if isSpan(text) {
		last, _ := strconv.Atoi(text[5:])
		return stat.NewPeriod(stat.Annual, last, 1)
	}
	return assemble.ParsePeriodOf(scales[strings.ToUpper(id)], text)
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
