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

// clock is the time of a dataset: the periods of one of its dimensions, or one
// period that the caller states.
type clock struct {
	at      int           // among the dimensions in the file's order; -1: none
	periods []stat.Period // by the dimension's codes; zero: no period
	undated []string      // the codes that are none
	spans   map[stat.Period]string
}

// timeNames are what offices call the dimension of time in their languages,
// beside what [format.IsTime] knows.
var timeNames = []string{
	"tid", "year", "years", "quarter", "month", "week", "day", "date", "år", "kvartal", "måned", "månad", "vuosi", "neljännes", "kuukausi",
	"jahr", "quartal", "monat", "année", "trimestre", "mois", "año", "mes", "periodo", "anno", "período", "perioden", "ár", "timi",
}

func isTimeName(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	return assemble.IsTime(name) || slices.Contains(timeNames, name) || strings.HasPrefix(name, "tlist(")
}

// readClock finds the time of a dataset: the dimension with the role of time,
// else one that is called so, else the only one whose codes and labels have
// the shape of periods, else the period that the caller states.
func (c *cube) readClock(in format.Input, report *stat.Report) (*clock, error) {
	found, err := c.timeDimension(in.Period)
	switch {
	case err != nil:
		return nil, err
	case found != nil && in.Period != "":
		report.Add(stat.NotePeriodNotUsed, 1, in.Period)
		return found, nil
	case found != nil:
		return found, nil
	case in.Period == "":
		return nil, stat.BadFile(c.at, "the dataset %q has no dimension of time: state the period of its values with --period, for example --period 2024", text.Clip(c.title()))
	}
	p, err := stat.ParsePeriod(in.Period)
	if err != nil {
		return nil, stat.BadFile(stat.Position{}, "the period of the whole file: %v", err)
	}
	return &clock{at: -1, periods: []stat.Period{p}}, nil
}

func (c *cube) timeDimension(stated string) (*clock, error) {
	for i, id := range c.ids {
		if !slices.Contains(c.roles["time"], id) {
			continue
		}
		read, err := c.clockOf(i)
		if err != nil || read != nil {
			return read, err
		}
		if stated == "" {
			return nil, stat.BadFile(c.dims[id].at, "the dimension %q has the role of time, and neither its codes nor their labels are periods, which are written like 2024, 2024Q1 or 2024M01: the first is %q",
				text.Clip(id), text.Clip(c.dims[id].codes[0]))
		}
	}
	for i, id := range c.ids {
		if isTimeName(id) || isTimeName(c.dims[id].label) {
			if read, err := c.clockOf(i); err != nil || read != nil {
				return read, err
			}
		}
	}
	var found *clock
	for i, id := range c.ids {
		if !c.dims[id].looksLikeTime() {
			continue
		}
		read, err := c.clockOf(i)
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
		if label != "" && label != code && periodOf("", label).IsZero() {
			return false
		}
		if periodOf("", code).IsZero() {
			return false
		}
	}
	return true
}

// clockOf reads the codes of a dimension as periods, or their labels where
// more of those are. It is nil where none is.
func (c *cube) clockOf(i int) (*clock, error) {
	id := c.ids[i]
	d := c.dims[id]
	labels := make([]string, len(d.codes))
	for k, code := range d.codes {
		labels[k] = strings.TrimSpace(d.labels[code])
	}
	byCode, n := periodsOf(id, d.codes)
	texts := d.codes
	if byLabel, m := periodsOf("", labels); m > n {
		byCode, n, texts = byLabel, m, labels
	}
	if n == 0 {
		return nil, nil
	}
	read := &clock{at: i, periods: byCode}
	years := map[stat.Period]string{}
	for k, p := range read.periods {
		if p.IsZero() {
			read.undated = append(read.undated, d.codes[k])
			continue
		}
		text := texts[k]
		if before, ok := years[p]; ok && before != text && (isSpan(before) || isSpan(text)) {
			return nil, stat.BadFile(d.at, "%s and %s would both be stored as the year %s; a dataset can have one of them", before, text, p)
		}
		years[p] = text
		if isSpan(text) {
			if read.spans == nil {
				read.spans = map[stat.Period]string{}
			}
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

// tlist are the frequencies of PxStat's dimensions of time, TLIST(Q1): their
// codes are the year and the number in it, without a letter (20041).
var tlist = map[string]stat.Frequency{
	"TLIST(H1)": stat.HalfYear, "TLIST(Q1)": stat.Quarter, "TLIST(M1)": stat.Month, "TLIST(W1)": stat.Week,
}

// periodOf reads a period; the zero Period is none.
func periodOf(id, text string) stat.Period {
	text = strings.TrimSpace(text)
	if f := tlist[strings.ToUpper(id)]; f != 0 && len(text) > 4 {
		year, err1 := strconv.Atoi(text[:4])
		number, err2 := strconv.Atoi(text[4:])
		if err1 == nil && err2 == nil {
			return stat.NewPeriod(f, year, number)
		}
	}
	if isSpan(text) {
		last, _ := strconv.Atoi(text[5:])
		return stat.NewPeriod(stat.Annual, last, 1)
	}
	p, err := stat.ParsePeriod(text)
	if err != nil {
		return stat.Period{}
	}
	return p
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
