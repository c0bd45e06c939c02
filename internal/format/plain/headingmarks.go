package plain

import (
	"slices"
	"strings"
	"unicode"

	"almanac/internal/format/text"
)

// headingMarks is what stands behind a heading.
type headingMarks struct {
	flag  string   // a letter or word for how final the numbers are: p, prov.
	notes []string // footnotes, and signs that nothing explains
}

func (h headingMarks) hasAny() bool { return h.flag != "" || len(h.notes) > 0 }

// cleanHeadings removes from the headings the marks of footnotes, and what stands behind their periods: 2022 p,
// 2023*, 2024(e), 2021Q1 r and Owners 2021 p.
func (m *marks) cleanHeadings(written []string) []string {
	clean := slices.Clone(written)
	m.ofHeading = make([]headingMarks, len(written))
	for at, heading := range written {
		clean[at], m.ofHeading[at].notes = m.cutFootnotes(heading)
	}
	marked := slices.Clone(clean)
	for at, heading := range marked {
		bare, remark := text.CutRemark(heading)
		if remark == "" || !isRemarked(heading, marked) {
			continue
		}
		clean[at] = bare
		if remark = strings.Trim(remark, "()[]"); strings.ContainsFunc(remark, unicode.IsLetter) {
			m.ofHeading[at].flag = remark
		} else {
			m.ofHeading[at].notes = append(m.ofHeading[at].notes, remark)
		}
	}
	return clean
}

// isRemarked reports whether what stands behind the number of a heading is a remark, and no part of
// the heading: the heading is a period, or a measure and its year, no other is the same without it, and
// it is no word that all periods have.
func isRemarked(heading string, all []string) bool {
	bare, _ := text.CutRemark(heading)
	same, isOther := 0, func(string) bool { return false }
	if isPeriod(bare) {
		isOther = isPeriod
	} else if h, ok := splitHeading(bare); ok {
		isOther = func(other string) bool {
			o, ok := splitHeading(other)
			return ok && o.measure == h.measure
		}
	}
	isWord, isAlone := isPeriod(heading), true
	_, remark := text.CutRemark(heading)
	for _, other := range all {
		bareOther, remarkOther := text.CutRemark(other)
		if bareOther == bare {
			same++
		} else if isOther(bareOther) {
			isAlone, isWord = false, isWord && remarkOther == remark
		}
	}
	return same == 1 && (!isAlone || isPeriod(bare)) && !(isWord && text.IsYearWord(remark))
}
