package assemble

import (
	"fmt"
	"regexp"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// IsTimeWord reports whether a name of a dimension is one of the time: an ID that
// [IsTime] accepts, or a word in the language of an office.
func IsTimeWord(name string) bool {
	return IsTime(strings.TrimSpace(name)) || Means("period", Fold(name))
}

// Timeline is the values of a time dimension.
type Timeline struct {
	Periods []stat.Period // zero for a text that is not a period
	labels  []string      // texts that say more than their period; empty for others
}

// ReadTimeline reads the values of a time dimension together, as [text.PeriodFinder] does.
// f is the frequency that the file states for them, 0 if it states none. Digits alone are
// then its periods, as PC-Axis writes them: 20041 is the first quarter of 2004.
func ReadTimeline(name string, f stat.Frequency, texts []string) (Timeline, error) {
	finder := text.PeriodFinder{Heading: name, Frequency: f}
	written := make([]string, len(texts))
	for i, t := range texts {
		written[i] = remark.ReplaceAllString(addPart(f, strings.TrimSpace(t)), "$1")
		finder.Add(written[i])
	}
	style, err := finder.Find()
	if err != nil {
		return Timeline{}, err
	}
	t := Timeline{make([]stat.Period, len(texts)), make([]string, len(texts))}
	for i := range texts {
		p, isLabel, err := style.Read(written[i])
		if err != nil {
			continue
		}
		t.Periods[i] = p
		if isLabel || remark.MatchString(texts[i]) {
			t.labels[i] = strings.TrimSpace(texts[i])
		}
	}
	return t, nil
}

// AddLabels keeps the texts that stand beside periods that were read from codes, unless a text is its
// period, however that is written: "January 2024" says no more than 2024M01.
func (t *Timeline) AddLabels(name string, f stat.Frequency, texts []string) {
	own, err := ReadTimeline(name, f, texts)
	for i, p := range t.Periods {
		label := strings.TrimSpace(texts[i])
		if p.IsZero() || label == "" || t.labels[i] != "" {
			continue
		}
		if again, err := stat.ParsePeriod(label); err == nil && again == p {
			continue
		}
		if err != nil || own.Periods[i] != p || own.labels[i] != "" {
			t.labels[i] = label
		}
	}
}

// remark matches a period with a remark behind it: "2023*", "2022 (p)".
var remark = regexp.MustCompile(`^(.*[0-9])(?:\*+| ?\([\pL*0-9]{1,2}\))\s*$`)

// addPart adds the letter of a frequency to digits alone: 20041 is 2004Q1.
func addPart(f stat.Frequency, digits string) string {
	letter := map[stat.Frequency]string{stat.HalfYear: "H", stat.Quarter: "Q", stat.Week: "W"}[f]
	if letter == "" || len(digits) < 5 || len(digits) > 6 || strings.Trim(digits, "0123456789") != "" {
		return digits
	}
	return digits[:4] + letter + digits[4:]
}

// Len returns the number of texts that are periods.
func (t *Timeline) Len() (n int) {
	for _, p := range t.Periods {
		if !p.IsZero() {
			n++
		}
	}
	return n
}

// LooksLikeTime reports whether all texts are periods. Numbers of four digits may be
// codes, and spans of years classes of buildings: they are periods only in centuries with
// statistics, and spans only in a dimension with the name of a time.
func (t *Timeline) LooksLikeTime(isNamed bool) bool {
	for i, p := range t.Periods {
		if p.IsZero() || p.Year() < 1700 || p.Year() > 2199 || !isNamed && strings.ContainsAny(t.labels[i], "-–/") {
			return false
		}
	}
	return len(t.Periods) > 0
}

// LabelPeriods keeps what texts say more than their periods, and lists the texts that are
// no periods. Two texts for one period are an error: a dataset has only one of them.
func (t *Table) LabelPeriods(line Timeline, texts []string) error {
	seen := map[stat.Period]int{}
	for i, p := range line.Periods {
		if p.IsZero() {
			t.Undated(strings.TrimSpace(texts[i]))
			continue
		}
		if before, ok := seen[p]; ok && texts[before] != texts[i] && line.labels[before]+line.labels[i] != "" {
			return fmt.Errorf("%s and %s would both be stored as %s; a dataset can have only one of them", text.Clip(texts[before]), text.Clip(texts[i]), p)
		}
		seen[p] = i
		if line.labels[i] != "" {
			t.LabelPeriod(p, line.labels[i])
		}
	}
	return nil
}

// TimeScale returns the frequency of a time scale of PC-Axis, the Q1 of TLIST(Q1);
// 0 for any other text. K is what some offices write for quarters.
func TimeScale(scale string) stat.Frequency {
	switch strings.TrimSuffix(strings.TrimSpace(scale), "1") {
	case "A", "Y":
		return stat.Annual
	case "H":
		return stat.HalfYear
	case "Q", "K":
		return stat.Quarter
	case "M":
		return stat.Month
	case "W", "U":
		return stat.Week
	case "D":
		return stat.Day
	}
	return 0
}

// BeginsWithYear reports whether a text begins with a year, and so may be a period that
// cannot be stored.
func BeginsWithYear(text string) bool {
	return len(text) >= 4 && len(text) < 40 && strings.Trim(text[:4], "0123456789") == ""
}
