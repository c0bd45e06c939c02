package faostat

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

const headDescription = "Flag Description"

// FAOSTAT has had two lists of flags, in which the same letter means different
// things: until 2022 one of its own, in which A was an aggregate; since then one
// that follows CL_OBS_STATUS, in which A is an official figure. A description
// beside each flag says what it means. Other files use the new list if their
// headings have M49 or CPC codes, which were introduced with it.

// descriptions are the descriptions of flags in both lists, with the equal code of
// CL_OBS_STATUS; those without one keep their letter.
var descriptions = map[string]string{
	"official figure":                          "A",
	"official data":                            "A",
	"estimated value":                          "E",
	"fao estimate":                             "E",
	"forecast value":                           "F",
	"imputed value":                            "I",
	"provisional value":                        "P",
	"provisional official data":                "P",
	"time series break":                        "B",
	"low reliability":                          "U",
	"unvalidated value":                        "V",
	"not significant (negligible)":             "N",
	"missing value":                            "O",
	"data not available":                       "O",
	"missing value; suppressed":                "Q",
	"missing value (suppressed)":               "Q",
	"fao data based on imputation methodology": "I",
	"missing value (data cannot exist, not applicable)":                            "M",
	"missing value; data cannot exist":                                             "M",
	"missing value; data exist but were not collected":                             "L",
	"missing value (data exist but were not collected)":                            "L",
	"figure from international organizations":                                      "",
	"unofficial figure":                                                            "",
	"calculated data":                                                              "",
	"standardized data":                                                            "",
	"data obtained as a balance":                                                   "",
	"international reliable sources":                                               "",
	"expert sources from fao (including other divisions)":                          "",
	"aggregate, may include official, semi-official, estimated or calculated data": "",
}

// oldLetters are the flags of the old list, with the equal code of CL_OBS_STATUS or
// none.
var oldLetters = map[string]string{
	"F": "E", "Im": "I", "P": "P", "M": "O",
	"*": "", "A": "", "E": "", "Fb": "", "Fc": "", "Fk": "", "Fm": "", "Fp": "", "NR": "", "Q": "", "Qm": "",
	"R": "", "S": "", "SD": "", "T": "", "W": "", "X": "", "Z": "", "Cv": "",
}

// flagList is the list of flags that a file uses.
type flagList struct{ isOld, isDescribed bool }

func (h headings) flags() flagList {
	isNew := slices.ContainsFunc(h.all, func(heading string) bool {
		return strings.HasSuffix(heading, "(M49)") || strings.HasSuffix(heading, "(CPC)")
	})
	return flagList{isOld: !isNew, isDescribed: h.has(headDescription)}
}

func (l flagList) means(letter string) (stat.Flags, bool) {
	if l.isDescribed {
		return own(letter), true // describe replaces it
	}
	if !l.isOld {
		return office.Status("fao", "", letter)
	}
	meaning, known := oldLetters[letter]
	if meaning != "" {
		return stat.NewFlags(meaning), true
	}
	return own(letter), known
}

// own returns a flag that has no equal in CL_OBS_STATUS.
func own(letter string) stat.Flags { return office.OwnFlag("fao", letter) }

// describe replaces the flag of the letter with that of its description. Flags of marks
// in place of a number remain.
func (l flagList) describe(r *table.Row, o *stat.Observation) error {
	letter, description := r.Cell("Flag"), r.Cell(headDescription)
	if letter == "" && description == "" {
		return nil
	}
	described, known := own(cmp.Or(letter, description)), false
	if description == "" {
		described, known = flagList{isOld: l.isOld}.means(letter)
	} else if meaning, listed := descriptions[strings.ToLower(description)]; listed {
		known = true
		if meaning != "" {
			described = stat.NewFlags(meaning)
		}
	}
	others := slices.DeleteFunc(o.Flags.List(), func(f string) bool { return f == string(own(letter)) })
	o.Flags = stat.NewFlags(append(others, string(described))...)
	if !known {
		r.Note(stat.NoteUnknownFlag, strings.Clone(strings.TrimSpace(letter+" "+description)))
	}
	return nil
}
