package text

import (
	"regexp"
	"strings"
)

// remarked matches a text that ends in a number, such as a year, and what stands behind it: a letter, a
// word for how final its numbers are, a sign, the number of a footnote or marks in square brackets. 1990s
// is a decade.
var remarked = regexp.MustCompile(`^(.*[0-9])(?:\s?([a-rt-zEFPR]|\([a-zEFPR]\)|\([A-Z]{2}\)|\*{1,3}|\([0-9]\)|[0-9]\)|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|†|(?:\s?\[\p{Ll}[^\[\]]{0,19}\])+)|\s(s)|\s?(\((?i:` + finality + `)\pL*\.?\))|\s((?i:` + finality + `)\pL*\.?))$`)

// finality are the beginnings of the words.
const finality = "prov|prel|est|rev|forec|proj|flash|final|vorl|gesch|schätz|stim|prév|prev|avan|voorl|forel|förel|wst|předb|előz|предв|оценка"

// CutRemark cuts the remark behind a year or another period that ends in a number: "2021p", "2021 (prov.)",
// "2021*", "2021 1)" and "2021Q1 p". It is empty in other texts.
func CutRemark(text string) (period, remark string) {
	found := remarked.FindStringSubmatch(text)
	if found == nil {
		return text, ""
	}
	for _, part := range found[2:] {
		remark += part
	}
	return found[1], remark
}

// IsYearWord reports whether a remark may be a short word for the year instead: "2021 r" in Polish, "2021 a"
// in Estonian.
func IsYearWord(remark string) bool {
	return len(remark) == 1 && strings.Contains("agmry", strings.ToLower(remark))
}
