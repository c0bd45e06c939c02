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
	cuts := cutRemarks(clean)
	for at, c := range cuts {
		if !c.isRemarked {
			continue
		}
		clean[at] = c.bare
		if remark := strings.Trim(c.remark, "()[]"); strings.ContainsFunc(remark, unicode.IsLetter) {
			m.ofHeading[at].flag = remark
		} else {
			m.ofHeading[at].notes = append(m.ofHeading[at].notes, remark)
		}
	}
	return clean
}

// cutHeading is a heading and what stands behind its last number.
type cutHeading struct {
	bare, remark string
	measure      string // of a measure and its year
	isPeriod     bool   // without the remark
	isRemarked   bool   // the remark is no part of the heading
}

// cutRemarks cuts what stands behind the numbers of headings. It is a remark if the heading is a period, or one of
// several of a measure and its year, if no other heading is the same without it, and if it is no word that all periods
// have.
func cutRemarks(headings []string) []cutHeading {
	type kind struct {
		measure  string
		isPeriod bool
	}
	cuts, same := make([]cutHeading, len(headings)), map[string]int{}
	alike, remarks := map[kind]int{}, map[kind]map[string]bool{} // headings of a kind, and their remarks
	for at, heading := range headings {
		c := &cuts[at]
		c.bare, c.remark = text.CutRemark(heading)
		if c.isPeriod = isPeriod(c.bare); !c.isPeriod {
			if h, ok := splitHeading(c.bare); ok {
				c.measure = h.measure
			}
		}
		of := kind{c.measure, c.isPeriod}
		if remarks[of] == nil {
			remarks[of] = map[string]bool{}
		}
		same[c.bare]++
		alike[of]++
		remarks[of][c.remark] = true
	}
	for at := range cuts {
		c := &cuts[at]
		of := kind{c.measure, c.isPeriod}
		isWord := text.IsYearWord(c.remark) && isPeriod(headings[at]) && len(remarks[of]) == 1
		c.isRemarked = c.remark != "" && same[c.bare] == 1 && (c.isPeriod || c.measure != "" && alike[of] > 1) && !isWord
	}
	return cuts
}
