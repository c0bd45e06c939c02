package sdmxml

import (
	"bytes"
	"math"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// maxCached bounds what is remembered of texts that repeat.
const maxCached = 1 << 16

// reading is what the fields of an observation say, and what the ones before
// said.
type reading struct {
	time, value, note []byte
	status            []byte
	list              string // of the status
	confidentiality   []byte
	preBreak          []byte
	unit, multiplier  []byte
	unitName          string

	periods map[string]place
	flags   map[string]flagged
	notes   map[string]string
	scratch []byte
}

// place is what a text of time stands for.
type place struct {
	period  stat.Period
	undated bool // it looks like a period and is none
}

// flagged is what status and confidentiality say.
type flagged struct {
	beside  stat.Flags // a number
	alone   stat.Flags // without a number
	unknown string     // a code that is not known
}

// beginSeries takes key and attributes of a series in.
func (r *reader) beginSeries() error {
	if r.set == nil {
		return nil
	}
	r.seriesSet, r.period = 0, place{}
	r.own = values{}
	for i := range r.w.given {
		f := &r.w.given[i]
		s := r.guessed(0, i, f)
		switch s.use {
		case useKey:
			if err := r.setKey(s, f.value, &r.seriesSet); err != nil {
				return err
			}
		case useTime:
			var err error
			if r.period, err = r.time(f.value); err != nil {
				return err
			}
		case useNone:
		default:
			if f.part == partKey && !office.IsScale(r.table.Dataset.Source.ID, s.name) {
				return r.bad("%s is part of this key, but not of the others", f.name)
			}
			if len(f.value) > 0 {
				r.keep(&r.own, s, string(f.value))
			}
		}
	}
	r.inherit(r.seriesSet)
	return nil
}

// inherit settles the attributes of a series: those of the data set, of the
// groups that it belongs to, and its own. set says which codes of the key are
// known.
func (r *reader) inherit(set uint64) {
	r.series = r.whole
	for _, named := range r.order {
		if named&^set != 0 {
			continue
		}
		key := r.reading.scratch[:0]
		for i, axis := range r.axes {
			if named&(1<<i) != 0 {
				key = append(append(key, axis.Dim.Codes[r.key[axis.At]].ID...), 0)
			}
		}
		r.reading.scratch = key
		if said := r.partial[named][string(key)]; said != nil {
			r.series.overlay(said)
		}
	}
	r.series.overlay(&r.own)
}

// observe reads an observation; given is false where there is nothing to
// yield.
func (r *reader) observe() (o stat.Observation, given bool, err error) {
	if r.set == nil {
		return o, false, nil
	}
	r.report.Read++
	set := uint64(0)
	if r.w.where == inDataSet {
		r.seriesSet, r.period, r.own = 0, place{}, values{}
	}
	if err := r.sort(&set); err != nil {
		return o, false, err
	}
	if set|r.seriesSet != r.all {
		return o, false, r.describeMissing(set | r.seriesSet)
	}
	if set != 0 && len(r.order) > 0 {
		r.inherit(r.all)
	}
	when, err := r.when()
	if err != nil {
		return o, false, err
	}
	o = stat.Observation{Key: r.key, Period: when.period, At: r.w.at, Note: r.note(), Unit: r.unit()}
	if o.Value, err = r.value(); err != nil {
		return o, false, err
	}
	missing := math.IsNaN(o.Value)
	flags := r.flags()
	o.Flags = flags.beside
	if flags.unknown != "" {
		r.report.Add(stat.NoteUnknownFlag, 1, flags.unknown)
	}
	if missing {
		o.Flags = flags.alone
	} else if o.Flags.Missing() {
		r.report.Add(stat.NoteNumberUnderMissing, 1, assemble.Where(r.table.Dataset, &o))
		o.Value, missing = math.NaN(), true
	}
	if missing {
		r.report.Missing++
	}
	if when.undated {
		if !missing {
			r.report.Add(stat.NoteUndated, 1, string(r.reading.time))
		}
		return o, false, nil
	}
	if missing && o.Flags == "" && o.Note == "" {
		return o, false, nil
	}
	o.Frequency, err = r.frequency(missing)
	return o, err == nil, err
}

// sort puts the fields of an observation where they belong.
func (r *reader) sort(set *uint64) error {
	now := &r.reading
	now.time, now.value, now.note = nil, nil, now.note[:0]
	now.status, now.confidentiality, now.preBreak, now.unit, now.multiplier = now.status[:0], nil, nil, nil, nil
	for i := range r.w.given {
		f := &r.w.given[i]
		switch f.part {
		case partTime:
			now.time = f.value
			continue
		case partValue:
			now.value = f.value
			continue
		case partAcross:
			if r.set.acrossTime(f.name) {
				now.time = f.value
				continue
			}
			if len(f.name) == 0 {
				f.name = []byte(r.set.across)
			}
		}
		s := r.guessed(1, i, f)
		if s.use == useKey {
			if err := r.setKey(s, f.value, set); err != nil {
				return err
			}
			continue
		}
		if err := r.sortOther(f, s); err != nil {
			return err
		}
	}
	return nil
}

// sortOther takes in what is no dimension.
func (r *reader) sortOther(f *field, s *slot) error {
	now := &r.reading
	switch s.use {
	case useTime:
		now.time = f.value
		return nil
	case useValue:
		now.value = f.value
		return nil
	case useNone:
		return nil
	}
	if (f.part == partKey || f.part == partAcross) && !office.IsScale(r.table.Dataset.Source.ID, s.name) {
		return r.bad("%s is part of this key, but not of the others", f.name)
	}
	if len(f.value) == 0 {
		return nil
	}
	switch s.use {
	case useStatus:
		if len(now.status) > 0 {
			now.status = append(now.status, ' ')
		}
		now.status, now.list = append(now.status, f.value...), s.list
	case useConfidentiality:
		now.confidentiality = f.value
	case useNote:
		if len(now.note) > 0 {
			now.note = append(now.note, "; "...)
		}
		now.note = append(now.note, f.value...)
	case usePreBreak:
		now.preBreak = f.value
	case useUnit:
		now.unit, now.unitName = f.value, s.name
	case useMultiplier:
		now.multiplier = f.value
	case useLost:
		r.notKept.add(s.name)
	}
	return nil
}

// when is the period of the observation.
func (r *reader) when() (place, error) {
	if r.reading.time != nil {
		return r.time(r.reading.time)
	}
	switch {
	case !r.period.period.IsZero() || r.period.undated:
		return r.period, nil
	case !r.only.IsZero():
		return place{period: r.only}, nil
	}
	return place{}, r.bad("the observation has no time")
}

// time reads a period, each text once.
func (r *reader) time(text []byte) (place, error) {
	if known, ok := r.reading.periods[string(text)]; ok {
		return known, nil
	}
	p, err := parseTime(string(bytes.TrimSpace(text)))
	if err != nil {
		return p, r.bad("%v", err)
	}
	if d := r.table.Dataset; p.undated && len(d.Undated) < maxNames {
		d.Undated = append(d.Undated, string(text))
	}
	if len(r.reading.periods) > maxCached || r.reading.periods == nil {
		r.reading.periods = map[string]place{}
	}
	r.reading.periods[string(text)] = p
	return p, nil
}

// parseTime reads the time of an observation. A date may have the time of its
// first moment. The unknown week of a year and the long-term average, which
// Eurostat has, are no periods.
func parseTime(text string) (place, error) {
	if year, week, _ := strings.Cut(strings.Replace(text, "-", "", 1), "W"); text == "LTAA" || len(year) == 4 && week == "99" {
		return place{undated: true}, nil
	}
	day, _ := strings.CutSuffix(strings.TrimSuffix(text, "Z"), "T00:00:00")
	p, err := stat.ParsePeriod(day)
	return place{period: p}, err
}

// value is the number of the observation; NaN where there is none.
func (r *reader) value() (float64, error) {
	content := r.reading.value
	if len(content) == 0 {
		return math.NaN(), nil
	}
	value, size, exact := text.Number(content)
	if size != len(content) {
		content = bytes.TrimPrefix(bytes.TrimSpace(content), []byte("+"))
		value, size, exact = text.Number(content)
		if size == 0 && text.IsMissing(string(content)) {
			return math.NaN(), nil
		}
	}
	if size != len(content) {
		return 0, r.bad("the value %.40q is no number; numbers are written like -1234.5", r.reading.value)
	}
	if !exact {
		r.report.Add(stat.NoteRounded, 1, string(content))
	}
	return value, nil
}

// flags are those of the observation.
func (r *reader) flags() flagged {
	now := &r.reading
	status, list, confidentiality := now.status, now.list, now.confidentiality
	now.scratch = now.scratch[:0]
	if len(status) == 0 {
		now.scratch, list = append(now.scratch, r.series.status...), r.series.list
	}
	now.scratch = append(append(now.scratch, status...), 0)
	if len(confidentiality) == 0 {
		now.scratch = append(now.scratch, r.series.confidentiality...)
	}
	now.scratch = append(now.scratch, confidentiality...)
	if len(now.scratch) == 1 {
		return flagged{}
	}
	if known, ok := now.flags[string(now.scratch)]; ok {
		return known
	}
	texts := strings.SplitN(string(now.scratch), "\x00", 2)
	f := r.newFlags(texts[0], list, texts[1])
	if len(now.flags) > maxNames || now.flags == nil {
		now.flags = map[string]flagged{}
	}
	now.flags[string(now.scratch)] = f
	return f
}

// newFlags reads codes of status and confidentiality.
func (r *reader) newFlags(status, list, confidentiality string) (f flagged) {
	source := r.table.Dataset.Source.ID
	all := []string{string(office.Confidentiality(confidentiality))}
	for code := range strings.FieldsFuncSeq(status, func(c rune) bool { return c == ' ' || c == ',' || c == ';' }) {
		flags, known := office.Status(source, list, code)
		if source == "eurostat" && code == strings.ToLower(code) {
			flags, known = office.Status(source, "obs_flag", code)
		}
		if !known {
			f.unknown = code
		}
		all = append(all, string(flags))
	}
	f.beside = stat.NewFlags(all...)
	f.alone = f.beside
	if source == "eurostat" && f.beside.Has(stat.ConfPrefix+"C") {
		f.alone = stat.NewFlags(string(f.beside), "Q") // a value that is confidential is suppressed
	}
	return f
}

// note is what the file says of the observation in words.
func (r *reader) note() string {
	now := &r.reading
	if len(now.note) == 0 {
		now.note = append(now.note, r.series.note...)
	}
	before := now.preBreak
	if len(before) == 0 && r.series.preBreak != "" {
		before = []byte(r.series.preBreak)
	}
	if len(before) > 0 {
		if len(now.note) > 0 {
			now.note = append(now.note, "; "...)
		}
		now.note = append(append(now.note, "pre-break value: "...), before...)
	}
	if len(now.note) == 0 {
		return ""
	}
	if known, ok := now.notes[string(now.note)]; ok {
		return known
	}
	text := string(now.note)
	if len(now.notes) > maxNames || now.notes == nil {
		now.notes = map[string]string{}
	}
	now.notes[text] = text
	return text
}

// unit is the unit of the observation: the label of its code, if the office's
// code list is known, and what the values are to be multiplied by. Without a
// code for the unit but with a multiplier, a dimension of units says the rest.
func (r *reader) unit() string {
	now, series := &r.reading, &r.series
	if len(now.unit) == 0 && len(now.multiplier) == 0 && series.unit == "" && series.multiplier == "" {
		return ""
	}
	code, name, multiplier := now.unit, now.unitName, now.multiplier
	key := now.scratch[:0]
	if len(code) == 0 {
		key, name = append(key, series.unit...), series.unitName
	}
	key = append(append(key, code...), 0)
	stated := len(key) > 1
	if !stated {
		code, of := r.unitOfKey()
		key, name = append(append(key[:0], code...), 0), of
	}
	size := len(key) - 1
	key = append(append(key, name...), 0)
	before := len(key)
	if len(multiplier) == 0 {
		key = append(key, series.multiplier...)
	}
	key = append(key, multiplier...)
	now.scratch = key
	if known, ok := r.units[string(key)]; ok {
		return known
	}
	unit, by := "", string(key[before:])
	if stated || assemble.UnitText("", by) != "" {
		unit = assemble.UnitText(r.unitLabel(string(key[:size]), name), by)
	}
	if len(r.units) < maxNames {
		r.units[string(key)] = unit
	}
	return unit
}

// unitOfKey is the code of the dimension of units, if there is one.
func (r *reader) unitOfKey() (code, name string) {
	for i, axis := range r.axes {
		if axis.Dim.Role == stat.RoleUnit {
			return axis.Dim.Codes[r.key[axis.At]].ID, r.dims[i]
		}
	}
	return "", ""
}

// unitLabel is the label of a unit's code in the office's list; the code
// itself where that is not known.
func (r *reader) unitLabel(code, name string) string {
	known := r.in.Known(r.table.Dataset.Source.ID)
	if code == "" || known == nil {
		return code
	}
	lists := []string{name}
	if s := r.set.structure; s != nil {
		for _, components := range [][]stat.Component{s.Attributes, s.Dimensions} {
			for _, c := range components {
				if strings.EqualFold(c.ID, name) && c.List != "" {
					lists = []string{c.List, name}
				}
			}
		}
	}
	for _, list := range lists {
		if l := known.Lists[stat.ListName(list)]; l != nil {
			for _, c := range l.Codes {
				if c.ID == code && c.Label != "" {
					return c.Label
				}
			}
		}
	}
	return code
}

// frequency is how often the series comes. A code that stands for nothing that
// can be stored is an error where there is a value.
func (r *reader) frequency(missing bool) (stat.Frequency, error) {
	if r.freq < 0 {
		return 0, nil
	}
	axis := r.axes[r.freq]
	at := int(r.key[axis.At])
	for len(r.freqs) <= at {
		r.freqs = append(r.freqs, frequency{})
	}
	f := &r.freqs[at]
	if !f.known {
		f.known = true
		f.is, f.ok = office.Frequency(r.table.Dataset.Source.ID, axis.Dim.Codes[at].ID)
	}
	if !f.ok && !missing {
		return 0, r.bad("the frequency %q of %s is none that can be stored: those are yearly, half-yearly, quarterly, monthly, weekly and daily",
			axis.Dim.Codes[at].ID, axis.Dim.ID)
	}
	return f.is, nil
}
