package crosstab

import "strings"

// section is the rows below the heading of a section.
type section struct {
	rows []int // their numbers
	keys []string
}

// addSection adds a row of data to the section that it stands in.
func (s *survey) addSection(key string) {
	if len(s.all) != s.sections+1 {
		s.all = append(s.all, make([]section, s.sections+1-len(s.all))...)
	}
	last := &s.all[s.sections]
	last.rows, last.keys = append(last.rows, s.last), append(last.keys, key)
}

// findOutside finds the rows that stand behind a section and not in it, because nothing
// marks its end: the rows before them are all rows of another section, and theirs are the
// only ones of their texts.
//
//	Population,
//	Men,10
//	Women,11
//	Mean age,
//	Men,40
//	Women,43
//	Ageing index,120
func (s *survey) findOutside() {
	whole, number := map[string]bool{}, map[string]int{}
	for _, a := range s.all {
		whole[strings.Join(a.keys, "\n")] = true
		for _, key := range a.keys {
			number[key]++
		}
	}
	s.outside = map[int]bool{}
	for _, a := range s.all {
		end := len(a.keys)
		for end > 0 && number[a.keys[end-1]] == 1 {
			end--
		}
		if end > 1 && end < len(a.keys) && whole[strings.Join(a.keys[:end], "\n")] {
			for _, row := range a.rows[end:] {
				s.outside[row] = true
			}
		}
	}
}

// sectionCode returns the code of the heading of a section; rows outside of all have none.
func sectionCode(heading string) (code, label string) {
	if heading == "" {
		return "_Z", "Not applicable"
	}
	return heading, ""
}
