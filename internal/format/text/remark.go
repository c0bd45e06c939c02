package text

import "regexp"

// remarkedYear matches a year and what stands behind it: a letter, a word for how final its
// numbers are, a sign, the number of a footnote or marks in square brackets. 1990s is a decade.
var remarkedYear = regexp.MustCompile(`^([0-9]{4})(?:\s?([a-rt-z]|\([a-z]\)|\*{1,3}|\([0-9]\)|[0-9]\)|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|†|(?:\s?\[\p{Ll}[^\[\]]{0,19}\])+)|\s(s)|\s?(\((?i:` + finality + `)\pL*\.?\))|\s((?i:` + finality + `)\pL*\.?))$`)

// finality are the beginnings of the words.
const finality = "prov|prel|est|rev|forec|proj|flash|final|vorl|gesch|schätz|stim|prév|prev|avan|voorl|forel|förel|wst|předb|előz|предв|оценка"

// CutRemark cuts the remark behind a year: "2021p", "2021 (prov.)", "2021*" and "2021 1)". It
// is empty in other texts.
func CutRemark(text string) (year, remark string) {
	found := remarkedYear.FindStringSubmatch(text)
	if found == nil {
		return text, ""
	}
	for _, part := range found[2:] {
		remark += part
	}
	return found[1], remark
}
